// What the desk sends and takes, as JSON: the shapes of `wire/views.py` and `core/types.py`.
//
// A field that is left out has its default, so everything with a default is optional here. Not
// here: what any of it means to a person. Types alone; imports nothing.

export type RequestState =
  | "pending"
  | "answered"
  | "delivered"
  | "confirmed"
  | "overruled"
  | "unconfirmed"
  | "lost"
  | "expired"
  | "withdrawn"
  | "released"
  | "deferred";

export type Kind =
  | "permission"
  | "question"
  | "plan"
  | "elicitation"
  | "yesno"
  | "choice"
  | "text"
  | "confirm-command";

export type Power = "none" | "ask" | "see" | "answer" | "admin";

/** One line of what a request would do. `length`: the true one, where `value` is not whole. */
export interface Row {
  label: string;
  value: string;
  code?: boolean;
  length?: number;
  hidden?: readonly number[];
  lost?: boolean;
}

export interface Option {
  label: string;
  description?: string;
  preview?: string;
}

export interface Question {
  question: string;
  header: string;
  multi_select: boolean;
  options: readonly Option[];
}

export interface Choice {
  value: string;
  label?: string;
}

export type FieldType = "string" | "integer" | "number" | "boolean" | "choice" | "choices";
export type FieldValue = string | number | boolean | readonly string[] | null;

export interface Field {
  name: string;
  type?: FieldType;
  title?: string;
  description?: string;
  required?: boolean;
  choices?: readonly Choice[];
  minimum?: number | null;
  maximum?: number | null;
  format?: string;
  default?: FieldValue;
}

/** A permission suggestion; its id is its index, as text. */
export interface SuggestionView {
  id: string;
  label: string;
}

export interface Answerer {
  channel: string;
  name?: string;
  credential?: string;
}

export interface RequestView {
  id: string;
  agent: string;
  session_id: string;
  kind: Kind;
  tool: string;
  created_at: string;
  input: readonly Row[];
  suggestions: readonly SuggestionView[];
  questions: readonly Question[];
  state: RequestState;
  reason?: string;
  ending?: string;
  asked?: string;
  agent_id?: string;
  agent_type?: string;
  /** Left out means true: the system knows which process asks. */
  confirmed?: boolean;
  hold?: "parallel" | "exclusive";
  attended?: boolean;
  interrupt?: boolean;
  mode?: string;
  fields?: readonly Field[];
  modes?: readonly string[];
  url?: string;
  title?: string;
  choices?: readonly Choice[];
  default?: string;
  unsafe?: boolean;
  label?: string;
  timeout_ms?: number;
  value?: string | null;
  said?: string;
  cwd?: string;
  project?: string;
  branch?: string;
  worktree?: string;
  /** The machine it asks on. */
  host?: string;
  prompt?: string;
  surface_id?: string;
  notice?: boolean;
  /** Over the interaction bridge: held by a call, or left there to be asked for. */
  bridge?: "" | "held" | "registered";
  /** Nobody waits for the answer now; who registered it comes for it. */
  asker_away?: boolean;
  expires_at?: string;
  answered_at?: string;
  ended_at?: string;
  by?: Answerer | null;
}

export interface SessionView {
  agent: string;
  session_id: string;
  state: "idle" | "working" | "waiting" | "ended";
  since: string;
  pending?: number;
  process?: string;
  origin?: string;
  cwd?: string;
  project?: string;
  branch?: string;
  worktree?: string;
  mode?: string;
  prompt?: string;
  wakes?: boolean;
  muted?: boolean;
  muted_until?: string;
}

export interface MessageView {
  agent: string;
  session_id: string;
  text: string;
  queued_at: string;
  number?: number;
  /** Left out means queued. */
  state?: "queued" | "taken" | "handed_over" | "dropped" | "uncertain";
  /** Left out means soon. */
  when?: "soon" | "stop";
  reason?: string;
  why?: string;
}

