/** The page's entry: what stands in index.html's body is made here. */
import { html, render } from "lit";

render(html`<p>The desk is open.</p>`, document.body);
