// From what a person chose on a card to a reply of the wire.
//
// The rules are those of `channels/replies.py` and `core/forms.py`. Not here: the last word. The
// desk checks every reply again; this only says early what can be said better beside the field.
// Pure; imports the wire's types, `words` and `text/visible`.

import type { Field, FieldValue, ListedAnswer, Question, Reply, RequestView, Row } from "../api/types.ts";
import { chars, visible } from "../text/visible.ts";
import { agentName, isCut, isDirect, modeWords, suggestions } from "./words.ts";

export const MAX_MESSAGE_CHARS = 4000;
export const MAX_PLAN_CHARS = 256 * 1024;
export const MAX_TEXT_CHARS = 256 * 1024;

/** What a person gave does not fit; the words are for them, `field` says where. */
export class BadReply extends Error {
  constructor(
    message: string,
    readonly field = "",
  ) {
    super(message);
    this.name = "BadReply";
  }
}

// --- allow and deny -----------------------------------------------------------------------

export interface Allowing {
  /** The id of a suggestion, "" for this once. */
  suggestion?: string;
  mode?: string;
  /** The plan, if the person edited it. */
  plan?: string;
  /** They said that they allow what nobody can show them. */
  unseen?: boolean;
  /** For how many seconds this very call is allowed again. */
  forS?: number;
}

/** How long “for a while” is here. */
export const WHILE_S = 300;

/** Whether a call may be allowed for a while: all of it was shown, and the system knows who asks. */
export function canLast(view: RequestView, rows: readonly Row[]): boolean {
  return view.kind === "permission" && view.confirmed !== false && !rows.some((row) => row.lost);
}

/** Returns the reply that allows. `rows`: as far as they were fetched whole. */
export function allow(view: RequestView, rows: readonly Row[], given: Allowing = {}): Reply {
  if (isDirect(view) || view.kind === "question") throw new BadReply("this cannot be allowed, only answered");
  if (view.kind === "elicitation" && !view.url) throw new BadReply("a form has to be filled in");
  if (view.kind === "plan" && !rows.some((row) => row.value.trim())) {
    throw new BadReply("no plan could be shown, so none can be approved");
  }
  if (rows.some((row) => row.lost) && !given.unseen) {
    throw new BadReply(
      "a part of it never left the agent's hook and cannot be shown: say that you allow it unseen",
    );
  }
  const cut = rows.find((row) => isCut(row) && !row.lost);
  if (cut) throw new BadReply(`“${visible(cut.label)}” was not shown to its end: read it first`);
  const reply: Reply = { behavior: "allow" };
  if (given.suggestion) reply.suggestion = suggestion(view, given.suggestion);
  if (view.kind === "plan") reply.mode = mode(view, given.mode);
  if (given.plan !== undefined) reply.plan = plan(view, rows, given.plan);
  if (given.unseen) reply.unseen = true;
  if (given.forS !== undefined) reply.for_s = lasting(view, rows, given);
  return reply;
}

function lasting(view: RequestView, rows: readonly Row[], given: Allowing): number {
  if (given.suggestion) throw new BadReply("allow it for a while, or choose a suggestion: not both", "for_s");
  if (given.unseen || !canLast(view, rows)) throw new BadReply("this can be allowed once only", "for_s");
  return given.forS ?? WHILE_S;
}

function suggestion(view: RequestView, id: string): string {
  if (!suggestions(view).some((one) => one.id === id)) {
    throw new BadReply("the agent did not offer that", "suggestion");
  }
  return id;
}

function mode(view: RequestView, chosen = "default"): string {
  if (!(view.modes ?? []).includes(chosen)) {
    const offered = (view.modes ?? []).map(modeWords).join("; ");
    throw new BadReply(`this plan cannot be approved so; choose from: ${offered}`, "mode");
  }
  return chosen;
}

function plan(view: RequestView, rows: readonly Row[], text: string): string {
  if (view.kind !== "plan") throw new BadReply("only a plan can be edited", "plan");
  if (!text.trim()) throw new BadReply("an empty plan cannot be approved", "plan");
  if (chars(text) > MAX_PLAN_CHARS) {
    throw new BadReply(`a plan has at most ${MAX_PLAN_CHARS.toLocaleString("en")} characters`, "plan");
  }
  if (!isEditable(rows)) {
    throw new BadReply("parts of this plan were masked or cut: edit it in the terminal", "plan");
  }
  return text;
}

