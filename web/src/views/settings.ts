// The settings, in the words of the command line. For who may administer; others only read them.
//
// Each is sent by itself when it is changed, and shows what the desk says it is. What this computer
// runs is set on this computer. Fires "forget". Imports lit, `state`, `ui`.

import { LitElement, html, nothing } from "lit";
import { ApiError } from "../api/client.ts";
import type { Settings } from "../api/types.ts";
import { type Page, Watching } from "../state/page.ts";
import { inline } from "../text/visible.ts";
import { canInstall, install, isInstalled, onInstallable } from "../ui/install.ts";
import "../ui/switch.ts";
import { base, buttons, fields, panels } from "../ui/tokens.ts";
import "./push.ts";
import { pageStyles, settingStyles } from "./settings.css.ts";

interface Setting {
  name: keyof Settings;
  title: string;
  words: string;
  choices?: readonly [string, string][];
  /** Of a number; 1 if it is not said. */
  least?: number;
}

const GROUPS: readonly { title: string; settings: readonly Setting[] }[] = [
  {
    title: "When you are away",
    settings: [
      {
        name: "away",
        title: "Away",
        words: "On: you answer from afar, and agents that show nothing meanwhile wait longer for you.",
      },
      {
        name: "exclusive_wait_s",
        title: "Wait at the desk",
        words: "Seconds for which an agent that shows nothing meanwhile waits here.",
      },
      {
        name: "unattended_wait_s",
        title: "Wait without a terminal",
        words: "Seconds for which an agent without a terminal waits here.",
      },
    ],
  },
  {
    title: "Notices",
    settings: [
      {
        name: "notice_content",
        title: "What a notice says",
        words: "How much a notice that leaves this computer says of what waits.",
        choices: [
          ["nothing", "Nothing but that something waits"],
          ["who", "Who asks, and which kind"],
          ["what", "Also what is asked, masked"],
        ],
      },
      {
        name: "desktop_notices",
        title: "Desktop notices",
        words: "On: the desktop of the desk's computer shows a notice of what waits.",
      },
      {
        name: "notice_grace_s",
        title: "Before anybody is called",
        words: "Seconds for which nobody is called: you may be answering already.",
      },
      {
        name: "notice_turn_ends",
        title: "Ends of turns",
        words: "On: a notice says, too, that an agent's turn has ended and waits for your word.",
      },
      {
        name: "silent_after_s",
        title: "Silence",
        words: "Seconds after which a session that works in silence is noticed; 0 for never.",
        least: 0,
      },
    ],
  },
  {
    title: "Who asks, who answers",
    settings: [
      {
        name: "answers_from",
        title: "Who may answer",
        words: "Programs of your own on the computer may answer, too, or paired devices alone.",
        choices: [
          ["local", "Your own programs, and paired devices"],
          ["paired", "Only paired devices"],
        ],
      },
      {
        name: "codex_approvals",
        title: "Codex asks here by its hook",
        words: "On: Codex's hook asks here; Codex shows nothing in its terminal meanwhile.",
      },
      {
        name: "codex_server",
        title: "Codex asks here by its server",
        words: "On: Codex's app server asks here, beside its terminal.",
      },
      {
        name: "pending_per_agent",
        title: "Most of one agent",
        words: "How many requests one agent's process may have waiting.",
      },
      { name: "pending_in_all", title: "Most in all", words: "How many requests may wait in all." },
    ],
  },
];
const COMMANDS: readonly Setting[] = [
  { name: "on_request", title: "Command on a request", words: "A command that is told of what waits." },
  { name: "pane_program", title: "Program of a new pane", words: "The command that a new pane runs." },
];

export class SaysoSettings extends LitElement {
  static override properties = {
    page: { attribute: false },
    busy: { state: true },
    trouble: { state: true },
    of: { state: true },
  };
  static override styles = [base, buttons, fields, panels, settingStyles, pageStyles];

  declare page: Page;
  declare busy: string;
  declare trouble: string;
  /** The setting that `trouble` is of. */
  declare of: string;
  private stopWatching = (): void => {};

