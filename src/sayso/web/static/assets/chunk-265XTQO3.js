import{b as n,c as d,e as c}from"./chunk-SBG7DW3S.js";import{a as i,b as s,f as l}from"./chunk-5HEKNUVO.js";var o=class extends l{constructor(){super(...arguments);this.settle=()=>{}}static{this.properties={asked:{attribute:!1}}}static{this.styles=[n,d,c,i`
      dialog {
        width: min(30rem, calc(100vw - 2rem));
        max-height: calc(100dvh - 2rem);
        padding: var(--gap-l);
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        color: var(--text);
        box-shadow: var(--shadow-high);
        overflow: auto;
      }
      dialog::backdrop {
        background: var(--veil);
      }
      p {
        margin: var(--gap) 0 var(--gap-l);
        white-space: pre-line;
      }
    `]}async ask(e){this.asked=e,await this.updateComplete;let a=this.renderRoot.querySelector("dialog");return a===null?!1:(a.returnValue="",a.showModal(),new Promise(u=>{this.settle=u}))}render(){let e=this.asked;return e===void 0?s``:s`<dialog aria-labelledby="title" aria-describedby="words" @close=${this.closed}>
      <h2 id="title">${e.title}</h2>
      <p id="words">${e.words}</p>
      <div class="row">
        <button class="wide" autofocus @click=${()=>this.close("")}>Cancel</button>
        <button class="wide ${e.danger?"danger":"primary"}" @click=${()=>this.close("yes")}>
          ${e.yes}
        </button>
      </div>
    </dialog>`}close(e){this.renderRoot.querySelector("dialog")?.close(e)}closed(e){this.settle(e.target.returnValue==="yes")}};customElements.define("sayso-confirm",o);async function h(t){let r=new o;document.body.append(r);let e=m();try{return await r.ask(t)}finally{r.remove(),e?.focus()}}function m(){let t=document.activeElement;for(;t?.shadowRoot?.activeElement;)t=t.shadowRoot.activeElement;return t instanceof HTMLElement?t:null}export{h as a};