/** Whether an edited plan could be sent: an edit starts from what was shown, masks included. */
export function isEditable(rows: readonly Row[]): boolean {
  return !rows.some((row) => row.lost || isCut(row) || (row.hidden?.length ?? 0) > 0);
}

/** Returns the reply that denies, declines a form, or cancels what a program asks itself. */
export function deny(view: RequestView, message = "", stop = false): Reply {
  if (isDirect(view)) return cancel(view, message);
  if (view.kind === "elicitation" && (message.trim() || stop)) {
    throw new BadReply("declining a form carries no message and stops nothing", "message");
  }
  if (stop && !view.interrupt) {
    throw new BadReply(`${agentName(view.agent)} cannot be stopped by an answer`, "interrupt");
  }
  const reply: Reply = { behavior: "deny", ...said(message) };
  return stop ? { ...reply, interrupt: true } : reply;
}

/** Returns the reply that cancels: a form, or what a program asks itself. */
export function cancel(view: RequestView, message = ""): Reply {
  if (isDirect(view)) return { behavior: "cancel", ...said(message) };
  if (view.kind !== "elicitation") throw new BadReply("this cannot be cancelled, only denied", "behavior");
  return { behavior: "cancel" };
}

function said(message: string): Reply {
  if (chars(message) > MAX_MESSAGE_CHARS) {
    const over = (chars(message) - MAX_MESSAGE_CHARS).toLocaleString("en");
    throw new BadReply(`a message has at most 4,000 characters: this has ${over} too many`, "message");
  }
  return message.trim() ? { message } : {};
}

/** What a person says of a passage of a plan. */
export interface Comment {
  passage: string;
  words: string;
}

/** Returns the reply that sends a plan back with what to change. */
export function feedback(view: RequestView, comments: readonly Comment[], message = "", stop = false): Reply {
  const parts = comments.map((one) => `${quoted(one.passage)}\n\n${one.words.trim()}`);
  if (message.trim()) parts.push(message.trim());
  return deny(view, parts.join("\n\n"), stop);
}

