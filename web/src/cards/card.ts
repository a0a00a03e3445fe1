// <sayso-card>: a request as a person sees it, answers it, and follows it to its end.
//
// It asks the desk for nothing: what is to be done goes out as events (`answer` {id, reply},
// `release` {id}, `row` {id, index}), and what came of it comes back as properties. The rules that
// keep an answer deliberate live here: nothing is allowed before its end was seen, and nothing
// counts just after the card changed. Imports lit, its neighbours, `ui` and the wire's types.

import { LitElement, html, nothing, type PropertyValues } from "lit";
import type { Kind, Reply, RequestView, Row } from "../api/types.ts";
import type { Act } from "../state/acts.ts";
import { prose } from "../text/block.ts";
import { textStyles } from "../text/styles.ts";
import { base, buttons, fields } from "../ui/tokens.ts";
import { answerStyles } from "./answer-styles.ts";
import { Confirm } from "./confirm.ts";
import { ChoiceOf, TextOf, YesNo } from "./direct.ts";
import { Elicitation } from "./elicitation.ts";
import { asked, heading, outcome, progress } from "./heading.ts";
import { isAnswerKey, isOnControl, isTyping } from "./keys.ts";
import { type Left, keep } from "./left.ts";
import type { Content, Part } from "./part.ts";
import { Permission } from "./permission.ts";
import { Plan } from "./plan.ts";
import { Questions } from "./question.ts";
import { Reading, isAnyLost } from "./reading.ts";
import { BadReply } from "./replies.ts";
import { Rows, type RowsHost } from "./rows.ts";
import { cardStyles } from "./styles.ts";
import * as words from "./words.ts";

/** What is pressed this soon after the card changed was meant for what stood there before. */
const SETTLE_MS = 400;
/** Keys that only look, so that they need no rest. */
const CALM_KEYS = new Set(["Escape", "ArrowLeft", "ArrowRight"]);

const PARTS: Record<Kind, new (host: RowsHost) => Part> = {
  permission: Permission,
  question: Questions,
  plan: Plan,
  elicitation: Elicitation,
  yesno: YesNo,
  choice: ChoiceOf,
  text: TextOf,
  "confirm-command": Confirm,
};

export class SaysoCard extends LitElement implements RowsHost {
  static override properties = {
    request: { attribute: false },
    act: { attribute: false },
    position: {},
    now: { attribute: false },
    focused: { type: Boolean, reflect: true },
    offline: { type: Boolean },
    rows: { attribute: false },
  };
  static override styles = [base, buttons, fields, textStyles, cardStyles, answerStyles];

  declare request: RequestView | undefined;
  /** What was done here about it, and what came of that. */
  declare act: Act | undefined;
  /** Where it stands in the line: "1 of 3". */
  declare position: string;
  /** Milliseconds since 1970. */
  declare now: number;
  /** The keys are for this card. */
  declare focused: boolean;
  /** No answer can be given now. */
  declare offline: boolean;
  /** The rows that were fetched whole, by index. */
  declare rows: ReadonlyMap<number, Row> | undefined;

  reading = new Reading();
  fetching: ReadonlySet<number> = new Set();
  problem: BadReply | undefined;
  epoch = 0;
  input: readonly Row[] = [];

  private own: Part | undefined;
  private rowsPart = new Rows(this);
  /** Whose part it is: an id may be asked anew, and then nothing entered so far is meant for it. */
  private madeFor = "";
  /** What was entered on the cards that were shown before: whoever comes back finds it. */
  private readonly left = new Map<string, Left>();
  private changedAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private focusNext = "";
  private ends: IntersectionObserver | undefined;
  private readonly watched = new Set<Element>();

  constructor() {
    super();
    this.position = "";
    this.now = Date.now();
    this.focused = false;
    this.offline = false;
  }

  // --- what a part sees -----------------------------------------------------------------------

  get view(): RequestView {
    if (!this.request) throw new Error("a card without a request has no parts");
    return this.request;
  }

  get isBusy(): boolean {
    return this.offline || this.act?.phase === "sending" || this.act?.phase === "sent";
  }

  get isSettling(): boolean {
    return performance.now() - this.changedAt < SETTLE_MS;
  }

  get isUnseenTaken(): boolean {
    return this.reading.isUnseenTaken;
  }

  get lock(): string {
    return this.reading.lock(this.view, this.rows ?? new Map());
  }

  readonly wake = (): void => {
    this.epoch += 1;
    this.requestUpdate();
  };

  refresh(settle = false): void {
    if (settle) this.settle();
    this.requestUpdate();
  }

