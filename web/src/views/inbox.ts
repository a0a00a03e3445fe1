// The inbox: what waits as a list, and the one that is open as a card.
//
// What is open stays open: neither an answer nor what comes and goes puts another card in its
// place, so that nothing is pressed that was meant for another. Only where nothing was open, and
// there is room for both, the oldest comes by itself. Imports lit, `state`, `list` and `ui`.

import { LitElement, html, nothing } from "lit";
import type { Reply, RequestView } from "../api/types.ts";
import { agentName, capital, count, waits, what } from "../cards/words.ts";
import { type Page, Watching } from "../state/page.ts";
import { likeOf, pending, position } from "../state/select.ts";
import { base, buttons, panels } from "../ui/tokens.ts";
import { inboxStyles } from "./inbox.css.ts";
import type { SaysoList } from "./list.ts";
import "./list.ts";
import { format, parse } from "./routes.ts";
import { where } from "./words.ts";

/** From here on the list and a card stand side by side. */
export const WIDE = "(min-width: 60rem)";
/** How long what came by itself, and is over, stays before the next one does. */
const READ_MS = 8_000;
const NO_ROWS: ReadonlyMap<number, never> = new Map<number, never>();

/** What the page asks of a card; see `cards/card`. */
interface Card extends HTMLElement {
  key(event: KeyboardEvent): boolean;
}

export class SaysoInbox extends LitElement {
  static override properties = {
    page: { attribute: false },
    wanted: {},
    now: { type: Number },
    isTogether: { state: true },
  };
  static override styles = [base, buttons, panels, inboxStyles];

  declare page: Page;
  /** The id in the address, "" for none. */
  declare wanted: string;
  declare now: number;
  declare isTogether: boolean;
  private readonly wide = matchMedia(WIDE);
  private readonly turned = (): void => this.requestUpdate();
  /** The open request as it was last known: the desk forgets, a reader does not. */
  private kept: RequestView | undefined;
  /** Since when the open request waits no more, in milliseconds since 1970. */
  private overAt = 0;
  /** How far the list was scrolled when a card was opened. */
  private listTop = 0;
  /** Where the open request stood, for the way on once it is gone from there. */
  private place = 0;

  constructor() {
    super();
    this.wanted = "";
    this.now = Date.now();
    this.isTogether = false;
    new Watching(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.wide.addEventListener("change", this.turned);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.wide.removeEventListener("change", this.turned);
    this.page.open = [];
  }

  private get list(): SaysoList | null {
    return this.renderRoot.querySelector<SaysoList>("sayso-list");
  }

  private get card(): Card | null {
    return this.renderRoot.querySelector<Card>("sayso-card");
  }

  // --- what is open ----------------------------------------------------------------------

  override willUpdate(): void {
    const { store } = this.page;
    const isRead = this.overAt > 0 && Date.now() - this.overAt > READ_MS;
    const id = this.wanted || (isRead && this.byItself()) || this.kept?.id || this.byItself();
    if (this.wanted === "" && !this.wide.matches) this.kept = undefined;
    else this.kept = store.find(id) ?? (this.kept?.id === id ? this.kept : undefined);
    this.overAt = this.kept && !waits(this.kept) ? this.overAt || Date.now() : 0;
    this.page.open = this.kept && waits(this.kept) ? [this.kept.id] : [];
    const at = this.kept ? pending(store.state).findIndex((view) => view.id === this.kept?.id) : -1;
    if (at >= 0) this.place = at;
  }

  private byItself(): string {
    return this.wide.matches ? (pending(this.page.store.state)[0]?.id ?? "") : "";
  }

  /** Goes to another card, and back to the beginning from the end. */
  move(step: number): void {
    const order = this.list?.order() ?? [];
    if (order.length === 0) return;
    // The address is ahead of what is shown where keys come fast.
    const current = parse(location.hash).id || this.kept?.id || "";
    const at = order.indexOf(current);
    const next = at >= 0 ? at + step : this.kept ? this.place + (step > 0 ? step - 1 : step) : step > 0 ? 0 : -1;
    this.go(order[(next + order.length) % order.length] ?? "");
  }

  /** From card to card is one step of the browser's history: back leads to the list. */
  private go(id: string): void {
    const hash = format({ tab: "inbox", id });
    if (this.wanted && id) location.replace(hash);
    else location.hash = hash;
  }

  /** Brings the open card to who uses the keyboard. */
  async enter(): Promise<void> {
    const first = this.list?.order()[0];
    if (!this.kept && first) this.go(first);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".detail")?.focus({ preventScroll: true });
  }

  find(): void {
    if (this.kept && !this.wide.matches) this.go("");
    void this.updateComplete.then(() => this.list?.find());
  }

  key(event: KeyboardEvent): boolean {
    const meant = parse(location.hash).id;
    if (meant && meant !== this.kept?.id) return true; // another card is on its way: this key is not for the one here
    return this.page.store.online && (this.card?.key?.(event) ?? false);
  }

