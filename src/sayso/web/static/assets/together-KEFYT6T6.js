import{f as k}from"./chunk-AGSDWITC.js";import{a as C}from"./chunk-265XTQO3.js";import{A as x,C as h,j as l,k as v,m as w,q as d,r as b,u as $,v as n}from"./chunk-GK3C2VGU.js";import{d as y}from"./chunk-D6BDQEZK.js";import{e as f,g as o}from"./chunk-MTF4CHP6.js";import"./chunk-FGCHBKWL.js";import{b as R,c as q,e as V}from"./chunk-SBG7DW3S.js";import{a as u,b as r,d as g,f as m}from"./chunk-5HEKNUVO.js";import"./chunk-SQE76S5B.js";var c=class extends m{constructor(){super();this.ids=[];this.watcher=new IntersectionObserver(e=>{e.some(t=>t.isIntersecting)&&this.reached()});this.at=0,this.seen=new Set,this.sent=!1,new y(this)}static{this.properties={page:{attribute:!1},first:{attribute:!1},at:{state:!0},seen:{state:!0},sent:{state:!0}}}static{this.styles=[R,q,V,u`
      pre {
        margin: 0;
        padding: var(--gap);
        border-radius: var(--radius-s);
        background: var(--code-ground);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .mark {
        border-radius: 0.2em;
        background: var(--mark);
        color: var(--on-mark);
        padding: 0 0.15em;
      }
      dt {
        margin-top: var(--gap-s);
        color: var(--text-soft);
        font-size: var(--size-s);
      }
      ol {
        margin: var(--gap) 0;
      }
      ol li {
        display: flex;
        gap: var(--gap);
        padding: 0.3rem 0;
        border-top: 1px solid var(--line);
      }
      ol bdi {
        flex: 1;
        min-width: 0;
        font-family: var(--mono);
        font-size: var(--size-s);
      }
    `]}disconnectedCallback(){super.disconnectedCallback(),this.watcher.disconnect()}willUpdate(){if(this.ids.length>0)return;let e=k(this.page.store.state,this.first);this.ids=[this.first,...e].sort((t,s)=>t.created_at<s.created_at?-1:1).map(t=>t.id)}get views(){return this.ids.map(t=>this.page.store.find(t)).filter(t=>t!==void 0&&(this.sent||l(t)))}updated(){this.watcher.disconnect();let e=this.renderRoot.querySelector(".end");e&&this.watcher.observe(e);let t=this.views[this.at];t?.input.forEach((s,i)=>{d(s)&&this.page.actions.row(t.id,i)})}whole(e){let t=this.page.store.rows.get(e.id);return e.input.map((s,i)=>t?.get(i)??s)}reached(){let e=this.views[this.at];!e||this.seen.has(e.id)||this.whole(e).some(d)||(this.seen=new Set([...this.seen,e.id]))}render(){let{views:e}=this;if(e.length===0)return r`<p class="panel">None of these waits any more. ${this.close("Close")}</p>`;if(this.sent)return this.outcome(e);let t=e.every(s=>this.seen.has(s.id));return r`<section class="panel stack" aria-label="Like requests together">
      <h2>Look at each, then answer all</h2>
      ${this.one(e)} ${t?this.verdict(e):this.left(e)}
    </section>`}one(e){let t=Math.min(this.at,e.length-1),s=e[t];return s?r`<div role="group" aria-label="${t+1} of ${e.length}">
        <p>
          <b>${t+1} of ${e.length}</b> · ${n(v(s.agent))} ${w(s)} in <bdi>${x(s)}</bdi>
        </p>
        <dl>
          ${this.whole(s).map(i=>r`<dt>${o(i.label)}</dt>
                <dd>${i.code?r`<pre dir="ltr">${f(i.value,!0)}</pre>`:o(i.value)}</dd>`)}
        </dl>
        <div class="end"></div>
      </div>
      <div class="row">
        <button ?disabled=${t===0} @click=${()=>this.step(-1)}>The one before</button>
        <button ?disabled=${t===e.length-1||!this.seen.has(s.id)} @click=${()=>this.step(1)}>
          The next one
        </button>
        ${this.close("Leave it")}
      </div>`:g}step(e){this.at=Math.min(this.at,this.views.length-1)+e}left(e){let t=e.filter(s=>!this.seen.has(s.id)).length;return r`<p class="soft" role="status">${b(t,"is","are")} still to be looked at to the end.</p>`}verdict(e){let t=!this.page.store.online;return r`<div class="row" role="group" aria-label="Answer all">
      <button class="wide" ?disabled=${t} @click=${()=>this.answer(e,"deny")}>Deny all ${e.length}…</button>
      <button class="wide" ?disabled=${t} @click=${()=>this.answer(e,"allow")}>
        Allow all ${e.length}…
      </button>
    </div>`}async answer(e,t){let s=e.slice(0,12).map(a=>`• ${h(a)}`),i=e.length>s.length?[`and ${e.length-s.length} more`]:[];if(await C({title:`${n(t)} all ${e.length}?`,words:`${[...s,...i].join(`
`)}

What is sent is sent: there is no way back.`,yes:`${n(t)} all ${e.length}`,danger:!0})){this.sent=!0,this.ids=e.map(a=>a.id);for(let a of e){let p=this.page.store.find(a.id);p&&l(p)&&this.page.actions.answer(a.id,{behavior:t})}}}outcome(e){return r`<section class="panel" aria-label="Answered together">
      <h2>Answered together</h2>
      <ol>
        ${e.map(t=>{let s=this.page.store.acts.get(t.id),i=s?.message??(s?.phase==="sending"?"sending":$(t));return r`<li><bdi>${h(t)}</bdi><span class="small">${i}</span></li>`})}
      </ol>
      ${this.close("Close")}
    </section>`}close(e){return r`<button class="quiet" @click=${()=>this.dispatchEvent(new CustomEvent("done"))}>${e}</button>`}};customElements.define("sayso-together",c);export{c as SaysoTogether};