  send(make: () => Reply): boolean {
    if (this.isBusy) return false;
    let reply: Reply;
    try {
      reply = make();
    } catch (error) {
      if (!(error instanceof BadReply)) throw error;
      this.problem = error;
      this.requestUpdate();
      return false;
    }
    this.problem = undefined;
    if (reply.behavior === "allow" && this.lock) {
      this.reveal();
      return false;
    }
    if (reply.behavior === "allow" && isAnyLost(this.view)) reply = { ...reply, unseen: true };
    this.fire("answer", { reply });
    this.requestUpdate();
    return true;
  }

  release(): void {
    if (!this.isBusy) this.fire("release", {});
  }

  fetch(index: number): void {
    if (this.fetching.has(index)) return;
    this.fetching = new Set(this.fetching).add(index);
    this.fire("row", { index });
    this.requestUpdate();
  }

  reveal(): void {
    const index = this.reading.next(this.view, this.rows ?? new Map());
    if (index >= 0 && !this.rows?.has(index)) this.fetch(index);
    const end = this.renderRoot.querySelector(`.end[data-row="${index}"]`);
    const target = end ?? this.renderRoot.querySelector(index >= 0 ? `#row-${index}` : "#unseen");
    target?.scrollIntoView({ block: "center" });
    if (index < 0) this.renderRoot.querySelector<HTMLElement>("#unseen")?.focus();
  }

  focusOn(selector: string): void {
    this.focusNext = selector;
    this.requestUpdate();
  }

