// A question in a native dialog: whoever does not choose has said no.
//
// The button that changes something never has the focus at first, so Enter cancels. Imports lit
// and the tokens.

import { LitElement, css, html } from "lit";
import { base, buttons, panels } from "./tokens.ts";

export interface Asked {
  title: string;
  words: string;
  /** What the button says that does it. */
  yes: string;
  danger?: boolean;
}

export class SaysoConfirm extends LitElement {
  static override properties = { asked: { attribute: false } };
  static override styles = [
    base,
    buttons,
    panels,
    css`
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
    `,
  ];

  declare asked: Asked;
  private settle: (sure: boolean) => void = () => {};

  /** Shows the question and returns whether the person is sure. */
  async ask(asked: Asked): Promise<boolean> {
    this.asked = asked;
    await this.updateComplete;
    const dialog = this.renderRoot.querySelector("dialog");
    if (dialog === null) return false;
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  override render() {
    const asked = this.asked;
    if (asked === undefined) return html``;
    return html`<dialog aria-labelledby="title" aria-describedby="words" @close=${this.closed}>
      <h2 id="title">${asked.title}</h2>
      <p id="words">${asked.words}</p>
      <div class="row">
        <button class="wide" autofocus @click=${() => this.close("")}>Cancel</button>
        <button class="wide ${asked.danger ? "danger" : "primary"}" @click=${() => this.close("yes")}>
          ${asked.yes}
        </button>
      </div>
    </dialog>`;
  }

  private close(value: string): void {
    this.renderRoot.querySelector("dialog")?.close(value);
  }

  private closed(event: Event): void {
    this.settle((event.target as HTMLDialogElement).returnValue === "yes");
  }
}

customElements.define("sayso-confirm", SaysoConfirm);

/** Asks in a dialog of its own, which is gone afterwards. */
export async function confirm(asked: Asked): Promise<boolean> {
  const element = new SaysoConfirm();
  document.body.append(element);
  const before = deepFocus();
  try {
    return await element.ask(asked);
  } finally {
    element.remove();
    before?.focus();
  }
}

function deepFocus(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : null;
}
