import{b as d}from"./chunk-SBG7DW3S.js";import{a as i,b as a,d as s,f as l}from"./chunk-5HEKNUVO.js";var o=class extends l{static{this.properties={on:{type:Boolean},label:{},name:{},disabled:{type:Boolean},busy:{type:Boolean}}}static{this.styles=[d,i`
      :host {
        display: inline-block;
      }
      button {
        display: inline-flex;
        align-items: center;
        gap: 0.6em;
        min-height: var(--touch);
        min-width: var(--touch);
        padding: 0 0.25em;
        border: 0;
        border-radius: var(--radius-s);
        background: none;
        color: inherit;
        font: inherit;
        font-weight: 600;
        cursor: pointer;
        -webkit-tap-highlight-color: transparent;
      }
      .track {
        flex: none;
        width: 2.4rem;
        height: 1.4rem;
        padding: 2px;
        border: 1px solid var(--line-strong);
        border-radius: 1rem;
        background: var(--sunken);
      }
      .knob {
        display: block;
        width: 1rem;
        height: 1rem;
        border-radius: 50%;
        background: var(--text-soft);
      }
      .on .track {
        border-color: var(--accent);
        background: var(--accent);
      }
      .on .knob {
        margin-inline-start: 1rem;
        background: var(--on-accent);
      }
      button:disabled {
        cursor: not-allowed;
        opacity: 0.6;
      }
      .busy .knob {
        opacity: 0.5;
      }
      @media (prefers-reduced-motion: no-preference) {
        .knob {
          transition: margin 0.12s;
        }
      }
    `]}render(){let t=`${this.on?"on":""} ${this.busy?"busy":""}`;return a`<button
      role="switch"
      class=${t}
      aria-label=${this.name||s}
      aria-checked=${this.on?"true":"false"}
      ?disabled=${this.disabled}
      @click=${this.press}
    >
      <span class="track"><span class="knob"></span></span><span>${this.label}</span>
    </button>`}press(){this.busy||this.dispatchEvent(new CustomEvent("toggle",{detail:{on:!this.on}}))}};customElements.define("sayso-switch",o);var n,r=new Set;window.addEventListener("beforeinstallprompt",e=>{e.preventDefault(),n=e;for(let t of r)t()});window.addEventListener("appinstalled",()=>{n=void 0;for(let e of r)e()});function b(e){return r.add(e),()=>{r.delete(e)}}function m(){return n!==void 0}function h(){return matchMedia("(display-mode: standalone)").matches}async function f(){await n?.prompt(),n=void 0;for(let e of r)e()}async function g(){if(!("serviceWorker"in navigator)||!window.isSecureContext)return;let{trustedTypes:e}=window,t=e?.createPolicy("sayso",{createScriptURL:()=>"/sw.js"});try{await navigator.serviceWorker.register(t?.createScriptURL("")??"/sw.js")}catch{}}export{b as a,m as b,h as c,f as d,g as e};