function quoted(passage: string): string {
  const lines = passage.trim().split("\n");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

// --- questions ----------------------------------------------------------------------------

/** An answer as it is being made. `other`: the person's own words, used while `isOther`. */
export interface Draft {
  picked: ReadonlySet<number>;
  isOther: boolean;
  other: string;
  notes: string;
}

export const NO_DRAFT: Draft = { picked: new Set<number>(), isOther: false, other: "", notes: "" };

/** Returns a draft with an option picked, or no longer; one's own words stand instead of options. */
export function pick(draft: Draft, question: Question, index: number): Draft {
  if (!question.options[index]) return draft;
  if (!question.multi_select) return { ...draft, picked: new Set([index]), isOther: false };
  const picked = new Set(draft.isOther ? [] : draft.picked);
  if (!picked.delete(index)) picked.add(index);
  return { ...draft, picked, isOther: false };
}

/** Returns the answer to a question, labels as they were shown, in their order. */
export function answerTo(question: Question, draft: Draft, place = 0): ListedAnswer {
  const field = `answers[${place}]`;
  if (chars(draft.notes) > MAX_MESSAGE_CHARS) {
    throw new BadReply("notes have at most 4,000 characters", `${field}.notes`);
  }
  const notes = draft.notes.trim() ? { notes: draft.notes } : {};
  if (draft.isOther || question.options.length === 0) {
    if (!draft.other.trim()) throw new BadReply("a blank text is no answer", field);
    if (chars(draft.other) > MAX_MESSAGE_CHARS) {
      throw new BadReply("a text has at most 4,000 characters", field);
    }
    return { text: draft.other, ...notes };
  }
  const picked = question.options.filter((_, index) => draft.picked.has(index)).map((option) => option.label);
  if (picked.length === 0) throw new BadReply("pick an option, or answer in your own words", field);
  if (picked.length > 1 && !question.multi_select)
    throw new BadReply("this question takes one option", field);
  return { picked, ...notes };
}

/** Returns the reply to all questions of a request; never a bare allow. */
export function answers(view: RequestView, drafts: readonly Draft[]): Reply {
  if (view.questions.length === 0) throw new BadReply("there is no question to answer");
  return {
    behavior: "allow",
    answers: view.questions.map((question, index) => answerTo(question, drafts[index] ?? NO_DRAFT, index)),
  };
}

// --- forms --------------------------------------------------------------------------------

/** What was typed or chosen in a field: text, values of choices, or a yes or no. Null: nothing. */
export type Typed = string | readonly string[] | boolean | null;

export function fieldLabel(field: Field): string {
  return visible(field.title || field.name);
}

/** Returns the reply that accepts a link, or a form with what was typed; what is blank is left out. */
export function accept(view: RequestView, typed: ReadonlyMap<string, Typed> = new Map()): Reply {
  if (view.url) return { behavior: "allow" };
  const content: Record<string, FieldValue> = {};
  for (const field of view.fields ?? []) {
    const value = fieldValue(field, typed.get(field.name) ?? null);
    if (value !== null) content[field.name] = value;
  }
  return { behavior: "allow", content };
}

/** Returns what was typed as the field's own type, null for nothing. Throws what would fit. */
export function fieldValue(field: Field, typed: Typed): FieldValue {
  const value = parsed(field, typed);
  if (value === null) {
    if (field.required) throw bad(field, "is required");
    return null;
  }
  const problem = misfit(field, value);
  if (problem) throw bad(field, problem);
  return value;
}

function bad(field: Field, problem: string): BadReply {
  return new BadReply(`${fieldLabel(field)} ${problem}`, `content.${field.name}`);
}

function parsed(field: Field, typed: Typed): FieldValue {
  if (typed === null || typed === "") return null;
  if (typeof typed !== "string") {
    return Array.isArray(typed) && typed.length === 0 && !field.required ? null : typed;
  }
  const word = typed.trim();
  switch (field.type ?? "string") {
    case "integer":
      if (!word) return null;
      if (!/^[+-]?\d+$/.test(word)) throw bad(field, "must be a whole number");
      if (!Number.isSafeInteger(Number(word))) throw bad(field, "is too large to be sent exactly");
      return Number(word);
    case "number":
      if (!word) return null;
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word)) throw bad(field, "must be a number");
      return Number(word);
    default:
      return typed;
  }
}

function misfit(field: Field, value: FieldValue): string {
  const known = (one: unknown) => (field.choices ?? []).some((choice) => choice.value === one);
  switch (field.type ?? "string") {
    case "string":
      return typeof value === "string" ? bounds(field, chars(value), " characters") : "must be text";
    case "integer":
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return "must be a finite number";
      return bounds(field, value, "");
    case "boolean":
      return typeof value === "boolean" ? "" : "must be yes or no";
    case "choice":
      return known(value) ? "" : "must be one of the choices";
    case "choices":
      if (!Array.isArray(value)) return "must be a list of choices";
      if (!value.every(known)) return "holds something that is not among the choices";
      return bounds(field, value.length, " choices");
    default:
      return "is of a type that is not known here";
  }
}

function bounds(field: Field, size: number, unit: string): string {
  if (field.minimum != null && size < field.minimum) return `must be at least ${field.minimum}${unit}`;
  if (field.maximum != null && size > field.maximum) return `must be at most ${field.maximum}${unit}`;
  return "";
}

/** Returns what a field holds before anything is typed: its default, as if it were typed. */
export function initial(field: Field): Typed {
  const value = field.default;
  if (value == null) return field.type === "choices" ? [] : null;
  return typeof value === "number" ? String(value) : value;
}

// --- what programs ask themselves ---------------------------------------------------------

export function yesno(value: "yes" | "no"): Reply {
  return { behavior: "allow", value };
}

export function choice(view: RequestView, value: string): Reply {
  if (!(view.choices ?? []).some((one) => one.value === value)) {
    throw new BadReply("choose one of the choices", "value");
  }
  return { behavior: "allow", value };
}

export function text(value: string): Reply {
  if (chars(value) > MAX_TEXT_CHARS) {
    throw new BadReply(`a text has at most ${MAX_TEXT_CHARS.toLocaleString("en")} characters`, "value");
  }
  return { behavior: "allow", value };
}

export function step(which: "ack" | "run"): Reply {
  return { behavior: "allow", step: which };
}
