// A one-time code for another device: as a picture, as a link, to be typed, for two minutes.
//
// Fires "done" to be put away. Imports lit, `state` and `ui`.

import { LitElement, css, html, nothing } from "lit";
import { ApiError } from "../api/client.ts";
import type { Device, Pairing } from "../api/types.ts";
import type { Page } from "../state/page.ts";
import { inline } from "../text/visible.ts";
import { base, buttons, fields, panels } from "../ui/tokens.ts";

const CHOICES: readonly [string, string][] = [
  ["answer", "See and answer"],
  ["see", "See only"],
  ["admin", "Answer, and change settings and devices"],
];

export class SaysoPair extends LitElement {
  static override properties = {
    page: { attribute: false },
    devices: { attribute: false },
    pairing: { state: true },
    leftS: { state: true },
    trouble: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    panels,
    css`
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
    `,
  ];

  declare page: Page;
  /** Those there are: a new one is the one that used the code. */
  declare devices: readonly Device[];
  declare pairing: Pairing | undefined;
  declare leftS: number;
  declare trouble: string;
  private known: ReadonlySet<string> = new Set();
  private until = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.devices = [];
    this.leftS = 0;
    this.trouble = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
    if (this.pairing && this.leftS > 0 && !this.used) this.closeCode(this.pairing.id);
  }

  private get used(): Device | undefined {
    return this.pairing && this.devices.find((device) => !device.foreign && !this.known.has(device.id));
  }

  override render() {
    return html`<section class="panel stack" aria-label="Pair another device">
      <h2>Pair another device</h2>
      ${this.pairing ? this.shown(this.pairing) : this.form()}
      ${this.trouble ? html`<p class="loud" role="alert">${this.trouble}</p>` : nothing}
    </section>`;
  }

  private form() {
    return html`<form class="stack" @submit=${this.open}>
      <fieldset>
        <legend>What it may do</legend>
        ${CHOICES.map(
          ([power, words], index) => html`<label class="choice">
            <input type="radio" name="power" value=${power} .checked=${index === 0} /><span>${words}</span>
          </label>`,
        )}
      </fieldset>
      <label>Its name, if you want to give it one <input name="name" maxlength="64" autocomplete="off" /></label>
      <div class="row">
        <button class="primary" type="submit">Make a code</button>
        <button class="quiet" type="button" @click=${this.done}>Cancel</button>
      </div>
    </form>`;
  }

  private async open(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    this.trouble = "";
    try {
      this.known = new Set(this.devices.map((device) => device.id));
      const name = String(data.get("name") ?? "").trim();
      this.pairing = await this.page.actions.pairing(name, String(data.get("power") ?? "answer"));
      this.until = Date.now() + this.pairing.expires_s * 1000;
      this.tick();
      this.timer = setInterval(() => this.tick(), 1000);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error.message;
    }
  }

  private tick(): void {
    this.leftS = Math.max(0, Math.ceil((this.until - Date.now()) / 1000));
    if (this.leftS === 0) clearInterval(this.timer);
  }

  private shown(pairing: Pairing) {
    const { used } = this;
    if (used) return html`<p role="status"><b>${inline(used.name, 64)}</b> is paired.</p>${this.ending("Done")}`;
    if (this.leftS === 0) {
      return html`<p role="status">The code was not used within two minutes, and is closed.</p>${this.ending("Close")}`;
    }
    return html`<div class="shown">
        <svg
          viewBox="0 0 ${pairing.qr_size} ${pairing.qr_size}"
          role="img"
          aria-label="QR code of the address, with the code in it"
          shape-rendering="crispEdges"
        >
          <path fill="currentColor" d=${pairing.qr}></path>
        </svg>
        <div class="words stack">
          <p>Point its camera at this, or open <b>${origin(pairing.url)}</b> there and type</p>
          <span class="code">${pairing.code}</span>
          <p class="left" role="timer">${this.leftS} s left. It counts once.</p>
          ${
            pairing.reachable
              ? nothing
              : html`<p class="small">
                  This address leads here from this computer alone. For a phone, the desk needs an address of its own:
                  <code>sayso up --public-url https://…</code>
                </p>`
          }
        </div>
      </div>
      ${this.ending("Close the code")}`;
  }

  private ending(label: string) {
    return html`<div class="row"><button @click=${this.done}>${label}</button></div>`;
  }

  private done(): void {
    this.dispatchEvent(new CustomEvent("done"));
  }

  private closeCode(id: string): void {
    this.page.actions.closePairing(id).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error; // it closes by itself soon
    });
  }
}

function origin(url: string): string {
  return new URL(url).origin;
}

customElements.define("sayso-pair", SaysoPair);
