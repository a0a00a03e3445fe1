import{b as d,e as i}from"./chunk-SBG7DW3S.js";import{a as s,b as a,f as r}from"./chunk-5HEKNUVO.js";import"./chunk-SQE76S5B.js";var l=[["j, k","the next card, the one before"],["o","opens what is chosen; neither it nor Enter answers anything"],["a","allow; approve a plan; fill in a form; accept a link or a default"],["d","deny or cancel, with a reason; for a plan: say what should change"],["s","deny and stop the agent's turn"],["c","cancel what a server or a program asks for"],["y, n","yes or no, where a program asks for that"],["1-9","pick an option of a question, a choice or a suggestion"],["t, n","write the answer in your own words; add a note to a question"],["r","release: give it back to the agent's own prompt"],["/","find among what waits"],["w","away, on or off: agents wait longer for you"],["x","put the news away"],["g i","go to the inbox; g s to sessions, g d devices, g e settings"],["?","these keys"],["Esc","out of a field, a step, a card"]],m=[["answered","The desk took your answer; it is on its way to the agent."],["handed to the agent","The agent's hook has written it. What the agent did is not known yet."],["the agent acted on the answer","An event of the agent agrees with it. Not that it went as you hoped."],["overruled","The agent did something else: its terminal answered first."],["nothing showed","The turn ended, and no event told. Deny and stop always ends so."],["lost","As far as is known, it never reached the agent."],["timed out, released","Nothing was decided here: the agent's own prompt decides."]],o=class extends r{static{this.styles=[d,i,s`
      :host {
        max-width: var(--measure);
        margin: 0 auto;
        padding: var(--gap-l) max(var(--gap), var(--safe-right)) var(--gap-l) max(var(--gap), var(--safe-left));
      }
      h2 {
        margin: var(--gap-l) 0 var(--gap-s);
      }
      dl {
        display: grid;
        grid-template-columns: minmax(5rem, auto) minmax(0, 1fr);
        gap: 0.4rem var(--gap-l);
      }
      dl.words {
        grid-template-columns: minmax(0, 10rem) minmax(0, 1fr);
      }
      @media (max-width: 30rem) {
        dl.words {
          grid-template-columns: minmax(0, 1fr);
        }
        dl.words dd {
          margin-bottom: var(--gap-s);
        }
      }
    `]}render(){return a`<h1>Help</h1>
      <h2>Keys</h2>
      <dl>
        ${l.map(([e,t])=>a`<dt>${p(e)}</dt><dd>${t}</dd>`)}
      </dl>
      <h2>How far an answer came</h2>
      <dl class="words">
        ${m.map(([e,t])=>a`<dt><b>${e}</b></dt><dd>${t}</dd>`)}
      </dl>
      <h2>Who may answer</h2>
      <p>
        Only devices that you paired, each with a power of its own: see, answer, or admin. Under Devices one can be taken
        back; it ends at once. This page asks nobody but your own desk.
      </p>`}};function p(n){let[e]=n.match(/, |-| /)??[""];if(!e)return a`<kbd>${n}</kbd>`;let t=e==="-"?"–":" ";return n.split(e).map((h,g)=>a`${g>0?t:""}<kbd>${h}</kbd>`)}customElements.define("sayso-help",o);export{o as SaysoHelp};
