// Questions: options to pick, or one's own words, with a note; several go one by one, and are
// looked over before they are sent.
//
// Imports lit, its neighbours and `text`.

import { html, nothing } from "lit";
import type { Question } from "../api/types.ts";
import { block, prose } from "../text/block.ts";
import { whole } from "../text/lines.ts";
import { inline } from "../text/visible.ts";
import { type Item, digit, listing } from "./choices.ts";
import { No } from "./no.ts";
import { type Content, type Host, Part, pressing, problemOf, toggling } from "./part.ts";
import * as replies from "./replies.ts";

export class Questions extends Part {
  private readonly no: No;
  private readonly drafts: replies.Draft[];
  /** Which question is shown; after the last one, all answers are. */
  private at = 0;
  private readonly noted = new Set<number>();
  /** What the question that is shown still lacks, once somebody tried to go on. */
  private missing: replies.BadReply | undefined;

  constructor(host: Host) {
    super(host);
    this.no = new No(host);
    this.drafts = host.view.questions.map(() => replies.NO_DRAFT);
  }

  private get questions(): readonly Question[] {
    return this.view.questions;
  }

  private get isReview(): boolean {
    return this.questions.length > 1 && this.at >= this.questions.length;
  }

  private draft(index: number): replies.Draft {
    return this.drafts[index] ?? replies.NO_DRAFT;
  }

  override body(): Content {
    return this.isReview ? this.review() : this.question();
  }

  // --- one question -------------------------------------------------------------------------

  private question(): Content {
    const question = this.questions[this.at];
    if (!question) return nothing;
    const draft = this.draft(this.at);
    const place =
      this.questions.length > 1 ? `Question ${this.at + 1} of ${this.questions.length}` : "Question";
    const name = question.header ? html`${place} · ${inline(question.header, 30)}` : place;
    const how = question.multi_select
      ? "Pick one or more, or answer in your own words."
      : "Pick one, or answer in your own words.";
    const help = question.options.length > 0 ? how : "Answer in your own words.";
    const isWritten = draft.isOther || question.options.length === 0;
    const legend = html`<span class="label" id="place" tabindex="-1">${name}</span>
      <span class="asked">${prose(question.question)}</span>`;
    const options = question.options.map((option, index): Item => ({
      label: html`<span class="strong">${inline(option.label)}</span>${
        option.description ? html`<span class="description">${prose(option.description)}</span>` : nothing
      }`,
      more: option.preview ? html`<div class="preview">${block(whole(option.preview))}</div>` : nothing,
      isOn: !draft.isOther && draft.picked.has(index),
      choose: () => this.pick(index),
    }));
    const other: Item = { label: "In my own words", isOn: draft.isOther, choose: () => this.other() };
    const items = question.options.length > 0 ? [...options, other] : [];
    return html`${listing(this.host, {
      legend,
      items,
      multi: question.multi_select,
      name: `question-${this.at}`,
      describedBy: "how",
    })}
      ${isWritten ? this.own(draft) : nothing}
      <p class="soft small" id="how">${help}${isWritten ? " Ctrl or ⌘ and Enter goes on." : ""}</p>
      ${this.notes(draft)}
      ${this.missing ? html`<p class="problem" role="alert">${this.missing.message}</p>` : nothing}`;
  }

  private own(draft: replies.Draft): Content {
    return this.writing("own", "Your own words", draft.other, (other) => this.change({ other }));
  }

  private notes(draft: replies.Draft): Content {
    if (!this.noted.has(this.at) && !draft.notes) {
      return toggling("Add a note", () => this.note(), { id: "add-note", style: "quiet small" });
    }
    return this.writing("note", "A note beside your answer", draft.notes, (notes) => this.change({ notes }));
  }

  private writing(id: string, label: string, value: string, take: (text: string) => void): Content {
    return html`<label class="own"
      ><span class="label">${label}</span>
      <textarea
        id=${id}
        rows="2"
        dir="auto"
        aria-describedby="how"
        .value=${value}
        @input=${(event: InputEvent) => take((event.target as HTMLTextAreaElement).value)}
        @keydown=${(event: KeyboardEvent) => this.pressed(event)}
      ></textarea>
    </label>`;
  }

  private pressed(event: KeyboardEvent): void {
    event.stopPropagation(); // what is typed is no command to the page
    if (event.key === "Escape") this.host.focusOn("#place");
    if (event.key !== "Enter" || event.isComposing || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!this.host.isBusy && !this.host.isSettling) this.goOn("Enter");
  }

