// What waits, as a list: by session, oldest first; below it what ended lately, and how.
//
// Its entries only open, they answer nothing. Imports lit, `state`, `cards/words`, `words` and `ui`.

import { LitElement, html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { RequestView } from "../api/types.ts";
import { age, agentName, capital, count, isLoud, isOwn, stateWords, what } from "../cards/words.ts";
import { type Page, Watching } from "../state/page.ts";
import { bySession, ended, fits, type Group, notices, pending } from "../state/select.ts";
import { base, buttons, fields, panels } from "../ui/tokens.ts";
import { listStyles } from "./list.css.ts";
import { format } from "./routes.ts";
import { clock, gist, sessionName, where } from "./words.ts";

/** So many are listed before one asks for more. */
const MOST = 200;
const FEW_ENDED = 8;
/** From so many on there is a field to find one. */
const MANY = 6;

export class SaysoList extends LitElement {
  static override properties = {
    page: { attribute: false },
    current: {},
    now: { type: Number },
    filter: { state: true },
    isFiltering: { state: true },
    most: { state: true },
    isEndedWhole: { state: true },
  };
  static override styles = [base, buttons, fields, panels, listStyles];

  declare page: Page;
  /** The id of the request that is open. */
  declare current: string;
  declare now: number;
  declare filter: string;
  declare isFiltering: boolean;
  declare most: number;
  declare isEndedWhole: boolean;

  constructor() {
    super();
    this.current = "";
    this.now = Date.now();
    this.filter = "";
    this.isFiltering = false;
    this.most = MOST;
    this.isEndedWhole = false;
    new Watching(this);
  }

  /** Keeps the open one in sight, without moving more than that needs. */
  override updated(changed: Map<string, unknown>): void {
    if (changed.has("current")) this.renderRoot.querySelector(".current")?.scrollIntoView({ block: "nearest" });
  }

  /** The ids in the order in which one moves through them: what waits, then notices. */
  order(): string[] {
    const { state } = this.page.store;
    const groups = bySession(pending(state).filter((view) => fits(view, this.filter)), state);
    const shown = notices(state).filter((view) => fits(view, this.filter));
    return [...groups.flatMap((group) => group.requests), ...shown].map((view) => view.id);
  }

  /** Puts the cursor into the field that finds. */
  async find(): Promise<void> {
    this.isFiltering = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>("input")?.focus();
  }

  override render() {
    const { state } = this.page.store;
    const waiting = pending(state);
    const shown = waiting.filter((view) => fits(view, this.filter));
    const told = notices(state).filter((view) => fits(view, this.filter));
    return html`<div @keydown=${this.moved}>
      ${this.search(waiting.length)}
      ${shown.length === 0 ? this.nothing(waiting.length) : nothing}
      ${repeat(
        bySession(shown.slice(0, this.most), state),
        (group) => group.key,
        (group) => this.group(group),
      )}
      ${this.more(shown.length)} ${this.notices(told)} ${this.ended()}
    </div>`;
  }

  /** Arrows go from one entry to the next, and open nothing. */
  private moved(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const entries = [...this.renderRoot.querySelectorAll<HTMLElement>("a.entry")];
    const at = entries.findIndex((entry) => entry === event.composedPath()[0]);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    entries[at + step]?.focus();
  }

  private search(waiting: number) {
    if (waiting < MANY && !this.filter && !this.isFiltering) return nothing;
    return html`<div class="find">
      <label class="sr" for="find">Find among what waits</label>
      <input
        id="find"
        type="search"
        placeholder="Find (/)"
        autocomplete="off"
        .value=${this.filter}
        @input=${(event: InputEvent) => {
          this.filter = (event.target as HTMLInputElement).value;
        }}
        @keydown=${this.searched}
      />
    </div>`;
  }

  private searched(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    this.filter = "";
    this.isFiltering = false;
    (event.target as HTMLElement).blur();
  }

  private nothing(waiting: number) {
    const { store } = this.page;
    if (store.state.boot === "") {
      return html`<p class="empty soft" role="status">${store.online ? "Connecting…" : "What waits is not known yet."}</p>`;
    }
    if (waiting > 0) return html`<p class="empty soft">None of the ${waiting} that wait holds these words.</p>`;
    return html`<div class="empty">
      <p>Nothing waits for you.</p>
      <p class="soft small">What an agent asks stands here as soon as it asks.</p>
      ${this.working()}
    </div>`;
  }

  /** What goes on meanwhile, so that an empty inbox is not taken for a dead one. */
  private working() {
    const all = [...this.page.store.state.sessions.values()];
    const states = ["working", "waiting", "idle"] as const;
    const parts = states
      .map((state) => [state, all.filter((view) => view.state === state).length] as const)
      .filter(([, number]) => number > 0)
      .map(([state, number]) => `${number} ${state}`);
    if (parts.length === 0) return nothing;
    return html`<p class="small"><a href="#/sessions">Sessions: ${parts.join(", ")}</a></p>`;
  }

  private group(group: Group) {
    const { first, session } = group;
    const state = session?.state ?? "";
    return html`<div class="group" role="group" aria-label="${capital(agentName(first.agent))} in ${where(first)}">
      <div class="head">
        <h2>
          <span class="agent">${capital(agentName(first.agent))}</span>
          <bdi class="place">${where(first)}</bdi>
        </h2>
        <p class="soft small">
          ${session ? sessionName(session) : "asks by itself"}${
            state ? html` · <span class=${state === "waiting" ? "live" : ""}>${state}</span>` : nothing
          }
        </p>
      </div>
      <ul>
        ${repeat(
          group.requests,
          (view) => view.id,
          (view) => this.entry(view),
        )}
      </ul>
    </div>`;
  }

  private entry(view: RequestView) {
    const isCurrent = view.id === this.current;
    return html`<li>
      <a
        class="entry ${isCurrent ? "current" : ""}"
        href=${format({ tab: "inbox", id: view.id })}
        aria-current=${isCurrent ? "true" : nothing}
      >
        <span class="top">
          <span class="what">${capital(what(view))}</span>
          <span class="age">${age(view.created_at, this.now).replace(" ago", "")}</span>
        </span>
        <bdi class="gist">${gist(view)}</bdi>
        ${this.marks(view)}
      </a>
    </li>`;
  }

  private marks(view: RequestView) {
    const act = this.page.store.acts.get(view.id);
    const left = view.expires_at ? (Date.parse(view.expires_at) - this.now) / 1000 : Number.POSITIVE_INFINITY;
    const marks = [
      view.agent_type || view.agent_id ? { words: `subagent ${view.agent_type ?? ""}`, style: "" } : null,
      view.unsafe ? { words: "destructive, it says", style: "alarm" } : null,
      view.confirmed === false
        ? // What any program asks is its own word; that an agent does, the system confirms.
          { words: "not confirmed who asks", style: isOwn(view) ? "faint" : "alarm" }
        : null,
      left < 120 ? { words: "waits only shortly", style: "" } : null,
      act?.phase === "sending" ? { words: act.waiting ? "sent when the desk is back" : "sending", style: "live" } : null,
      act?.phase === "acknowledged" ? { words: "acknowledged", style: "live" } : null,
      act?.phase === "refused" ? { words: "not taken", style: "alarm" } : null,
    ].filter((mark) => mark !== null);
    if (marks.length === 0) return nothing;
    return html`<span class="marks">
      ${marks.map(({ words, style }) => html`<span class=${style === "faint" ? style : `badge ${style}`}>${words}</span>`)}
    </span>`;
  }

  private more(all: number) {
    if (all <= this.most) return nothing;
    return html`<button class="wide quiet" @click=${() => {
      this.most += MOST;
    }}>
      ${count(all - this.most, "more waits", "more wait")}: show them
    </button>`;
  }

  private notices(views: RequestView[]) {
    if (views.length === 0) return nothing;
    return html`<section class="group" aria-labelledby="notices">
      <h2 class="head" id="notices">In their terminals</h2>
      <ul>
        ${repeat(
          views,
          (view) => view.id,
          (view) => this.over(view, clock(Date.parse(view.created_at), this.now)),
        )}
      </ul>
    </section>`;
  }

  private ended() {
    const { store } = this.page;
    const all = [...store.vanished.values(), ...ended(store.state)];
    if (all.length === 0) return nothing;
    const some = this.isEndedWhole ? all : all.slice(0, FEW_ENDED);
    return html`<section class="group ended" aria-labelledby="ended">
      <h2 class="head" id="ended">Lately</h2>
      <ul>
        ${repeat(
          some,
          (view) => view.id,
          (view) =>
            this.over(view, clock(Date.parse(view.ended_at || view.answered_at || view.created_at), this.now)),
        )}
      </ul>
      ${
        some.length < all.length
          ? html`<button class="quiet wide" @click=${() => {
              this.isEndedWhole = true;
            }}>
              ${all.length - some.length} more
            </button>`
          : nothing
      }
    </section>`;
  }

  private over(view: RequestView, at: string) {
    const isCurrent = view.id === this.current;
    return html`<li>
      <a
        class="entry over ${isCurrent ? "current" : ""}"
        href=${format({ tab: "inbox", id: view.id })}
        aria-current=${isCurrent ? "true" : nothing}
      >
        <span class="top">
          <span class="what">${capital(what(view))}</span>
          <span class="age">${at}</span>
        </span>
        <bdi class="gist">${gist(view)}</bdi>
        <span class="how ${isLoud(view) ? "loud" : ""}">${capital(stateWords(view))}</span>
      </a>
    </li>`;
  }
}

customElements.define("sayso-list", SaysoList);
