// The devices that may see or answer, and a code for another one. For who may administer.
//
// Fires "forget" when this device is to lose its own credential. Imports lit, `state`, `pair` and `ui`.

import { LitElement, css, html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ApiError } from "../api/client.ts";
import type { Device } from "../api/types.ts";
import { type Page, Watching } from "../state/page.ts";
import { inline } from "../text/visible.ts";
import { confirm } from "../ui/confirm.ts";
import { base, buttons, panels } from "../ui/tokens.ts";
import "./pair.ts";
import { clock } from "./words.ts";

const POWERS: Record<string, string> = {
  none: "may do nothing",
  ask: "may ask",
  see: "may see",
  answer: "may see and answer",
  admin: "may answer, and change settings and devices",
};
const LOOK_MS = 3_000;

export class SaysoDevices extends LitElement {
  static override properties = {
    page: { attribute: false },
    now: { type: Number },
    devices: { state: true },
    trouble: { state: true },
    isPairing: { state: true },
  };
  static override styles = [
    base,
    buttons,
    panels,
    css`
      :host {
        max-width: var(--measure);
        margin: 0 auto;
        padding: var(--gap-l) max(var(--gap), var(--safe-right)) var(--gap-l) max(var(--gap), var(--safe-left));
      }
      .top {
        justify-content: space-between;
        margin-bottom: var(--gap);
      }
      .panel {
        padding: 0;
        overflow: hidden;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 var(--gap);
        padding: var(--gap-s) var(--gap) var(--gap-s) var(--gap-l);
      }
      li + li {
        border-top: 1px solid var(--line);
      }
      .about {
        flex: 1 1 14rem;
        min-width: 0;
        padding: var(--gap-s) 0;
      }
      sayso-pair {
        margin-bottom: var(--gap-l);
      }
    `,
  ];

  declare page: Page;
  declare now: number;
  declare devices: readonly Device[] | undefined;
  declare trouble: string;
  declare isPairing: boolean;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.now = Date.now();
    this.trouble = "";
    this.isPairing = false;
    new Watching(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => {
      if (document.visibilityState === "visible") void this.look();
    }, LOOK_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override firstUpdated(): void {
    void this.look();
  }

  private async look(): Promise<void> {
    if (!this.page.may("admin") || !this.page.store.online) return;
    await this.call(async () => {
      this.devices = await this.page.actions.devices();
    });
  }

  private async call(does: () => Promise<void>): Promise<void> {
    try {
      await does();
      this.trouble = "";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error.message;
    }
  }

  override render() {
    if (!this.page.may("admin")) return this.mine();
    return html`<div class="row top">
        <h1>Devices</h1>
        ${
          this.isPairing
            ? nothing
            : html`<button class="primary" ?disabled=${!this.page.store.online} @click=${() => {
                this.isPairing = true;
              }}>
                Pair another device
              </button>`
        }
      </div>
      ${this.trouble ? html`<p class="loud" role="alert">${this.trouble}</p>` : nothing}
      ${
        this.isPairing
          ? html`<sayso-pair .page=${this.page} .devices=${this.devices ?? []} @done=${() => {
              this.isPairing = false;
            }}></sayso-pair>`
          : nothing
      }
      ${this.list()}`;
  }

  private mine() {
    const { me } = this.page.store;
    return html`<h1>Devices</h1>
      <p>
        This device is ${me?.device.name ?? "paired"}, and ${POWERS[me?.power ?? "see"]}. To see the others, use one that
        may administer, or on the computer: <code>sayso token list</code>.
      </p>
      <p><button class="danger" @click=${this.forget}>Forget this device…</button></p>`;
  }

  private list() {
    if (!this.devices) return html`<p class="soft" role="status">…</p>`;
    return html`<ul class="panel">
      ${repeat(
        this.devices,
        (device) => device.id,
        (device) => this.device(device),
      )}
    </ul>`;
  }

  private device(device: Device) {
    const isMine = device.id === this.page.store.me?.device.id;
    const used = device.used_at ? `last used ${clock(Date.parse(device.used_at), this.now)}` : "never used";
    const made = device.created_at ? `, paired ${clock(Date.parse(device.created_at), this.now)}` : "";
    return html`<li>
      <div class="about">
        <b>${inline(device.name, 64)}</b> ${isMine ? html`<span class="badge live">this device</span>` : nothing}
        ${device.foreign ? html`<span class="badge alarm">not made by this desk</span>` : nothing}
        <p class="soft small">
          ${
            device.foreign
              ? "Something else wrote this into the desk's table. It is not honoured; take it out."
              : html`${POWERS[device.power] ?? device.power} · ${used}${made}`
          }
        </p>
      </div>
      <button class="danger" ?disabled=${!this.page.store.online} @click=${() => this.revoke(device, isMine)}>
        ${device.foreign ? "Remove…" : "Revoke…"}<span class="sr"> ${device.name}</span>
      </button>
    </li>`;
  }

  private async revoke(device: Device, isMine: boolean): Promise<void> {
    const isSure = await confirm({
      title: `Revoke ${device.name}?`,
      words: isMine
        ? "That is the device you hold. It sees and answers nothing any more, until it is paired anew."
        : "It sees and answers nothing any more, at once. It can be paired anew.",
      yes: "Revoke",
      danger: true,
    });
    if (!isSure) return;
    await this.call(() => this.page.actions.revoke(device.id));
    if (isMine && !this.trouble) this.dispatchEvent(new CustomEvent("forget"));
    else await this.look();
  }

  private async forget(): Promise<void> {
    const isSure = await confirm({
      title: "Forget this device?",
      words:
        "This browser loses its credential. The desk still lists the device until somebody who may administer revokes it.",
      yes: "Forget",
      danger: true,
    });
    if (isSure) this.dispatchEvent(new CustomEvent("forget"));
  }
}

customElements.define("sayso-devices", SaysoDevices);