  /** Leaves the card for the list; returns whether there was one to leave. */
  back(): boolean {
    if (!this.wanted || this.wide.matches) return false;
    this.go("");
    return true;
  }

  override updated(changed: Map<string, unknown>): void {
    if (!changed.has("wanted")) return;
    this.isTogether = false;
    if (this.wanted) void this.enter();
    // A card begins at its top; the list is found as it was left.
    const isFromList = changed.get("wanted") === "";
    if (this.wanted && isFromList) this.listTop = window.scrollY;
    window.scrollTo(0, this.wanted ? 0 : this.listTop);
  }

  // --- what it looks like ----------------------------------------------------------------

  override render() {
    const isAlone = !this.wide.matches;
    const isDeep = this.wanted !== "";
    return html`<div class=${isAlone ? "alone" : "beside"}>
      <h1 class="sr">Inbox</h1>
      <div class="list" ?hidden=${isAlone && isDeep}>
        <sayso-list .page=${this.page} .now=${this.now} .current=${this.kept?.id ?? ""}></sayso-list>
      </div>
      ${isAlone && !isDeep ? nothing : this.detail()}
    </div>`;
  }

  private detail() {
    const view = this.kept;
    if (!view) return this.wanted ? this.unknown() : html`<div class="detail none"></div>`;
    return html`<section class="detail" tabindex="-1" aria-label="${capital(agentName(view.agent))} ${what(view)}">
      ${this.bar(view)} ${this.isTogether ? this.all(view) : [this.shown(view), this.onward(view)]}
    </section>`;
  }

  private shown(view: RequestView) {
    const { store } = this.page;
    const place = position(store.state, view.id);
    return html`${
        this.page.may("answer") ? nothing : html`<p class="soft">This device may see this, and not answer it.</p>`
      }<sayso-card
      .request=${view}
      .act=${store.acts.get(view.id)}
      .rows=${store.rows.get(view.id) ?? NO_ROWS}
      .position=${place ? `${place.n} of ${place.of}` : ""}
      .now=${this.now}
      .focused=${true}
      .offline=${!store.online || !this.page.may("answer")}
      @answer=${this.answered}
      @release=${this.released}
      @row=${this.asked}
    ></sayso-card>`;
  }

  private bar(view: RequestView) {
    const others = pending(this.page.store.state).filter((one) => one.id !== view.id).length;
    return html`<div class="bar">
      <a class="button back" href="#/inbox">‹ Inbox</a>
      <span class="place soft">${others > 0 ? count(others, "other waits", "others wait") : nothing}</span>
      <span class="steps">
        <button class="quiet" ?disabled=${others === 0} title="The one before (k)" @click=${() => this.move(-1)}>
          <span aria-hidden="true">‹</span><span class="sr">The one before</span>
        </button>
        <button class="quiet" ?disabled=${others === 0} title="The next one (j)" @click=${() => this.move(1)}>
          <span aria-hidden="true">›</span><span class="sr">The next one</span>
        </button>
      </span>
    </div>`;
  }

  private onward(view: RequestView) {
    if (waits(view)) return this.alike(view);
    const next = pending(this.page.store.state)[0];
    if (!next) return nothing;
    return html`<a class="next" href=${format({ tab: "inbox", id: next.id })}>
      <b>Next</b>
      <bdi>${capital(agentName(next.agent))} ${what(next)} in ${where(next)}</bdi>
    </a>`;
  }

  private alike(view: RequestView) {
    const like = likeOf(this.page.store.state, view);
    if (like.length === 0 || !this.page.may("answer")) return nothing;
    return html`<p class="alike">
      <span class="soft">${count(like.length, "other like this waits", "others like this wait")}.</span>
      <button class="quiet" @click=${this.together}>Look at all, and answer them together…</button>
    </p>`;
  }

  private all(view: RequestView) {
    const done = (): void => {
      this.isTogether = false;
    };
    return html`<sayso-together .page=${this.page} .first=${view} @done=${done}></sayso-together>`;
  }

  private async together(): Promise<void> {
    await import("./together.ts");
    this.isTogether = true;
  }

  private unknown() {
    const isEarly = this.page.store.state.boot === "";
    return html`<section class="detail" tabindex="-1" aria-label="Unknown request">
      <div class="bar"><a class="button back" href="#/inbox">‹ Inbox</a></div>
      <p class="panel">
        ${
          isEarly
            ? "Connecting…"
            : "The desk does not know this request any more: it ended a while ago, or never was there."
        }
      </p>
    </section>`;
  }

  // --- what the card asks for --------------------------------------------------------------

  private answered(event: CustomEvent<{ id: string; reply: Reply }>): void {
    if (this.page.store.online) void this.page.actions.answer(event.detail.id, event.detail.reply);
  }

  private released(event: CustomEvent<{ id: string }>): void {
    if (this.page.store.online) void this.page.actions.release(event.detail.id);
  }

  private asked(event: CustomEvent<{ id: string; index: number }>): void {
    void this.page.actions.row(event.detail.id, event.detail.index);
  }
}

customElements.define("sayso-inbox", SaysoInbox);
