// The words of the views: sessions, messages, alerts, notes and grants.
//
// The same as in a terminal (`channels/base.py`). What an agent wrote is made visible where it
// stands in a sentence of ours. Pure; imports the wire's types, `cards/words` and `text/visible`.

import type { AlertView, GrantView, MessageView, NoteView, RequestView, SessionView } from "../api/types.ts";
import { agentName, span } from "../cards/words.ts";
import { clip, visible } from "../text/visible.ts";

const NAME_CHARS = 60;
const GIST_CHARS = 140;
const SLACK_S = 10;

const MESSAGES: Record<string, string> = {
  queued: "queued",
  taken: "on its way: a hook of the agent has it",
  handed_over: "handed to the agent",
  dropped: "dropped",
  uncertain: "UNCERTAIN: nobody knows whether the agent got it",
};
const PAUSES: Record<string, string> = {
  soon: "the agent gets it after its next tool call, or at the end of its turn",
  stop: "the agent gets it at the end of its turn",
};
const ORIGINS: Record<string, string> = {
  resume: "resumed session",
  fork: "forked session",
  clear: "begun by /clear, session",
};

/** Returns where an agent works, in names: the project, its branch, its worktree. */
export function where(view: Pick<RequestView, "project" | "cwd" | "branch" | "worktree">): string {
  const parts = [visible(clip(view.project || view.cwd || "?", NAME_CHARS))];
  if (view.branch) parts.push(`on ${visible(clip(view.branch, NAME_CHARS))}`);
  if (view.worktree) parts.push(`in worktree ${visible(clip(view.worktree, NAME_CHARS))}`);
  return parts.join(" ");
}

/** Returns what is allowed for a while, and how much longer. `now`: ms since 1970. */
export function grantWords(view: GrantView, now: number): string {
  const left = Math.max((Date.parse(view.until) - now) / 1000, 0);
  const more = left > 60 ? minutes(left) : left > 20 ? Math.ceil(left / 10) * 10 : left; // as calm as what waits
  const place = view.project ? ` in ${visible(clip(view.project, NAME_CHARS))}` : "";
  const call = `${visible(clip(view.tool, NAME_CHARS))}: ${visible(clip(view.what.trim(), GIST_CHARS))}`;
  return `Allowed for ${span(more)} more to ${agentName(view.agent)}${place}: ${call}`;
}

/** Returns whole minutes, in seconds. Clocks differ a little, and a page's own goes in steps. */
function minutes(seconds: number): number {
  return Math.ceil((seconds - SLACK_S) / 60) * 60;
}

/** Returns the beginning of an id, by which people name it. */
export function short(id: string): string {
  return visible(id.slice(0, 8));
}

/** Returns the gist of a request on one line; never empty. */
export function gist(view: RequestView): string {
  const text = gistOf(view).replace(/\s+/g, " ").trim();
  return text ? visible(clip(text, GIST_CHARS)) : "(empty)";
}

function gistOf(view: RequestView): string {
  const question = view.questions[0];
  if (question) return question.question;
  const first = view.input[0]?.value ?? "";
  if (view.title) return view.kind === "confirm-command" && first ? `${view.title}: ${first}` : view.title;
  const told = [view.tool, ...view.tool.split("__")]; // who asks is named elsewhere
  const rows = view.input.map((row) => row.value).filter((value) => value.trim());
  return rows.find((value) => !told.includes(value)) ?? rows[0] ?? view.url ?? "";
}

export function sessionName(view: Pick<SessionView, "session_id" | "origin">): string {
  return `${ORIGINS[view.origin ?? ""] ?? "session"} ${short(view.session_id)}`;
}

/** Returns where a message stands, and why. */
export function messageWords(view: MessageView): string {
  const state = view.state ?? "queued";
  const words = MESSAGES[state] ?? visible(state);
  if (state === "queued" && !view.why) return `${words}: ${PAUSES[view.when ?? "soon"] ?? ""}`;
  if (view.why && state !== "taken" && state !== "handed_over") {
    const why = view.why.startsWith(`${state}: `) ? view.why.slice(state.length + 2) : view.why;
    return `${words}: ${visible(why)}`;
  }
  return words;
}

/** Whether a message may still be taken back. */
export function isOpen(view: MessageView): boolean {
  return ["queued", "taken", "uncertain"].includes(view.state ?? "queued");
}

/** Returns what an agent tried: loud, and nothing that could be answered. */
export function alertWords(view: AlertView): string {
  const who = view.agent ? agentName(view.agent) : "A program that an agent started";
  const place = view.project ? ` in ${visible(clip(view.project, NAME_CHARS))}` : "";
  const session = view.session_id ? ` (session ${short(view.session_id)})` : "";
  return `${who}${place}${session} ${tries(view.method)}, and was refused`;
}

const LOOKS = ["desk.list", "desk.row", "desk.subscribe", "desk.sessions", "desk.health"];

function tries(method: string): string {
  if (method === "desk.answer") return "tried to answer by itself";
  const what = LOOKS.includes(method) ? "look at what only you may see" : "act in your place";
  return `tried to ${what} (${visible(clip(method, 40))})`;
}

/** Returns who sent a note; what a program calls itself is its own word. */
export function noteFrom(view: NoteView): string {
  const name = agentName(view.agent);
  const who = view.agent === "program" || view.of_desk ? name : `a program in ${name}`;
  const label = view.label?.trim() ? ` (calls itself “${visible(clip(view.label, 40))}”)` : "";
  const place = view.project ? ` in ${visible(clip(view.project, NAME_CHARS))}` : "";
  return `Note of ${who}${label}${place}`;
}

/** Returns an instant as people say it: the time today, with the day before that. `at`: ms since 1970. */
export function clock(at: number, now: number): string {
  const day = new Date(at).toDateString() === new Date(now).toDateString();
  const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
  const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return (day ? time : date).format(at);
}
