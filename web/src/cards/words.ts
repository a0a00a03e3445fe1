// The words of a card: who asks what, where it stands, how it ended.
//
// The same words as in a terminal (`channels/base.py`, `card.py`, `direct.py`), so that people
// learn one language. Texts of agents stay as they came: whoever shows them makes them visible.
// Not here: templates, and what may be answered (`replies`). Pure; imports the wire's types and
// `text/visible`.

import type { Field, FieldValue, RequestView, Row, SuggestionView } from "../api/types.ts";
import { chars, clip, turnsDirection, visible } from "../text/visible.ts";

const AGENTS = new Map([
  ["claude-code", "Claude Code"],
  ["codex", "Codex"],
  ["program", "a program"],
]);

const MODES = new Map([
  ["default", "the agent asks before each edit"],
  ["acceptEdits", "edits are accepted without asking"],
  ["auto", "the agent's auto mode decides what it asks"],
]);

/** Returns what approving a plan with a mode leads to. */
export function modeWords(mode: string): string {
  return MODES.get(mode) ?? `the mode that the agent calls ${visible(mode)}`;
}

export const UNCONFIRMED =
  "The system could not confirm which process asks this: agent, project and session are its own claim.";
const AWAY = "The program that asked is not waiting now; it comes for the answer later.";
export const OWN_WORD = "Where the program runs, and what it calls itself, is its own word.";
export const DESTRUCTIVE = "DESTRUCTIVE, says the program that asks";
export const NO_COMMAND = "Nothing says which command: there is no text to show.";
export const STRANGE = "This page does not know such a request: answer it elsewhere, or load the page anew.";
export const NO_TEXT = "Nothing says what it would do: there is no text to show.";

const STATES: Record<string, string> = {
  pending: "waits for an answer",
  answered: "answered, on its way to the agent",
  delivered: "handed to the agent; it has not shown yet what it did with it",
  confirmed: "the agent acted on the answer",
  overruled: "OVERRULED: the agent did something else than the answer says",
  unconfirmed: "handed to the agent; nothing showed what it did with it",
  lost: "LOST: as far as sayso knows, the answer never reached the agent",
  expired: "timed out: nothing was decided here",
  withdrawn: "no longer asked",
  released: "given back to the agent's own prompt: nothing was decided here",
  deferred: "not asked here: the agent asks in its terminal",
};
const DIRECT_STATES: Record<string, string> = {
  answered: "answered, on its way to the program that asked",
  delivered: "handed to the program that asked",
  unconfirmed: "handed to the program that asked; nothing shows what it did then",
};
/** What leads in the desk's own words, in the states of which it says more than `STATES`. */
const TOLD: Record<string, string> = {
  overruled: "OVERRULED: ",
  lost: "LOST: ",
  expired: "",
  withdrawn: "no longer asked: ",
  released: "",
  deferred: "not asked here: ",
};
const HANDED_OVER = new Set(["delivered", "confirmed", "unconfirmed"]);
const LOUD = new Set(["overruled", "lost"]);
const DIRECT = new Set(["yesno", "choice", "text", "confirm-command"]);
const LABEL_CHARS = 40;
const GIVEN_CHARS = 200;

/** Whether a program asks this itself, and no agent. */
export function isDirect(view: RequestView): boolean {
  return DIRECT.has(view.kind);
}

/** Whether a program asks this itself: it has no prompt of its own, and shows nothing afterwards. */
export function isOwn(view: RequestView): boolean {
  return isDirect(view) || Boolean(view.bridge);
}

export function isLoud(view: RequestView): boolean {
  return LOUD.has(view.state);
}

/** Whether it still waits, and may be answered. */
export function waits(view: RequestView): boolean {
  return view.state === "pending" && view.notice !== true;
}

// --- who asks, and from where -----------------------------------------------------------

export function agentName(agent: string): string {
  return AGENTS.get(agent) ?? visible(clip(agent, LABEL_CHARS));
}

/** Returns who asks. An agent is named because the program runs in it, which is all that is known. */
export function asker(view: RequestView): string {
  const name = agentName(view.agent);
  if (!isOwn(view)) return name;
  return view.agent === "program" ? name : `a program in ${name}`;
}

/** Returns what is wanted, in a few words. */
export function what(view: RequestView): string {
  switch (view.kind) {
    case "permission":
      return `wants to use ${visible(clip(view.tool, LABEL_CHARS))}`;
    case "question":
      return view.questions.length < 2 ? "asks a question" : `asks ${view.questions.length} questions`;
    case "plan":
      return "wants its plan approved";
    case "elicitation":
      return `passes on what ${visible(clip(view.tool, LABEL_CHARS)) || "a server"} asks for`;
    case "yesno":
      return "asks yes or no";
    case "choice":
      return "asks you to choose";
    case "text":
      return "asks for a text";
    case "confirm-command":
      return "asks to run a command";
    default:
      return `asks (${visible(clip(view.kind, LABEL_CHARS))})`;
  }
}

// --- times --------------------------------------------------------------------------------

/** Returns how long ago an instant of the wire was, calmly; "" when it names none. `now`: ms since 1970. */
export function age(since: string, now: number): string {
  const at = Date.parse(since);
  if (Number.isNaN(at)) return "";
  const seconds = Math.max(Math.floor((now - at) / 1000), 0);
  if (seconds < 10) return "just now";
  // Ten at a time: a number that changes each second draws the eye from what is to be read.
  return `${seconds < 60 ? `${Math.floor(seconds / 10) * 10} s` : span(seconds)} ago`;
}

