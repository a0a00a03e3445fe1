// May it do this? Allow it once, for a while, or with less asking next time; deny with a reason, deny and stop.
//
// The rows say what it would do; they are the card's. Imports lit, its neighbours and `text`.

import { html, nothing } from "lit";
import { inline } from "../text/visible.ts";
import { digit, listing } from "./choices.ts";
import { No } from "./no.ts";
import { type Content, type Host, Part, pressing, problemOf } from "./part.ts";
import * as replies from "./replies.ts";
import { NO_TEXT, agentName, suggestions } from "./words.ts";

export class Permission extends Part {
  private readonly no: No;
  /** The id of the suggestion that goes with allow, "" for this once. */
  private chosen = "";
  /** Whether this very call is allowed again, for a while. */
  private isForAWhile = false;

  constructor(host: Host) {
    super(host);
    this.no = new No(host);
  }

  override body(): Content {
    const isEmpty = !this.host.input.some((row) => row.value.trim());
    return isEmpty ? html`<p class="loud">${NO_TEXT}</p>` : nothing;
  }

  override actions(): Content {
    if (this.no.isOpen) return this.no.panel();
    const label = this.chosen ? "Allow, and ask for this" : this.lasts ? "Allow for 5 minutes" : "Allow";
    return html`${this.suggestions()}${this.forAWhile()}${problemOf(this.host, "")}
      <div class="buttons">
        ${pressing(this.host, {
          label,
          press: () => this.allow(),
          style: "primary wide",
          keys: "a",
          allows: true,
          id: "yes",
        })}
        ${this.no.button()}
      </div>`;
  }

  private suggestions(): Content {
    const offered = suggestions(this.view);
    if (offered.length === 0) return nothing;
    const once = { label: "Only this once", isOn: this.chosen === "", choose: () => this.choose("") };
    const always = offered.map((one) => ({
      label: inline(one.label),
      isOn: this.chosen === one.id,
      choose: () => this.choose(one.id),
    }));
    const legend = `If you allow it, ${agentName(this.view.agent)} can be asked for this as well:`;
    return listing(this.host, { legend, items: [once, ...always], name: "suggestion", first: 0 });
  }

  private get lasts(): boolean {
    return this.isForAWhile && !this.chosen && replies.canLast(this.view, this.host.input);
  }

  private forAWhile(): Content {
    if (this.chosen || !replies.canLast(this.view, this.host.input)) return nothing;
    return html`<div class="choice ${this.lasts ? "on" : ""}">
      <label>
        <input type="checkbox" id="while" .checked=${this.lasts} @change=${() => this.toggle()} />
        <span class="words">For 5 minutes: this very call again, in this session</span>
      </label>
    </div>`;
  }

  private toggle(): void {
    this.isForAWhile = !this.isForAWhile;
    this.host.refresh(true);
  }

  private choose(id: string): void {
    this.chosen = id;
    this.host.refresh(true);
  }

  private allow(): void {
    const { input: rows, isUnseenTaken: unseen } = this.host;
    const more = this.lasts ? { forS: replies.WHILE_S } : {};
    this.host.send(() => replies.allow(this.view, rows, { suggestion: this.chosen, unseen, ...more }));
  }

  override key(name: string): boolean {
    if (this.no.key(name)) return true;
    if (this.no.isOpen) return false;
    if (name === "a") {
      if (this.host.lock) this.host.reveal();
      else this.allow();
      return true;
    }
    const number = digit(name);
    const offered = suggestions(this.view);
    if (number < 0 || number > offered.length || offered.length === 0) return false;
    this.choose(number === 0 ? "" : (offered[number - 1]?.id ?? ""));
    return true;
  }
}
