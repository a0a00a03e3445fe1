// What the page knows: the desk's state, whether it is live, and what was done here.
//
// An EventTarget: "change" after anything changed, "online" when the desk is back. Not here: calls
// (`actions`), the connection (`link`), what anything looks like. Imports `reduce` and `acts`.

import type { ApiError } from "../api/client.ts";
import type { Change, Health, Me, RequestView, Row } from "../api/types.ts";
import type { Act } from "./acts.ts";
import { EMPTY, isOpen, reduce, type State } from "./reduce.ts";

/** How long what the desk does not know any more is still shown, with these words. */
const VANISHED_MS = 60_000;
/** The same of what went wrong: as long as the desk itself would have told it. */
const LOUD_MS = 600_000;
const UNKNOWN = "the desk does not know it any more";
export const RESTARTED = "The desk started anew without your answer. Answer again.";
const RETURNED = "It waits again: the desk started anew, and your answer was never handed over. Answer it again.";
const HALFWAY = "The desk started anew, and does not know that you acknowledged it. Begin again.";

export class Store extends EventTarget {
  state: State = EMPTY;
  /** Whether changes come as they happen. */
  online = false;
  /** Since when `online` is as it is, in milliseconds since 1970. */
  since = Date.now();
  /** Why the desk does not take our credential. */
  refusal: ApiError | null = null;
  me: Me | null = null;
  health: Health | null = null;
  acts = new Map<string, Act>();
  /** Rows that were fetched whole, by request and index. Each map is replaced when it changes. */
  rows = new Map<string, ReadonlyMap<number, Row>>();
  /** What was open here and is unknown to the desk that came back; and what a person must not miss. */
  vanished = new Map<string, RequestView>();
  /** What was done here that the desk took with it when it ended, until it is asked again. */
  private readonly lost = new Map<string, { act: Act; of: RequestView }>();

  apply(change: Change): void {
    const before = this.state;
    const state = reduce(before, change);
    if (state === before) return;
    this.state = state;
    if (change.snapshot) this.compare(before);
    else if (change.request) this.follow(change.type, change.request.id);
    this.changed();
  }

  /** Follows one request: an id that is shown anew is another question, or one whose answer was lost. */
  private follow(type: string, id: string): void {
    if (type !== "shown" && type !== "forgotten") return;
    const lost = this.lost.get(id);
    this.acts.delete(id);
    this.rows.delete(id);
    this.vanished.delete(id);
    this.lost.delete(id);
    if (lost) this.settle(id, lost.act, lost.of);
  }

  /** Sees what became of everything while nothing was heard. */
  private compare(before: State): void {
    const restarted = before.boot !== "" && before.boot !== this.state.boot;
    if (restarted) {
      this.rows.clear(); // the desk that is there now does not know that they were read
      this.lost.clear();
      for (const [id, act] of this.acts) this.settle(id, act, before.requests.get(id) ?? before.ended.get(id));
    }
    for (const view of [...before.requests.values(), ...before.ended.values()]) {
      if (this.find(view.id)) continue;
      if (view.state === "lost" || view.state === "overruled") this.keep(view, LOUD_MS);
      else if (isOpen(view) || view.state === "answered" || view.state === "delivered") this.vanish(view);
    }
  }

  /** Says of what was done here that the desk that is there now never heard of it. Who asks may come later. */
  private settle(id: string, act: Act, of: RequestView | undefined): void {
    const now = this.state.requests.get(id);
    const waits = now?.state === "pending" && (!of || asked(now) === asked(of));
    const words: Partial<Record<Act["phase"], string>> = {
      sending: RESTARTED,
      sent: RETURNED,
      acknowledged: HALFWAY,
      refused: act.message ?? "",
    };
    const message = words[act.phase];
    if (waits && message) this.acts.set(id, { ...act, phase: "refused", since: Date.now(), waiting: false, message });
    else this.acts.delete(id);
    if (of && message && !this.find(id)) this.lost.set(id, { act, of });
  }

  private vanish(view: RequestView): void {
    const ended_at = new Date().toISOString();
    const gone: RequestView = {
      ...view,
      state: "withdrawn",
      notice: false,
      reason: "unknown",
      ending: UNKNOWN,
      ended_at,
    };
    this.keep(gone, VANISHED_MS);
  }

  /** Shows for a while what the desk does not tell any more. */
  private keep(gone: RequestView, forMs: number): void {
    this.vanished.set(gone.id, gone);
    const timer = setTimeout(() => {
      if (this.vanished.get(gone.id) === gone && this.vanished.delete(gone.id)) this.changed();
    }, forMs);
    (timer as { unref?: () => void }).unref?.();
  }

  /** Returns a request by its id, wherever it stands. */
  find(id: string): RequestView | undefined {
    return this.state.requests.get(id) ?? this.state.ended.get(id) ?? this.vanished.get(id);
  }

  setOnline(online: boolean): void {
    if (online) this.refusal = null;
    if (online === this.online) return;
    this.online = online;
    this.since = Date.now();
    this.changed();
    if (online) this.dispatchEvent(new Event("online"));
  }

  refuse(error: ApiError): void {
    this.refusal = error;
    this.online = false;
    this.changed();
  }

  setAct(id: string, act: Act): void {
    this.acts.set(id, act);
    this.changed();
  }

  setRow(id: string, index: number, row: Row): void {
    this.rows.set(id, new Map(this.rows.get(id)).set(index, row));
    this.changed();
  }

  set(known: Partial<Pick<Store, "me" | "health">>): void {
    Object.assign(this, known);
    this.changed();
  }

  private changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}

/** Returns what an answer is an answer to. Who asks chooses the id, so that alone says little. */
function asked(view: RequestView): string {
  const { kind, tool, input, suggestions, questions, fields, url, title, choices, default: given, unsafe } = view;
  return JSON.stringify([kind, tool, input, suggestions, questions, fields, url, title, choices, given, unsafe]);
}