  constructor() {
    super();
    this.busy = "";
    this.trouble = "";
    this.of = "";
    new Watching(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWatching = onInstallable(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching();
  }

  override render() {
    const { settings } = this.page.store.state;
    if (!settings) return html`<h1>Settings</h1><p class="soft" role="status">Connecting…</p>`;
    return html`<h1>Settings</h1>
      ${
        this.page.may("admin")
          ? nothing
          : html`<p class="soft">This device may not change them; one that may administer can.</p>`
      }
      ${GROUPS.map(
        (group) => html`<h2>${group.title}</h2>
          <div class="panel">${group.settings.map((setting) => this.setting(setting, settings))}</div>`,
      )}
      ${this.commands(settings)} ${this.device()}`;
  }

  private setting(setting: Setting, settings: Settings) {
    const isSwitch = typeof settings[setting.name] === "boolean";
    return html`<div class="setting ${isSwitch ? "switch" : ""}">
      <div class="about">
        <h3 id="title-${setting.name}">${setting.title}</h3>
        <p class="soft small" id="words-${setting.name}">${setting.words}</p>
        ${
          this.of === setting.name
            ? html`<p class="loud small" role="alert">${this.trouble}</p>`
            : nothing
        }
      </div>
      <div class="value">${this.value(setting, settings[setting.name])}</div>
    </div>`;
  }

  private value(setting: Setting, value: string | number | boolean) {
    const needs = setting.name === "away" ? "answer" : "admin";
    const isOff = !this.page.store.online || !this.page.may(needs) || this.busy === setting.name;
    const change = (to: string | number | boolean): void => void this.change(setting.name, to);
    if (typeof value === "boolean") {
      return html`<sayso-switch
        label=${value ? "On" : "Off"}
        .name=${setting.title}
        .on=${value}
        ?disabled=${isOff}
        @toggle=${(event: CustomEvent<{ on: boolean }>) => change(event.detail.on)}
      ></sayso-switch>`;
    }
    if (setting.choices) {
      return html`<select
        aria-labelledby="title-${setting.name}"
        aria-describedby="words-${setting.name}"
        ?disabled=${isOff}
        @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}
      >
        ${setting.choices.map(([each, words]) => html`<option value=${each} ?selected=${each === value}>${words}</option>`)}
      </select>`;
    }
    return html`<input
      type="number"
      min=${setting.least ?? 1}
      step="any"
      inputmode="numeric"
      aria-labelledby="title-${setting.name}"
      aria-describedby="words-${setting.name}"
      ?disabled=${isOff}
      .value=${String(value)}
      @change=${(event: Event) => change(Number((event.target as HTMLInputElement).value))}
    />`;
  }

  private async change(name: keyof Settings, to: string | number | boolean): Promise<void> {
    this.busy = name;
    this.of = "";
    try {
      if (name === "away") await this.page.actions.setAway(to === true);
      else await this.page.actions.change({ [name]: to });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error.message;
      this.of = name;
    } finally {
      this.busy = "";
    }
  }

  private commands(settings: Settings) {
    // The desk tells them to those alone who may administer it.
    const none = this.page.store.me?.power === "admin" ? "none" : "not shown on this device";
    return html`<h2>Set on the computer only</h2>
      <div class="panel">
        ${COMMANDS.map(
          (setting) => html`<div class="setting">
            <div class="about">
              <h3>${setting.title}</h3>
              <p class="soft small">${setting.words} <code>sayso settings ${setting.name} …</code></p>
            </div>
            <div class="value">
              ${settings[setting.name] ? html`<code>${inline(String(settings[setting.name]), 80)}</code>` : none}
            </div>
          </div>`,
        )}
      </div>`;
  }

  private device() {
    const { me, health } = this.page.store;
    return html`<h2>This device</h2>
      <div class="panel">
        <div class="setting">
          <div class="about">
            <h3>${me ? inline(me.device.name, 64) : "This browser"}</h3>
            <p class="soft small">
              ${me ? html`Power: ${me.power}. ` : nothing}${health ? html`Desk: sayso ${health.version}. ` : nothing}
            </p>
            ${(health?.troubles ?? []).map((words) => html`<p class="loud small">${inline(words, 600)}</p>`)}
          </div>
        </div>
        <sayso-push .page=${this.page} ?isOff=${!this.page.store.online}></sayso-push>
        ${this.installing()}
      </div>`;
  }

  private installing() {
    if (isInstalled()) return nothing;
    return html`<div class="setting">
      <div class="about">
        <h3>On the home screen</h3>
        <p class="soft small">
          ${
            canInstall()
              ? "Installed, it has a window and an icon of its own, which shows how many wait."
              : "Add it from the browser's menu: “Add to Home Screen” or “Install”. A phone needs https for that."
          }
        </p>
      </div>
      ${canInstall() ? html`<button @click=${() => void install()}>Install</button>` : nothing}
    </div>`;
  }
}

customElements.define("sayso-settings", SaysoSettings);
