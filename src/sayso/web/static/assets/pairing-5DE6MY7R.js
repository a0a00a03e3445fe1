import{d as h,e as i}from"./chunk-ANXN54WN.js";import{a as l}from"./chunk-FGCHBKWL.js";import{b as c,c as p,d as m,e as u}from"./chunk-SBG7DW3S.js";import{a as n,b as a,d as s,f as d}from"./chunk-5HEKNUVO.js";import"./chunk-SQE76S5B.js";var o=class extends d{static{this.properties={code:{},why:{},busy:{state:!0},trouble:{state:!0},field:{state:!0}}}static{this.styles=[c,p,m,u,n`
      :host {
        max-width: 30rem;
        margin: 0 auto;
        padding: max(2rem, var(--safe-top)) var(--gap-l) 2rem;
      }
      img {
        display: block;
        width: 3.5rem;
        height: 3.5rem;
        margin-bottom: var(--gap-l);
      }
      form,
      .how {
        margin-top: var(--gap-l);
      }
      pre {
        margin: var(--gap-s) 0;
        padding: var(--gap);
        border: 1px solid var(--line);
        border-radius: var(--radius-s);
        background: var(--code-ground);
        overflow-x: auto;
      }
      #code {
        font-family: var(--mono);
        text-transform: uppercase;
      }
      label > span {
        display: block;
        margin-bottom: var(--gap-s);
        font-weight: 600;
      }
    `]}constructor(){super(),this.code="",this.why="",this.busy=!1,this.trouble="",this.field=""}firstUpdated(){this.code&&this.exchange(this.code,i())}render(){return a`<main class="stack">
      <div>
        <img src="/icons/mark.svg" alt="" width="56" height="56" />
        <h1>${this.busy?"Pairing this device…":"Pair this device"}</h1>
      </div>
      <p>${this.why||"Only devices that you have paired may see and answer what your agents ask."}</p>
      ${this.busy?a`<p role="status">The code is being exchanged.</p>`:this.form()}
      ${this.how()}
    </main>`}form(){let e=this.trouble?"trouble":s;return a`<form class="stack" @submit=${this.submit}>
      <label
        ><span>One-time code</span
        ><input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          required
          aria-describedby=${e}
          aria-invalid=${this.trouble&&this.field!=="name"?"true":s}
          .value=${this.code}
      /></label>
      <label
        ><span>What to call this device</span
        ><input
          id="name"
          name="name"
          maxlength="64"
          autocomplete="off"
          aria-describedby=${e}
          .value=${i()}
      /></label>
      ${this.trouble?a`<p class="loud" id="trouble" role="alert">${this.trouble}</p>`:s}
      <button class="primary" type="submit">Pair</button>
    </form>`}how(){return a`<section class="how stack">
      <h2>How to get a code</h2>
      <p>On the computer that runs sayso, in a terminal:</p>
      <pre>sayso open</pre>
      <p>opens this page there, paired. For a phone or another computer:</p>
      <pre>sayso pair</pre>
      <p>
        shows a QR code and the code itself; a device that is paired already can show one, too, under Devices. A
        code counts once, and for two minutes.
      </p>
    </section>`}submit(e){e.preventDefault();let r=new FormData(e.target);this.exchange(String(r.get("code")??""),String(r.get("name")??""))}async exchange(e,r){this.busy=!0,this.trouble="";try{await h(e,r),this.dispatchEvent(new CustomEvent("paired"))}catch(t){if(!(t instanceof l))throw t;this.code=t.field==="name"||t.isLoss?e:"",this.trouble=t.status===0?`${t.message} Is the desk up?`:t.message,this.field=t.field}finally{this.busy=!1}}};customElements.define("sayso-pairing",o);export{o as SaysoPairing};
