import{a as C,b as $,c as ve,d as J,e as Lt,g as Nt}from"./chunk-PYR5UKEY.js";import{c as Ot,d as y,e as ze,g as At}from"./chunk-WMQTZM6R.js";import{a as Rt,b as X,c as O,d as Me}from"./chunk-CPX5K5TP.js";import{a as R,b as De,c as wt,d as Pe,e as yt,f as $t,g as ie}from"./chunk-AGSDWITC.js";import{a as kt,b as xt,c as W}from"./chunk-AC6MNEIP.js";import{A as ne,B as Ct,C as Ve,D as Et,G as St,H as Tt,I as re,a as ue,b as at,c as me,d as lt,e as dt,f as ht,g as I,h as V,i as G,j as q,k as S,l as fe,m as F,n as ge,o as pt,p as ct,q as v,r as _,s as ut,t as te,u as Y,v as w,w as mt,x as ft,y as gt,z as bt}from"./chunk-GK3C2VGU.js";import{e as qt}from"./chunk-GBMGH4QC.js";import{c as _e,d as z}from"./chunk-D6BDQEZK.js";import{a as x,c as M,d as ot,e as ce,g as h,h as g}from"./chunk-MTF4CHP6.js";import{a as se,b as Fe,c as vt}from"./chunk-ANXN54WN.js";import{a as pe}from"./chunk-FGCHBKWL.js";import{a as He,b as D,c as P,d as be,e as Q}from"./chunk-SBG7DW3S.js";import{a as b,b as r,c as Ie,d as a,f as N}from"./chunk-5HEKNUVO.js";import"./chunk-SQE76S5B.js";var It=b`
  :host {
    --header: 3.5rem;
    --tabs: 3.5rem;
    min-height: 100dvh;
  }

  .skip {
    position: fixed;
    top: -6rem;
    left: var(--gap);
    z-index: 20;
  }

  .skip:focus {
    top: var(--gap);
  }

  header {
    position: sticky;
    top: 0;
    z-index: 10;
    display: flex;
    align-items: center;
    gap: var(--gap);
    box-sizing: content-box;
    height: calc(var(--header) - 1px);
    padding: var(--safe-top) max(var(--gap), var(--safe-right)) 0 max(var(--gap), var(--safe-left));
    border-bottom: 1px solid var(--line);
    background: var(--surface);
  }

  .brand {
    display: inline-flex;
    align-items: center;
    gap: 0.5em;
    min-height: var(--touch);
    color: var(--text);
    font-size: var(--size-l);
    font-weight: 650;
    letter-spacing: -0.01em;
    text-decoration: none;
  }

  nav {
    display: flex;
    flex: 1;
    gap: 0.15rem;
  }

  nav a {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4em;
    min-height: var(--touch);
    min-width: var(--touch);
    padding: 0 0.8rem;
    border-radius: var(--radius-s);
    color: var(--text-soft);
    font-weight: 600;
    text-decoration: none;
    white-space: nowrap;
  }

  nav a:hover {
    background: var(--sunken);
    color: var(--text);
  }

  nav a[aria-current] {
    color: var(--accent);
  }

  .count {
    min-width: 1.5em;
    padding: 0 0.4em;
    border-radius: 1em;
    background: var(--accent);
    color: var(--on-accent);
    font-size: var(--size-s);
    font-variant-numeric: tabular-nums;
    line-height: 1.5;
    text-align: center;
  }

  main:focus {
    outline: none;
  }

  .wait {
    padding: var(--gap-l);
  }

  .banner,
  .note {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--gap);
    padding: 0.25rem max(var(--gap), var(--safe-right)) 0.25rem max(var(--gap), var(--safe-left));
    border-bottom: 1px solid var(--line);
    background: var(--mark);
    color: var(--on-mark);
  }

  .note {
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .banner > span,
  .note > span {
    flex: 1 1 14rem;
    padding: 0.5rem 0;
  }

  .banner button,
  .note button {
    color: inherit;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }

  @media (max-width: 47.99rem) {
    header {
      justify-content: space-between;
    }

    header.deep {
      display: none;
    }

    nav {
      position: fixed;
      right: 0;
      bottom: 0;
      left: 0;
      z-index: 10;
      gap: 0;
      padding: 0 var(--safe-right) var(--safe-bottom) var(--safe-left);
      border-top: 1px solid var(--line);
      background: var(--surface);
    }

    nav.deep {
      display: none;
    }

    nav a {
      position: relative;
      flex: 1 1 auto;
      min-width: 0;
      min-height: var(--tabs);
      padding: 0 0.1rem;
      border-radius: 0;
      font-size: clamp(0.6875rem, 3.6vw, var(--size-s));
    }

    nav .count {
      position: absolute;
      top: 0.2rem;
      left: 50%;
      margin-inline-start: 0.8rem;
      font-size: 0.6875rem;
    }

    nav a[aria-current]::before {
      content: "";
      position: absolute;
      top: -1px;
      right: 20%;
      left: 20%;
      height: 2px;
      background: var(--accent);
    }

    main {
      padding-bottom: calc(var(--tabs) + var(--safe-bottom));
    }

    main.deep {
      padding-top: var(--safe-top);
      padding-bottom: 0;
    }
  }
`;var Ft=b`
  .alone {
    max-width: var(--measure);
    margin: 0 auto;
    padding: var(--gap) max(var(--gap), var(--safe-right)) var(--gap-l) max(var(--gap), var(--safe-left));
  }

  .beside {
    display: grid;
    grid-template-columns: minmax(17rem, 23rem) minmax(0, 1fr);
    align-items: start;
    max-width: 84rem;
    margin: 0 auto;
  }

  .beside .list {
    position: sticky;
    top: var(--header, 3.5rem);
    max-height: calc(100dvh - var(--header, 3.5rem));
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: var(--gap-l) var(--gap) var(--gap-l) var(--gap-l);
    scrollbar-width: thin;
  }

  .beside .detail {
    min-height: calc(100dvh - var(--header, 3.5rem));
    padding: var(--gap-l) var(--gap-l) var(--gap-l) var(--gap);
  }

  .beside .detail > * {
    max-width: 56rem;
  }

  .detail {
    min-width: 0;
  }

  .detail:focus {
    outline: none;
  }

  .bar {
    display: flex;
    align-items: center;
    gap: var(--gap-s);
    min-height: var(--touch);
    margin-bottom: var(--gap-s);
  }

  .beside .back {
    display: none;
  }

  .back {
    border-color: transparent;
    background: none;
    color: var(--accent);
    margin-inline-start: -0.75rem;
  }

  .place {
    flex: 1;
    font-size: var(--size-s);
    font-variant-numeric: tabular-nums;
  }

  .alone .place {
    text-align: center;
  }

  .steps button {
    font-size: 1.4rem;
    line-height: 1;
  }

  .alike,
  .next {
    margin-top: var(--gap);
  }

  .next {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--gap);
    min-height: var(--touch);
    padding: 0.6rem 0.85rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
    text-decoration: none;
  }

  .next:hover {
    background: var(--sunken);
  }

  .next b {
    color: var(--accent);
  }

  .alike {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--gap-s);
  }

  .alike button {
    color: var(--accent);
    padding-inline: 0.25rem;
  }
`;var _t=b`
  .find {
    margin-bottom: var(--gap);
  }

  .empty {
    padding: var(--gap-l) 0;
  }

  .empty p:first-child {
    font-size: var(--size-l);
  }

  .group {
    margin-bottom: var(--gap-l);
  }

  .head {
    margin-bottom: var(--gap-s);
  }

  h2 {
    font-size: var(--size);
    font-weight: 600;
  }

  .place {
    color: var(--text-soft);
    font-weight: 400;
  }

  .live {
    color: var(--accent);
    font-weight: 600;
  }

  .group > ul {
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    overflow: hidden;
  }

  li + li {
    border-top: 1px solid var(--line);
  }

  .entry {
    display: block;
    min-height: var(--touch);
    padding: 0.6rem 0.85rem;
    border-inline-start: 3px solid transparent;
    color: inherit;
    text-decoration: none;
  }

  .entry:hover {
    background: var(--sunken);
  }

  .entry:focus-visible {
    outline-offset: -2px;
  }

  .current {
    border-inline-start-color: var(--accent);
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .current:hover {
    background: var(--accent-soft);
  }

  .top {
    display: flex;
    align-items: baseline;
    gap: var(--gap);
  }

  .what {
    flex: 1;
    min-width: 0;
    font-weight: 600;
  }

  .age {
    flex: none;
    color: var(--text-soft);
    font-size: var(--size-s);
    font-variant-numeric: tabular-nums;
  }

  .current .age,
  .current .faint,
  .current .gist {
    color: inherit;
  }

  .gist {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    color: var(--text-soft);
    font-family: var(--mono);
    font-size: var(--size-s);
  }

  .marks {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-s);
    margin-top: var(--gap-s);
  }

  .faint {
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  .over .what {
    font-weight: 400;
  }

  .over .gist {
    -webkit-line-clamp: 1;
  }

  .how {
    display: block;
    font-size: var(--size-s);
  }

  .ended h2,
  #notices {
    color: var(--text-soft);
    font-size: var(--size-s);
    font-weight: 600;
  }

  button.wide {
    width: 100%;
  }
`;var Dt=200,$s=8,ks=6,We=class extends N{static{this.properties={page:{attribute:!1},current:{},now:{type:Number},filter:{state:!0},isFiltering:{state:!0},most:{state:!0},isEndedWhole:{state:!0}}}static{this.styles=[D,P,be,Q,_t]}constructor(){super(),this.current="",this.now=Date.now(),this.filter="",this.isFiltering=!1,this.most=Dt,this.isEndedWhole=!1,new z(this)}updated(s){s.has("current")&&this.renderRoot.querySelector(".current")?.scrollIntoView({block:"nearest"})}order(){let{state:s}=this.page.store,e=Pe(R(s).filter(n=>ie(n,this.filter)),s),t=De(s).filter(n=>ie(n,this.filter));return[...e.flatMap(n=>n.requests),...t].map(n=>n.id)}async find(){this.isFiltering=!0,await this.updateComplete,this.renderRoot.querySelector("input")?.focus()}render(){let{state:s}=this.page.store,e=R(s),t=e.filter(o=>ie(o,this.filter)),n=De(s).filter(o=>ie(o,this.filter));return r`<div @keydown=${this.moved}>
      ${this.search(e.length)}
      ${t.length===0?this.nothing(e.length):a}
      ${W(Pe(t.slice(0,this.most),s),o=>o.key,o=>this.group(o))}
      ${this.more(t.length)} ${this.notices(n)} ${this.ended()}
    </div>`}moved(s){let e={ArrowDown:1,ArrowUp:-1}[s.key],t=[...this.renderRoot.querySelectorAll("a.entry")],n=t.findIndex(o=>o===s.composedPath()[0]);e===void 0||n<0||(s.preventDefault(),t[n+e]?.focus())}search(s){return s<ks&&!this.filter&&!this.isFiltering?a:r`<div class="find">
      <label class="sr" for="find">Find among what waits</label>
      <input
        id="find"
        type="search"
        placeholder="Find (/)"
        autocomplete="off"
        .value=${this.filter}
        @input=${e=>{this.filter=e.target.value}}
        @keydown=${this.searched}
      />
    </div>`}searched(s){s.key==="Escape"&&(this.filter="",this.isFiltering=!1,s.target.blur())}nothing(s){let{store:e}=this.page;return e.state.boot===""?r`<p class="empty soft" role="status">${e.online?"Connecting…":"What waits is not known yet."}</p>`:s>0?r`<p class="empty soft">None of the ${s} that wait holds these words.</p>`:r`<div class="empty">
      <p>Nothing waits for you.</p>
      <p class="soft small">What an agent asks stands here as soon as it asks.</p>
      ${this.working()}
    </div>`}working(){let s=[...this.page.store.state.sessions.values()],t=["working","waiting","idle"].map(n=>[n,s.filter(o=>o.state===n).length]).filter(([,n])=>n>0).map(([n,o])=>`${o} ${n}`);return t.length===0?a:r`<p class="small"><a href="#/sessions">Sessions: ${t.join(", ")}</a></p>`}group(s){let{first:e,session:t}=s,n=t?.state??"";return r`<div class="group" role="group" aria-label="${w(S(e.agent))} in ${ne(e)}">
      <div class="head">
        <h2>
          <span class="agent">${w(S(e.agent))}</span>
          <bdi class="place">${ne(e)}</bdi>
        </h2>
        <p class="soft small">
          ${t?Et(t):"asks by itself"}${n?r` · <span class=${n==="waiting"?"live":""}>${n}</span>`:a}
        </p>
      </div>
      <ul>
        ${W(s.requests,o=>o.id,o=>this.entry(o))}
      </ul>
    </div>`}entry(s){let e=s.id===this.current;return r`<li>
      <a
        class="entry ${e?"current":""}"
        href=${O({tab:"inbox",id:s.id})}
        aria-current=${e?"true":a}
      >
        <span class="top">
          <span class="what">${w(F(s))}</span>
          <span class="age">${ge(s.created_at,this.now).replace(" ago","")}</span>
        </span>
        <bdi class="gist">${Ve(s)}</bdi>
        ${this.marks(s)}
      </a>
    </li>`}marks(s){let e=this.page.store.acts.get(s.id),t=s.expires_at?(Date.parse(s.expires_at)-this.now)/1e3:Number.POSITIVE_INFINITY,n=[s.agent_type||s.agent_id?{words:`subagent ${s.agent_type??""}`,style:""}:null,s.unsafe?{words:"destructive, it says",style:"alarm"}:null,s.confirmed===!1?{words:"not confirmed who asks",style:V(s)?"faint":"alarm"}:null,t<120?{words:"waits only shortly",style:""}:null,e?.phase==="sending"?{words:e.waiting?"sent when the desk is back":"sending",style:"live"}:null,e?.phase==="acknowledged"?{words:"acknowledged",style:"live"}:null,e?.phase==="refused"?{words:"not taken",style:"alarm"}:null].filter(o=>o!==null);return n.length===0?a:r`<span class="marks">
      ${n.map(({words:o,style:l})=>r`<span class=${l==="faint"?l:`badge ${l}`}>${o}</span>`)}
    </span>`}more(s){return s<=this.most?a:r`<button class="wide quiet" @click=${()=>{this.most+=Dt}}>
      ${_(s-this.most,"more waits","more wait")}: show them
    </button>`}notices(s){return s.length===0?a:r`<section class="group" aria-labelledby="notices">
      <h2 class="head" id="notices">In their terminals</h2>
      <ul>
        ${W(s,e=>e.id,e=>this.over(e,re(Date.parse(e.created_at),this.now)))}
      </ul>
    </section>`}ended(){let{store:s}=this.page,e=[...s.vanished.values(),...wt(s.state)];if(e.length===0)return a;let t=this.isEndedWhole?e:e.slice(0,$s);return r`<section class="group ended" aria-labelledby="ended">
      <h2 class="head" id="ended">Lately</h2>
      <ul>
        ${W(t,n=>n.id,n=>this.over(n,re(Date.parse(n.ended_at||n.answered_at||n.created_at),this.now)))}
      </ul>
      ${t.length<e.length?r`<button class="quiet wide" @click=${()=>{this.isEndedWhole=!0}}>
              ${e.length-t.length} more
            </button>`:a}
    </section>`}over(s,e){let t=s.id===this.current;return r`<li>
      <a
        class="entry over ${t?"current":""}"
        href=${O({tab:"inbox",id:s.id})}
        aria-current=${t?"true":a}
      >
        <span class="top">
          <span class="what">${w(F(s))}</span>
          <span class="age">${e}</span>
        </span>
        <bdi class="gist">${Ve(s)}</bdi>
        <span class="how ${G(s)?"loud":""}">${w(Y(s))}</span>
      </a>
    </li>`}};customElements.define("sayso-list",We);var xs="(min-width: 60rem)",Rs=8e3,Cs=new Map,Be=class extends N{constructor(){super();this.wide=matchMedia(xs);this.turned=()=>this.requestUpdate();this.overAt=0;this.listTop=0;this.place=0;this.wanted="",this.now=Date.now(),this.isTogether=!1,new z(this)}static{this.properties={page:{attribute:!1},wanted:{},now:{type:Number},isTogether:{state:!0}}}static{this.styles=[D,P,Q,Ft]}connectedCallback(){super.connectedCallback(),this.wide.addEventListener("change",this.turned)}disconnectedCallback(){super.disconnectedCallback(),this.wide.removeEventListener("change",this.turned),this.page.open=[]}get list(){return this.renderRoot.querySelector("sayso-list")}get card(){return this.renderRoot.querySelector("sayso-card")}willUpdate(){let{store:e}=this.page,t=this.overAt>0&&Date.now()-this.overAt>Rs,n=this.wanted||t&&this.byItself()||this.kept?.id||this.byItself();this.wanted===""&&!this.wide.matches?this.kept=void 0:this.kept=e.find(n)??(this.kept?.id===n?this.kept:void 0),this.overAt=this.kept&&!q(this.kept)?this.overAt||Date.now():0,this.page.open=this.kept&&q(this.kept)?[this.kept.id]:[];let o=this.kept?R(e.state).findIndex(l=>l.id===this.kept?.id):-1;o>=0&&(this.place=o)}byItself(){return this.wide.matches?R(this.page.store.state)[0]?.id??"":""}move(e){let t=this.list?.order()??[];if(t.length===0)return;let n=X(location.hash).id||this.kept?.id||"",o=t.indexOf(n),l=o>=0?o+e:this.kept?this.place+(e>0?e-1:e):e>0?0:-1;this.go(t[(l+t.length)%t.length]??"")}go(e){let t=O({tab:"inbox",id:e});this.wanted&&e?location.replace(t):location.hash=t}async enter(){let e=this.list?.order()[0];!this.kept&&e&&this.go(e),await this.updateComplete,this.renderRoot.querySelector(".detail")?.focus({preventScroll:!0})}find(){this.kept&&!this.wide.matches&&this.go(""),this.updateComplete.then(()=>this.list?.find())}key(e){let t=X(location.hash).id;return t&&t!==this.kept?.id?!0:this.page.store.online&&(this.card?.key?.(e)??!1)}back(){return!this.wanted||this.wide.matches?!1:(this.go(""),!0)}updated(e){if(!e.has("wanted"))return;this.isTogether=!1,this.wanted&&this.enter();let t=e.get("wanted")==="";this.wanted&&t&&(this.listTop=window.scrollY),window.scrollTo(0,this.wanted?0:this.listTop)}render(){let e=!this.wide.matches,t=this.wanted!=="";return r`<div class=${e?"alone":"beside"}>
      <h1 class="sr">Inbox</h1>
      <div class="list" ?hidden=${e&&t}>
        <sayso-list .page=${this.page} .now=${this.now} .current=${this.kept?.id??""}></sayso-list>
      </div>
      ${e&&!t?a:this.detail()}
    </div>`}detail(){let e=this.kept;return e?r`<section class="detail" tabindex="-1" aria-label="${w(S(e.agent))} ${F(e)}">
      ${this.bar(e)} ${this.isTogether?this.all(e):[this.shown(e),this.onward(e)]}
    </section>`:this.wanted?this.unknown():r`<div class="detail none"></div>`}shown(e){let{store:t}=this.page,n=yt(t.state,e.id);return r`${this.page.may("answer")?a:r`<p class="soft">This device may see this, and not answer it.</p>`}<sayso-card
      .request=${e}
      .act=${t.acts.get(e.id)}
      .rows=${t.rows.get(e.id)??Cs}
      .position=${n?`${n.n} of ${n.of}`:""}
      .now=${this.now}
      .focused=${!0}
      .offline=${!t.online||!this.page.may("answer")}
      @answer=${this.answered}
      @release=${this.released}
      @row=${this.asked}
    ></sayso-card>`}bar(e){let t=R(this.page.store.state).filter(n=>n.id!==e.id).length;return r`<div class="bar">
      <a class="button back" href="#/inbox">‹ Inbox</a>
      <span class="place soft">${t>0?_(t,"other waits","others wait"):a}</span>
      <span class="steps">
        <button class="quiet" ?disabled=${t===0} title="The one before (k)" @click=${()=>this.move(-1)}>
          <span aria-hidden="true">‹</span><span class="sr">The one before</span>
        </button>
        <button class="quiet" ?disabled=${t===0} title="The next one (j)" @click=${()=>this.move(1)}>
          <span aria-hidden="true">›</span><span class="sr">The next one</span>
        </button>
      </span>
    </div>`}onward(e){if(q(e))return this.alike(e);let t=R(this.page.store.state)[0];return t?r`<a class="next" href=${O({tab:"inbox",id:t.id})}>
      <b>Next</b>
      <bdi>${w(S(t.agent))} ${F(t)} in ${ne(t)}</bdi>
    </a>`:a}alike(e){let t=$t(this.page.store.state,e);return t.length===0||!this.page.may("answer")?a:r`<p class="alike">
      <span class="soft">${_(t.length,"other like this waits","others like this wait")}.</span>
      <button class="quiet" @click=${this.together}>Look at all, and answer them together…</button>
    </p>`}all(e){let t=()=>{this.isTogether=!1};return r`<sayso-together .page=${this.page} .first=${e} @done=${t}></sayso-together>`}async together(){await import("./together-KEFYT6T6.js"),this.isTogether=!0}unknown(){let e=this.page.store.state.boot==="";return r`<section class="detail" tabindex="-1" aria-label="Unknown request">
      <div class="bar"><a class="button back" href="#/inbox">‹ Inbox</a></div>
      <p class="panel">
        ${e?"Connecting…":"The desk does not know this request any more: it ended a while ago, or never was there."}
      </p>
    </section>`}answered(e){this.page.store.online&&this.page.actions.answer(e.detail.id,e.detail.reply)}released(e){this.page.store.online&&this.page.actions.release(e.detail.id)}asked(e){this.page.actions.row(e.detail.id,e.detail.index)}};customElements.define("sayso-inbox",Be);var Es={i:"inbox",s:"sessions",d:"devices",e:"settings",h:"help"},Ss=1500,we=class{constructor(s,e=()=>performance.now()){this.keyed=s;this.now=e;this.wentAt=Number.NEGATIVE_INFINITY}press(s){if(s.defaultPrevented||s.isComposing||s.ctrlKey||s.metaKey||s.altKey)return!1;let e=s.composedPath()[0]??null;if(Ts(e)||qs(s.composedPath())||Os(s,e))return!1;let t=this.now()-this.wentAt<Ss;this.wentAt=Number.NEGATIVE_INFINITY;let n=t?Es[s.key]:void 0;return n!==void 0?(this.keyed.go(n),!0):this.move(s.key)||this.keyed.card(s)||s.key==="Escape"&&this.keyed.back()}move(s){switch(s){case"j":return this.keyed.move(1),!0;case"k":return this.keyed.move(-1),!0;case"g":return this.wentAt=this.now(),!0;case"o":return this.keyed.enter(),!0;case"?":return this.keyed.help(),!0;case"/":return this.keyed.filter(),!0;case"w":return this.keyed.away(),!0;case"x":return this.keyed.dismiss(),!0;default:return!1}}};function Ts(i){return i instanceof Element?i instanceof HTMLInputElement?!["checkbox","radio","button","submit"].includes(i.type):i instanceof HTMLTextAreaElement||i instanceof HTMLSelectElement||i instanceof HTMLElement&&i.isContentEditable:!1}function qs(i){return i.some(s=>s instanceof HTMLDialogElement)}function Os(i,s){return i.key!=="Enter"&&i.key!==" "?!1:s instanceof Element&&s.matches("button, a, summary, input, [role=button]")}var As=5*6e4,Ke=3,Pt=300,Ue=class extends N{constructor(){super();this.gone=new Set;this.trouble="";this.now=Date.now(),new z(this)}static{this.properties={page:{attribute:!1},now:{type:Number}}}static{this.styles=[D,P,b`
      li {
        display: flex;
        align-items: flex-start;
        gap: var(--gap);
        padding: var(--gap-s) var(--gap);
        border-bottom: 1px solid var(--line);
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }
      li.loud {
        background: var(--danger-soft);
        color: var(--on-danger-soft);
      }
      .words {
        flex: 1;
        min-width: 0;
        padding: 0.55rem 0;
      }
      .body {
        white-space: pre-line;
      }
      a {
        color: inherit;
        font-weight: 600;
      }
      button {
        flex: none;
        color: inherit;
      }
    `]}dismiss(){for(let e of this.strips())this.gone.add(e.key);this.requestUpdate()}render(){let e=this.strips().filter(o=>!this.gone.has(o.key)),t=e.slice(-Ke),n=e.length-t.length;return r`${this.grants()}<ul aria-live="polite" aria-label="News">
      ${W(t,o=>o.key,(o,l)=>r`<li class=${o.loud?"loud":""}>
          <span class="words">${o.body}${l===0&&n>0?r` <b>${n} more</b>`:a}</span>
          <button class="quiet" aria-label="Put away" title="Put away (x)" @click=${()=>this.put(o.key)}>
            ✕
          </button>
        </li>`)}
    </ul>`}grants(){let e=this.page.store.state.grants.filter(n=>this.now<Date.parse(n.until));if(e.length===0)return a;let t=e.slice(Ke);return r`<ul aria-label="Allowed for a while">
      ${W(e.slice(0,Ke),n=>n.id,n=>this.ending(r`${Ct(n,this.now)}`,"End",[n]))}
      ${t.length>0?this.ending(r`${t.length} more are allowed for a while.`,"End these",t):a}
      ${this.trouble?r`<li class="loud"><span class="words">${this.trouble}</span></li>`:a}
    </ul>`}ending(e,t,n){return r`<li>
      <span class="words">${e}</span>
      ${this.page.may("answer")?r`<button ?disabled=${!this.page.store.online} @click=${()=>this.end(n)}>${t}</button>`:a}
    </li>`}async end(e){this.trouble="";try{for(let t of e)await this.page.actions.endGrant(t.id)}catch(t){if(!(t instanceof pe))throw t;this.trouble=t.message}this.requestUpdate()}put(e){this.gone.add(e),this.requestUpdate()}strips(){let{state:e}=this.page.store,t=e.notes.filter(d=>this.now-Date.parse(d.at)<As).map(d=>({key:`note ${JSON.stringify(d)}`,loud:!1,at:d.at,body:r`${Tt(d)}: ${h(d.title,Pt)}${d.body?.trim()?r`<br /><span class="body">${h(d.body,Pt)}</span>`:a}`})),n=e.alerts.map(d=>({key:`alert ${JSON.stringify(d)}`,loud:!0,at:d.at,body:St(d)})),l=[...this.page.store.vanished.values(),...e.ended.values()].filter(G).map(d=>this.failed(d));return[...t.sort(Ht),...[...n,...l].sort(Ht)]}failed(e){return{key:`${e.state} ${e.id} ${e.created_at}`,loud:!0,at:e.ended_at||e.answered_at||e.created_at,body:r`${w(fe(e))} ${F(e)}: ${Y(e)}
        <a href=${O({tab:"inbox",id:e.id})}>Show it</a>`}}};function Ht(i,s){return i.at<s.at?-1:i.at>s.at?1:0}customElements.define("sayso-strips",Ue);var Ls={inbox:"Inbox",sessions:"Sessions",devices:"Devices",settings:"Settings",help:"Help"},Ns={sessions:()=>import("./sessions-QO4DVJJT.js"),devices:()=>import("./devices-XESKBDE2.js"),settings:()=>import("./settings-D7X7SIAZ.js"),help:()=>import("./help-HUD2Z2JD.js")},Mt=1e3,Vt=10,Is=1500,je=class extends N{constructor(){super();this.ticks=0;this.isFinding=!1;this.told=0;this.code=Me(location.hash),this.code&&history.replaceState(null,"",location.pathname),this.route=X(location.hash),this.now=Date.now(),this.trouble="",this.awayBusy=!1,this.loaded=new Set,this.isOld=!1,this.page=se()?new _e(se()):void 0,new z(this)}static{this.properties={page:{state:!0},route:{state:!0},now:{state:!0},code:{state:!0},trouble:{state:!0},awayBusy:{state:!0},loaded:{state:!0},isOld:{state:!0}}}static{this.styles=[D,P,Q,It]}connectedCallback(){super.connectedCallback();let e=new we(this);window.addEventListener("hashchange",()=>this.moved()),window.addEventListener("keydown",o=>{this.page&&e.press(o)&&o.preventDefault()}),document.addEventListener("visibilitychange",()=>{this.now=Date.now()}),window.addEventListener("beforeunload",o=>{this.page?.isSending&&o.preventDefault()}),window.addEventListener("storage",o=>{o.key==="sayso.token"&&this.paired()});let t=navigator.serviceWorker,n=!!t?.controller;t?.addEventListener("controllerchange",()=>{this.isOld=n}),t?.addEventListener("message",o=>{o.data?.type==="open"&&(location.hash=O({tab:"inbox",id:o.data.id??""}))}),setInterval(()=>this.tick(),Mt),this.load()}moved(){let e=Me(location.hash);e&&(history.replaceState(null,"",location.pathname),this.code=e);let t=this.route.tab;this.route=X(location.hash),this.trouble="",this.route.tab!==t&&window.scrollTo(0,0),this.load()}async load(){let{tab:e}=this.route;try{await Ns[e]?.(),this.loaded=new Set([...this.loaded,e])}catch{this.trouble="This part of the page could not be loaded. Is the desk up? Then load the page anew."}}tick(){this.ticks+=1,document.visibilityState==="visible"&&(this.isUrgent()||this.ticks%Vt===0)&&(this.now=Date.now())}isUrgent(){if(!this.page)return!1;let{store:e}=this.page;if(!e.online&&Date.now()-e.since<2*Vt*Mt)return!0;let t=Date.now()+6e4;return e.state.grants.some(n=>Date.parse(n.until)<t)?!0:R(e.state).some(n=>n.expires_at&&Date.parse(n.expires_at)<t)}updated(){this.isFinding&&this.inbox&&(this.isFinding=!1,this.inbox.find());let e=this.page?R(this.page.store.state).length:0;e!==this.told&&(this.told=e,document.title=e>0?`(${e}) sayso`:"sayso",Fs(e))}paired(){this.page?.close(),this.code="",this.page=se()?new _e(se()):void 0}forget(){vt(),this.paired()}render(){let e=this.page?.store.refusal;return!this.page||e?.status===401?this.pairing(e??null):this.shell(this.page)}pairing(e){let t=e?`The desk does not know this device${Fe()?` (${Fe()})`:""} any more: it was taken back, or is another desk's.`:"";return import("./pairing-5DE6MY7R.js"),r`<sayso-pairing .code=${this.code} .why=${t} @paired=${this.paired}></sayso-pairing>`}shell(e){let t=this.route.tab==="inbox"&&this.route.id!=="";return r`
      <button class="skip" @click=${this.skip}>To what waits</button>
      <header class=${t?"deep":""}>
        <a class="brand" href="#/inbox"
          ><img src="/icons/mark.svg" alt="" width="28" height="28" /><span>sayso</span></a
        >
        ${this.tabs(e,t)}
        <sayso-switch
          label="Away"
          title="Away: agents that show nothing meanwhile wait longer for you (w)"
          .on=${e.store.state.settings?.away??!1}
          .busy=${this.awayBusy}
          ?disabled=${!e.store.online||!e.may("answer")}
          @toggle=${this.away}
        ></sayso-switch>
      </header>
      ${this.banners(e)}
      <sayso-strips .page=${e} .now=${this.now}></sayso-strips>
      <p class="sr" role="status">${this.waiting(e)}</p>
      <main tabindex="-1" class=${t?"deep":""}>${this.view(e)}</main>
    `}waiting(e){return e.store.state.boot===""?"":_(R(e.store.state).length,"request waits","requests wait")}tabs(e,t){let n=R(e.store.state).length;return r`<nav class=${t?"deep":""} aria-label="Parts of the page">
      ${Rt.map(o=>r`<a href=${O({tab:o,id:""})} aria-current=${this.route.tab===o?"page":a}
          ><span>${Ls[o]}</span>${o==="inbox"&&n>0?r`<span class="count" aria-label=${this.waiting(e)}>${n}</span>`:a}</a
        >`)}
    </nav>`}banners(e){let{store:t}=e,n=!t.online&&Date.now()-t.since>Is&&t.refusal===null,o=re(t.since,this.now),l=t.state.boot===""?"Not connected to the desk yet. Trying…":`Not connected to the desk since ${o}; what you see may be old. Trying again…`;return r`<div role="status">
        ${n?r`<div class="banner">
                <span>${l}</span><button class="quiet" @click=${()=>e.again()}>Try now</button>
              </div>`:a}
        ${t.refusal?r`<div class="banner">
                <span>${t.refusal.message}</span>
                <button class="quiet" @click=${()=>e.again()}>Try again</button>
              </div>`:a}
        ${this.unused(e)} ${this.isOld?this.older():a}
      </div>
      ${this.trouble?r`<div class="banner" role="alert"><span>${this.trouble}</span></div>`:a}`}unused(e){if(!this.code||!e.store.me)return a;let{me:t}=e.store;return r`<div class="note">
      <span>This browser is paired already, as ${t.device.name} (${t.power}); the code in the link was not used.</span>
      <button class="quiet" @click=${this.useCode}>Use it</button>
      <button
        class="quiet"
        @click=${()=>{this.code=""}}
      >
        Leave it
      </button>
    </div>`}older(){return r`<div class="note">
      <span>The desk was brought up to date; this page is still the one before.</span>
      <button class="quiet" @click=${()=>location.reload()}>Load it anew</button>
    </div>`}useCode(){this.page?.close(),this.page=void 0}view(e){let{tab:t,id:n}=this.route;if(t==="inbox")return r`<sayso-inbox .page=${e} .wanted=${n} .now=${this.now}></sayso-inbox>`;if(!this.loaded.has(t))return r`<p class="soft wait">…</p>`;switch(t){case"sessions":return r`<sayso-sessions .page=${e} .now=${this.now}></sayso-sessions>`;case"devices":return r`<sayso-devices .page=${e} .now=${this.now} @forget=${this.forget}></sayso-devices>`;case"settings":return r`<sayso-settings .page=${e} .now=${this.now} @forget=${this.forget}></sayso-settings>`;default:return r`<sayso-help></sayso-help>`}}get inbox(){return this.renderRoot.querySelector("sayso-inbox")}skip(){this.renderRoot.querySelector("main")?.focus()}move(e){this.inbox?.move(e)}enter(){this.inbox?this.inbox.enter():this.go("inbox")}go(e){location.hash=`#/${e}`}help(){this.go(this.route.tab==="help"?"inbox":"help")}filter(){this.isFinding=!0,this.inbox||this.go("inbox"),this.requestUpdate()}dismiss(){this.renderRoot.querySelector("sayso-strips")?.dismiss()}back(){return this.inbox?.back()??!1}card(e){return this.inbox?.key(e)??!1}away(){let{page:e}=this;!e?.store.online||this.awayBusy||!e.may("answer")||(this.awayBusy=!0,this.trouble="",e.actions.setAway(!e.store.state.settings?.away).catch(t=>{if(!(t instanceof pe))throw t;this.trouble=t.message}).finally(()=>{this.awayBusy=!1}))}};async function Fs(i){try{await(i>0?navigator.setAppBadge?.(i):navigator.clearAppBadge?.())}catch{}}customElements.define("sayso-app",je);var zt=b`
  .mono,
  .code {
    font-family: var(--mono);
    font-size: 0.8125rem;
    line-height: 1.55;
    tab-size: 4;
  }

  .code {
    border: 1px solid var(--line);
    border-radius: var(--radius-s);
    background: var(--code-ground);
    padding: 0.4rem 0;
    unicode-bidi: isolate;
    text-align: left;
    overflow: clip;
  }

  .line {
    display: flex;
    align-items: baseline;
    padding: 0 0.6rem;
  }

  .line .text {
    flex: 1;
    min-width: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
  }

  .number,
  .sign {
    flex: none;
    color: var(--text-soft);
    user-select: none;
  }

  .number {
    min-width: 2.6em;
    padding-right: 0.9em;
    text-align: right;
  }

  .number::before {
    content: attr(data-number);
  }

  .sign {
    width: 1.2em;
    font-weight: 700;
  }

  .sign::before {
    content: attr(data-sign);
  }

  .line.added {
    background: var(--added);
  }

  .line.removed {
    background: var(--removed);
  }

  .line.added :is(.number, .sign) {
    color: var(--on-added);
  }

  .line.removed :is(.number, .sign) {
    color: var(--on-removed);
  }

  .fold > summary {
    display: flex;
    align-items: center;
    min-height: 1.75rem;
    padding: 0 0.6rem;
    background: var(--sunken);
    color: var(--text-soft);
    font-family: var(--sans);
    font-size: var(--size-s);
    cursor: pointer;
  }

  .fold > summary::before {
    content: "⋯";
    width: 2.6em;
    text-align: center;
  }

  .mark {
    padding: 0 0.15em;
    border-radius: 0.25em;
    background: var(--mark);
    color: var(--on-mark);
    font-family: var(--mono);
    font-size: 0.9em;
  }

  .comment-text,
  .text .comment {
    color: var(--syntax-comment);
  }

  .text .word {
    color: var(--syntax-keyword);
  }

  .text .value {
    color: var(--syntax-number);
  }

  .text .string {
    color: var(--syntax-string);
  }

  .text .name {
    color: var(--syntax-name);
  }

  .text .attribute {
    color: var(--syntax-type);
  }

  /* On coloured ground the colours of words would be hard to read: there the text is plain. */
  .line:is(.added, .removed) .text span:not(.mark) {
    color: inherit;
  }

  .line.added .changed {
    border-radius: 0.2em;
    background: color-mix(in srgb, var(--on-added) 20%, transparent);
  }

  .line.removed .changed {
    border-radius: 0.2em;
    background: color-mix(in srgb, var(--on-removed) 20%, transparent);
  }

  @media (pointer: coarse) {
    .fold > summary {
      min-height: var(--touch);
    }
  }

  .prose > div {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .file + .file {
    margin-top: var(--gap);
  }

  .file-name {
    margin-bottom: 0.3rem;
    font-weight: 600;
  }

  .place {
    margin: 0.4rem 0 0.2rem;
  }

  .verb {
    display: inline-block;
    padding: 0 0.5em;
    border-radius: 1em;
    background: var(--sunken);
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  .verb.add {
    background: var(--added);
    color: var(--on-added);
  }

  .verb.delete {
    background: var(--removed);
    color: var(--on-removed);
  }

  .plan {
    display: flex;
    flex-direction: column;
    gap: 0.6rem;
  }

  .plan :is(h3, h4, h5, h6) {
    margin: 0.35rem 0 0;
    font-size: var(--size-l);
    line-height: 1.3;
  }

  .plan h4 {
    font-size: 1rem;
  }

  .plan :is(h5, h6) {
    font-size: var(--size);
  }

  .plan :is(p, ul, ol, blockquote) {
    margin: 0;
  }

  .plan li > p + :is(p, ul, ol, .code),
  .plan blockquote > * + * {
    margin-top: 0.4rem;
  }

  .plan li.task {
    list-style: none;
    margin-inline-start: -1.4rem;
  }

  .plan ul {
    list-style: disc;
    padding-inline-start: 1.4rem;
  }

  .plan ol {
    list-style: decimal;
    padding-inline-start: 1.6rem;
  }

  .plan blockquote {
    margin-inline: 0;
    padding-inline-start: 0.8rem;
    border-inline-start: 3px solid var(--line);
    color: var(--text-soft);
  }

  .plan code {
    padding: 0.05em 0.3em;
    border-radius: 0.25em;
    background: var(--code-ground);
  }

  .plan hr {
    border: 0;
    border-top: 1px solid var(--line);
  }

  .written {
    white-space: pre-wrap;
    font-family: var(--mono);
    font-size: 0.9em;
  }

  .lang,
  .address {
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  .address {
    font-family: var(--mono);
  }

  .table {
    overflow-x: auto;
  }

  .table table {
    border-collapse: collapse;
    font-size: var(--size-s);
  }

  .table :is(th, td) {
    padding: 0.3rem 0.6rem;
    border: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
  }
`;var Wt=b`
  legend {
    margin-bottom: 0.3rem;
    padding: 0;
  }

  .choices {
    display: flex;
    flex-direction: column;
  }

  .choice {
    border: 1px solid transparent;
    border-radius: var(--radius-s);
  }

  .choice.on {
    border-color: var(--accent);
    background: var(--accent-soft);
  }

  .choice > label {
    display: flex;
    align-items: flex-start;
    gap: 0.65rem;
    min-height: var(--touch);
    padding: 0.6rem;
    cursor: pointer;
  }

  .choice .words {
    flex: 1;
    min-width: 0;
  }

  .description {
    display: block;
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  .preview {
    padding: 0 0.6rem 0.6rem 2.5rem;
  }

  .own,
  .field {
    display: flex;
    flex-direction: column;
    gap: 0.25rem;
  }

  .form {
    display: flex;
    flex-direction: column;
    gap: var(--gap-l);
  }

  textarea.mono {
    font-family: var(--mono);
    font-size: 0.875rem;
  }

  .review dt {
    flex: 1 1 12rem;
    color: var(--text-soft);
  }

  .review dd {
    display: flex;
    flex: 2 1 12rem;
    align-items: center;
    justify-content: space-between;
    gap: var(--gap);
    font-weight: 600;
  }

  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .apart {
    flex: 1;
  }

  .hint {
    font-size: 0.75rem;
    font-weight: 500;
    line-height: 1.4;
  }

  .primary .hint,
  .sure .hint {
    border-color: currentColor;
    background: transparent;
    color: inherit;
  }

  button.settling[aria-disabled="true"] {
    border-color: var(--line-strong);
    background: var(--surface);
    color: var(--text);
    cursor: default;
  }

  button.primary.settling[aria-disabled="true"] {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }

  button.danger.settling[aria-disabled="true"] {
    border-color: var(--danger);
    color: var(--danger);
  }

  button.danger.sure.settling[aria-disabled="true"] {
    background: var(--danger);
    color: var(--on-danger);
  }

  button.quiet.settling[aria-disabled="true"] {
    border-color: transparent;
    background: transparent;
    color: var(--text-soft);
  }

  .lock,
  .second {
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-s);
    background: var(--mark);
    color: var(--on-mark);
  }

  /* Beside the button that it locks, wherever that is. */
  .lock {
    display: flex;
    flex: 1 0 100%;
    align-items: center;
    justify-content: space-between;
    gap: var(--gap-s);
    padding: 0.1rem 0.25rem 0.1rem 0.75rem;
  }

  .lock button {
    flex: none;
    color: inherit;
    text-decoration: underline;
  }

  .second {
    background: var(--sunken);
    color: var(--text);
  }

  .unsafe .second,
  .second.unsafe {
    background: var(--danger-soft);
    color: var(--on-danger-soft);
  }

  article.unsafe {
    border-color: var(--danger);
  }

  .second .code {
    margin-top: 0.4rem;
    color: var(--text);
  }

  .second.unsafe .loud {
    color: inherit;
  }

  .unseen {
    display: flex;
    gap: 0.65rem;
    align-items: flex-start;
    min-height: var(--touch);
    padding: 0.5rem 0;
  }

  .problem {
    color: var(--danger);
    font-weight: 600;
  }

  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 var(--gap);
  }

  .foot p {
    flex: 1 1 16rem;
  }

  .foot button {
    margin-inline: -0.75rem;
    padding-inline: 0.75rem;
    font-weight: 500;
  }

  /* How it ended comes before what it was. */
  .was {
    order: 1;
    padding-bottom: 0.4rem;
  }

  .standing p + p {
    margin-top: 0.2rem;
  }

  .standing:not(:has(p)) {
    display: none;
  }

  .standing:has(.loud) {
    padding: 0.6rem 0.75rem;
    border-inline-start: 4px solid var(--danger);
    border-radius: var(--radius-s);
    background: var(--danger-soft);
    color: var(--on-danger-soft);
  }

  .standing .loud {
    color: inherit;
  }

  #add-note {
    align-self: flex-start;
    margin-inline: -0.75rem;
    padding-inline: 0.75rem;
  }

  .was > summary {
    min-height: 1.75rem;
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  @media (hover: none) {
    .hint,
    .hint-words {
      display: none;
    }
  }

  @media (max-width: 40rem) {
    article {
      --inset: var(--gap);
      padding-bottom: var(--gap-s);
      border-radius: var(--radius-s);
    }

    /* The answers stay at the thumb, however long the card is; what is chosen from scrolls by. */
    .actions {
      display: contents;
    }

    .actions > .buttons {
      position: sticky;
      bottom: 0;
      z-index: 1;
      margin-inline: calc(-1 * var(--inset) + 2px);
      padding: 0.6rem var(--inset) calc(0.6rem + var(--safe-bottom));
      border-top: 1px solid var(--line);
      background: var(--surface);
    }

    /* What gets the focus must not come to lie below them. */
    :is(input, textarea, select, summary, a, button) {
      scroll-margin-bottom: 6rem;
    }

    .pair .label {
      flex-basis: 100%;
    }

    .buttons > button {
      flex: 1 1 auto;
    }

    .code {
      font-size: 0.75rem;
    }

    .line {
      padding: 0 0.4rem;
    }

    .number {
      min-width: 2.2em;
      padding-right: 0.6em;
    }

    .hint {
      display: none;
    }
  }
`;var k=class{constructor(s){this.host=s}get view(){return this.host.view}get ownRow(){return-1}selected(s){}told(s){}};function m(i,s){let e=s.allows===!0&&i.lock!=="",t=i.isBusy||i.isSettling||e,n=()=>{i.isBusy||i.isSettling||(e?i.reveal():s.press())};return r`${e&&s.id!=="no"?_s(i):a}<button
    type="button"
    id=${s.id??a}
    class="${s.style??""} ${i.isSettling&&!i.isBusy&&!e?"settling":""}"
    aria-disabled=${t?"true":a}
    aria-describedby=${e?"lock":a}
    aria-keyshortcuts=${s.keys??a}
    @click=${n}
  >
    <span>${s.label}</span>${Ge(i,s.keys)}
  </button>`}function _s(i){return r`<p class="lock small" id="lock">
    ${i.lock} <button type="button" class="quiet small" @click=${()=>i.reveal()}>Take me there</button>
  </p>`}function Ge(i,s){return s&&i.focused?r`<kbd class="hint" aria-hidden="true">${s}</kbd>`:a}function E(i,s,e={}){return r`<button type="button" id=${e.id??a} class=${e.style??"quiet"} @click=${s}>
    <span>${i}</span>
  </button>`}function f(i,s,e="problem"){let{problem:t}=i;return!t||!t.field.startsWith(s)?a:r`<p class="problem" id=${e} role="alert">${t.message}</p>`}var ye=4e3,Bt=256*1024,Kt=256*1024,c=class extends Error{constructor(e,t=""){super(e);this.field=t;this.name="BadReply"}},Qe=300;function $e(i,s){return i.kind==="permission"&&i.confirmed!==!1&&!s.some(e=>e.lost)}function ke(i,s,e={}){if(I(i)||i.kind==="question")throw new c("this cannot be allowed, only answered");if(i.kind==="elicitation"&&!i.url)throw new c("a form has to be filled in");if(i.kind==="plan"&&!s.some(o=>o.value.trim()))throw new c("no plan could be shown, so none can be approved");if(s.some(o=>o.lost)&&!e.unseen)throw new c("a part of it never left the agent's hook and cannot be shown: say that you allow it unseen");let t=s.find(o=>v(o)&&!o.lost);if(t)throw new c(`“${x(t.label)}” was not shown to its end: read it first`);let n={behavior:"allow"};return e.suggestion&&(n.suggestion=Ps(i,e.suggestion)),i.kind==="plan"&&(n.mode=Hs(i,e.mode)),e.plan!==void 0&&(n.plan=Ms(i,s,e.plan)),e.unseen&&(n.unseen=!0),e.forS!==void 0&&(n.for_s=Ds(i,s,e)),n}function Ds(i,s,e){if(e.suggestion)throw new c("allow it for a while, or choose a suggestion: not both","for_s");if(e.unseen||!$e(i,s))throw new c("this can be allowed once only","for_s");return e.forS??Qe}function Ps(i,s){if(!te(i).some(e=>e.id===s))throw new c("the agent did not offer that","suggestion");return s}function Hs(i,s="default"){if(!(i.modes??[]).includes(s)){let e=(i.modes??[]).map(ue).join("; ");throw new c(`this plan cannot be approved so; choose from: ${e}`,"mode")}return s}function Ms(i,s,e){if(i.kind!=="plan")throw new c("only a plan can be edited","plan");if(!e.trim())throw new c("an empty plan cannot be approved","plan");if(M(e)>Bt)throw new c(`a plan has at most ${Bt.toLocaleString("en")} characters`,"plan");if(!Xe(s))throw new c("parts of this plan were masked or cut: edit it in the terminal","plan");return e}function Xe(i){return!i.some(s=>s.lost||v(s)||(s.hidden?.length??0)>0)}function ae(i,s="",e=!1){if(I(i))return Je(i,s);if(i.kind==="elicitation"&&(s.trim()||e))throw new c("declining a form carries no message and stops nothing","message");if(e&&!i.interrupt)throw new c(`${S(i.agent)} cannot be stopped by an answer`,"interrupt");let t={behavior:"deny",...Ut(s)};return e?{...t,interrupt:!0}:t}function Je(i,s=""){if(I(i))return{behavior:"cancel",...Ut(s)};if(i.kind!=="elicitation")throw new c("this cannot be cancelled, only denied","behavior");return{behavior:"cancel"}}function Ut(i){if(M(i)>ye){let s=(M(i)-ye).toLocaleString("en");throw new c(`a message has at most 4,000 characters: this has ${s} too many`,"message")}return i.trim()?{message:i}:{}}function Ze(i,s,e="",t=!1){let n=s.map(o=>`${Vs(o.passage)}

${o.words.trim()}`);return e.trim()&&n.push(e.trim()),ae(i,n.join(`

`),t)}function Vs(i){return i.trim().split(`
`).map(e=>`> ${e}`.trimEnd()).join(`
`)}var xe={picked:new Set,isOther:!1,other:"",notes:""};function jt(i,s,e){if(!s.options[e])return i;if(!s.multi_select)return{...i,picked:new Set([e]),isOther:!1};let t=new Set(i.isOther?[]:i.picked);return t.delete(e)||t.add(e),{...i,picked:t,isOther:!1}}function et(i,s,e=0){let t=`answers[${e}]`;if(M(s.notes)>ye)throw new c("notes have at most 4,000 characters",`${t}.notes`);let n=s.notes.trim()?{notes:s.notes}:{};if(s.isOther||i.options.length===0){if(!s.other.trim())throw new c("a blank text is no answer",t);if(M(s.other)>ye)throw new c("a text has at most 4,000 characters",t);return{text:s.other,...n}}let o=i.options.filter((l,d)=>s.picked.has(d)).map(l=>l.label);if(o.length===0)throw new c("pick an option, or answer in your own words",t);if(o.length>1&&!i.multi_select)throw new c("this question takes one option",t);return{picked:o,...n}}function Gt(i,s){if(i.questions.length===0)throw new c("there is no question to answer");return{behavior:"allow",answers:i.questions.map((e,t)=>et(e,s[t]??xe,t))}}function zs(i){return x(i.title||i.name)}function Yt(i,s=new Map){if(i.url)return{behavior:"allow"};let e={};for(let t of i.fields??[]){let n=Ws(t,s.get(t.name)??null);n!==null&&(e[t.name]=n)}return{behavior:"allow",content:e}}function Ws(i,s){let e=Bs(i,s);if(e===null){if(i.required)throw oe(i,"is required");return null}let t=Ks(i,e);if(t)throw oe(i,t);return e}function oe(i,s){return new c(`${zs(i)} ${s}`,`content.${i.name}`)}function Bs(i,s){if(s===null||s==="")return null;if(typeof s!="string")return Array.isArray(s)&&s.length===0&&!i.required?null:s;let e=s.trim();switch(i.type??"string"){case"integer":if(!e)return null;if(!/^[+-]?\d+$/.test(e))throw oe(i,"must be a whole number");if(!Number.isSafeInteger(Number(e)))throw oe(i,"is too large to be sent exactly");return Number(e);case"number":if(!e)return null;if(!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(e))throw oe(i,"must be a number");return Number(e);default:return s}}function Ks(i,s){let e=t=>(i.choices??[]).some(n=>n.value===t);switch(i.type??"string"){case"string":return typeof s=="string"?Ye(i,M(s)," characters"):"must be text";case"integer":case"number":return typeof s!="number"||!Number.isFinite(s)?"must be a finite number":Ye(i,s,"");case"boolean":return typeof s=="boolean"?"":"must be yes or no";case"choice":return e(s)?"":"must be one of the choices";case"choices":return Array.isArray(s)?s.every(e)?Ye(i,s.length," choices"):"holds something that is not among the choices":"must be a list of choices";default:return"is of a type that is not known here"}}function Ye(i,s,e){return i.minimum!=null&&s<i.minimum?`must be at least ${i.minimum}${e}`:i.maximum!=null&&s>i.maximum?`must be at most ${i.maximum}${e}`:""}function Qt(i){let s=i.default;return s==null?i.type==="choices"?[]:null:typeof s=="number"?String(s):s}function Xt(i){return{behavior:"allow",value:i}}function Jt(i,s){if(!(i.choices??[]).some(e=>e.value===s))throw new c("choose one of the choices","value");return{behavior:"allow",value:s}}function Zt(i){if(M(i)>Kt)throw new c(`a text has at most ${Kt.toLocaleString("en")} characters`,"value");return{behavior:"allow",value:i}}function tt(i){return{behavior:"allow",step:i}}function es(i){let s=S(i.agent);return I(i)?{ask:"Why? The program is told.",go:"Cancel it",stop:"",lead:"Cancel…"}:i.kind==="plan"?{ask:`What should change? ${s} is told word for word, and plans on.`,go:"Send it back",stop:"Send it back and stop",lead:"Keep planning…"}:{ask:`Why? ${s} is told word for word.`,go:"Deny",stop:"Deny and stop",lead:"Deny…"}}var T=class{constructor(s,e=(t,n)=>ae(s.view,t,n)){this.host=s;this.make=e;this.isOpen=!1;this.isStop=!1;this.reason=""}button(s=es(this.host.view).lead){let e=I(this.host.view)?"quiet":"danger";return m(this.host,{label:s,press:()=>this.open(!1),style:e,keys:"d",id:"no"})}open(s){s&&!this.host.view.interrupt||(this.isOpen=!0,this.isStop=s,this.host.refresh(!0),this.host.focusOn("#reason"))}close(){this.isOpen&&(this.isOpen=!1,this.host.refresh(!0),this.host.focusOn("#no"))}go(s){this.host.send(()=>this.make(this.reason,s))}panel(s=a){let e=es(this.host.view),t=this.host.view.interrupt===!0&&e.stop!=="",n=m(this.host,{label:e.go,press:()=>this.go(!1),style:I(this.host.view)?"danger wide":this.isStop?"danger":"danger sure wide"}),o=m(this.host,{label:e.stop,press:()=>this.go(!0),style:this.isStop?"danger sure wide":"danger"});return r`<div class="no stack" role="group" aria-label=${e.ask}>
      ${s}
      <label for="reason">${e.ask} <span class="soft">You may leave it empty.</span></label>
      <textarea
        id="reason"
        rows="2"
        dir="auto"
        enterkeyhint="send"
        aria-describedby="reason-help problem"
        .value=${this.reason}
        @input=${l=>this.typed(l)}
        @keydown=${l=>this.pressed(l)}
      ></textarea>
      <p class="soft small" id="reason-help">
        Enter ${this.isStop?"denies and stops the turn":"sends it"}, Shift and Enter begins a line.
      </p>
      ${f(this.host,"")}
      <div class="buttons">${this.isStop&&t?[o,n]:[n,t?o:a]}
        ${E("Back",()=>this.close())}
      </div>
    </div>`}typed(s){this.reason=s.target.value}pressed(s){s.stopPropagation(),s.key==="Escape"&&this.close(),!(s.key!=="Enter"||s.shiftKey||s.isComposing)&&(s.preventDefault(),!this.host.isBusy&&!this.host.isSettling&&this.go(this.isStop))}key(s){return s==="Escape"&&this.isOpen?(this.close(),!0):s==="d"||s==="s"&&this.host.view.interrupt?(this.open(s==="s"),!0):!1}};var ts=700,Us=58e3,ss="run",Re=class extends k{constructor(e){super(e);this.isUnderstood=!1;this.isTooLate=!1;this.isGuarded=!1;this.typed="";this.news="";this.timers=[];this.no=new T(e)}body(){let e=!this.host.input.some(t=>t.value.trim());return r`${e?r`<p class="loud">${lt}</p>`:a}`}told(e){let t=`${e.key} ${e.phase}`;if(t===this.news)return;this.news=t;let n=Us-(Date.now()-e.since);e.phase==="acknowledged"&&!this.isUnderstood&&n>ts?this.understood(n):e.phase==="refused"&&this.isUnderstood&&this.again(!1)}understood(e){this.isUnderstood=!0,this.isTooLate=!1,this.isGuarded=!0,this.typed="",this.clear(),this.timers=[setTimeout(()=>{this.isGuarded=!1,this.host.refresh()},ts),setTimeout(()=>this.again(!0),e)],this.host.refresh(!0),this.host.focusOn("#step")}again(e){this.clear(),this.isUnderstood=!1,this.isTooLate=e,this.typed="",this.host.refresh(!0)}clear(){for(let e of this.timers)clearTimeout(e);this.timers=[]}actions(){return this.no.isOpen?this.no.panel():this.isUnderstood?this.second():this.first()}first(){let e=this.isTooLate?"It was acknowledged a minute ago and not run: acknowledge it again.":"Two steps: say that you understand the command; then have it run.";return r`<p class="step">${e}</p>
      ${f(this.host,"")}
      <div class="buttons">
        ${m(this.host,{label:"I understand the command",press:()=>this.acknowledge(),style:"wide",keys:"a",allows:!0,id:"ack"})}
        ${this.no.button()}
      </div>`}acknowledge(){this.host.send(()=>tt("ack"))}second(){let{unsafe:e}=this.view,t=this.host.input[0]?.value??"",n=J(t,"bash",this.host.wake),o=this.isGuarded?r`<button type="button" class="danger settling" id="run" aria-disabled="true">
          <span>Run it</span>
        </button>`:m(this.host,{label:"Run it",press:()=>this.run(),style:e?"danger sure":"danger",allows:!0,id:"run"});return r`<div class="second ${e?"unsafe":""}">
        <p class="step strong" id="step" tabindex="-1">
          You said that you understand this. It runs when you say so:
        </p>
        ${e?r`<p class="loud">${me}</p>`:a}
        ${$(y(t),{runs:l=>n[(l.new??1)-1]})}
        ${this.host.focused?r`<p class="soft small hint-words">
              The keys r, u, n, one after the other, run it, too. Enter never does.
              ${this.typed?r`<kbd>${this.typed}</kbd>`:a}</p>`:a}
      </div>
      ${f(this.host,"")}
      <div class="buttons">
        ${E("Back",()=>this.again(!1),{style:"wide",id:"back"})}${this.no.button()}
        <span class="apart"></span>${o}
      </div>`}run(){this.isGuarded||this.host.send(()=>tt("run"))}key(e){return this.isUnderstood?this.no.key(e)?!0:this.no.isOpen?!1:this.secondKey(e):e!=="s"&&this.no.key(e)?!0:e!=="a"||this.no.isOpen?!1:(this.host.lock?this.host.reveal():this.acknowledge(),!0)}secondKey(e){if(e==="Escape")return this.again(!1),!0;if(e.length!==1)return!1;let t=this.typed+e;return this.typed=ss.startsWith(t)?t:"",this.host.refresh(),t===ss&&this.run(),this.typed!==""}};function B(i,s){let e=s.first??1;return r`<fieldset class="choices" aria-describedby=${s.describedBy??a}>
    <legend>${s.legend}</legend>
    ${s.items.map((t,n)=>r`<div class="choice ${t.isOn?"on":""}">
        <label>
          <input
            type=${s.multi?"checkbox":"radio"}
            name=${s.name}
            id="${s.name}-${n}"
            .checked=${t.isOn}
            @change=${()=>t.choose()}
          />
          <span class="words">${t.label}</span>${js(i,e+n)}
        </label>
        ${t.more??a}
      </div>`)}
  </fieldset>`}function js(i,s){return!i.focused||s>9?a:r`<kbd class="hint" aria-hidden="true">${s}</kbd>`}function K(i){return/^[0-9]$/.test(i)?Number(i):-1}var le=class extends k{constructor(s){super(s),this.no=new T(s)}body(){return a}actions(){return this.no.isOpen?this.no.panel():r`${this.asked()}${f(this.host,"")}
      <div class="buttons">${this.answers()}${this.no.button()}</div>`}key(s){return s==="s"?!1:this.no.key(s)?!0:!this.no.isOpen&&this.answerKey(s)}give(s){this.host.lock?this.host.reveal():this.host.send(s)}},Ce=class extends le{asked(){return a}answers(){return["yes","no"].map(s=>{let e=s==="yes"?"Yes":"No";return m(this.host,{label:this.view.default===s?r`${e} <span class="small">(default)</span>`:e,press:()=>this.answer(s),style:this.view.default===s?"primary wide":"wide",keys:s==="yes"?"y":"n",allows:!0,id:s})})}answer(s){this.give(()=>Xt(s))}answerKey(s){return s!=="y"&&s!=="n"?!1:(this.answer(s==="y"?"yes":"no"),!0)}},Ee=class extends le{constructor(s){super(s);let{view:e}=s;e.default&&e.choices?.some(t=>t.value===e.default)&&(this.chosen=e.default)}asked(){let s=(this.view.choices??[]).map(e=>{let t=e.label||e.value,n=t===e.value?a:r` <span class="soft">[${g(e.value)}]</span>`,o=this.view.default!==""&&e.value===this.view.default;return{label:r`${h(t)}${n}${o?r` <span class="soft">(default)</span>`:a}`,isOn:e.value===this.chosen,choose:()=>this.choose(e.value)}});return B(this.host,{legend:"Choose one:",items:s,name:"choice"})}choose(s){this.chosen=s,this.host.refresh(!0)}answers(){return m(this.host,{label:"Answer",press:()=>this.answer(),style:"primary wide",keys:"a",allows:!0,id:"yes"})}answer(){this.give(()=>Jt(this.view,this.chosen??""))}answerKey(s){let e=this.view.choices?.[K(s)-1];if(e)this.choose(e.value);else if(s==="a")this.answer();else return!1;return!0}},Se=class extends le{constructor(e){super(e);this.isSureOfBlank=!1;this.text=e.view.default??""}asked(){let e=this.text?"only blanks":"an empty text",t=this.view.default?r`<details class="small"><summary>Its default</summary>${C(this.view.default)}</details>`:a,n=this.isSureOfBlank?r`<p class="problem" role="alert">The answer is ${e}: press again to send that.</p>`:a;return r`<label class="own"
        ><span class="label">Your text</span>
        <textarea
          id="own"
          rows="4"
          dir="auto"
          .value=${this.text}
          aria-describedby="own-help"
          @input=${o=>this.typed(o)}
          @keydown=${o=>this.pressed(o)}
        ></textarea>
      </label>
      <p class="soft small" id="own-help">
        Any text answers it, also an empty one. Ctrl or ⌘ and Enter sends it.
      </p>
      ${t}
      ${n}`}typed(e){this.text=e.target.value,this.isSureOfBlank=!1,this.host.refresh()}pressed(e){e.stopPropagation(),e.key==="Escape"&&e.target.blur(),!(e.key!=="Enter"||e.isComposing||!(e.ctrlKey||e.metaKey))&&(e.preventDefault(),!this.host.isBusy&&!this.host.isSettling&&this.answer())}answers(){return m(this.host,{label:this.isSureOfBlank?this.text?"Send only blanks":"Send an empty text":"Send",press:()=>this.answer(),style:"primary wide",keys:"a",allows:!0,id:"yes"})}answer(){if(this.text.trim()||this.isSureOfBlank||this.host.lock){this.give(()=>Zt(this.text));return}this.isSureOfBlank=!0,this.host.refresh(!0)}answerKey(e){if(e==="t")this.host.focusOn("#own");else if(e==="a")this.answer();else return!1;return!0}};var Gs=8,Te=class extends k{constructor(e){super(e);this.typed=new Map;for(let t of e.view.fields??[])this.typed.set(t.name,Qt(t))}get ownRow(){return this.view.url?this.view.input.findIndex(e=>e.value===this.view.url):-1}body(){if(this.view.url)return this.link(this.view.url);let e=this.view.fields??[];return r`<div class="form">${e.map((t,n)=>this.field(t,n))}</div>`}link(e){let t=Nt(e)?r`<a class="button" href=${e} target="_blank" rel="noopener noreferrer">Open it in a new tab</a>`:r`<p class="loud small">It is not followed from here: copy it if you trust it.</p>`;return r`<p class="strong">It asks you to open this address:</p>
      <div class="address">${$(y(e))}</div>
      ${Ys(e)}
      <div class="buttons">${t}</div>`}field(e,t){let n=h(e.title||e.name),o=e.title&&e.title!==e.name?r` <span class="soft">[${g(e.name)}]</span>`:a,l=e.required?"required":"optional",d=r`<span class="strong">${n}</span>${o}
      <span class="soft small">${gt(e)}, ${l}</span>`,u=f(this.host,`content.${e.name}`,`problem-${t}`),p=this.host.problem?.field===`content.${e.name}`,A=e.default!=null?r`<p class="soft small">Its default: ${h(bt(e.default))}</p>`:a,H=r`<div id="help-${t}">
      ${e.description?r`<div class="soft">${C(e.description)}</div>`:a}
      ${A}
    </div>`;return r`<div class="field">
      ${this.input(e,t,d,p)}${H}${p?u:a}
    </div>`}input(e,t,n,o){switch(e.type??"string"){case"boolean":return this.radios(e,t,n,[{value:!0,label:"Yes"},{value:!1,label:"No"}]);case"choice":return this.choice(e,t,n);case"choices":return this.choices(e,t,n);default:return this.text(e,t,n,o)}}set(e,t){this.typed.set(e.name,t),this.host.refresh()}text(e,t,n,o){let l=this.typed.get(e.name),u=e.type==="integer"||e.type==="number"?e.type==="integer"?"numeric":"decimal":Xs(e.format);return r`<label for="field-${t}">${n}</label>
      <input
        id="field-${t}"
        type="text"
        inputmode=${u}
        dir="auto"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-required=${e.required?"true":"false"}
        aria-invalid=${o?"true":"false"}
        aria-describedby="help-${t} problem-${t}"
        .value=${typeof l=="string"?l:""}
        @input=${p=>this.set(e,p.target.value)}
      />`}radios(e,t,n,o){let l=this.typed.get(e.name)??null,d=e.required?[]:[{value:null,label:r`<span class="soft">no answer</span>`}];return r`<fieldset class="choices" aria-describedby="help-${t}">
      <legend>${n}</legend>
      ${[...o,...d].map((u,p)=>r`<div class="choice ${u.value===l?"on":""}"><label>
          <input
            type="radio"
            id=${p===0?`field-${t}`:a}
            name="field-${t}"
            .checked=${u.value===l}
            @change=${()=>this.set(e,u.value)}
          /><span class="words">${u.label}</span>
        </label></div>`)}
    </fieldset>`}choice(e,t,n){let o=e.choices??[];if(o.length<=Gs)return this.radios(e,t,n,o.map(p=>({value:p.value,label:is(p)})));let l=o.map(p=>({value:p.value,label:x(Qs(p))})),d=this.typed.get(e.name)??"";return r`<label for="field-${t}">${n}</label>
      <select id="field-${t}" aria-describedby="help-${t} problem-${t}" @change=${p=>{let A=p.target.selectedIndex-1;this.set(e,l[A]?.value??null)}}>
        <option ?selected=${d===""}>(choose)</option>
        ${l.map(p=>r`<option ?selected=${p.value===d}>${p.label}</option>`)}
      </select>`}choices(e,t,n){let o=this.typed.get(e.name),l=new Set(Array.isArray(o)?o.map(String):[]),d=u=>{l.delete(u)||l.add(u),this.set(e,(e.choices??[]).map(p=>p.value).filter(p=>l.has(p)))};return r`<fieldset class="choices" aria-describedby="help-${t}">
      <legend>${n}</legend>
      ${(e.choices??[]).map((u,p)=>r`<div class="choice ${l.has(u.value)?"on":""}"><label>
          <input
            type="checkbox"
            id=${p===0?`field-${t}`:a}
            .checked=${l.has(u.value)}
            @change=${()=>d(u.value)}
          /><span class="words">${is(u)}</span>
        </label></div>`)}
    </fieldset>`}actions(){let e=this.host.problem?.field.startsWith("content.")?a:f(this.host,"");return r`${e}
      <div class="buttons">
        ${m(this.host,{label:this.view.url?"Accept: I will open it":"Send the form",press:()=>this.accept(),style:"primary wide",keys:"a",allows:!0,id:"yes"})}
        ${m(this.host,{label:"Decline",press:()=>this.decline(),style:"danger",keys:"d",id:"no"})}
        ${m(this.host,{label:"Cancel",press:()=>this.cancel(),style:"quiet",keys:"c",id:"cancel"})}
      </div>`}accept(){let e=this.host.send(()=>Yt(this.view,this.typed)),t=(this.view.fields??[]).findIndex(n=>this.host.problem?.field===`content.${n.name}`);!e&&t>=0&&this.host.focusOn(`#field-${t}`)}decline(){this.host.send(()=>ae(this.view))}cancel(){this.host.send(()=>Je(this.view))}key(e){if(e==="a")this.host.lock?this.host.reveal():this.view.url?this.accept():this.host.focusOn("#yes");else if(e==="d")this.host.focusOn("#no");else if(e==="c")this.host.focusOn("#cancel");else return!1;return!0}};function Ys(i){return URL.canParse(i)?r`<p>The address is on <strong>${g(new URL(i).host)}</strong>.</p>`:a}function is(i){return i.label&&i.label!==i.value?r`${h(i.label??"")} <span class="soft">[${g(i.value)}]</span>`:h(i.value)}function Qs(i){return i.label&&i.label!==i.value?`${i.label} [${i.value}]`:i.value}function Xs(i){return i==="email"?"email":i==="uri"?"url":"text"}var Zs=8,ei=120;function ns(i,s,e){let t=Date.parse(i.created_at),n=Number.isNaN(t)?"":new Date(t).toLocaleString(),o=i.confirmed===!1&&!V(i);return r`<header>
    <div class="top">
      <h2 id="title">${ti(i)} <span class="what">${F(i)}</span></h2>
      <p class="when soft small">
        ${e?r`<span class="badge">${e}</span>`:a}
        <time datetime=${i.created_at} title=${n}>${ge(i.created_at,s)}</time>
      </p>
    </div>
    <p class="origin soft small">${si(i)}</p>
    ${ii(i)}
    ${o?r`<p class="loud small">${at}</p>`:a}
  </header>`}function ti(i){let s=i.label?.trim()?r` (calls itself “${h(i.label,40)}”)`:a;return r`<span class="who">${w(fe(i))}</span>${s}`}function si(i){let s=[];if(i.project||i.cwd){let e=i.branch?r` on ${h(i.branch,60)}`:a,t=i.worktree?r` in worktree ${h(i.worktree,60)}`:a;s.push(r`<span title=${x(i.cwd??"")}>
        <strong class="project">${h(i.project||i.cwd||"")}</strong>${e}${t}</span
      >`)}return V(i)?s.push(r`surface ${h(i.surface_id||i.session_id,60)}`):i.agent_id?s.push(r`subagent ${i.agent_type?r`${h(i.agent_type,40)} `:a}${g(i.agent_id.slice(0,12))}`):s.push("main agent"),i.mode&&!V(i)&&s.push(r`mode ${h(i.mode,40)}`),V(i)||s.push(r`session ${g(i.session_id.slice(0,Zs))}`),i.host&&s.push(r`on ${h(i.host,40)}`),s.map((e,t)=>r`${t>0?r`<span class="dot" aria-hidden="true"> · </span>`:a}${e}`)}function ii(i){return i.prompt?.trim()?r`<details class="prompt small">
    <summary>
      <span class="soft">Your last prompt:</span>
      <span class="gist">${h(i.prompt.replace(/\s+/g," "),ei)}</span>
    </summary>
    ${C(i.prompt)}
  </details>`:a}function st(i){return V(i)?r`<p class="asked" dir="auto">${h(i.title??"")}</p>
    ${i.unsafe?r`<p class="loud">${me}</p>`:a}`:a}function rs(i){let s=ft(i),e=mt(i),t=s?r`<p class="small">The answer${e?` (${e})`:""}: ${h(s)}</p>`:a,n=i.said?.trim()?r`<p class="small">It was said: ${h(i.said,300)}</p>`:a;return r`<p class=${G(i)?"loud":"strong"}>${w(Y(i))}</p>
    ${t}${s.includes(i.said??"")?a:n}`}function os(i){switch(i?.phase){case"sending":return i.waiting?r`<p>The connection broke: it is sent again until the desk has it…</p>`:r`<p>Sending…</p>`;case"sent":return r`<p>Sent: the desk has it.</p>`;case"acknowledged":return r`<p class="soft">The desk knows that you understood the command. Nothing runs yet.</p>`;case"refused":return r`<p class="loud">Not taken: ${h(i.message??"the desk refused it")}</p>`;case"gone":return r`<p class="loud">Too late: ${h(i.message??"it is settled")}</p>`;default:return a}}function as(i){let s=i.composedPath()[0];return s instanceof HTMLTextAreaElement||s instanceof HTMLSelectElement?!0:s instanceof HTMLInputElement&&s.type!=="radio"&&s.type!=="checkbox"}function ls(i){let s=i.composedPath()[0];return s instanceof Element&&s.matches("button, a, summary, input, select")}function ds(i){return/^(?:Enter|[acdnrstuy0-9])$/.test(i)}function hs(i,s,e){i.delete(s),i.set(s,e);let[t]=i.keys();i.size>64&&t!==void 0&&i.delete(t)}var qe=class extends k{constructor(e){super(e);this.chosen="";this.isForAWhile=!1;this.no=new T(e)}body(){return!this.host.input.some(t=>t.value.trim())?r`<p class="loud">${ht}</p>`:a}actions(){if(this.no.isOpen)return this.no.panel();let e=this.chosen?"Allow, and ask for this":this.lasts?"Allow for 5 minutes":"Allow";return r`${this.suggestions()}${this.forAWhile()}${f(this.host,"")}
      <div class="buttons">
        ${m(this.host,{label:e,press:()=>this.allow(),style:"primary wide",keys:"a",allows:!0,id:"yes"})}
        ${this.no.button()}
      </div>`}suggestions(){let e=te(this.view);if(e.length===0)return a;let t={label:"Only this once",isOn:this.chosen==="",choose:()=>this.choose("")},n=e.map(l=>({label:h(l.label),isOn:this.chosen===l.id,choose:()=>this.choose(l.id)})),o=`If you allow it, ${S(this.view.agent)} can be asked for this as well:`;return B(this.host,{legend:o,items:[t,...n],name:"suggestion",first:0})}get lasts(){return this.isForAWhile&&!this.chosen&&$e(this.view,this.host.input)}forAWhile(){return this.chosen||!$e(this.view,this.host.input)?a:r`<div class="choice ${this.lasts?"on":""}">
      <label>
        <input type="checkbox" id="while" .checked=${this.lasts} @change=${()=>this.toggle()} />
        <span class="words">For 5 minutes: this very call again, in this session</span>
      </label>
    </div>`}toggle(){this.isForAWhile=!this.isForAWhile,this.host.refresh(!0)}choose(e){this.chosen=e,this.host.refresh(!0)}allow(){let{input:e,isUnseenTaken:t}=this.host,n=this.lasts?{forS:Qe}:{};this.host.send(()=>ke(this.view,e,{suggestion:this.chosen,unseen:t,...n}))}key(e){if(this.no.key(e))return!0;if(this.no.isOpen)return!1;if(e==="a")return this.host.lock?this.host.reveal():this.allow(),!0;let t=K(e),n=te(this.view);return t<0||t>n.length||n.length===0?!1:(this.choose(t===0?"":n[t-1]?.id??""),!0)}};var ni={},Oe=kt(class extends xt{constructor(){super(...arguments),this.ot=ni}render(i,s){return s()}update(i,[s,e]){if(Array.isArray(s)){if(Array.isArray(this.ot)&&this.ot.length===s.length&&s.every((t,n)=>t===this.ot[n]))return Ie}else if(this.ot===s)return Ie;return this.ot=Array.isArray(s)?Array.from(s):s,this.render(s,e)}});function ps(i,s){let t=i.getSelection?.()??document.getSelection();return!t||t.isCollapsed||!s?.contains(t.anchorNode)?"":t.toString()}var ri=ve(()=>import("./markdown-PZRZ3W5X.js")),Ae=class extends k{constructor(e){super(e);this.as="read";this.comments=[];this.passage="";this.words="";this.selection="";this.no=new T(e,(t,n)=>Ze(this.view,this.comments,t,n)),this.mode=e.view.modes?.includes("default")?"default":e.view.modes?.[0]??""}get ownRow(){let{input:e}=this.host,t=e.findIndex(n=>n.label==="Plan");return t>=0?t:e.findIndex(n=>n.value.trim()!=="")}get row(){return this.host.input[this.ownRow]}body(){let e=this.row;return e?r`<div class="plan-tools" role="group" aria-label="How the plan is shown">
        ${this.tab("read","Plan")}${this.tab("written","As text")}
        ${this.canEdit?this.tab("edited",this.edited===void 0?"Edit":"Edited"):a}
      </div>
      ${this.as==="edited"?this.editor(e):this.reading(e)}`:r`<p class="loud">There is no plan to read.</p>`}tab(e,t){let n=()=>{this.as=e,e==="edited"&&(this.edited??=this.row?.value??""),this.host.refresh(),e==="edited"&&this.host.focusOn("#edited")};return r`<button
      type="button"
      class="quiet tool"
      aria-pressed=${this.as===e?"true":"false"}
      @click=${n}
    >
      ${t}
    </button>`}get canEdit(){return Xe(this.host.input)&&this.view.state==="pending"}reading(e){let t=this.edited!==void 0?r`<p class="soft small">As the agent wrote it; your edit is apart.</p>`:a;if(this.as==="written")return r`${t}${$(y(e.value),{numbers:!0})}`;let{epoch:n}=this.host,o=[e,n,this.passage,this.view.state];return r`${t}${Oe(o,()=>this.read(e))}`}read(e){let t=v(e)?null:ri(this.host.wake)?.passages(e.value,this.host.wake);if(!t)return r`<div class="plan">${$(y(e.value))}</div>`;let n=this.view.state==="pending"?"passages":"";return r`<div class="plan ${n}" dir="auto">${t.map(o=>this.block(o))}</div>`}block(e){if(this.view.state!=="pending")return r`<div class="passage">${e.content}</div>`;let t=`Comment on: ${x(ot(e.source.trim(),60))}`;return r`<div class="passage ${e.source===this.passage?"on":""}">
      ${e.content}
      <button type="button" class="quiet comment" aria-label=${t} title="Comment on this" @click=${()=>{this.begin(e.source)}}>✎</button>
    </div>`}editor(e){return r`<label class="own"
      ><span class="label">The plan, as you would have it</span>
      <textarea id="edited" class="mono" rows="16" dir="auto" spellcheck="false" .value=${this.edited??e.value}
        @input=${t=>{this.edited=t.target.value}}></textarea></label>
      <p class="soft small">What you approve is this text. It replaces the agent's own.</p>
      <div class="buttons">${E("Drop the edit",()=>{this.edited=void 0,this.as="read",this.host.refresh()})}</div>`}begin(e){this.passage=e,this.words="",this.host.refresh(),this.host.focusOn("#comment")}selected(e){let t=ps(e,e.querySelector(".plan")).trim();t!==this.selection&&(this.selection=t,this.host.refresh())}commentSelected(){this.selection&&this.begin(this.selection)}commenting(){return r`<div class="stack commenting" role="group" aria-label="A comment on a passage">
      <blockquote class="soft">${ce(us(this.passage),!0)}</blockquote>
      <label for="comment">What of it?</label>
      <textarea id="comment" rows="2" dir="auto" .value=${this.words} @input=${e=>{this.words=e.target.value}} @keydown=${e=>this.pressed(e)}></textarea>
      <div class="buttons">
        ${E("Keep the comment",()=>this.keep(),{style:""})}${E("Back",()=>this.leave())}
      </div>
    </div>`}pressed(e){e.stopPropagation(),e.key==="Escape"&&this.leave(),!(e.key!=="Enter"||e.shiftKey||e.isComposing)&&(e.preventDefault(),this.keep())}keep(){this.words.trim()&&this.comments.push({passage:this.passage,words:this.words}),this.leave()}leave(){this.passage="",this.words="",this.host.refresh(),this.host.focusOn("#place")}kept(){return this.comments.length===0?a:r`<ol class="comments" aria-label="Your comments">${this.comments.map((e,t)=>r`<li>
      <blockquote class="soft">${ce(us(e.passage),!0)}</blockquote>
      <p dir="auto">${ce(e.words,!0)}</p>
      ${E("Take it away",()=>{this.comments.splice(t,1),this.host.refresh()},{style:"quiet small"})}
    </li>`)}</ol>`}actions(){return this.passage?this.commenting():this.no.isOpen?this.no.panel(this.kept()):this.comments.length>0?this.withComments():r`${this.modes()}${f(this.host,"")}
      <div class="buttons" id="place" tabindex="-1">
        ${m(this.host,{label:this.edited===void 0?"Approve":"Approve as edited",press:()=>this.approve(),style:"primary wide",keys:"a",allows:!0,id:"yes"})}
        ${this.no.button()}${this.selectionButton()}
      </div>`}withComments(){let e=this.comments.length===1?"Send the comment back":`Send ${this.comments.length} comments back`;return r`${this.kept()}${f(this.host,"")}
      <div class="buttons" id="place" tabindex="-1">
        ${m(this.host,{label:e,press:()=>this.back(),style:"primary wide"})}
        ${this.no.button("Say more…")}${this.selectionButton()}
      </div>
      <p class="soft small">To approve it instead, take the comments away.</p>`}selectionButton(){if(!this.selection)return a;let e=t=>t.preventDefault();return r`<button
      type="button"
      id="selection"
      @pointerdown=${e}
      @mousedown=${e}
      @click=${()=>this.commentSelected()}
    >
      <span>Comment on what is selected</span>${Ge(this.host,"t")}
    </button>`}modes(){let e=(this.view.modes??[]).map(t=>({label:ue(t).replace(/^./,n=>n.toUpperCase()),isOn:t===this.mode,choose:()=>this.choose(t)}));return B(this.host,{legend:"After you approve it:",items:e,name:"mode"})}choose(e){this.mode=e,this.host.refresh(!0)}approve(){let{input:e,isUnseenTaken:t}=this.host,o=this.edited!==void 0&&this.edited!==this.row?.value.replaceAll(`\r
`,`
`)?{plan:this.edited??""}:{};this.host.send(()=>ke(this.view,e,{mode:this.mode,unseen:t,...o}))}back(){this.host.send(()=>Ze(this.view,this.comments))}key(e){if(e==="Escape"&&this.passage)return this.leave(),!0;if(this.passage)return!1;if(this.no.key(e))return!0;if(this.no.isOpen)return!1;let t=this.view.modes?.[K(e)-1];if(t&&this.comments.length===0)this.choose(t);else if(e==="t"&&this.selection)this.commentSelected();else if(e==="a"&&this.comments.length===0)this.tryApprove();else return!1;return!0}tryApprove(){this.host.lock?this.host.reveal():this.approve()}},cs=300;function us(i){let s=i.trim();return s.length>cs?`${s.slice(0,cs)}…`:s}var Le=class extends k{constructor(e){super(e);this.at=0;this.noted=new Set;this.no=new T(e),this.drafts=e.view.questions.map(()=>xe)}get questions(){return this.view.questions}get isReview(){return this.questions.length>1&&this.at>=this.questions.length}draft(e){return this.drafts[e]??xe}body(){return this.isReview?this.review():this.question()}question(){let e=this.questions[this.at];if(!e)return a;let t=this.draft(this.at),n=this.questions.length>1?`Question ${this.at+1} of ${this.questions.length}`:"Question",o=e.header?r`${n} · ${h(e.header,30)}`:n,l=e.multi_select?"Pick one or more, or answer in your own words.":"Pick one, or answer in your own words.",d=e.options.length>0?l:"Answer in your own words.",u=t.isOther||e.options.length===0,p=r`<span class="label" id="place" tabindex="-1">${o}</span>
      <span class="asked">${C(e.question)}</span>`,A=e.options.map((U,he)=>({label:r`<span class="strong">${h(U.label)}</span>${U.description?r`<span class="description">${C(U.description)}</span>`:a}`,more:U.preview?r`<div class="preview">${$(y(U.preview))}</div>`:a,isOn:!t.isOther&&t.picked.has(he),choose:()=>this.pick(he)})),H={label:"In my own words",isOn:t.isOther,choose:()=>this.other()},L=e.options.length>0?[...A,H]:[];return r`${B(this.host,{legend:p,items:L,multi:e.multi_select,name:`question-${this.at}`,describedBy:"how"})}
      ${u?this.own(t):a}
      <p class="soft small" id="how">${d}${u?" Ctrl or ⌘ and Enter goes on.":""}</p>
      ${this.notes(t)}
      ${this.missing?r`<p class="problem" role="alert">${this.missing.message}</p>`:a}`}own(e){return this.writing("own","Your own words",e.other,t=>this.change({other:t}))}notes(e){return!this.noted.has(this.at)&&!e.notes?E("Add a note",()=>this.note(),{id:"add-note",style:"quiet small"}):this.writing("note","A note beside your answer",e.notes,t=>this.change({notes:t}))}writing(e,t,n,o){return r`<label class="own"
      ><span class="label">${t}</span>
      <textarea
        id=${e}
        rows="2"
        dir="auto"
        aria-describedby="how"
        .value=${n}
        @input=${l=>o(l.target.value)}
        @keydown=${l=>this.pressed(l)}
      ></textarea>
    </label>`}pressed(e){e.stopPropagation(),e.key==="Escape"&&this.host.focusOn("#place"),!(e.key!=="Enter"||e.isComposing||!(e.ctrlKey||e.metaKey))&&(e.preventDefault(),!this.host.isBusy&&!this.host.isSettling&&this.goOn("Enter"))}change(e){this.drafts[this.at]={...this.draft(this.at),...e},this.missing=void 0,this.host.refresh()}pick(e){let t=this.questions[this.at];t&&this.change(jt(this.draft(this.at),t,e))}other(){let t=!(this.questions[this.at]?.multi_select&&this.draft(this.at).isOther);this.change({isOther:t}),t&&this.host.focusOn("#own")}note(){this.noted.add(this.at),this.host.refresh(),this.host.focusOn("#note")}review(){let e=this.questions.map((t,n)=>{let o=()=>this.go(n);return r`<div class="pair">
        <dt>${h(t.question,200)}</dt>
        <dd>
          <span>${this.answered(t,n)}</span>${E("Change",o,{style:"quiet small"})}
        </dd>
      </div>`});return r`<h3 id="place" tabindex="-1">Your answers</h3>
      <dl class="review">${e}</dl>`}answered(e,t){let n=this.draft(t),o=n.notes.trim()?r` <span class="soft">(note: ${h(n.notes)})</span>`:a;if(n.isOther||e.options.length===0)return r`“${h(n.other)}”${o}`;let l=e.options.filter((d,u)=>n.picked.has(u));return r`${l.map((d,u)=>r`${u>0?", ":""}${h(d.label)}`)}${o}`}actions(){if(this.no.isOpen)return this.no.panel();let t=this.isReview||this.questions.length===1?m(this.host,{label:this.questions.length>1?"Send the answers":"Answer",press:()=>this.send(),style:"primary wide",keys:"a",allows:!0,id:"yes"}):r`<button type="button" class="primary wide" id="next" @click=${()=>this.next()}>
          <span>${this.at+1<this.questions.length?"Next question":"Look over the answers"}</span>
        </button>`,n=this.at>0?E("Back",()=>this.go(this.at-1),{id:"back"}):a;return r`${f(this.host,"")}
      <div class="buttons">${t}${n}${this.no.button("Do not answer…")}</div>`}next(){let e=this.questions[this.at];if(e){try{et(e,this.draft(this.at),this.at)}catch(t){if(!(t instanceof c))throw t;this.missing=t,this.host.refresh();return}this.go(this.at+1)}}go(e){this.at=Math.max(e,0),this.missing=void 0,this.host.refresh(!0),this.host.focusOn("#place")}send(){this.host.send(()=>Gt(this.view,this.drafts))}key(e){if(this.no.key(e))return!0;if(this.no.isOpen)return!1;let t=this.questions[this.at],n=K(e);if(n>0&&t&&!this.isReview)return this.choose(t,n);if(e==="t"&&t&&!this.isReview)this.write(t);else if(e==="n"&&!this.isReview)this.note();else if(e==="ArrowLeft"&&this.at>0)this.go(this.at-1);else if(e==="ArrowRight"&&!this.isReview&&this.questions.length>1)this.next();else if(e==="Enter"||e==="a")this.goOn(e);else return!1;return!0}choose(e,t){return t>e.options.length+1||e.options.length===0?!1:(t===e.options.length+1?this.other():this.pick(t-1),!0)}write(e){e.options.length>0&&this.change({isOther:!0}),this.host.focusOn("#own")}goOn(e){this.isReview||this.questions.length===1?this.host.lock?this.host.reveal():(e==="a"||!this.isReview)&&this.send():this.next()}};var Z=class i{constructor(){this.isUnseenTaken=!1;this.read=new Set}static cut(s){return s.input.flatMap((e,t)=>v(e)?[t]:[])}reached(s){return this.read.has(s)?!1:(this.read.add(s),!0)}hasRead(s){return this.read.has(s)}next(s,e){return i.cut(s).find(t=>!e.has(t)||!this.read.has(t))??-1}lock(s,e){let t=this.next(s,e),n=s.input[t];if(n){let o=x(n.label);return e.has(t)?`Read “${o}” to its end first: scroll down to it.`:`“${o}” is longer than what is shown: show all of it, and read it to its end first.`}return this.isUnseenTaken||!Ne(s)?"":"A part of this cannot be shown: say first that you take it unseen."}};function Ne(i){return i.input.some(s=>s.lost===!0)}function nt(i){if(!/^(?:\s*\*\*\* Begin Patch|diff --git |--- |@@ -)/.test(i))return null;let s=Ot(i),e=/^\s*\*\*\* Begin Patch\s*$/m.test(s[0]??"")?li(s):ui(s);return e&&e.length>0?e:null}var oi=/^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/,ai={"Add File":"add","Update File":"update","Delete File":"delete"},ms="*** End of File";function li(i){let s=[],e=!1;for(let t of i.slice(1))if(e){if(t.trim())return null}else if(t.trim()==="*** End Patch")e=!0;else if(!di(s,t))return null;return e?s:null}function di(i,s){let e=i.at(-1),t=oi.exec(s.trimEnd());return t?hi(i,t[1]??"",t[2]??""):!e||e.verb==="delete"?!1:e.verb==="add"?pi(e,s):s.trimEnd()===ms?(it(e).lines.push({sign:" ",text:ms}),!0):s.startsWith("@@")?(e.hunks.push({header:s.slice(2).trim(),lines:[]}),!0):gs(it(e),s)}function hi(i,s,e){let t=ai[s],n=i.at(-1);return t?(i.push({verb:t,path:e,meta:[],hunks:[]}),!0):!n||n.verb!=="update"||n.hunks.length>0||n.to!==void 0?!1:(n.to=e,!0)}function pi(i,s){if(!s.startsWith("+"))return!1;let e=it(i);return e.lines.push({sign:"+",text:s.slice(1),new:e.lines.length+1}),!0}function gs(i,s){let e=s===""?" ":s[0];return e!==" "&&e!=="+"&&e!=="-"?!1:(i.lines.push({sign:e,text:s.slice(1)}),!0)}function it(i){let s=i.hunks.at(-1);if(s)return s;let e={header:"",lines:[]};return i.hunks.push(e),e}var bs=/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/,ci=/^(?:index|(?:new|deleted) file mode|(?:old|new) mode|(?:dis)?similarity index|(?:rename|copy) (?:from|to)|Binary files) /;function ui(i){let s=[],e=0;for(bs.test(i[0]??"")&&s.push({verb:"update",path:"",meta:[],hunks:[]});e<i.length;){let t=i[e]??"",n=/^diff --git (.+)$/.exec(t),o=i[e+1]??"";if(n)s.push({verb:"update",path:n[1]??"",meta:[],hunks:[]}),e+=1;else if(t.startsWith("--- ")&&o.startsWith("+++ "))fi(s,t.slice(4),o.slice(4)),e+=2;else if(ci.test(t)&&s.length>0)mi(s.at(-1),t),e+=1;else{let l=gi(s.at(-1),i,e);if(l<0)return null;e=l}}return s.some(t=>t.hunks.length>0||t.meta.length>0)?s:null}function mi(i,s){i&&(i.meta.push(s),s.startsWith("new file mode")&&(i.verb="add"),s.startsWith("deleted file mode")&&(i.verb="delete"))}function fi(i,s,e){let[t,n]=[fs(s),fs(e)],o=i.at(-1);(!o||o.hunks.length>0||o.to!==void 0)&&(o={verb:"update",path:"",meta:[],hunks:[]},i.push(o)),t==="/dev/null"&&(o.verb="add"),n==="/dev/null"&&(o.verb="delete"),o.path=t==="/dev/null"?n:t,t!==n&&o.verb==="update"&&(o.to=n)}function fs(i){let s=i.split("	")[0]??"";return/^[ab]\//.test(s)?s.slice(2):s}function gi(i,s,e){let t=bs.exec(s[e]??"");if(!t||!i)return-1;let[n,o]=[Number(t[1]),Number(t[3])],[l,d]=[Number(t[2]??1),Number(t[4]??1)],u={header:s[e]??"",lines:[]},p=e+1;for(;p<s.length&&(l>0||d>0||s[p]?.startsWith("\\"));p+=1){let A=s[p]??"",H=u.lines.at(-1);if(A.startsWith("\\")){if(!H)return-1;H.bare=!0;continue}if(!gs(u,A))return-1;let L=u.lines.at(-1);if(!L)return-1;L.sign!=="+"&&([L.old,n,l]=[n,n+1,l-1]),L.sign!=="-"&&([L.new,o,d]=[o,o+1,d-1])}return l!==0||d!==0?-1:(i.hunks.push(u),p)}var bi=ve(()=>import("./diff-7KPXWD6X.js")),vi=90,wi=new Set(["File","New file","Delete file"]),yi=new Set(["Old text","New text","Content","Content until now"]),de=class{constructor(s){this.host=s;this.raw=new Set}template(s=new Set){let{input:e}=this.host,t=e.map((n,o)=>o).filter(n=>!s.has(n));return t.length===0?a:r`<div class="rows">${t.map(n=>this.row(n))}</div>`}row(s){let e=this.host.input[s];if(!e)return a;let t=this.shape(s,e);if(t==="hidden")return a;let n=t==="old-new"?"Change":e.label;return t==="inline"?r`<div class="pair" id="row-${s}">
        <span class="label">${h(n)}</span>
        <span class="value">${e.code?g(e.value):this.short(e)}</span>
        ${this.after(s)}
      </div>`:r`<section class="long" id="row-${s}" aria-label=${x(n)}>
      <div class="head"><span class="label">${h(n)}</span>${this.toggle(s,e)}</div>
      ${Oe([e,this.host.input,t,this.host.epoch],()=>this.value(s,e,t))}
      ${this.after(s)}${t==="old-new"?this.after(this.indexOf("New text")):a}
    </section>`}short(s){return s.value.trim()?h(s.value):r`<span class="soft">(empty)</span>`}shape(s,e){let t=this.raw.has(s)||v(e);if(this.isReplacement()){if(e.label==="New text")return this.raw.has(this.indexOf("Old text"))?"code":"hidden";if(e.label==="Old text")return t?"code":"old-new"}return e.value.length<=vi&&!e.value.includes(`
`)&&e.label!=="Command"&&!v(e)&&!(e.value&&this.isWholeFile(e))?"inline":e.code?t?"code":this.isWholeFile(e)?e.label==="Content"?"new":"gone":nt(e.value)?"patch":"code":"text"}isWholeFile(s){return["Write","apply_patch"].includes(this.host.view.tool)&&(s.label==="Content"||s.label==="Content until now")}isReplacement(){let[s,e]=[this.find("Old text"),this.find("New text")];return s!==void 0&&e!==void 0&&!v(s)&&!v(e)&&!s.lost&&!e.lost}find(s){return this.host.input[this.indexOf(s)]}indexOf(s){return this.host.input.findIndex(e=>e.label===s&&e.code===!0)}toggle(s,e){let t=this.shape(s,e),n=this.raw.has(s);return!n&&t!=="old-new"&&t!=="patch"?a:r`<button type="button" class="quiet tool" aria-pressed=${n?"true":"false"} @click=${()=>{n?this.raw.delete(s):this.raw.add(s),this.host.refresh()}}>
      As text
    </button>`}value(s,e,t){if(!e.value.trim())return r`<p class=${e.code?"loud":"soft"}>${e.value?"(blank)":"(empty)"}</p>`;switch(t){case"old-new":return this.replacement(s,e,this.find("New text"));case"new":return this.file(s,e,"+");case"gone":return this.file(s,e,"-");case"patch":return this.patch(e);case"text":return C(e.value);default:return this.code(s,e)}}language(s,e){return e.label==="Command"?/^\s*\*\*\* Begin Patch/.test(e.value)?"diff":"bash":yi.has(e.label)?this.languageAt(s):e.label==="New source"?"python":/^\s*[[{]/.test(e.value)?"json":""}code(s,e){let t=J(e.value,this.language(s,e),this.host.wake),n=y(e.value);return $(n,{numbers:n.length>1,runs:o=>t[(o.new??1)-1]})}file(s,e,t){let n=J(e.value,this.languageAt(s),this.host.wake),o=y(e.value,t),l=d=>n[(d.new??d.old??1)-1];return r`<p class="soft small">${_(o.length,"line")}, all of the file</p>
      ${$(o,{numbers:!0,signs:!0,runs:l})}`}languageAt(s){let e=this.host.input.slice(0,s).filter(t=>t.code&&wi.has(t.label));return Lt(e.at(-1)?.value??"")}replacement(s,e,t){let[n,o]=[e.value,t?.value??""],l=bi(this.host.wake)?.changes(n,o),d=l?.lines??[...y(n,"-"),...y(o,"+")],u=this.languageAt(s),[p,A]=[n,o].map(ee=>J(ee,u,this.host.wake)),H=ee=>ee.sign==="-"?p?.[(ee.old??1)-1]:A?.[(ee.new??1)-1],L=l?`${_(l.added,"line")} added, ${l.removed.toLocaleString("en")} removed`:"",U=l&&!l.isCompared?"too much differs to compare line by line; ":"",he=`${L?`${L}; `:""}${U}`;return r`<p class="soft small">${he}numbers count the lines of this passage</p>
      ${$(ze(d),{numbers:!0,signs:!0,runs:H})}`}patch(s){return(nt(s.value)??[]).map(e=>ki(e))}after(s){let e=this.host.input[s];if(!e)return a;let t=this.host.view.input[s],n=t&&v(t)&&e!==t?r`<div class="end" data-row=${s}></div>`:a,o=ut(e).map(l=>r`<p class="note small ${l.loud?"loud":"soft"}">${l.text}</p>`);return[n,...o,this.fetcher(s,e,t)]}fetcher(s,e,t){if(!t||!v(t)||e!==t||this.host.view.state!=="pending")return a;if(this.host.fetching.has(s))return r`<p class="soft small">Fetching all of it…</p>`;let n=`Show all ${(t.length??0).toLocaleString("en")} characters`;return r`<button type="button" class="show" @click=${()=>this.host.fetch(s)}>${n}</button>`}},$i={add:"New file",update:"Changes",delete:"Deletes"};function ki(i){let s=i.to===void 0?a:r` and renames it to ${g(i.to)}`,e=i.meta.map(n=>r`<p class="soft small">${g(n)}</p>`),t=i.path?r`<p class="file-name">
        <span class="verb ${i.verb}">${$i[i.verb]}</span> ${g(i.path)}${s}
      </p>`:a;return r`<div class="file">
    ${t}${e}${i.hunks.map(n=>{let o=n.lines.some(d=>d.new!==void 0||d.old!==void 0),l=n.header?r`<p class="place soft small">${g(n.header)}</p>`:a;return r`${l}${$(ze(At(n.lines)),{numbers:o,signs:!0})}`})}
  </div>`}var vs=b`
  /* What is far from the screen is not laid out: there may be hundreds of cards. */
  :host {
    content-visibility: auto;
    contain-intrinsic-size: auto 22rem;
    overflow-clip-margin: 0.75rem;
  }

  article {
    display: flex;
    flex-direction: column;
    gap: var(--gap);
    --inset: var(--gap-l);
    padding: var(--inset) var(--inset) var(--gap);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }

  :host([focused]) article {
    border-color: var(--accent);
    box-shadow:
      inset 0 0 0 1px var(--accent),
      var(--shadow);
  }

  header,
  .content,
  .actions,
  .stack {
    display: flex;
    flex-direction: column;
  }

  header {
    gap: 0.2rem;
  }

  .content {
    gap: var(--gap);
  }

  .actions,
  .stack {
    gap: 0.6rem;
  }

  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    column-gap: var(--gap);
  }

  h2 {
    font-weight: 650;
  }

  .what {
    font-weight: 450;
  }

  .when {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
    white-space: nowrap;
  }

  .badge {
    padding: 0.05em 0.6em;
    border-radius: 1em;
    background: var(--accent-soft);
    color: var(--on-accent-soft);
    font-weight: 600;
  }

  .project {
    color: var(--text);
  }

  .strong {
    font-weight: 600;
  }

  bdi.theirs {
    unicode-bidi: isolate;
  }

  summary {
    cursor: pointer;
  }

  @media (pointer: coarse) {
    details > summary {
      min-height: var(--touch);
      padding-block: 0.6rem;
    }
  }

  /* Where the focus is put, but nothing can be pressed. */
  [tabindex="-1"]:focus-visible {
    outline: none;
  }

  .prompt > summary {
    display: flex;
    gap: 0.4em;
    align-items: baseline;
    min-height: 1.5rem;
  }

  .prompt > summary > .soft {
    flex: none;
  }

  .prompt > summary::before {
    content: "▸";
    flex: none;
    color: var(--text-soft);
  }

  .prompt[open] > summary::before {
    content: "▾";
  }

  .prompt .gist {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .prompt[open] .gist {
    visibility: hidden;
  }

  .prompt .prose {
    padding: 0.3rem 0 0.3rem 1em;
  }

  .asked {
    font-size: var(--size-l);
    line-height: 1.4;
  }

  .rows {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
  }

  .label {
    color: var(--text-soft);
    font-size: var(--size-s);
    font-weight: 600;
  }

  .pair {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.75rem;
    align-items: baseline;
  }

  .pair .label {
    flex: 0 0 7.5rem;
  }

  .pair .value {
    flex: 1 1 12rem;
    min-width: 0;
  }

  .pair .note {
    flex: 1 0 100%;
  }

  .head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--gap);
    min-height: 1.75rem;
  }

  .small,
  button.small {
    font-size: var(--size-s);
  }

  button.tool {
    min-height: 2.75rem;
    margin-block: -0.5rem;
    padding: 0 0.75rem;
    font-size: var(--size-s);
  }

  button.tool[aria-pressed="true"] {
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 0.3em;
  }

  .end {
    height: 1px;
  }

  .show {
    margin-top: 0.4rem;
  }

  .plan-tools {
    display: flex;
    gap: 0.25rem;
    margin-bottom: -0.5rem;
  }

  /* Room at the side for what a passage is commented with, so that it never covers a word. */
  .passages {
    padding-inline-end: 2.5rem;
  }

  .passage {
    position: relative;
    border-radius: var(--radius-s);
  }

  .passage.on {
    background: var(--accent-soft);
    box-shadow: -0.4rem 0 0 var(--accent-soft);
  }

  button.comment {
    position: absolute;
    top: 50%;
    inset-inline-end: -2.75rem;
    transform: translateY(-50%);
    padding: 0;
    opacity: 0;
  }

  .passage:hover button.comment,
  button.comment:focus-visible {
    opacity: 1;
  }

  @media (hover: none) {
    button.comment {
      opacity: 1;
    }
  }

  blockquote {
    margin: 0;
    padding-inline-start: 0.7rem;
    border-inline-start: 3px solid var(--line);
    white-space: pre-wrap;
  }

  .comments li {
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-s);
    background: var(--sunken);
  }

  .comments {
    display: flex;
    flex-direction: column;
    gap: 0.6rem;
  }
