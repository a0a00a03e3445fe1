// What programs ask themselves: yes or no, one of several, a text.
//
// A command has two steps and a file of its own (`confirm`). Imports lit, its neighbours and `text`.

import { html, nothing } from "lit";
import { prose } from "../text/block.ts";
import { inline, inlineCode } from "../text/visible.ts";
import { digit, listing } from "./choices.ts";
import { No } from "./no.ts";
import { type Content, type Host, Part, pressing, problemOf } from "./part.ts";
import * as replies from "./replies.ts";

/** What these kinds have in common: they can be cancelled, with a reason. */
abstract class Direct extends Part {
  protected readonly no: No;

  constructor(host: Host) {
    super(host);
    this.no = new No(host);
  }

  override body(): Content {
    return nothing;
  }

  override actions(): Content {
    if (this.no.isOpen) return this.no.panel();
    return html`${this.asked()}${problemOf(this.host, "")}
      <div class="buttons">${this.answers()}${this.no.button()}</div>`;
  }

  override key(name: string): boolean {
    if (name === "s") return false;
    if (this.no.key(name)) return true;
    return !this.no.isOpen && this.answerKey(name);
  }

  /** Sends an answer, or leads to what must be read before one counts. */
  protected give(make: () => ReturnType<typeof replies.text>): void {
    if (this.host.lock) this.host.reveal();
    else this.host.send(make);
  }

  /** What is chosen from, or typed into. */
  protected abstract asked(): Content;
  /** The buttons that answer. */
  protected abstract answers(): Content;
  protected abstract answerKey(name: string): boolean;
}

export class YesNo extends Direct {
  protected override asked(): Content {
    return nothing;
  }

  protected override answers(): Content {
    return (["yes", "no"] as const).map((value) => {
      const word = value === "yes" ? "Yes" : "No";
      return pressing(this.host, {
        label: this.view.default === value ? html`${word} <span class="small">(default)</span>` : word,
        press: () => this.answer(value),
        // Neither is more right than the other: the default alone stands out.
        style: this.view.default === value ? "primary wide" : "wide",
        keys: value === "yes" ? "y" : "n",
        allows: true,
        id: value,
      });
    });
  }

  private answer(value: "yes" | "no"): void {
    this.give(() => replies.yesno(value));
  }

  protected override answerKey(name: string): boolean {
    if (name !== "y" && name !== "n") return false;
    this.answer(name === "y" ? "yes" : "no");
    return true;
  }
}

export class ChoiceOf extends Direct {
  private chosen: string | undefined;

  constructor(host: Host) {
    super(host);
    const { view } = host;
    if (view.default && view.choices?.some((one) => one.value === view.default)) this.chosen = view.default;
  }

  protected override asked(): Content {
    const items = (this.view.choices ?? []).map((choice) => {
      const label = choice.label || choice.value;
      const id =
        label === choice.value ? nothing : html` <span class="soft">[${inlineCode(choice.value)}]</span>`;
      const isDefault = this.view.default !== "" && choice.value === this.view.default;
      return {
        label: html`${inline(label)}${id}${isDefault ? html` <span class="soft">(default)</span>` : nothing}`,
        isOn: choice.value === this.chosen,
        choose: () => this.choose(choice.value),
      };
    });
    return listing(this.host, { legend: "Choose one:", items, name: "choice" });
  }

  private choose(value: string): void {
    this.chosen = value;
    this.host.refresh(true);
  }

  protected override answers(): Content {
    return pressing(this.host, {
      label: "Answer",
      press: () => this.answer(),
      style: "primary wide",
      keys: "a",
      allows: true,
      id: "yes",
    });
  }

  private answer(): void {
    this.give(() => replies.choice(this.view, this.chosen ?? ""));
  }

  protected override answerKey(name: string): boolean {
    const choice = this.view.choices?.[digit(name) - 1];
    if (choice) this.choose(choice.value);
    else if (name === "a") this.answer();
    else return false;
    return true;
  }
}

export class TextOf extends Direct {
  private text: string;
  /** An answer of which nothing can be seen was pressed once: the second time it counts. */
  private isSureOfBlank = false;

  constructor(host: Host) {
    super(host);
    this.text = host.view.default ?? "";
  }

  protected override asked(): Content {
    const blank = this.text ? "only blanks" : "an empty text";
    const theirs = this.view.default
      ? html`<details class="small"><summary>Its default</summary>${prose(this.view.default)}</details>`
      : nothing;
    const warning = this.isSureOfBlank
      ? html`<p class="problem" role="alert">The answer is ${blank}: press again to send that.</p>`
      : nothing;
    return html`<label class="own"
        ><span class="label">Your text</span>
        <textarea
          id="own"
          rows="4"
          dir="auto"
          .value=${this.text}
          aria-describedby="own-help"
          @input=${(event: InputEvent) => this.typed(event)}
          @keydown=${(event: KeyboardEvent) => this.pressed(event)}
        ></textarea>
      </label>
      <p class="soft small" id="own-help">
        Any text answers it, also an empty one. Ctrl or ⌘ and Enter sends it.
      </p>
      ${theirs}
      ${warning}`;
  }

  private typed(event: InputEvent): void {
    this.text = (event.target as HTMLTextAreaElement).value;
    this.isSureOfBlank = false;
    this.host.refresh();
  }

  private pressed(event: KeyboardEvent): void {
    event.stopPropagation(); // what is typed is no command to the page
    if (event.key === "Escape") (event.target as HTMLTextAreaElement).blur();
    if (event.key !== "Enter" || event.isComposing || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!this.host.isBusy && !this.host.isSettling) this.answer();
  }

  protected override answers(): Content {
    return pressing(this.host, {
      label: this.isSureOfBlank ? (this.text ? "Send only blanks" : "Send an empty text") : "Send",
      press: () => this.answer(),
      style: "primary wide",
      keys: "a",
      allows: true,
      id: "yes",
    });
  }

  private answer(): void {
    if (this.text.trim() || this.isSureOfBlank || this.host.lock) {
      this.give(() => replies.text(this.text));
      return;
    }
    this.isSureOfBlank = true;
    this.host.refresh(true);
  }

  protected override answerKey(name: string): boolean {
    if (name === "t") this.host.focusOn("#own");
    else if (name === "a") this.answer();
    else return false;
    return true;
  }
}
