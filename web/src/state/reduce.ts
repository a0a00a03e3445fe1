// What the desk says, taken together: a state and a change in, the next state out.
//
// Pure: no clock, no socket; an old state stays as it was. Whatever order changes come in, a
// snapshot and the changes after it make the same state as a later snapshot. Imports `api/types`.

import type {
  AlertView,
  Change,
  GrantView,
  MessageView,
  NoteView,
  RequestView,
  SessionView,
  Settings,
  Snapshot,
} from "../api/types.ts";

/** The desk keeps these for a while; so many are enough to show. */
const MOST_NEWS = 100;

export interface State {
  /** The run of the desk this is of; "" before the first snapshot. */
  readonly boot: string;
  /** The last change that is part of this. */
  readonly seq: number;
  /** What waits for a person, and notices: oldest first, by id. */
  readonly requests: ReadonlyMap<string, RequestView>;
  /** What was answered or ended lately, by id. */
  readonly ended: ReadonlyMap<string, RequestView>;
  /** By `sessionKey`. */
  readonly sessions: ReadonlyMap<string, SessionView>;
  /** The newest of each session, by `messageKey`. */
  readonly messages: ReadonlyMap<string, MessageView>;
  readonly settings: Settings | null;
  readonly alerts: readonly AlertView[];
  readonly notes: readonly NoteView[];
  /** What is allowed for a while. */
  readonly grants: readonly GrantView[];
  /** A change is missing between this and what came: only a snapshot helps. */
  readonly adrift: boolean;
}

export const EMPTY: State = {
  boot: "",
  seq: 0,
  requests: new Map(),
  ended: new Map(),
  sessions: new Map(),
  messages: new Map(),
  settings: null,
  alerts: [],
  notes: [],
  grants: [],
  adrift: false,
};

/** A session's id lives on in another process when it is resumed, so the process is part of who it is. */
export function sessionKey(view: Pick<SessionView, "agent" | "session_id" | "process">): string {
  return JSON.stringify([view.agent, view.session_id, view.process ?? ""]);
}

export function messageKey(view: Pick<MessageView, "agent" | "session_id">): string {
  return JSON.stringify([view.agent, view.session_id]);
}

/** Returns the state after a change. */
export function reduce(state: State, change: Change): State {
  if (change.snapshot) return fromSnapshot(change.snapshot);
  if (change.boot !== state.boot || state.adrift) return state; // of another run: its snapshot comes
  if (change.seq <= state.seq) return state; // said before
  if (change.seq > state.seq + 1) return { ...state, adrift: true };
  return { ...applied(state, change), seq: change.seq };
}

function fromSnapshot(snapshot: Snapshot): State {
  return {
    boot: snapshot.boot,
    seq: snapshot.seq,
    requests: new Map(snapshot.requests.map((view) => [view.id, view])),
    ended: new Map(snapshot.ended.map((view) => [view.id, view])),
    sessions: new Map(snapshot.sessions.map((view) => [sessionKey(view), view])),
    messages: new Map(snapshot.messages.map((view) => [messageKey(view), view])),
    settings: snapshot.settings,
    alerts: snapshot.alerts ?? [],
    notes: snapshot.notes ?? [],
    grants: snapshot.grants ?? [],
    adrift: false,
  };
}

function applied(state: State, change: Change): State {
  switch (change.type) {
    case "shown":
    case "resolved":
    case "changed":
      return change.request ? withRequest(state, change.request, change.type === "shown") : state;
    case "forgotten":
      return change.request ? withoutRequest(state, change.request.id) : state;
    case "session":
      return change.session
        ? { ...state, sessions: put(state.sessions, sessionKey(change.session), change.session) }
        : state;
    case "session_forgotten":
      return change.session ? withoutSession(state, change.session) : state;
    case "message":
      return change.message
        ? { ...state, messages: put(state.messages, messageKey(change.message), change.message) }
        : state;
    case "settings":
      return change.settings ? { ...state, settings: change.settings } : state;
    case "alert":
      return change.alert ? { ...state, alerts: [...state.alerts, change.alert].slice(-MOST_NEWS) } : state;
    case "note":
      return change.note ? { ...state, notes: [...state.notes, change.note].slice(-MOST_NEWS) } : state;
    case "grants":
      return change.grants ? { ...state, grants: change.grants } : state;
    default:
      return state; // of a newer desk
  }
}

/** Whether it is shown among what waits: pending, or a notice of what waits in the terminal. */
export function isOpen(view: RequestView): boolean {
  return view.state === "pending" || view.notice === true;
}

function withRequest(state: State, view: RequestView, isNew: boolean): State {
  const open = isOpen(view);
  // Who asks chose the id, and may ask something else under it now: that is the newest one.
  const requests = open
    ? put(isNew ? without(state.requests, view.id) : state.requests, view.id, view)
    : without(state.requests, view.id);
  const ended = open ? without(state.ended, view.id) : put(state.ended, view.id, view);
  return { ...state, requests, ended };
}

function withoutRequest(state: State, id: string): State {
  return { ...state, requests: without(state.requests, id), ended: without(state.ended, id) };
}

/** With the last process of a session its message is forgotten, too. */
function withoutSession(state: State, gone: SessionView): State {
  const sessions = without(state.sessions, sessionKey(gone));
  const key = messageKey(gone);
  const livesOn = [...sessions.values()].some((view) => messageKey(view) === key);
  return { ...state, sessions, messages: livesOn ? state.messages : without(state.messages, key) };
}

function put<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map;
  const fewer = new Map(map);
  fewer.delete(key);
  return fewer;
}
