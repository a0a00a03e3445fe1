// Whether this device is called while the page is closed. Imports lit, `state` and `ui`.

import { LitElement, html, nothing } from "lit";
import { ApiError } from "../api/client.ts";
import type { Page } from "../state/page.ts";
import type { PushState } from "../state/push.ts";
import "../ui/switch.ts";
import { base, panels } from "../ui/tokens.ts";
import { settingStyles } from "./settings.css.ts";

const WORDS: Record<PushState, string> = {
  unsupported: "This browser has no notices here. A phone needs https for them, and an iPhone the page on its home screen.",
  denied: "The browser was told never to show notices of this page: allow them in its own settings first.",
  off: "Have this device called when something waits and no page is open. A notice goes through the browser's push service, encrypted; a tap on it opens the card.",
  on: "This device is called when something waits and no page is open.",
};

export class SaysoPush extends LitElement {
  static override properties = {
    page: { attribute: false },
    isOff: { type: Boolean },
    state: { state: true },
    isBusy: { state: true },
    trouble: { state: true },
  };
  static override styles = [base, panels, settingStyles];

  declare page: Page;
  /** Nothing can be changed now. */
  declare isOff: boolean;
  declare state: PushState;
  declare isBusy: boolean;
  declare trouble: string;

  constructor() {
    super();
    this.isOff = false;
    this.state = "unsupported";
    this.isBusy = false;
    this.trouble = "";
  }

  override firstUpdated(): void {
    void this.look();
  }

  private async look(): Promise<void> {
    this.state = await this.page.push.state();
  }

  override render() {
    const isPossible = this.state === "on" || this.state === "off";
    return html`<div class="setting switch">
      <div class="about">
        <h3>Notices on this device</h3>
        <p class="soft small">${WORDS[this.state]}</p>
        ${this.trouble ? html`<p class="loud small" role="alert">${this.trouble}</p>` : nothing}
      </div>
      ${
        isPossible
          ? html`<sayso-switch
              label=${this.state === "on" ? "On" : "Off"}
              .name=${"Notices on this device"}
              .on=${this.state === "on"}
              .busy=${this.isBusy}
              ?disabled=${this.isOff}
              @toggle=${this.turn}
            ></sayso-switch>`
          : nothing
      }
    </div>`;
  }

  private async turn(event: CustomEvent<{ on: boolean }>): Promise<void> {
    this.isBusy = true;
    this.trouble = "";
    try {
      await (event.detail.on ? this.page.push.start() : this.page.push.stop());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error.message;
    } finally {
      this.isBusy = false;
      await this.look();
    }
  }
}

customElements.define("sayso-push", SaysoPush);