export interface AlertView {
  method: string;
  at: string;
  agent?: string;
  session_id?: string;
  project?: string;
}

export interface NoteView {
  agent: string;
  title: string;
  at: string;
  body?: string;
  label?: string;
  surface_id?: string;
  project?: string;
  of_desk?: boolean;
}

/** A call that a person allows until `until`: this very call, in one session. */
export interface GrantView {
  id: string;
  agent: string;
  session_id: string;
  tool: string;
  what: string;
  by: Answerer;
  until: string;
  project?: string;
}

export interface Settings {
  away: boolean;
  codex_approvals: boolean;
  codex_server: boolean;
  codex_homes: string;
  exclusive_wait_s: number;
  unattended_wait_s: number;
  notice_content: "nothing" | "who" | "what";
  answers_from: "local" | "paired";
  pending_per_agent: number;
  pending_in_all: number;
  desktop_notices: boolean;
  notice_grace_s: number;
  notice_turn_ends: boolean;
  silent_after_s: number;
  on_request: string;
  pane_program: string;
}

export interface Snapshot {
  boot: string;
  seq: number;
  requests: readonly RequestView[];
  ended: readonly RequestView[];
  sessions: readonly SessionView[];
  messages: readonly MessageView[];
  settings: Settings;
  alerts: readonly AlertView[];
  notes: readonly NoteView[];
  /** Left out by a desk that knows none. */
  grants?: readonly GrantView[];
}

/** One change, in order. A type that is not known here is a newer desk's, and is passed over. */
export interface Change {
  type: string;
  boot: string;
  seq: number;
  request?: RequestView | null;
  session?: SessionView | null;
  message?: MessageView | null;
  settings?: Settings | null;
  alert?: AlertView | null;
  note?: NoteView | null;
  grants?: readonly GrantView[] | null;
  snapshot?: Snapshot | null;
}

/** One question's answer: labels as shown, or one's own text. */
export interface ListedAnswer {
  picked?: readonly string[];
  text?: string | null;
  notes?: string;
}

/** A person's answer in the words they were shown. The key is set by whoever sends it. */
export interface Reply {
  behavior?: "allow" | "deny" | "cancel";
  suggestion?: string;
  answers?: Record<string, string> | readonly ListedAnswer[];
  message?: string;
  interrupt?: boolean;
  mode?: string;
  plan?: string;
  content?: Record<string, FieldValue>;
  value?: string;
  step?: "ack" | "run";
  unseen?: boolean;
  for_s?: number;
  key?: string;
}

/** An answer was taken. `acknowledged`: the first step of a command, which waits for the second. */
export interface Settled {
  ok: boolean;
  state: RequestState;
  acknowledged?: boolean;
}

export interface ErrorBody {
  ok: false;
  error: string;
  code: string;
  status: number;
  field?: string;
  state?: string;
}

/** What runs, and what is wrong with it. */
export interface Health {
  ok: boolean;
  version: string;
  boot: string;
  started_at: string;
  uptime_s: number;
  pending: number;
  watchers: number;
  watched: boolean;
  http: string;
  troubles: readonly string[];
}

/** A device with a credential of its own. `foreign`: the desk did not make it, and does not honour it. */
export interface Device {
  id: string;
  name: string;
  power: Power;
  created_at?: string;
  used_at?: string;
  foreign?: boolean;
}

/** Whose credential this is. */
export interface Me {
  device: { id: string; name: string };
  power: Power;
}

/** What a one-time code is exchanged for; nothing keeps the token but who has it. */
export interface Paired {
  token: string;
  device: Device;
}

/** A one-time code that is open. `qr`: the path of an SVG that is `qr_size` wide and high. */
export interface Pairing {
  id: string;
  code: string;
  url: string;
  here: string;
  /** Whether `url` leads there from other computers. */
  reachable: boolean;
  power: Power;
  name: string;
  expires_at: string;
  /** How long it is still good for. */
  expires_s: number;
  qr: string;
  qr_size: number;
}
