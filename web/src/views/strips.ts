// What is to be known and needs no answer: alerts, notes, answers that came to nothing, and grants.
//
// Calm lines that stay until they are put away, or a note's time is over; none pops up, none moves.
// What is allowed for a while cannot be put away, only ended.
// Imports lit, `state`, `words` and `ui`.

import { LitElement, css, html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ApiError } from "../api/client.ts";
import type { GrantView, RequestView } from "../api/types.ts";
import { asker, capital, isLoud, stateWords, what } from "../cards/words.ts";
import { type Page, Watching } from "../state/page.ts";
import { inline } from "../text/visible.ts";
import { base, buttons } from "../ui/tokens.ts";
import { format } from "./routes.ts";
import { alertWords, grantWords, noteFrom } from "./words.ts";

/** How long a note is shown. The desk tells those of the last minutes to who connects later. */
const NOTE_MS = 5 * 60_000;
const MOST = 3;
const BODY_CHARS = 300;

interface Strip {
  key: string;
  loud: boolean;
  at: string;
  body: unknown;
}

export class SaysoStrips extends LitElement {
  static override properties = { page: { attribute: false }, now: { type: Number } };
  static override styles = [
    base,
    buttons,
    css`
      li {
        display: flex;
        align-items: flex-start;
        gap: var(--gap);
        padding: var(--gap-s) var(--gap);
        border-bottom: 1px solid var(--line);
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }
      li.loud {
        background: var(--danger-soft);
        color: var(--on-danger-soft);
      }
      .words {
        flex: 1;
        min-width: 0;
        padding: 0.55rem 0;
      }
      .body {
        white-space: pre-line;
      }
      a {
        color: inherit;
        font-weight: 600;
      }
      button {
        flex: none;
        color: inherit;
      }
    `,
  ];

  declare page: Page;
  declare now: number;
  private readonly gone = new Set<string>();
  private trouble = "";

  constructor() {
    super();
    this.now = Date.now();
    new Watching(this);
  }

  /** Puts away all that is shown. */
  dismiss(): void {
    for (const strip of this.strips()) this.gone.add(strip.key);
    this.requestUpdate();
  }

  override render() {
    const strips = this.strips().filter((strip) => !this.gone.has(strip.key));
    const shown = strips.slice(-MOST);
    const more = strips.length - shown.length;
    return html`${this.grants()}<ul aria-live="polite" aria-label="News">
      ${repeat(
        shown,
        (strip) => strip.key,
        (strip, index) => html`<li class=${strip.loud ? "loud" : ""}>
          <span class="words">${strip.body}${index === 0 && more > 0 ? html` <b>${more} more</b>` : nothing}</span>
          <button class="quiet" aria-label="Put away" title="Put away (x)" @click=${() => this.put(strip.key)}>
            ✕
          </button>
        </li>`,
      )}
    </ul>`;
  }

  private grants() {
    const open = this.page.store.state.grants.filter((grant) => this.now < Date.parse(grant.until));
    if (open.length === 0) return nothing;
    const hidden = open.slice(MOST);
    return html`<ul aria-label="Allowed for a while">
      ${repeat(
        open.slice(0, MOST),
        (grant) => grant.id,
        (grant) => this.ending(html`${grantWords(grant, this.now)}`, "End", [grant]),
      )}
      ${hidden.length > 0 ? this.ending(html`${hidden.length} more are allowed for a while.`, "End these", hidden) : nothing}
      ${this.trouble ? html`<li class="loud"><span class="words">${this.trouble}</span></li>` : nothing}
    </ul>`;
  }

  private ending(words: unknown, label: string, grants: readonly GrantView[]) {
    return html`<li>
      <span class="words">${words}</span>
      ${
        this.page.may("answer")
          ? html`<button ?disabled=${!this.page.store.online} @click=${() => this.end(grants)}>${label}</button>`
          : nothing
      }
    </li>`;
  }

  private async end(grants: readonly GrantView[]): Promise<void> {
    this.trouble = "";
    try {
      for (const grant of grants) await this.page.actions.endGrant(grant.id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error.message;
    }
    this.requestUpdate();
  }

  private put(key: string): void {
    this.gone.add(key);
    this.requestUpdate();
  }

  private strips(): Strip[] {
    const { state } = this.page.store;
    const notes = state.notes
      .filter((note) => this.now - Date.parse(note.at) < NOTE_MS)
      .map((note) => ({
        key: `note ${JSON.stringify(note)}`,
        loud: false,
        at: note.at,
        body: html`${noteFrom(note)}: ${inline(note.title, BODY_CHARS)}${
          note.body?.trim() ? html`<br /><span class="body">${inline(note.body, BODY_CHARS)}</span>` : nothing
        }`,
      }));
    const alerts = state.alerts.map((alert) => ({
      key: `alert ${JSON.stringify(alert)}`,
      loud: true,
      at: alert.at,
      body: alertWords(alert),
    }));
    const over = [...this.page.store.vanished.values(), ...state.ended.values()];
    const failed = over.filter(isLoud).map((view) => this.failed(view));
    // What is loud comes last, which is the part that is shown when there is too much.
    return [...notes.sort(byTime), ...[...alerts, ...failed].sort(byTime)];
  }

  private failed(view: RequestView): Strip {
    return {
      key: `${view.state} ${view.id} ${view.created_at}`,
      loud: true,
      at: view.ended_at || view.answered_at || view.created_at,
      body: html`${capital(asker(view))} ${what(view)}: ${stateWords(view)}
        <a href=${format({ tab: "inbox", id: view.id })}>Show it</a>`,
    };
  }
}

function byTime(a: Strip, b: Strip): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}

customElements.define("sayso-strips", SaysoStrips);
