import{c as y}from"./chunk-AC6MNEIP.js";import{a as v}from"./chunk-265XTQO3.js";import{I as u}from"./chunk-GK3C2VGU.js";import{d as b}from"./chunk-D6BDQEZK.js";import{g as d}from"./chunk-MTF4CHP6.js";import{a as n}from"./chunk-FGCHBKWL.js";import{b as c,c as p,d as w,e as h}from"./chunk-SBG7DW3S.js";import{a as o,b as i,d as r,f as l}from"./chunk-5HEKNUVO.js";import"./chunk-SQE76S5B.js";var P=[["answer","See and answer"],["see","See only"],["admin","Answer, and change settings and devices"]],g=class extends l{constructor(){super();this.known=new Set;this.until=0;this.devices=[],this.leftS=0,this.trouble=""}static{this.properties={page:{attribute:!1},devices:{attribute:!1},pairing:{state:!0},leftS:{state:!0},trouble:{state:!0}}}static{this.styles=[c,p,w,h,o`
      .choice {
        display: flex;
        align-items: center;
        gap: 0.6em;
        min-height: var(--touch);
      }
      .shown {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-start;
        gap: var(--gap-l);
      }
      svg {
        flex: 0 1 13rem;
        width: 13rem;
        max-width: 100%;
        height: auto;
        border-radius: var(--radius-s);
        background: #fff;
        color: #000;
      }
      .words {
        flex: 1 1 14rem;
        min-width: 0;
      }
      .code {
        display: block;
        font-family: var(--mono);
        font-size: var(--size-l);
        font-weight: 600;
        user-select: all;
      }
      .left {
        font-variant-numeric: tabular-nums;
      }
    `]}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.timer),this.pairing&&this.leftS>0&&!this.used&&this.closeCode(this.pairing.id)}get used(){return this.pairing&&this.devices.find(e=>!e.foreign&&!this.known.has(e.id))}render(){return i`<section class="panel stack" aria-label="Pair another device">
      <h2>Pair another device</h2>
      ${this.pairing?this.shown(this.pairing):this.form()}
      ${this.trouble?i`<p class="loud" role="alert">${this.trouble}</p>`:r}
    </section>`}form(){return i`<form class="stack" @submit=${this.open}>
      <fieldset>
        <legend>What it may do</legend>
        ${P.map(([e,s],a)=>i`<label class="choice">
            <input type="radio" name="power" value=${e} .checked=${a===0} /><span>${s}</span>
          </label>`)}
      </fieldset>
      <label>Its name, if you want to give it one <input name="name" maxlength="64" autocomplete="off" /></label>
      <div class="row">
        <button class="primary" type="submit">Make a code</button>
        <button class="quiet" type="button" @click=${this.done}>Cancel</button>
      </div>
    </form>`}async open(e){e.preventDefault();let s=new FormData(e.target);this.trouble="";try{this.known=new Set(this.devices.map(k=>k.id));let a=String(s.get("name")??"").trim();this.pairing=await this.page.actions.pairing(a,String(s.get("power")??"answer")),this.until=Date.now()+this.pairing.expires_s*1e3,this.tick(),this.timer=setInterval(()=>this.tick(),1e3)}catch(a){if(!(a instanceof n))throw a;this.trouble=a.message}}tick(){this.leftS=Math.max(0,Math.ceil((this.until-Date.now())/1e3)),this.leftS===0&&clearInterval(this.timer)}shown(e){let{used:s}=this;return s?i`<p role="status"><b>${d(s.name,64)}</b> is paired.</p>${this.ending("Done")}`:this.leftS===0?i`<p role="status">The code was not used within two minutes, and is closed.</p>${this.ending("Close")}`:i`<div class="shown">
        <svg
          viewBox="0 0 ${e.qr_size} ${e.qr_size}"
          role="img"
          aria-label="QR code of the address, with the code in it"
          shape-rendering="crispEdges"
        >
          <path fill="currentColor" d=${e.qr}></path>
        </svg>
        <div class="words stack">
          <p>Point its camera at this, or open <b>${S(e.url)}</b> there and type</p>
          <span class="code">${e.code}</span>
          <p class="left" role="timer">${this.leftS} s left. It counts once.</p>
          ${e.reachable?r:i`<p class="small">
                  This address leads here from this computer alone. For a phone, the desk needs an address of its own:
                  <code>sayso up --public-url https://…</code>
                </p>`}
        </div>
      </div>
      ${this.ending("Close the code")}`}ending(e){return i`<div class="row"><button @click=${this.done}>${e}</button></div>`}done(){this.dispatchEvent(new CustomEvent("done"))}closeCode(e){this.page.actions.closePairing(e).catch(s=>{if(!(s instanceof n))throw s})}};function S(m){return new URL(m).origin}customElements.define("sayso-pair",g);var $={none:"may do nothing",ask:"may ask",see:"may see",answer:"may see and answer",admin:"may answer, and change settings and devices"},x=3e3,f=class extends l{static{this.properties={page:{attribute:!1},now:{type:Number},devices:{state:!0},trouble:{state:!0},isPairing:{state:!0}}}static{this.styles=[c,p,h,o`
      :host {
        max-width: var(--measure);
        margin: 0 auto;
        padding: var(--gap-l) max(var(--gap), var(--safe-right)) var(--gap-l) max(var(--gap), var(--safe-left));
      }
      .top {
        justify-content: space-between;
        margin-bottom: var(--gap);
      }
      .panel {
        padding: 0;
        overflow: hidden;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 var(--gap);
        padding: var(--gap-s) var(--gap) var(--gap-s) var(--gap-l);
      }
      li + li {
        border-top: 1px solid var(--line);
      }
      .about {
        flex: 1 1 14rem;
        min-width: 0;
        padding: var(--gap-s) 0;
      }
      sayso-pair {
        margin-bottom: var(--gap-l);
      }
    `]}constructor(){super(),this.now=Date.now(),this.trouble="",this.isPairing=!1,new b(this)}connectedCallback(){super.connectedCallback(),this.timer=setInterval(()=>{document.visibilityState==="visible"&&this.look()},x)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.timer)}firstUpdated(){this.look()}async look(){!this.page.may("admin")||!this.page.store.online||await this.call(async()=>{this.devices=await this.page.actions.devices()})}async call(t){try{await t(),this.trouble=""}catch(e){if(!(e instanceof n))throw e;this.trouble=e.message}}render(){return this.page.may("admin")?i`<div class="row top">
        <h1>Devices</h1>
        ${this.isPairing?r:i`<button class="primary" ?disabled=${!this.page.store.online} @click=${()=>{this.isPairing=!0}}>
                Pair another device
              </button>`}
      </div>
      ${this.trouble?i`<p class="loud" role="alert">${this.trouble}</p>`:r}
      ${this.isPairing?i`<sayso-pair .page=${this.page} .devices=${this.devices??[]} @done=${()=>{this.isPairing=!1}}></sayso-pair>`:r}
      ${this.list()}`:this.mine()}mine(){let{me:t}=this.page.store;return i`<h1>Devices</h1>
      <p>
        This device is ${t?.device.name??"paired"}, and ${$[t?.power??"see"]}. To see the others, use one that
        may administer, or on the computer: <code>sayso token list</code>.
      </p>
      <p><button class="danger" @click=${this.forget}>Forget this device…</button></p>`}list(){return this.devices?i`<ul class="panel">
      ${y(this.devices,t=>t.id,t=>this.device(t))}
    </ul>`:i`<p class="soft" role="status">…</p>`}device(t){let e=t.id===this.page.store.me?.device.id,s=t.used_at?`last used ${u(Date.parse(t.used_at),this.now)}`:"never used",a=t.created_at?`, paired ${u(Date.parse(t.created_at),this.now)}`:"";return i`<li>
      <div class="about">
        <b>${d(t.name,64)}</b> ${e?i`<span class="badge live">this device</span>`:r}
        ${t.foreign?i`<span class="badge alarm">not made by this desk</span>`:r}
        <p class="soft small">
          ${t.foreign?"Something else wrote this into the desk's table. It is not honoured; take it out.":i`${$[t.power]??t.power} · ${s}${a}`}
        </p>
      </div>
      <button class="danger" ?disabled=${!this.page.store.online} @click=${()=>this.revoke(t,e)}>
        ${t.foreign?"Remove…":"Revoke…"}<span class="sr"> ${t.name}</span>
      </button>
    </li>`}async revoke(t,e){await v({title:`Revoke ${t.name}?`,words:e?"That is the device you hold. It sees and answers nothing any more, until it is paired anew.":"It sees and answers nothing any more, at once. It can be paired anew.",yes:"Revoke",danger:!0})&&(await this.call(()=>this.page.actions.revoke(t.id)),e&&!this.trouble?this.dispatchEvent(new CustomEvent("forget")):await this.look())}async forget(){await v({title:"Forget this device?",words:"This browser loses its credential. The desk still lists the device until somebody who may administer revokes it.",yes:"Forget",danger:!0})&&this.dispatchEvent(new CustomEvent("forget"))}};customElements.define("sayso-devices",f);export{f as SaysoDevices};