`;var ws=400,xi=new Set(["Escape","ArrowLeft","ArrowRight"]),ys={permission:qe,question:Le,plan:Ae,elicitation:Te,yesno:Ce,choice:Ee,text:Se,"confirm-command":Re},rt=class extends N{constructor(){super();this.reading=new Z;this.fetching=new Set;this.epoch=0;this.input=[];this.rowsPart=new de(this);this.madeFor="";this.left=new Map;this.changedAt=0;this.focusNext="";this.watched=new Set;this.wake=()=>{this.epoch+=1,this.requestUpdate()};this.onSelection=()=>{this.shadowRoot&&this.own?.selected(this.shadowRoot)};this.position="",this.now=Date.now(),this.focused=!1,this.offline=!1}static{this.properties={request:{attribute:!1},act:{attribute:!1},position:{},now:{attribute:!1},focused:{type:Boolean,reflect:!0},offline:{type:Boolean},rows:{attribute:!1}}}static{this.styles=[D,P,be,zt,vs,Wt]}get view(){if(!this.request)throw new Error("a card without a request has no parts");return this.request}get isBusy(){return this.offline||this.act?.phase==="sending"||this.act?.phase==="sent"}get isSettling(){return performance.now()-this.changedAt<ws}get isUnseenTaken(){return this.reading.isUnseenTaken}get lock(){return this.reading.lock(this.view,this.rows??new Map)}refresh(e=!1){e&&this.settle(),this.requestUpdate()}send(e){if(this.isBusy)return!1;let t;try{t=e()}catch(n){if(!(n instanceof c))throw n;return this.problem=n,this.requestUpdate(),!1}return this.problem=void 0,t.behavior==="allow"&&this.lock?(this.reveal(),!1):(t.behavior==="allow"&&Ne(this.view)&&(t={...t,unseen:!0}),this.fire("answer",{reply:t}),this.requestUpdate(),!0)}release(){this.isBusy||this.fire("release",{})}fetch(e){this.fetching.has(e)||(this.fetching=new Set(this.fetching).add(e),this.fire("row",{index:e}),this.requestUpdate())}reveal(){let e=this.reading.next(this.view,this.rows??new Map);e>=0&&!this.rows?.has(e)&&this.fetch(e),(this.renderRoot.querySelector(`.end[data-row="${e}"]`)??this.renderRoot.querySelector(e>=0?`#row-${e}`:"#unseen"))?.scrollIntoView({block:"center"}),e<0&&this.renderRoot.querySelector("#unseen")?.focus()}focusOn(e){this.focusNext=e,this.requestUpdate()}fire(e,t){let n=this.view.id;this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,detail:{id:n,...t}}))}key(e){if(!this.request||!this.own||e.ctrlKey||e.metaKey||e.altKey||e.repeat||as(e)&&e.key!=="Escape"||!q(this.request)||this.isBusy)return!1;if(this.isSettling&&!xi.has(e.key))return ds(e.key);if(/^(?:Enter| |Arrow.*)$/.test(e.key)&&ls(e))return!1;let t=this.own.key(e.key)||this.releaseKey(e.key);return t&&e.preventDefault(),t}releaseKey(e){return e!=="r"||!this.isReleasable?!1:(this.release(),!0)}get isReleasable(){return!I(this.view)&&this.view.attended!==!1}willUpdate(e){e.has("request")&&this.meet(e.get("request")),(e.has("request")||e.has("rows"))&&(this.input=(this.request?.input??[]).map((t,n)=>this.rows?.get(n)??t),this.fetching=new Set([...this.fetching].filter(t=>!this.rows?.has(t)))),e.has("focused")&&this.focused&&this.settle(),e.has("act")&&this.act&&this.act.phase!==e.get("act")?.phase&&this.own?.told(this.act)}meet(e){let{request:t}=this,n=t?JSON.stringify([t.id,t.created_at,t.kind]):"";if(n===this.madeFor){e?.state!==t?.state&&this.moveOn();return}let o={own:this.own,reading:this.reading,rowsPart:this.rowsPart};this.own&&hs(this.left,this.madeFor,o);let l=t&&q(t)?this.left.get(n):void 0;this.madeFor=n,this.reading=l?.reading??new Z,this.rowsPart=l?.rowsPart??new de(this),this.own=l?.own??(t&&q(t)?this.makePart(t.kind):void 0),this.fetching=new Set,this.problem=void 0,this.settle()}moveOn(){this.settle(),this.shadowRoot?.activeElement?.closest(".actions, .content")&&(this.focusNext=".standing")}makePart(e){let t=Object.hasOwn(ys,e)?ys[e]:void 0;return t?new t(this):void 0}settle(){this.changedAt=performance.now(),clearTimeout(this.timer),this.timer=setTimeout(()=>this.requestUpdate(),ws+10)}updated(){if(this.watchEnds(),this.focused&&this.request&&q(this.request))for(let e of Z.cut(this.request))this.rows?.has(e)||this.fetch(e);this.moveFocus()}moveFocus(){let e=this.focusNext?this.renderRoot.querySelector(this.focusNext):null;this.focusNext="",e&&(e.focus(),e.closest(".no, .commenting")?.scrollIntoView({block:"nearest"}))}disconnectedCallback(){super.disconnectedCallback(),this.ends?.disconnect(),this.ends=void 0,this.watched.clear(),document.removeEventListener("selectionchange",this.onSelection)}connectedCallback(){super.connectedCallback(),document.addEventListener("selectionchange",this.onSelection),this.requestUpdate()}watchEnds(){let e=this.renderRoot.querySelectorAll(".end");if(!(e.length===0||!this.isConnected)){this.ends??=new IntersectionObserver(t=>this.saw(t));for(let t of e)this.watched.has(t)||(this.watched.add(t),this.ends.observe(t))}}saw(e){let t=!1;for(let n of e){let o=Number(n.target.dataset.row);n.isIntersecting&&this.rows?.has(o)&&(t=this.reading.reached(o)||t)}t&&this.refresh(!0)}render(){let{request:e}=this;if(!e)return a;let t=q(e)&&this.own!==void 0;return r`<article aria-labelledby="title" class=${e.unsafe&&t?"unsafe":""}>
      ${ns(e,this.now,this.position)}
      ${t?this.waiting(this.own):this.ended(e)}
      <div class="standing" role="status" tabindex="-1">
        ${t?os(this.act):rs(e)}
      </div>
    </article>`}waiting(e){if(!e)return a;let{view:t}=this,n=e.ownRow;return r`<div class="content">
        ${st(t)}${this.rowsPart.template(new Set([n]))}${e.body()}${this.rowsPart.after(n)}
      </div>
      <div class="actions" role="group" aria-label="Your answer">
        ${this.unseen()}${e.actions()}
      </div>
      <footer class="foot soft small">
        <p>${[pt(t,this.now),ct(t)].filter(Boolean).join(" ")}</p>
        ${this.releasing()}
      </footer>`}unseen(){if(!Ne(this.view))return a;let e=t=>{this.reading.isUnseenTaken=t.target.checked,this.refresh(!0)};return r`<label class="unseen"
      ><input type="checkbox" id="unseen" .checked=${this.reading.isUnseenTaken} @change=${e} />
      <span>A part of it never left the agent's hook, so nobody can read it here. I take it unseen.</span></label
    >`}releasing(){return this.isReleasable?r`<button
      type="button"
      class="quiet small"
      id="release"
      aria-disabled=${this.isBusy?"true":a}
      title="Nothing is decided here: the agent asks in its terminal"
      @click=${()=>this.release()}
    >
      Give it back to the agent's own prompt
    </button>`:a}ended(e){let t=q(e)?r`<p class="loud">${dt}</p>`:a;return e.input.length===0&&e.questions.length===0&&!e.title?t:r`${t}<details class="was">
      <summary>What it was</summary>
      ${st(e)}${this.rowsPart.template()}
      ${e.questions.map(n=>r`${C(n.question)}`)}
    </details>`}};customElements.define("sayso-card",rt);He.styleSheet&&(document.adoptedStyleSheets=[He.styleSheet]);document.body.append(document.createElement("sayso-app"));qt();
