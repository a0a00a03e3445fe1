// How a device without a credential gets one: by a one-time code, or by word of what to do.
//
// Fires "paired" when there is one now. The code never stays in the address. Imports lit, `state`
// and `ui`.

import { LitElement, css, html, nothing } from "lit";
import { ApiError } from "../api/client.ts";
import { proposedName, redeem } from "../state/credential.ts";
import { base, buttons, fields, panels } from "../ui/tokens.ts";

export class SaysoPairing extends LitElement {
  static override properties = {
    code: {},
    why: {},
    busy: { state: true },
    trouble: { state: true },
    field: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    panels,
    css`
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
    `,
  ];

  /** The code that stood in the address, to be used at once. */
  declare code: string;
  /** Why there is nothing else to see, if it is not that this device is new. */
  declare why: string;
  declare busy: boolean;
  declare trouble: string;
  declare field: string;

  constructor() {
    super();
    this.code = "";
    this.why = "";
    this.busy = false;
    this.trouble = "";
    this.field = "";
  }

  override firstUpdated(): void {
    if (this.code) void this.exchange(this.code, proposedName());
  }

  override render() {
    return html`<main class="stack">
      <div>
        <img src="/icons/mark.svg" alt="" width="56" height="56" />
        <h1>${this.busy ? "Pairing this device…" : "Pair this device"}</h1>
      </div>
      <p>${this.why || "Only devices that you have paired may see and answer what your agents ask."}</p>
      ${this.busy ? html`<p role="status">The code is being exchanged.</p>` : this.form()}
      ${this.how()}
    </main>`;
  }

  private form() {
    const described = this.trouble ? "trouble" : nothing;
    return html`<form class="stack" @submit=${this.submit}>
      <label
        ><span>One-time code</span
        ><input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          required
          aria-describedby=${described}
          aria-invalid=${this.trouble && this.field !== "name" ? "true" : nothing}
          .value=${this.code}
      /></label>
      <label
        ><span>What to call this device</span
        ><input
          id="name"
          name="name"
          maxlength="64"
          autocomplete="off"
          aria-describedby=${described}
          .value=${proposedName()}
      /></label>
      ${this.trouble ? html`<p class="loud" id="trouble" role="alert">${this.trouble}</p>` : nothing}
      <button class="primary" type="submit">Pair</button>
    </form>`;
  }

  private how() {
    return html`<section class="how stack">
      <h2>How to get a code</h2>
      <p>On the computer that runs sayso, in a terminal:</p>
      <pre>sayso open</pre>
      <p>opens this page there, paired. For a phone or another computer:</p>
      <pre>sayso pair</pre>
      <p>
        shows a QR code and the code itself; a device that is paired already can show one, too, under Devices. A
        code counts once, and for two minutes.
      </p>
    </section>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    void this.exchange(String(data.get("code") ?? ""), String(data.get("name") ?? ""));
  }

  private async exchange(code: string, name: string): Promise<void> {
    this.busy = true;
    this.trouble = "";
    try {
      await redeem(code, name);
      this.dispatchEvent(new CustomEvent("paired"));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.code = error.field === "name" || error.isLoss ? code : "";
      this.trouble = error.status === 0 ? `${error.message} Is the desk up?` : error.message;
      this.field = error.field;
    } finally {
      this.busy = false;
    }
  }
}

customElements.define("sayso-pairing", SaysoPairing);