  private fire(type: string, detail: object): void {
    const id = this.view.id;
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail: { id, ...detail } }));
  }

  // --- keys -----------------------------------------------------------------------------------

  /** Does what a key means on this card; returns whether it means anything. For the app to call. */
  key(event: KeyboardEvent): boolean {
    if (!this.request || !this.own || event.ctrlKey || event.metaKey || event.altKey || event.repeat)
      return false;
    if (isTyping(event) && event.key !== "Escape") return false;
    if (!words.waits(this.request) || this.isBusy) return false;
    if (this.isSettling && !CALM_KEYS.has(event.key)) return isAnswerKey(event.key);
    // What has the focus is worked by these keys: they are not for the card as well.
    if (/^(?:Enter| |Arrow.*)$/.test(event.key) && isOnControl(event)) return false;
    const isTaken = this.own.key(event.key) || this.releaseKey(event.key);
    if (isTaken) event.preventDefault();
    return isTaken;
  }

  private releaseKey(name: string): boolean {
    if (name !== "r" || !this.isReleasable) return false;
    this.release();
    return true;
  }

  /** Whether there is a prompt to give it back to. */
  private get isReleasable(): boolean {
    return !words.isDirect(this.view) && this.view.attended !== false;
  }

  // --- what happens to it -----------------------------------------------------------------------

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("request")) this.meet(changed.get("request"));
    if (changed.has("request") || changed.has("rows")) {
      this.input = (this.request?.input ?? []).map((row, index) => this.rows?.get(index) ?? row);
      this.fetching = new Set([...this.fetching].filter((index) => !this.rows?.has(index)));
    }
    if (changed.has("focused") && this.focused) this.settle();
    if (changed.has("act") && this.act && this.act.phase !== changed.get("act")?.phase) {
      this.own?.told(this.act);
    }
  }

  /** Takes a request over; one that is not the one before begins anew. */
  private meet(before: RequestView | undefined): void {
    const { request } = this;
    const name = request ? JSON.stringify([request.id, request.created_at, request.kind]) : "";
    if (name === this.madeFor) {
      if (before?.state !== request?.state) this.moveOn();
      return;
    }
    const left = { own: this.own, reading: this.reading, rowsPart: this.rowsPart };
    if (this.own) keep(this.left, this.madeFor, left);
    const found = request && words.waits(request) ? this.left.get(name) : undefined;
    this.madeFor = name;
    this.reading = found?.reading ?? new Reading();
    this.rowsPart = found?.rowsPart ?? new Rows(this);
    this.own = found?.own ?? (request && words.waits(request) ? this.makePart(request.kind) : undefined);
    this.fetching = new Set();
    this.problem = undefined;
    this.settle();
  }

  /** Its state is another one. Whoever had the focus on an answer is not left nowhere. */
  private moveOn(): void {
    this.settle();
    const focused = this.shadowRoot?.activeElement;
    if (focused?.closest(".actions, .content")) this.focusNext = ".standing";
  }

  private makePart(kind: Kind): Part | undefined {
    const made = Object.hasOwn(PARTS, kind) ? PARTS[kind] : undefined;
    return made ? new made(this) : undefined;
  }

  /** Lets nothing count for a moment: the card is another one now. */
  private settle(): void {
    this.changedAt = performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.requestUpdate(), SETTLE_MS + 10);
  }

  override updated(): void {
    this.watchEnds();
    if (this.focused && this.request && words.waits(this.request)) {
      // Whoever has the card before them reads on without a further press.
      for (const index of Reading.cut(this.request)) if (!this.rows?.has(index)) this.fetch(index);
    }
    this.moveFocus();
  }

  private moveFocus(): void {
    const target = this.focusNext ? this.renderRoot.querySelector<HTMLElement>(this.focusNext) : null;
    this.focusNext = "";
    if (!target) return;
    target.focus();
    // With what belongs to it: a field alone would leave its buttons below the screen.
    target.closest(".no, .commenting")?.scrollIntoView({ block: "nearest" });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ends?.disconnect();
    this.ends = undefined;
    this.watched.clear();
    document.removeEventListener("selectionchange", this.onSelection);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("selectionchange", this.onSelection);
    this.requestUpdate(); // the ends that were watched before it was moved
  }

  private readonly onSelection = (): void => {
    if (this.shadowRoot) this.own?.selected(this.shadowRoot);
  };

  /** Watches for the ends of long rows to come into sight. */
  private watchEnds(): void {
    const ends = this.renderRoot.querySelectorAll<HTMLElement>(".end");
    if (ends.length === 0 || !this.isConnected) return;
    this.ends ??= new IntersectionObserver((entries) => this.saw(entries));
    for (const end of ends) {
      if (this.watched.has(end)) continue;
      this.watched.add(end);
      this.ends.observe(end);
    }
  }

  private saw(entries: readonly IntersectionObserverEntry[]): void {
    let isNews = false;
    for (const entry of entries) {
      const index = Number((entry.target as HTMLElement).dataset.row);
      // Only what is whole has an end: what was seen before it came was the end of a part.
      if (entry.isIntersecting && this.rows?.has(index)) isNews = this.reading.reached(index) || isNews;
    }
    if (isNews) this.refresh(true); // what was locked can be pressed now: not by the press that led here
  }

  // --- how it looks -----------------------------------------------------------------------------

  override render(): Content {
    const { request } = this;
    if (!request) return nothing;
    const isWaiting = words.waits(request) && this.own !== undefined;
    return html`<article aria-labelledby="title" class=${request.unsafe && isWaiting ? "unsafe" : ""}>
      ${heading(request, this.now, this.position)}
      ${isWaiting ? this.waiting(this.own) : this.ended(request)}
      <div class="standing" role="status" tabindex="-1">
        ${isWaiting ? progress(this.act) : outcome(request)}
      </div>
    </article>`;
  }

  private waiting(part: Part | undefined): Content {
    if (!part) return nothing;
    const { view } = this;
    const shown = part.ownRow;
    return html`<div class="content">
        ${asked(view)}${this.rowsPart.template(new Set([shown]))}${part.body()}${this.rowsPart.after(shown)}
      </div>
      <div class="actions" role="group" aria-label="Your answer">
        ${this.unseen()}${part.actions()}
      </div>
      <footer class="foot soft small">
        <p>${[words.deadline(view, this.now), words.pendingNote(view)].filter(Boolean).join(" ")}</p>
        ${this.releasing()}
      </footer>`;
  }

  private unseen(): Content {
    if (!isAnyLost(this.view)) return nothing;
    const change = (event: Event) => {
      this.reading.isUnseenTaken = (event.target as HTMLInputElement).checked;
      this.refresh(true);
    };
    return html`<label class="unseen"
      ><input type="checkbox" id="unseen" .checked=${this.reading.isUnseenTaken} @change=${change} />
      <span>A part of it never left the agent's hook, so nobody can read it here. I take it unseen.</span></label
    >`;
  }

  private releasing(): Content {
    if (!this.isReleasable) return nothing;
    return html`<button
      type="button"
      class="quiet small"
      id="release"
      aria-disabled=${this.isBusy ? "true" : nothing}
      title="Nothing is decided here: the agent asks in its terminal"
      @click=${() => this.release()}
    >
      Give it back to the agent's own prompt
    </button>`;
  }

  private ended(request: RequestView): Content {
    const strange = words.waits(request) ? html`<p class="loud">${words.STRANGE}</p>` : nothing;
    if (request.input.length === 0 && request.questions.length === 0 && !request.title) return strange;
    return html`${strange}<details class="was">
      <summary>What it was</summary>
      ${asked(request)}${this.rowsPart.template()}
      ${request.questions.map((question) => html`${prose(question.question)}`)}
    </details>`;
  }
}

customElements.define("sayso-card", SaysoCard);
