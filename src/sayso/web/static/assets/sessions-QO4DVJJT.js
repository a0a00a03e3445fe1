import{c as P}from"./chunk-CPX5K5TP.js";import{a as n,h as W}from"./chunk-AGSDWITC.js";import{c as B}from"./chunk-AC6MNEIP.js";import{a as v}from"./chunk-265XTQO3.js";import{A as b,D as R,E as M,F as T,k as d,n as q,r as o,v as r}from"./chunk-GK3C2VGU.js";import{a as S,b as w,d as c}from"./chunk-D6BDQEZK.js";import{c as E,g as h}from"./chunk-MTF4CHP6.js";import{a as k}from"./chunk-FGCHBKWL.js";import{b as g,c as m,d as A,e as u}from"./chunk-SBG7DW3S.js";import{a as l,b as s,d as i,f as p}from"./chunk-5HEKNUVO.js";import"./chunk-SQE76S5B.js";var N=l`
  .panel {
    padding: var(--gap) var(--gap-l);
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 var(--gap);
  }

  h2 {
    font-size: var(--size);
  }

  h2 .soft {
    font-weight: 400;
  }

  .prompt {
    margin-top: var(--gap-s);
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow: hidden;
  }

  .message {
    margin-top: var(--gap);
    padding-inline-start: var(--gap);
    border-inline-start: 3px solid var(--line);
  }

  .message button {
    margin-inline-start: -1em;
  }

  form {
    margin-top: var(--gap);
  }

  .choice {
    display: inline-flex;
    align-items: center;
    gap: 0.5em;
    min-height: var(--touch);
  }

  .tools {
    margin-top: var(--gap-s);
    gap: var(--gap-s);
  }

  .tools .quiet:first-child {
    margin-inline-start: -1em;
  }
`;var L=4e3,$=class extends p{static{this.properties={page:{attribute:!1},view:{attribute:!1},now:{type:Number},isWriting:{state:!0},text:{state:!0},when:{state:!0},isBusy:{state:!0},trouble:{state:!0}}}static{this.styles=[g,m,A,u,N]}constructor(){super(),this.now=Date.now(),this.isWriting=!1,this.text="",this.when="soon",this.isBusy=!1,this.trouble="",new c(this)}render(){let{view:e}=this;return s`<article class="panel" aria-label="${r(d(e.agent))} in ${b(e)}">
      <header>
        <h2>${r(d(e.agent))} <bdi class="soft">${b(e)}</bdi></h2>
        <span class="badge ${e.state==="waiting"?"live":""}">${this.doing()}</span>
      </header>
      <p class="soft small">
        ${R(e)}${e.mode?s` · mode ${h(e.mode,40)}`:i}${e.muted?" · muted":i}
      </p>
      ${e.prompt?s`<p class="prompt"><span class="sr">Last prompt: </span>${h(e.prompt,400)}</p>`:i}
      ${this.message()} ${this.write()}
      ${this.trouble?s`<p class="loud" role="alert">${this.trouble}</p>`:i}
      ${this.isWriting?i:s`<div class="row tools">${this.tools()}</div>`}
    </article>`}doing(){let e=q(this.view.since,this.now).replace(" ago","");return e==="just now"||!e?r(this.view.state):`${r(this.view.state)} for ${e}`}get ids(){return n(this.page.store.state).filter(e=>e.agent===this.view.agent&&e.session_id===this.view.session_id).map(e=>e.id)}tools(){let{ids:e}=this,t=!this.page.store.online||!this.page.may("answer"),a=e[0];return s`
      ${a?s`<a class="button" href=${P({tab:"inbox",id:a})}
                >${o(e.length,"request waits","requests wait")}</a
              >
              <button class="quiet" ?disabled=${t} @click=${()=>this.release(e)}>Release…</button>`:i}
      ${this.view.state==="ended"?i:s`<button class="quiet" ?disabled=${t} @click=${this.begin}>Write a message</button>`}
    `}async release(e){if(await v({title:`Release ${o(e.length,"request")} of this session?`,words:"The agent's own prompt decides; nothing is decided here.",yes:"Release",danger:!0}))for(let a of e)this.page.actions.release(a)}message(){let e=this.page.store.state.messages.get(w(this.view));if(!e)return i;let t=e.state==="uncertain";return s`<div class="message">
      <p><bdi>“${h(e.text,300)}”</bdi></p>
      <p class="small ${t?"loud":"soft"}">${r(M(e))}</p>
      ${T(e)&&this.page.may("answer")?s`<button
              class="quiet"
              ?disabled=${!this.page.store.online||this.isBusy}
              @click=${()=>this.takeBack(e)}
            >
              ${t?"Put it away":"Take it back"}
            </button>`:i}
    </div>`}write(){if(!this.isWriting)return i;let e=L-E(this.text),t=this.replaced();return s`<form class="stack" @submit=${this.send}>
      <label for="text">Message to ${d(this.view.agent)}</label>
      <textarea
        id="text"
        dir="auto"
        aria-describedby="told"
        .value=${this.text}
        @input=${a=>{this.text=a.target.value}}
      ></textarea>
      <fieldset class="row">
        <legend class="sr">When the agent gets it</legend>
        ${this.choice("soon","After its next step")} ${this.choice("stop","At the end of its turn")}
      </fieldset>
      <p class="soft small" id="told">
        ${this.note()}${t?" It takes the place of the one that is still queued.":""}${e<200?` ${e<0?`${-e} characters too many.`:`${e} characters left.`}`:""}
      </p>
      <div class="row">
        <button
          class="primary"
          type="submit"
          ?disabled=${!this.page.store.online||this.isBusy||e<0||!this.text.trim()}
        >
          ${this.isBusy?"Sending…":"Send"}
        </button>
        <button class="quiet" type="button" @click=${this.end}>Cancel</button>
      </div>
    </form>`}choice(e,t){return s`<label class="choice">
      <input type="radio" name="when" .checked=${this.when===e} @change=${()=>{this.when=e}} />
      <span>${t}</span>
    </label>`}note(){return this.view.state==="idle"?"The session is idle: it gets this when it works again by itself; a prompt typed there drops it.":"The session's main agent is told it in your words."}replaced(){let e=this.page.store.state.messages.get(w(this.view));return e!==void 0&&(e.state??"queued")==="queued"}async begin(){this.isWriting=!0,this.trouble="",await this.updateComplete,this.renderRoot.querySelector("textarea")?.focus()}end(){this.isWriting=!1,this.trouble=""}send(e){e.preventDefault();let{agent:t,session_id:a}=this.view;this.call(async()=>{await this.page.actions.sendMessage(t,a,this.text,this.when),this.text="",this.isWriting=!1})}takeBack(e){this.call(()=>this.page.actions.unsendMessage(e.agent,e.session_id))}async call(e){if(!this.isBusy){this.isBusy=!0,this.trouble="";try{await e()}catch(t){if(!(t instanceof k))throw t;this.trouble=t.message}finally{this.isBusy=!1}}}};customElements.define("sayso-session",$);var y=class extends p{static{this.properties={page:{attribute:!1},now:{type:Number}}}static{this.styles=[g,m,u,l`
      :host {
        max-width: var(--measure);
        margin: 0 auto;
        padding: var(--gap-l) max(var(--gap), var(--safe-right)) var(--gap-l) max(var(--gap), var(--safe-left));
      }
      .top {
        justify-content: space-between;
        margin-bottom: var(--gap);
      }
      sayso-session {
        margin-bottom: var(--gap);
      }
      .ended h2 {
        margin: var(--gap-l) 0 var(--gap);
        color: var(--text-soft);
        font-size: var(--size-s);
      }
    `]}constructor(){super(),this.now=Date.now(),new c(this)}render(){let{state:e}=this.page.store,t=W(e),a=t.filter(f=>f.state!=="ended"),x=t.filter(f=>f.state==="ended");return s`<div class="row top">
        <h1>Sessions</h1>
        ${this.releaseAll()}
      </div>
      ${a.length===0?this.none(e.boot===""):i} ${this.some(a)}
      ${x.length>0?s`<section class="ended"><h2>Ended lately</h2>${this.some(x)}</section>`:i}`}some(e){return B(e,S,t=>s`<sayso-session .page=${this.page} .view=${t} .now=${this.now}></sayso-session>`)}none(e){return e?s`<p class="soft" role="status">Connecting…</p>`:s`<p>No session is known.</p>
          <p class="soft">
            A session shows up here when its agent does something. New sessions of an agent that sayso is installed for
            do so by themselves; those that ran before have to be started again.
          </p>`}releaseAll(){return n(this.page.store.state).length===0||!this.page.may("answer")?i:s`<button ?disabled=${!this.page.store.online} @click=${this.release}>
      Release everything that waits…
    </button>`}async release(){let e=n(this.page.store.state);if(await v({title:`Release ${o(e.length,"request")}?`,words:z,yes:"Release everything",danger:!0}))for(let a of e)this.page.actions.release(a.id)}},z="Each is given back to its agent's own prompt, and nothing is decided: agents in a terminal ask there, those without one do what they do without sayso.";customElements.define("sayso-sessions",y);export{y as SaysoSessions};
