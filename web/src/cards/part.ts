// What every kind of request brings to its card: a body, its actions, its keys.
//
// A part lives as long as its request is shown, and holds what a person has entered so far. Not
// here: who asks, how it ended, and the sending (`card`). Imports lit, the wire's types and `replies`.

import { html, nothing, type TemplateResult } from "lit";
import type { Reply, RequestView, Row } from "../api/types.ts";
import type { Act } from "../state/acts.ts";
import type { BadReply } from "./replies.ts";

export type Content = TemplateResult | typeof nothing | string | readonly Content[];

/** The card, as its part sees it. */
export interface Host {
  readonly view: RequestView;
  /** The rows, whole as far as they were fetched. */
  readonly input: readonly Row[];
  /** Whether an answer is on its way, or none can be given now. */
  readonly isBusy: boolean;
  /** Whether the card changed a moment ago: what is pressed now was meant for what stood here before. */
  readonly isSettling: boolean;
  /** Why nothing may be allowed yet, in words; "" when all was read. */
  readonly lock: string;
  /** Whether they said that they take unseen what cannot be shown. */
  readonly isUnseenTaken: boolean;
  /** Whether the keys are for this card. */
  readonly focused: boolean;
  /** What the last reply lacked, to be said beside its field. */
  readonly problem: BadReply | undefined;
  /** Changes when something that was waited for came: part of what is shown depends on it. */
  readonly epoch: number;
  readonly wake: () => void;
  /** Shows the card anew. `settle`: what can be pressed changed, and must be seen before it counts. */
  refresh(settle?: boolean): void;
  /** Makes a reply and sends it; what does not fit is said. Returns whether it went. */
  send(make: () => Reply): boolean;
  release(): void;
  /** Brings what still must be read into sight, fetching it where needed. */
  reveal(): void;
  /** Moves the focus once the card is shown anew. */
  focusOn(selector: string): void;
}

export abstract class Part {
  constructor(protected readonly host: Host) {}

  protected get view(): RequestView {
    return this.host.view;
  }

  /** What it asks, below the rows. */
  abstract body(): Content;

  /** What may be done about it. */
  abstract actions(): Content;

  /** Does what a key means here; returns whether it means anything. */
  abstract key(name: string): boolean;

  /** The index of a row that the part shows itself, -1 for none. */
  get ownRow(): number {
    return -1;
  }

  /** Takes note that another text is selected; `root` is the card's. */
  selected(_root: ShadowRoot): void {}

  /** Takes note that the desk said something: an answer was acknowledged, refused, or is on its way. */
  told(_act: Act): void {}
}

export interface Pressing {
  label: Content;
  press: () => void;
  style?: string;
  /** The key that does the same. */
  keys?: string;
  /** It answers with yes: not before everything was read. */
  allows?: boolean;
  id?: string;
}

/** Returns a button that answers. Locked, it leads to what must be read; settling, it does nothing. */
export function pressing(host: Host, what: Pressing): TemplateResult {
  const isLocked = what.allows === true && host.lock !== "";
  const isOff = host.isBusy || host.isSettling || isLocked;
  const onClick = () => {
    if (host.isBusy || host.isSettling) return;
    if (isLocked) host.reveal();
    else what.press();
  };
  // Not `disabled`: a locked button stays reachable, and says what it waits for.
  return html`${isLocked && what.id !== "no" ? lockNote(host) : nothing}<button
    type="button"
    id=${what.id ?? nothing}
    class="${what.style ?? ""} ${host.isSettling && !host.isBusy && !isLocked ? "settling" : ""}"
    aria-disabled=${isOff ? "true" : nothing}
    aria-describedby=${isLocked ? "lock" : nothing}
    aria-keyshortcuts=${what.keys ?? nothing}
    @click=${onClick}
  >
    <span>${what.label}</span>${hint(host, what.keys)}
  </button>`;
}

/** Says why nothing may be allowed yet, and leads to what must be read. */
function lockNote(host: Host): TemplateResult {
  return html`<p class="lock small" id="lock">
    ${host.lock} <button type="button" class="quiet small" @click=${() => host.reveal()}>Take me there</button>
  </p>`;
}

/** Returns the key beside a button, where keys are for this card. */
export function hint(host: Host, key: string | undefined): Content {
  return key && host.focused ? html`<kbd class="hint" aria-hidden="true">${key}</kbd>` : nothing;
}

/** Returns a button that only changes what is shown. */
export function toggling(
  label: Content,
  press: () => void,
  more: { id?: string; style?: string } = {},
): Content {
  return html`<button type="button" id=${more.id ?? nothing} class=${more.style ?? "quiet"} @click=${press}>
    <span>${label}</span>
  </button>`;
}

/** Returns what the last reply lacked, where it concerns a field; said at once to who cannot see it. */
export function problemOf(host: Host, field: string, id = "problem"): Content {
  const { problem } = host;
  if (!problem || !problem.field.startsWith(field)) return nothing;
  return html`<p class="problem" id=${id} role="alert">${problem.message}</p>`;
}
