// A plan: read as it was meant, approved into a mode, or sent back with what to change.
//
// What is said of a passage is quoted with it, and all of it goes back as one message. The plan can
// be edited as text before it is approved, where nothing of it is masked or missing. Imports lit,
// its neighbours and `text`.

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Row } from "../api/types.ts";
import { block } from "../text/block.ts";
import { lazy } from "../text/lazy.ts";
import { whole } from "../text/lines.ts";
import type { Passage } from "../text/markdown.ts";
import { clip, shown, visible } from "../text/visible.ts";
import { digit, listing } from "./choices.ts";
import { No } from "./no.ts";
import { type Content, type Host, Part, hint, pressing, problemOf, toggling } from "./part.ts";
import { selectedWithin } from "./selection.ts";
import * as replies from "./replies.ts";
import { isCut, modeWords } from "./words.ts";

const markdown = lazy(() => import("../text/markdown.ts"));

export class Plan extends Part {
  private readonly no: No;
  private mode: string;
  /** How it is shown: as it was meant, as it was written, or to be edited. */
  private as: "read" | "written" | "edited" = "read";
  private edited: string | undefined;
  private readonly comments: replies.Comment[] = [];
  /** The passage that is being commented on. */
  private passage = "";
  private words = "";
  private selection = "";

  constructor(host: Host) {
    super(host);
    this.no = new No(host, (reason, stop) => replies.feedback(this.view, this.comments, reason, stop));
    this.mode = host.view.modes?.includes("default") ? "default" : (host.view.modes?.[0] ?? "");
  }

  override get ownRow(): number {
    const { input: rows } = this.host;
    const named = rows.findIndex((row) => row.label === "Plan");
    return named >= 0 ? named : rows.findIndex((row) => row.value.trim() !== "");
  }

  private get row(): Row | undefined {
    return this.host.input[this.ownRow];
  }

  // --- reading ------------------------------------------------------------------------------

  override body(): Content {
    const row = this.row;
    if (!row) return html`<p class="loud">There is no plan to read.</p>`;
    return html`<div class="plan-tools" role="group" aria-label="How the plan is shown">
        ${this.tab("read", "Plan")}${this.tab("written", "As text")}
        ${this.canEdit ? this.tab("edited", this.edited === undefined ? "Edit" : "Edited") : nothing}
      </div>
      ${this.as === "edited" ? this.editor(row) : this.reading(row)}`;
  }

  private tab(as: typeof this.as, label: string): Content {
    const press = () => {
      this.as = as;
      if (as === "edited") this.edited ??= this.row?.value ?? "";
      this.host.refresh();
      if (as === "edited") this.host.focusOn("#edited");
    };
    return html`<button
      type="button"
      class="quiet tool"
      aria-pressed=${this.as === as ? "true" : "false"}
      @click=${press}
    >
      ${label}
    </button>`;
  }

  private get canEdit(): boolean {
    return replies.isEditable(this.host.input) && this.view.state === "pending";
  }

  private reading(row: Row): Content {
    const own =
      this.edited !== undefined
        ? html`<p class="soft small">As the agent wrote it; your edit is apart.</p>`
        : nothing;
    if (this.as === "written") return html`${own}${block(whole(row.value), { numbers: true })}`;
    const { epoch } = this.host;
    const deps = [row, epoch, this.passage, this.view.state];
    return html`${own}${guard(deps, () => this.read(row))}`;
  }

  private read(row: Row): Content {
    const found = isCut(row) ? null : markdown(this.host.wake)?.passages(row.value, this.host.wake);
    if (!found) return html`<div class="plan">${block(whole(row.value))}</div>`;
    const place = this.view.state === "pending" ? "passages" : "";
    return html`<div class="plan ${place}" dir="auto">${found.map((passage) => this.block(passage))}</div>`;
  }

  private block(passage: Passage): Content {
    if (this.view.state !== "pending") return html`<div class="passage">${passage.content}</div>`;
    const label = `Comment on: ${visible(clip(passage.source.trim(), 60))}`;
    return html`<div class="passage ${passage.source === this.passage ? "on" : ""}">
      ${passage.content}
      <button type="button" class="quiet comment" aria-label=${label} title="Comment on this" @click=${() => {
        this.begin(passage.source);
      }}>✎</button>
    </div>`;
  }

  private editor(row: Row): Content {
    return html`<label class="own"
      ><span class="label">The plan, as you would have it</span>
      <textarea id="edited" class="mono" rows="16" dir="auto" spellcheck="false" .value=${this.edited ?? row.value}
        @input=${(event: InputEvent) => {
          this.edited = (event.target as HTMLTextAreaElement).value;
        }}></textarea></label>
      <p class="soft small">What you approve is this text. It replaces the agent's own.</p>
      <div class="buttons">${toggling("Drop the edit", () => {
        this.edited = undefined;
        this.as = "read";
        this.host.refresh();
      })}</div>`;
  }

  // --- comments -----------------------------------------------------------------------------

  /** Begins a comment on a passage. */
  private begin(passage: string): void {
    this.passage = passage;
    this.words = "";
    this.host.refresh();
    this.host.focusOn("#comment");
  }

