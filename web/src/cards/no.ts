// How a card says no: with a reason if one likes, and, where the agent has it, stopping its turn.
//
// One field for all kinds; only the words differ. Not here: declining a form, which takes no
// reason. Imports lit, `part`, `replies` and `words`.

import { html, nothing } from "lit";
import type { Reply, RequestView } from "../api/types.ts";
import { type Content, type Host, pressing, problemOf, toggling } from "./part.ts";
import * as replies from "./replies.ts";
import { agentName, isDirect } from "./words.ts";

/** The words of a no: what is asked for, and what the buttons say. */
interface Words {
  ask: string;
  go: string;
  stop: string;
  /** What the button is called that leads here. */
  lead: string;
}

function wordsOf(view: RequestView): Words {
  const name = agentName(view.agent);
  if (isDirect(view)) {
    return { ask: "Why? The program is told.", go: "Cancel it", stop: "", lead: "Cancel…" };
  }
  if (view.kind === "plan") {
    return {
      ask: `What should change? ${name} is told word for word, and plans on.`,
      go: "Send it back",
      stop: "Send it back and stop",
      lead: "Keep planning…",
    };
  }
  return { ask: `Why? ${name} is told word for word.`, go: "Deny", stop: "Deny and stop", lead: "Deny…" };
}

export class No {
  isOpen = false;
  isStop = false;
  reason = "";

  constructor(
    private readonly host: Host,
    /** Makes the reply of a no; a plan adds what was said of its passages. */
    private readonly make: (reason: string, stop: boolean) => Reply = (reason, stop) =>
      replies.deny(host.view, reason, stop),
  ) {}

  /** The button that leads to the reason, or, without a word, to nothing. */
  button(label = wordsOf(this.host.view).lead): Content {
    const style = isDirect(this.host.view) ? "quiet" : "danger";
    return pressing(this.host, { label, press: () => this.open(false), style, keys: "d", id: "no" });
  }

  open(stop: boolean): void {
    if (stop && !this.host.view.interrupt) return;
    this.isOpen = true;
    this.isStop = stop;
    this.host.refresh(true);
    this.host.focusOn("#reason");
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.host.refresh(true);
    this.host.focusOn("#no");
  }

  /** Answers with no; `stop`: and ends the agent's turn. */
  private go(stop: boolean): void {
    this.host.send(() => this.make(this.reason, stop));
  }

  panel(beside: Content = nothing): Content {
    const words = wordsOf(this.host.view);
    const canStop = this.host.view.interrupt === true && words.stop !== "";
    const go = pressing(this.host, {
      label: words.go,
      press: () => this.go(false),
      style: isDirect(this.host.view) ? "danger wide" : this.isStop ? "danger" : "danger sure wide",
    });
    const stop = pressing(this.host, {
      label: words.stop,
      press: () => this.go(true),
      style: this.isStop ? "danger sure wide" : "danger",
    });
    return html`<div class="no stack" role="group" aria-label=${words.ask}>
      ${beside}
      <label for="reason">${words.ask} <span class="soft">You may leave it empty.</span></label>
      <textarea
        id="reason"
        rows="2"
        dir="auto"
        enterkeyhint="send"
        aria-describedby="reason-help problem"
        .value=${this.reason}
        @input=${(event: InputEvent) => this.typed(event)}
        @keydown=${(event: KeyboardEvent) => this.pressed(event)}
      ></textarea>
      <p class="soft small" id="reason-help">
        Enter ${this.isStop ? "denies and stops the turn" : "sends it"}, Shift and Enter begins a line.
      </p>
      ${problemOf(this.host, "")}
      <div class="buttons">${this.isStop && canStop ? [stop, go] : [go, canStop ? stop : nothing]}
        ${toggling("Back", () => this.close())}
      </div>
    </div>`;
  }

  private typed(event: InputEvent): void {
    this.reason = (event.target as HTMLTextAreaElement).value;
  }

  private pressed(event: KeyboardEvent): void {
    event.stopPropagation(); // what is typed is no command to the page
    if (event.key === "Escape") this.close();
    // While a word is being composed, Enter ends the word.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!this.host.isBusy && !this.host.isSettling) this.go(this.isStop);
  }

  /** The keys that say no anywhere. */
  key(name: string): boolean {
    if (name === "Escape" && this.isOpen) {
      this.close();
      return true;
    }
    if (name === "d" || (name === "s" && this.host.view.interrupt)) {
      this.open(name === "s");
      return true;
    }
    return false;
  }
}
