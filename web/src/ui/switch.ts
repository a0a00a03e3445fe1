// A switch with its label: on or off, and told as that to who cannot see it.
//
// It shows what is so, not what was pressed: whoever listens to "toggle" changes `on` once it is
// done. Imports lit and the tokens.

import { LitElement, css, html, nothing } from "lit";
import { base } from "./tokens.ts";

export class SaysoSwitch extends LitElement {
  static override properties = {
    on: { type: Boolean },
    label: {},
    name: {},
    disabled: { type: Boolean },
    busy: { type: Boolean },
  };
  static override styles = [
    base,
    css`
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
    `,
  ];

  declare on: boolean;
  declare label: string;
  /** What it switches, where the label does not say it. */
  declare name: string;
  declare disabled: boolean;
  declare busy: boolean;

  override render() {
    const classes = `${this.on ? "on" : ""} ${this.busy ? "busy" : ""}`;
    return html`<button
      role="switch"
      class=${classes}
      aria-label=${this.name || nothing}
      aria-checked=${this.on ? "true" : "false"}
      ?disabled=${this.disabled}
      @click=${this.press}
    >
      <span class="track"><span class="knob"></span></span><span>${this.label}</span>
    </button>`;
  }

  private press(): void {
    if (!this.busy) this.dispatchEvent(new CustomEvent("toggle", { detail: { on: !this.on } }));
  }
}

customElements.define("sayso-switch", SaysoSwitch);