  override selected(root: ShadowRoot): void {
    const text = selectedWithin(root, root.querySelector(".plan")).trim();
    if (text === this.selection) return;
    this.selection = text;
    this.host.refresh();
  }

  /** Begins a comment on what is selected in the plan. */
  private commentSelected(): void {
    if (this.selection) this.begin(this.selection);
  }

  private commenting(): Content {
    return html`<div class="stack commenting" role="group" aria-label="A comment on a passage">
      <blockquote class="soft">${shown(clipLines(this.passage), true)}</blockquote>
      <label for="comment">What of it?</label>
      <textarea id="comment" rows="2" dir="auto" .value=${this.words} @input=${(event: InputEvent) => {
        this.words = (event.target as HTMLTextAreaElement).value;
      }} @keydown=${(event: KeyboardEvent) => this.pressed(event)}></textarea>
      <div class="buttons">
        ${toggling("Keep the comment", () => this.keep(), { style: "" })}${toggling("Back", () => this.leave())}
      </div>
    </div>`;
  }

  private pressed(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") this.leave();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.keep();
  }

  private keep(): void {
    if (this.words.trim()) this.comments.push({ passage: this.passage, words: this.words });
    this.leave();
  }

  private leave(): void {
    this.passage = "";
    this.words = "";
    this.host.refresh();
    this.host.focusOn("#place");
  }

  private kept(): Content {
    if (this.comments.length === 0) return nothing;
    return html`<ol class="comments" aria-label="Your comments">${this.comments.map(
      (comment, index) => html`<li>
      <blockquote class="soft">${shown(clipLines(comment.passage), true)}</blockquote>
      <p dir="auto">${shown(comment.words, true)}</p>
      ${toggling(
        "Take it away",
        () => {
          this.comments.splice(index, 1);
          this.host.refresh();
        },
        { style: "quiet small" },
      )}
    </li>`,
    )}</ol>`;
  }

  // --- answering ----------------------------------------------------------------------------

  override actions(): Content {
    if (this.passage) return this.commenting();
    if (this.no.isOpen) return this.no.panel(this.kept());
    if (this.comments.length > 0) return this.withComments();
    return html`${this.modes()}${problemOf(this.host, "")}
      <div class="buttons" id="place" tabindex="-1">
        ${pressing(this.host, {
          label: this.edited === undefined ? "Approve" : "Approve as edited",
          press: () => this.approve(),
          style: "primary wide",
          keys: "a",
          allows: true,
          id: "yes",
        })}
        ${this.no.button()}${this.selectionButton()}
      </div>`;
  }

  /** With comments, sending them back is what comes next; they would be lost with an approval. */
  private withComments(): Content {
    const words =
      this.comments.length === 1 ? "Send the comment back" : `Send ${this.comments.length} comments back`;
    return html`${this.kept()}${problemOf(this.host, "")}
      <div class="buttons" id="place" tabindex="-1">
        ${pressing(this.host, { label: words, press: () => this.back(), style: "primary wide" })}
        ${this.no.button("Say more…")}${this.selectionButton()}
      </div>
      <p class="soft small">To approve it instead, take the comments away.</p>`;
  }

  private selectionButton(): Content {
    if (!this.selection) return nothing;
    // The press itself would take the selection away.
    const keep = (event: Event) => event.preventDefault();
    return html`<button
      type="button"
      id="selection"
      @pointerdown=${keep}
      @mousedown=${keep}
      @click=${() => this.commentSelected()}
    >
      <span>Comment on what is selected</span>${hint(this.host, "t")}
    </button>`;
  }

  private modes(): Content {
    const items = (this.view.modes ?? []).map((mode) => ({
      label: modeWords(mode).replace(/^./, (first) => first.toUpperCase()),
      isOn: mode === this.mode,
      choose: () => this.choose(mode),
    }));
    return listing(this.host, { legend: "After you approve it:", items, name: "mode" });
  }

  private choose(mode: string): void {
    this.mode = mode;
    this.host.refresh(true);
  }

  private approve(): void {
    const { input: rows, isUnseenTaken: unseen } = this.host;
    const isEdited = this.edited !== undefined && this.edited !== this.row?.value.replaceAll("\r\n", "\n");
    const plan = isEdited ? { plan: this.edited ?? "" } : {};
    this.host.send(() => replies.allow(this.view, rows, { mode: this.mode, unseen, ...plan }));
  }

  private back(): void {
    this.host.send(() => replies.feedback(this.view, this.comments));
  }

  override key(name: string): boolean {
    if (name === "Escape" && this.passage) {
      this.leave();
      return true;
    }
    if (this.passage) return false;
    if (this.no.key(name)) return true;
    if (this.no.isOpen) return false;
    const mode = this.view.modes?.[digit(name) - 1];
    if (mode && this.comments.length === 0) this.choose(mode);
    else if (name === "t" && this.selection) this.commentSelected();
    else if (name === "a" && this.comments.length === 0) this.tryApprove();
    else return false;
    return true;
  }

  private tryApprove(): void {
    if (this.host.lock) this.host.reveal();
    else this.approve();
  }
}

const MOST_QUOTED = 300;

/** Returns a passage as it is quoted on the card; the whole of it is sent. */
function clipLines(passage: string): string {
  const text = passage.trim();
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
}
