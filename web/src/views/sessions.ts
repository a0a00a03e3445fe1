// The sessions: what each does, what waits in it, and a message to it.
//
// Imports lit, `state`, `session`, `words` and `ui`.

import { LitElement, css, html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { count } from "../cards/words.ts";
import { type Page, Watching } from "../state/page.ts";
import { sessionKey } from "../state/reduce.ts";
import { pending, sessions } from "../state/select.ts";
import { confirm } from "../ui/confirm.ts";
import { base, buttons, panels } from "../ui/tokens.ts";
import "./session.ts";

export class SaysoSessions extends LitElement {
  static override properties = { page: { attribute: false }, now: { type: Number } };
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
      sayso-session {
        margin-bottom: var(--gap);
      }
      .ended h2 {
        margin: var(--gap-l) 0 var(--gap);
        color: var(--text-soft);
        font-size: var(--size-s);
      }
    `,
  ];

  declare page: Page;
  declare now: number;

  constructor() {
    super();
    this.now = Date.now();
    new Watching(this);
  }

  override render() {
    const { state } = this.page.store;
    const all = sessions(state);
    const living = all.filter((view) => view.state !== "ended");
    const over = all.filter((view) => view.state === "ended");
    return html`<div class="row top">
        <h1>Sessions</h1>
        ${this.releaseAll()}
      </div>
      ${living.length === 0 ? this.none(state.boot === "") : nothing} ${this.some(living)}
      ${
        over.length > 0
          ? html`<section class="ended"><h2>Ended lately</h2>${this.some(over)}</section>`
          : nothing
      }`;
  }

  private some(views: ReturnType<typeof sessions>) {
    return repeat(
      views,
      sessionKey,
      (view) => html`<sayso-session .page=${this.page} .view=${view} .now=${this.now}></sayso-session>`,
    );
  }

  private none(isEarly: boolean) {
    return isEarly
      ? html`<p class="soft" role="status">Connecting…</p>`
      : html`<p>No session is known.</p>
          <p class="soft">
            A session shows up here when its agent does something. New sessions of an agent that sayso is installed for
            do so by themselves; those that ran before have to be started again.
          </p>`;
  }

  private releaseAll() {
    const waiting = pending(this.page.store.state);
    if (waiting.length === 0 || !this.page.may("answer")) return nothing;
    return html`<button ?disabled=${!this.page.store.online} @click=${this.release}>
      Release everything that waits…
    </button>`;
  }

  private async release(): Promise<void> {
    const waiting = pending(this.page.store.state);
    const isSure = await confirm({
      title: `Release ${count(waiting.length, "request")}?`,
      words: RELEASE,
      yes: "Release everything",
      danger: true,
    });
    if (isSure) for (const view of waiting) void this.page.actions.release(view.id);
  }
}

const RELEASE =
  "Each is given back to its agent's own prompt, and nothing is decided: agents in a terminal ask there, those without one do what they do without sayso.";

customElements.define("sayso-sessions", SaysoSessions);
