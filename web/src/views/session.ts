// One session: what it does, what waits in it, its message, and a field to write another.
//
// What is being written stays when the session changes. Imports lit, `state`, `words` and `ui`.

import { LitElement, html, nothing } from "lit";
import { ApiError } from "../api/client.ts";
import type { MessageView, SessionView } from "../api/types.ts";
import { age, agentName, capital, count } from "../cards/words.ts";
import { type Page, Watching } from "../state/page.ts";
import { messageKey } from "../state/reduce.ts";
import { pending } from "../state/select.ts";
import { chars, inline } from "../text/visible.ts";
import { confirm } from "../ui/confirm.ts";
import { base, buttons, fields, panels } from "../ui/tokens.ts";
import { format } from "./routes.ts";
import { sessionStyles } from "./session.css.ts";
import { isOpen, messageWords, sessionName, where } from "./words.ts";

const MAX_MESSAGE_CHARS = 4000;

export class SaysoSession extends LitElement {
  static override properties = {
    page: { attribute: false },
    view: { attribute: false },
    now: { type: Number },
    isWriting: { state: true },
    text: { state: true },
    when: { state: true },
    isBusy: { state: true },
    trouble: { state: true },
  };
  static override styles = [base, buttons, fields, panels, sessionStyles];

  declare page: Page;
  declare view: SessionView;
  declare now: number;
  declare isWriting: boolean;
  declare text: string;
  declare when: "soon" | "stop";
  declare isBusy: boolean;
  declare trouble: string;

  constructor() {
    super();
    this.now = Date.now();
    this.isWriting = false;
    this.text = "";
    this.when = "soon";
    this.isBusy = false;
    this.trouble = "";
    new Watching(this);
  }

  override render() {
    const { view } = this;
    return html`<article class="panel" aria-label="${capital(agentName(view.agent))} in ${where(view)}">
      <header>
        <h2>${capital(agentName(view.agent))} <bdi class="soft">${where(view)}</bdi></h2>
        <span class="badge ${view.state === "waiting" ? "live" : ""}">${this.doing()}</span>
      </header>
      <p class="soft small">
        ${sessionName(view)}${view.mode ? html` · mode ${inline(view.mode, 40)}` : nothing}${view.muted ? " · muted" : nothing}
      </p>
      ${view.prompt ? html`<p class="prompt"><span class="sr">Last prompt: </span>${inline(view.prompt, 400)}</p>` : nothing}
      ${this.message()} ${this.write()}
      ${this.trouble ? html`<p class="loud" role="alert">${this.trouble}</p>` : nothing}
      ${this.isWriting ? nothing : html`<div class="row tools">${this.tools()}</div>`}
    </article>`;
  }

  private doing(): string {
    const since = age(this.view.since, this.now).replace(" ago", "");
    return since === "just now" || !since ? capital(this.view.state) : `${capital(this.view.state)} for ${since}`;
  }

  private get ids(): string[] {
    return pending(this.page.store.state)
      .filter((one) => one.agent === this.view.agent && one.session_id === this.view.session_id)
      .map((one) => one.id);
  }

  private tools() {
    const { ids } = this;
    const isOff = !this.page.store.online || !this.page.may("answer");
    const first = ids[0];
    return html`
      ${
        first
          ? html`<a class="button" href=${format({ tab: "inbox", id: first })}
                >${count(ids.length, "request waits", "requests wait")}</a
              >
              <button class="quiet" ?disabled=${isOff} @click=${() => this.release(ids)}>Release…</button>`
          : nothing
      }
      ${
        this.view.state === "ended"
          ? nothing
          : html`<button class="quiet" ?disabled=${isOff} @click=${this.begin}>Write a message</button>`
      }
    `;
  }

  private async release(ids: string[]): Promise<void> {
    const isSure = await confirm({
      title: `Release ${count(ids.length, "request")} of this session?`,
      words: "The agent's own prompt decides; nothing is decided here.",
      yes: "Release",
      danger: true,
    });
    if (isSure) for (const id of ids) void this.page.actions.release(id);
  }

  // --- messages --------------------------------------------------------------------------

  private message() {
    const view = this.page.store.state.messages.get(messageKey(this.view));
    if (!view) return nothing;
    const isUncertain = view.state === "uncertain";
    return html`<div class="message">
      <p><bdi>“${inline(view.text, 300)}”</bdi></p>
      <p class="small ${isUncertain ? "loud" : "soft"}">${capital(messageWords(view))}</p>
      ${
        isOpen(view) && this.page.may("answer")
          ? html`<button
              class="quiet"
              ?disabled=${!this.page.store.online || this.isBusy}
              @click=${() => this.takeBack(view)}
            >
              ${isUncertain ? "Put it away" : "Take it back"}
            </button>`
          : nothing
      }
    </div>`;
  }

  private write() {
    if (!this.isWriting) return nothing;
    const left = MAX_MESSAGE_CHARS - chars(this.text);
    const replaces = this.replaced();
    return html`<form class="stack" @submit=${this.send}>
      <label for="text">Message to ${agentName(this.view.agent)}</label>
      <textarea
        id="text"
        dir="auto"
        aria-describedby="told"
        .value=${this.text}
        @input=${(event: InputEvent) => {
          this.text = (event.target as HTMLTextAreaElement).value;
        }}
      ></textarea>
      <fieldset class="row">
        <legend class="sr">When the agent gets it</legend>
        ${this.choice("soon", "After its next step")} ${this.choice("stop", "At the end of its turn")}
      </fieldset>
      <p class="soft small" id="told">
        ${this.note()}${replaces ? " It takes the place of the one that is still queued." : ""}${
          left < 200 ? ` ${left < 0 ? `${-left} characters too many.` : `${left} characters left.`}` : ""
        }
      </p>
      <div class="row">
        <button
          class="primary"
          type="submit"
          ?disabled=${!this.page.store.online || this.isBusy || left < 0 || !this.text.trim()}
        >
          ${this.isBusy ? "Sending…" : "Send"}
        </button>
        <button class="quiet" type="button" @click=${this.end}>Cancel</button>
      </div>
    </form>`;
  }

  private choice(value: "soon" | "stop", label: string) {
    return html`<label class="choice">
      <input type="radio" name="when" .checked=${this.when === value} @change=${() => {
        this.when = value;
      }} />
      <span>${label}</span>
    </label>`;
  }

  private note(): string {
    return this.view.state === "idle"
      ? "The session is idle: it gets this when it works again by itself; a prompt typed there drops it."
      : "The session's main agent is told it in your words.";
  }

  private replaced(): boolean {
    const view = this.page.store.state.messages.get(messageKey(this.view));
    return view !== undefined && (view.state ?? "queued") === "queued";
  }

  private async begin(): Promise<void> {
    this.isWriting = true;
    this.trouble = "";
    await this.updateComplete;
    this.renderRoot.querySelector("textarea")?.focus();
  }

  private end(): void {
    this.isWriting = false;
    this.trouble = "";
  }

  private send(event: SubmitEvent): void {
    event.preventDefault();
    const { agent, session_id } = this.view;
    void this.call(async () => {
      await this.page.actions.sendMessage(agent, session_id, this.text, this.when);
      this.text = "";
      this.isWriting = false;
    });
  }

  private takeBack(view: MessageView): void {
    void this.call(() => this.page.actions.unsendMessage(view.agent, view.session_id));
  }

  private async call(does: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.trouble = "";
    try {
      await does();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error.message;
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("sayso-session", SaysoSession);
