// What the views ask of a state: what waits, in which order, beside what.
//
// Pure. Imports `api/types` and `reduce`.

import type { RequestView, SessionView } from "../api/types.ts";
import type { State } from "./reduce.ts";

/** What waits for a person, oldest first. */
export function pending(state: State): RequestView[] {
  return [...state.requests.values()].filter((view) => view.state === "pending" && !view.notice);
}

/** What waits in a terminal, and has no buttons here. */
export function notices(state: State): RequestView[] {
  return [...state.requests.values()].filter((view) => view.notice === true);
}

/** What was answered or ended lately, the latest first. */
export function ended(state: State): RequestView[] {
  const at = (view: RequestView): string => view.ended_at || view.answered_at || view.created_at;
  return [...state.ended.values()].sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : 0));
}

export interface Group {
  key: string;
  /** The oldest of the group, which says who asks and where. */
  first: RequestView;
  session: SessionView | undefined;
  requests: RequestView[];
}

/** What waits, by session: the session that waits longest comes first, and within it the oldest. */
export function bySession(views: readonly RequestView[], state: State): Group[] {
  const groups = new Map<string, Group>();
  for (const view of views) {
    const key = groupKey(view);
    const group = groups.get(key);
    if (group) group.requests.push(view);
    else groups.set(key, { key, first: view, session: sessionOf(view, state), requests: [view] });
  }
  return [...groups.values()];
}

/** What asks by itself has a surface instead of a session, or nothing at all. */
export function groupKey(view: RequestView): string {
  return JSON.stringify([view.agent, view.session_id || view.surface_id || view.cwd || ""]);
}

/** Of several processes with one session's id, the one that lives; of those, the latest told. */
export function sessionOf(
  view: Pick<RequestView, "agent" | "session_id">,
  state: State,
): SessionView | undefined {
  let found: SessionView | undefined;
  for (const session of state.sessions.values()) {
    if (session.agent !== view.agent || session.session_id !== view.session_id) continue;
    if (found === undefined || session.state !== "ended" || found.state === "ended") found = session;
  }
  return found;
}

/** Returns the place of a request among what waits, from 1; null when it does not wait. */
export function position(state: State, id: string): { n: number; of: number } | null {
  const all = pending(state);
  const index = all.findIndex((view) => view.id === id);
  return index < 0 ? null : { n: index + 1, of: all.length };
}

/** Returns the others that may be answered together with a request: alike in all but their values. */
export function likeOf(state: State, request: RequestView): RequestView[] {
  const shape = shapeOf(request);
  if (shape === "") return [];
  return pending(state).filter((view) => view.id !== request.id && shapeOf(view) === shape);
}

/**
 * Returns what requests must share to be answered together; "" for what is answered alone.
 *
 * Only permissions: what is asked otherwise has an answer of its own. What could not be shown whole
 * is answered alone, too, and whose name nobody confirmed is not taken for somebody else.
 */
export function shapeOf(view: RequestView): string {
  if (view.kind !== "permission" || view.input.some((row) => row.lost)) return "";
  const rows = view.input.map((row) => [row.label, row.code ?? false]);
  return JSON.stringify([view.agent, view.kind, view.tool, view.confirmed ?? true, rows]);
}

/** Whether a request fits what a person typed to find it: every word stands somewhere in it. */
export function fits(view: RequestView, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const parts = [
    view.id,
    view.agent,
    view.tool,
    view.kind,
    view.project,
    view.branch,
    view.worktree,
    view.cwd,
    view.prompt,
    view.title,
    view.agent_type,
    view.label,
    ...view.input.map((row) => row.value),
    ...view.questions.map((question) => question.question),
  ];
  const text = parts.filter(Boolean).join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Sessions as they are listed: what waits first, then what works; ended ones last; the latest first. */
export function sessions(state: State): SessionView[] {
  const rank = { waiting: 0, working: 1, idle: 2, ended: 3 };
  return [...state.sessions.values()].sort(
    (a, b) =>
      Number(!a.pending) - Number(!b.pending) ||
      rank[a.state] - rank[b.state] ||
      (a.since < b.since ? 1 : a.since > b.since ? -1 : 0),
  );
}
