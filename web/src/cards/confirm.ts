// A command that a program wants to run: two steps, and no way to take both at once.
//
// First a person says that they understand it; the desk takes note. Then the command stands there
// again, and is run by another button in another place, or by its word typed out: never by Enter,
// never by a second click of the first one. Imports lit, its neighbours and `text`.

import { html, nothing } from "lit";
import type { Act } from "../state/acts.ts";
import { block } from "../text/block.ts";
import { coloured } from "../text/code.ts";
import { whole } from "../text/lines.ts";
import { No } from "./no.ts";
import { type Content, type Host, Part, pressing, problemOf, toggling } from "./part.ts";
import * as replies from "./replies.ts";
import { DESTRUCTIVE, NO_COMMAND } from "./words.ts";

/** Longer than the card's own guard: two clicks of one double click may be this far apart. */
const GUARD_MS = 700;
/** The desk forgets after 60 s that it was acknowledged; the page says so a little before. */
const ACKNOWLEDGED_MS = 58_000;
const RUN = "run";

export class Confirm extends Part {
  private readonly no: No;
  private isUnderstood = false;
  private isTooLate = false;
  private isGuarded = false;
  private typed = "";
  /** What the desk said last. */
  private news = "";
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(host: Host) {
    super(host);
    this.no = new No(host);
  }

  override body(): Content {
    const isEmpty = !this.host.input.some((row) => row.value.trim());
    return html`${isEmpty ? html`<p class="loud">${NO_COMMAND}</p>` : nothing}`;
  }

  override told(act: Act): void {
    const news = `${act.key} ${act.phase}`;
    if (news === this.news) return; // known: the card was only away for a while
    this.news = news;
    const left = ACKNOWLEDGED_MS - (Date.now() - act.since);
    if (act.phase === "acknowledged" && !this.isUnderstood && left > GUARD_MS) this.understood(left);
    // It was acknowledged too long ago, or elsewhere: both steps again.
    else if (act.phase === "refused" && this.isUnderstood) this.again(false);
  }

  private understood(left: number): void {
    this.isUnderstood = true;
    this.isTooLate = false;
    this.isGuarded = true;
    this.typed = "";
    this.clear();
    this.timers = [
      setTimeout(() => {
        this.isGuarded = false;
        this.host.refresh();
      }, GUARD_MS),
      setTimeout(() => this.again(true), left),
    ];
    this.host.refresh(true);
    this.host.focusOn("#step");
  }

  /** Goes back to the first step. */
  private again(isTooLate: boolean): void {
    this.clear();
    this.isUnderstood = false;
    this.isTooLate = isTooLate;
    this.typed = "";
    this.host.refresh(true);
  }

  private clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }

  override actions(): Content {
    if (this.no.isOpen) return this.no.panel();
    return this.isUnderstood ? this.second() : this.first();
  }

  private first(): Content {
    const words = this.isTooLate
      ? "It was acknowledged a minute ago and not run: acknowledge it again."
      : "Two steps: say that you understand the command; then have it run.";
    return html`<p class="step">${words}</p>
      ${problemOf(this.host, "")}
      <div class="buttons">
        ${pressing(this.host, {
          label: "I understand the command",
          press: () => this.acknowledge(),
          style: "wide",
          keys: "a",
          allows: true,
          id: "ack",
        })}
        ${this.no.button()}
      </div>`;
  }

  private acknowledge(): void {
    this.host.send(() => replies.step("ack"));
  }

  private second(): Content {
    const { unsafe } = this.view;
    const command = this.host.input[0]?.value ?? "";
    const lines = coloured(command, "bash", this.host.wake);
    const run = this.isGuarded
      ? html`<button type="button" class="danger settling" id="run" aria-disabled="true">
          <span>Run it</span>
        </button>`
      : pressing(this.host, {
          label: "Run it",
          press: () => this.run(),
          style: unsafe ? "danger sure" : "danger",
          allows: true,
          id: "run",
        });
    // The other way round than in the first step: what is under the pointer now is the way back.
    return html`<div class="second ${unsafe ? "unsafe" : ""}">
        <p class="step strong" id="step" tabindex="-1">
          You said that you understand this. It runs when you say so:
        </p>
        ${unsafe ? html`<p class="loud">${DESTRUCTIVE}</p>` : nothing}
        ${block(whole(command), { runs: (line) => lines[(line.new ?? 1) - 1] })}
        ${
          this.host.focused
            ? html`<p class="soft small hint-words">
              The keys r, u, n, one after the other, run it, too. Enter never does.
              ${this.typed ? html`<kbd>${this.typed}</kbd>` : nothing}</p>`
            : nothing
        }
      </div>
      ${problemOf(this.host, "")}
      <div class="buttons">
        ${toggling("Back", () => this.again(false), { style: "wide", id: "back" })}${this.no.button()}
        <span class="apart"></span>${run}
      </div>`;
  }

  private run(): void {
    if (!this.isGuarded) this.host.send(() => replies.step("run"));
  }

  override key(name: string): boolean {
    if (!this.isUnderstood) {
      if (name !== "s" && this.no.key(name)) return true;
      if (name !== "a" || this.no.isOpen) return false;
      if (this.host.lock) this.host.reveal();
      else this.acknowledge();
      return true;
    }
    if (this.no.key(name)) return true;
    if (this.no.isOpen) return false;
    return this.secondKey(name);
  }

  /** The word run, letter by letter; anything else begins it anew. */
  private secondKey(name: string): boolean {
    if (name === "Escape") {
      this.again(false);
      return true;
    }
    if (name.length !== 1) return false;
    const typed = this.typed + name;
    this.typed = RUN.startsWith(typed) ? typed : "";
    this.host.refresh();
    if (typed === RUN) this.run();
    return this.typed !== "";
  }
}
