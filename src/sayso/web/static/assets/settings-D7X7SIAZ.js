import{a as S,b as g,c as k,d as x}from"./chunk-GBMGH4QC.js";import{d as y}from"./chunk-D6BDQEZK.js";import{g as h}from"./chunk-MTF4CHP6.js";import{a as l}from"./chunk-FGCHBKWL.js";import{b as d,c as b,d as $,e as c}from"./chunk-SBG7DW3S.js";import{a as w,b as t,d as o,f as r}from"./chunk-5HEKNUVO.js";import"./chunk-SQE76S5B.js";var _=w`
  :host {
    max-width: var(--measure);
    margin: 0 auto;
    padding: var(--gap-l) max(var(--gap), var(--safe-right)) var(--gap-l) max(var(--gap), var(--safe-left));
  }
  h2 {
    margin: var(--gap-l) 0 var(--gap-s);
  }
`,p=w`
  .panel {
    padding: 0;
  }
  .setting {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--gap-s) var(--gap-l);
    padding: var(--gap) var(--gap-l);
  }
  .setting + .setting,
  sayso-push,
  sayso-push + .setting {
    border-top: 1px solid var(--line);
  }
  .about {
    flex: 1 1 16rem;
    min-width: 0;
  }
  .switch .about {
    flex-basis: 8rem;
  }
  .value {
    flex: none;
    max-width: 100%;
  }
  input[type="number"] {
    width: 7rem;
  }
  select {
    width: auto;
    max-width: 100%;
  }
`;var C={unsupported:"This browser has no notices here. A phone needs https for them, and an iPhone the page on its home screen.",denied:"The browser was told never to show notices of this page: allow them in its own settings first.",off:"Have this device called when something waits and no page is open. A notice goes through the browser's push service, encrypted; a tap on it opens the card.",on:"This device is called when something waits and no page is open."},f=class extends r{static{this.properties={page:{attribute:!1},isOff:{type:Boolean},state:{state:!0},isBusy:{state:!0},trouble:{state:!0}}}static{this.styles=[d,c,p]}constructor(){super(),this.isOff=!1,this.state="unsupported",this.isBusy=!1,this.trouble=""}firstUpdated(){this.look()}async look(){this.state=await this.page.push.state()}render(){let n=this.state==="on"||this.state==="off";return t`<div class="setting switch">
      <div class="about">
        <h3>Notices on this device</h3>
        <p class="soft small">${C[this.state]}</p>
        ${this.trouble?t`<p class="loud small" role="alert">${this.trouble}</p>`:o}
      </div>
      ${n?t`<sayso-switch
              label=${this.state==="on"?"On":"Off"}
              .name=${"Notices on this device"}
              .on=${this.state==="on"}
              .busy=${this.isBusy}
              ?disabled=${this.isOff}
              @toggle=${this.turn}
            ></sayso-switch>`:o}
    </div>`}async turn(n){this.isBusy=!0,this.trouble="";try{await(n.detail.on?this.page.push.start():this.page.push.stop())}catch(e){if(!(e instanceof l))throw e;this.trouble=e.message}finally{this.isBusy=!1,await this.look()}}};customElements.define("sayso-push",f);var E=[{title:"When you are away",settings:[{name:"away",title:"Away",words:"On: you answer from afar, and agents that show nothing meanwhile wait longer for you."},{name:"exclusive_wait_s",title:"Wait at the desk",words:"Seconds for which an agent that shows nothing meanwhile waits here."},{name:"unattended_wait_s",title:"Wait without a terminal",words:"Seconds for which an agent without a terminal waits here."}]},{title:"Notices",settings:[{name:"notice_content",title:"What a notice says",words:"How much a notice that leaves this computer says of what waits.",choices:[["nothing","Nothing but that something waits"],["who","Who asks, and which kind"],["what","Also what is asked, masked"]]},{name:"desktop_notices",title:"Desktop notices",words:"On: the desktop of the desk's computer shows a notice of what waits."},{name:"notice_grace_s",title:"Before anybody is called",words:"Seconds for which nobody is called: you may be answering already."},{name:"notice_turn_ends",title:"Ends of turns",words:"On: a notice says, too, that an agent's turn has ended and waits for your word."},{name:"silent_after_s",title:"Silence",words:"Seconds after which a session that works in silence is noticed; 0 for never.",least:0}]},{title:"Who asks, who answers",settings:[{name:"answers_from",title:"Who may answer",words:"Programs of your own on the computer may answer, too, or paired devices alone.",choices:[["local","Your own programs, and paired devices"],["paired","Only paired devices"]]},{name:"codex_approvals",title:"Codex asks here by its hook",words:"On: Codex's hook asks here; Codex shows nothing in its terminal meanwhile."},{name:"codex_server",title:"Codex asks here by its server",words:"On: Codex's app server asks here, beside its terminal."},{name:"pending_per_agent",title:"Most of one agent",words:"How many requests one agent's process may have waiting."},{name:"pending_in_all",title:"Most in all",words:"How many requests may wait in all."}]}],A=[{name:"on_request",title:"Command on a request",words:"A command that is told of what waits."},{name:"pane_program",title:"Program of a new pane",words:"The command that a new pane runs."}],v=class extends r{constructor(){super();this.stopWatching=()=>{};this.busy="",this.trouble="",this.of="",new y(this)}static{this.properties={page:{attribute:!1},busy:{state:!0},trouble:{state:!0},of:{state:!0}}}static{this.styles=[d,b,$,c,p,_]}connectedCallback(){super.connectedCallback(),this.stopWatching=S(()=>this.requestUpdate())}disconnectedCallback(){super.disconnectedCallback(),this.stopWatching()}render(){let{settings:e}=this.page.store.state;return e?t`<h1>Settings</h1>
      ${this.page.may("admin")?o:t`<p class="soft">This device may not change them; one that may administer can.</p>`}
      ${E.map(s=>t`<h2>${s.title}</h2>
          <div class="panel">${s.settings.map(a=>this.setting(a,e))}</div>`)}
      ${this.commands(e)} ${this.device()}`:t`<h1>Settings</h1><p class="soft" role="status">Connecting…</p>`}setting(e,s){let a=typeof s[e.name]=="boolean";return t`<div class="setting ${a?"switch":""}">
      <div class="about">
        <h3 id="title-${e.name}">${e.title}</h3>
        <p class="soft small" id="words-${e.name}">${e.words}</p>
        ${this.of===e.name?t`<p class="loud small" role="alert">${this.trouble}</p>`:o}
      </div>
      <div class="value">${this.value(e,s[e.name])}</div>
    </div>`}value(e,s){let a=e.name==="away"?"answer":"admin",m=!this.page.store.online||!this.page.may(a)||this.busy===e.name,u=i=>{this.change(e.name,i)};return typeof s=="boolean"?t`<sayso-switch
        label=${s?"On":"Off"}
        .name=${e.title}
        .on=${s}
        ?disabled=${m}
        @toggle=${i=>u(i.detail.on)}
      ></sayso-switch>`:e.choices?t`<select
        aria-labelledby="title-${e.name}"
        aria-describedby="words-${e.name}"
        ?disabled=${m}
        @change=${i=>u(i.target.value)}
      >
        ${e.choices.map(([i,P])=>t`<option value=${i} ?selected=${i===s}>${P}</option>`)}
      </select>`:t`<input
      type="number"
      min=${e.least??1}
      step="any"
      inputmode="numeric"
      aria-labelledby="title-${e.name}"
      aria-describedby="words-${e.name}"
      ?disabled=${m}
      .value=${String(s)}
      @change=${i=>u(Number(i.target.value))}
    />`}async change(e,s){this.busy=e,this.of="";try{e==="away"?await this.page.actions.setAway(s===!0):await this.page.actions.change({[e]:s})}catch(a){if(!(a instanceof l))throw a;this.trouble=a.message,this.of=e}finally{this.busy=""}}commands(e){let s=this.page.store.me?.power==="admin"?"none":"not shown on this device";return t`<h2>Set on the computer only</h2>
      <div class="panel">
        ${A.map(a=>t`<div class="setting">
            <div class="about">
              <h3>${a.title}</h3>
              <p class="soft small">${a.words} <code>sayso settings ${a.name} …</code></p>
            </div>
            <div class="value">
              ${e[a.name]?t`<code>${h(String(e[a.name]),80)}</code>`:s}
            </div>
          </div>`)}
      </div>`}device(){let{me:e,health:s}=this.page.store;return t`<h2>This device</h2>
      <div class="panel">
        <div class="setting">
          <div class="about">
            <h3>${e?h(e.device.name,64):"This browser"}</h3>
            <p class="soft small">
              ${e?t`Power: ${e.power}. `:o}${s?t`Desk: sayso ${s.version}. `:o}
            </p>
            ${(s?.troubles??[]).map(a=>t`<p class="loud small">${h(a,600)}</p>`)}
          </div>
        </div>
        <sayso-push .page=${this.page} ?isOff=${!this.page.store.online}></sayso-push>
        ${this.installing()}
      </div>`}installing(){return k()?o:t`<div class="setting">
      <div class="about">
        <h3>On the home screen</h3>
        <p class="soft small">
          ${g()?"Installed, it has a window and an icon of its own, which shows how many wait.":"Add it from the browser's menu: “Add to Home Screen” or “Install”. A phone needs https for that."}
        </p>
      </div>
      ${g()?t`<button @click=${()=>{x()}}>Install</button>`:o}
    </div>`}};customElements.define("sayso-settings",v);export{v as SaysoSettings};