/** Returns a length of time in words, no finer than it matters. */
export function span(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.max(Math.floor(seconds), 0)} s`;
}

/** Returns until when it waits, and what happens then; "" where that is not known. */
export function deadline(view: RequestView, now: number): string {
  if (!view.expires_at) return isOwn(view) ? "The program waits until you answer." : "";
  const left = (Date.parse(view.expires_at) - now) / 1000;
  if (Number.isNaN(left) || left <= 0) return "";
  const then = isOwn(view) ? "it goes on without an answer" : "the agent's own prompt decides";
  const calm = left > 20 && left < 60 ? Math.ceil(left / 10) * 10 : left;
  return `Waits for ${span(calm)} more; then ${then}.`;
}

/** Returns what else is to be known while it waits. */
export function pendingNote(view: RequestView): string {
  const name = agentName(view.agent);
  if (isOwn(view)) return view.asker_away ? `${AWAY} ${OWN_WORD}` : OWN_WORD;
  if (view.kind === "elicitation") {
    return `${name} may no longer wait: interrupted in its terminal, it leaves no trace.`;
  }
  if (view.attended === false) {
    return `Nobody is at ${name}'s terminal: if nothing is decided, it may take that for a no.`;
  }
  if (view.hold === "exclusive") {
    return `${name} shows nothing in its terminal meanwhile; release gives it back.`;
  }
  return `${name} asks in its terminal, too: the first answer wins.`;
}

// --- rows ---------------------------------------------------------------------------------

/** Whether the desk has more of this row than is here. */
export function isCut(row: Row): boolean {
  // Most rows have no length: their texts need no counting.
  return row.length !== undefined && row.length > 0 && row.length > chars(row.value);
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** A thing to know beside a row's text. `loud`: something of it cannot be seen here. */
export interface RowNote {
  text: string;
  loud: boolean;
}

/** Returns what a reader of the row must know beside its text. */
export function rowNotes(row: Row): RowNote[] {
  const notes: RowNote[] = [];
  const missing = isCut(row) ? (row.length ?? 0) - chars(row.value) : 0;
  if (missing > 0) {
    const why = row.lost ? "the rest never left the agent's hook" : "the whole text is kept";
    const of = (row.length ?? 0).toLocaleString("en");
    const text = `not shown: the last ${missing.toLocaleString("en")} of ${of} characters; ${why}`;
    notes.push({ text, loud: true });
  } else if (row.lost) {
    notes.push({ text: "not shown: a part that never left the agent's hook", loud: true });
  }
  if (row.hidden && row.hidden.length > 0) {
    const lengths = row.hidden.map((length) => length.toLocaleString("en")).join(", ");
    notes.push({ text: `masked: ${count(row.hidden.length, "part")} of ${lengths} characters`, loud: false });
  }
  if (row.code && turnsDirection(row.value)) {
    const text = "holds letters written from right to left; each word of them is shown by itself";
    notes.push({ text, loud: false });
  }
  return notes;
}

/** Returns the suggestions that may be chosen; a blank one never may. */
export function suggestions(view: RequestView): SuggestionView[] {
  return view.suggestions.filter((one) => one.label.trim() !== "");
}

// --- how it ended -------------------------------------------------------------------------

/** Returns the state in words; the desk's own words follow where they say more. */
export function stateWords(view: RequestView): string {
  const told = view.ending || view.reason || "";
  if (view.notice) {
    const name = agentName(view.agent);
    return view.reason === "bypass_mode"
      ? `left to ${name}: ${told}`
      : `${name} waits in its terminal: ${told}`;
  }
  const more = withoutPrefix(view.ending || (view.reason ?? "").replaceAll("_", " "), `${view.state}: `);
  const lead = TOLD[view.state];
  if (more && lead !== undefined) return visible(lead + more);
  if (isOwn(view) && DIRECT_STATES[view.state]) return visible(view.ending ?? "") || (DIRECT_STATES[view.state] ?? "");
  if (view.kind === "elicitation" && HANDED_OVER.has(view.state)) {
    return "handed to the agent; it does not show what became of it";
  }
  return STATES[view.state] ?? visible(view.state);
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

export function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Returns who answered, "" before an answer. */
export function answeredBy(view: RequestView): string {
  if (!view.by) return "";
  return visible(view.by.name ? `${view.by.name}, ${view.by.channel}` : view.by.channel);
}

/** Returns what was answered, as it was chosen; "" before an answer. */
export function given(view: RequestView): string {
  if (view.kind === "text" && view.value === "") return "an empty text";
  return view.kind === "text" ? clip(view.asked ?? "", GIVEN_CHARS) : (view.asked ?? "");
}

// --- forms --------------------------------------------------------------------------------

const TAKES: Record<string, string> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "yes or no",
  choice: "one of these",
  choices: "any of these",
};

/** Returns what a field takes. */
export function takes(field: Field): string {
  const type = field.type ?? "string";
  const words = (TAKES[type] ?? type) + (field.format ? ` (${visible(field.format)})` : "");
  const unit = type === "string" ? " characters" : type === "choices" ? " choices" : "";
  const { minimum, maximum } = field;
  if (minimum != null && maximum != null) return `${words}, ${minimum} to ${maximum}${unit}`;
  if (minimum != null) return `${words}, at least ${minimum}${unit}`;
  return maximum == null ? words : `${words}, at most ${maximum}${unit}`;
}

/** Returns a form's value in words. */
export function valueWords(value: FieldValue): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.map((one) => String(one)).join(", ") : String(value);
}