  private change(change: Partial<replies.Draft>): void {
    this.drafts[this.at] = { ...this.draft(this.at), ...change };
    this.missing = undefined;
    this.host.refresh();
  }

  private pick(index: number): void {
    const question = this.questions[this.at];
    if (question) this.change(replies.pick(this.draft(this.at), question, index));
  }

  private other(): void {
    const question = this.questions[this.at];
    // A check box of one's own words can be taken back, a radio button cannot.
    const isOther = !(question?.multi_select && this.draft(this.at).isOther);
    this.change({ isOther });
    if (isOther) this.host.focusOn("#own");
  }

  private note(): void {
    this.noted.add(this.at);
    this.host.refresh();
    this.host.focusOn("#note");
  }

  // --- all answers --------------------------------------------------------------------------

  private review(): Content {
    const lines = this.questions.map((question, index) => {
      const back = () => this.go(index);
      return html`<div class="pair">
        <dt>${inline(question.question, 200)}</dt>
        <dd>
          <span>${this.answered(question, index)}</span>${toggling("Change", back, { style: "quiet small" })}
        </dd>
      </div>`;
    });
    return html`<h3 id="place" tabindex="-1">Your answers</h3>
      <dl class="review">${lines}</dl>`;
  }

  private answered(question: Question, index: number): Content {
    const draft = this.draft(index);
    const note = draft.notes.trim()
      ? html` <span class="soft">(note: ${inline(draft.notes)})</span>`
      : nothing;
    if (draft.isOther || question.options.length === 0) return html`“${inline(draft.other)}”${note}`;
    const picked = question.options.filter((_, place) => draft.picked.has(place));
    return html`${picked.map((option, place) => html`${place > 0 ? ", " : ""}${inline(option.label)}`)}${note}`;
  }

  // --- going on -----------------------------------------------------------------------------

  override actions(): Content {
    if (this.no.isOpen) return this.no.panel();
    const isLast = this.isReview || this.questions.length === 1;
    const on = isLast
      ? pressing(this.host, {
          label: this.questions.length > 1 ? "Send the answers" : "Answer",
          press: () => this.send(),
          style: "primary wide",
          keys: "a",
          allows: true,
          id: "yes",
        })
      : html`<button type="button" class="primary wide" id="next" @click=${() => this.next()}>
          <span>${this.at + 1 < this.questions.length ? "Next question" : "Look over the answers"}</span>
        </button>`;
    const back = this.at > 0 ? toggling("Back", () => this.go(this.at - 1), { id: "back" }) : nothing;
    return html`${problemOf(this.host, "")}
      <div class="buttons">${on}${back}${this.no.button("Do not answer…")}</div>`;
  }

  /** Goes on, if this question is answered. */
  private next(): void {
    const question = this.questions[this.at];
    if (!question) return;
    try {
      replies.answerTo(question, this.draft(this.at), this.at);
    } catch (error) {
      if (!(error instanceof replies.BadReply)) throw error;
      this.missing = error;
      this.host.refresh();
      return;
    }
    this.go(this.at + 1);
  }

  private go(place: number): void {
    this.at = Math.max(place, 0);
    this.missing = undefined;
    this.host.refresh(true);
    this.host.focusOn("#place");
  }

  private send(): void {
    this.host.send(() => replies.answers(this.view, this.drafts));
  }

  override key(name: string): boolean {
    if (this.no.key(name)) return true;
    if (this.no.isOpen) return false;
    const question = this.questions[this.at];
    const number = digit(name);
    if (number > 0 && question && !this.isReview) return this.choose(question, number);
    if (name === "t" && question && !this.isReview) this.write(question);
    else if (name === "n" && !this.isReview) this.note();
    else if (name === "ArrowLeft" && this.at > 0) this.go(this.at - 1);
    else if (name === "ArrowRight" && !this.isReview && this.questions.length > 1) this.next();
    else if (name === "Enter" || name === "a") this.goOn(name);
    else return false;
    return true;
  }

  private choose(question: Question, number: number): boolean {
    if (number > question.options.length + 1 || question.options.length === 0) return false;
    if (number === question.options.length + 1) this.other();
    else this.pick(number - 1);
    return true;
  }

  private write(question: Question): void {
    if (question.options.length > 0) this.change({ isOther: true });
    this.host.focusOn("#own");
  }

  /** Enter goes from question to question; the last step of several is sent by its own key. */
  private goOn(name: string): void {
    const isLast = this.isReview || this.questions.length === 1;
    if (!isLast) this.next();
    else if (this.host.lock) this.host.reveal();
    else if (name === "a" || !this.isReview) this.send();
  }
}
