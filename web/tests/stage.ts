// Requests and snapshots as a desk would send them, for tests.

import type { Change, RequestView, Settings, Snapshot } from "../src/api/types.ts";

export const SETTINGS: Settings = {
  away: false,
  codex_approvals: false,
  codex_server: false,
  codex_homes: "",
  exclusive_wait_s: 25,
  unattended_wait_s: 300,
  notice_content: "who",
  answers_from: "local",
  pending_per_agent: 64,
  pending_in_all: 10_000,
  desktop_notices: true,
  notice_grace_s: 6,
  notice_turn_ends: false,
  silent_after_s: 1200,
  on_request: "",
  pane_program: "pi",
};

export function request(id: string, changes: Partial<RequestView> = {}): RequestView {
  return {
    id,
    agent: "claude-code",
    session_id: "s1",
    kind: "permission",
    tool: "Bash",
    created_at: "2026-11-30T12:00:00.000Z",
    input: [{ label: "Command", value: `make ${id}`, code: true }],
    suggestions: [],
    questions: [],
    state: "pending",
    ...changes,
  };
}

export function snapshot(requests: RequestView[], changes: Partial<Snapshot> = {}): Change {
  const whole: Snapshot = {
    boot: "b1",
    seq: 1,
    requests: requests.filter((view) => view.state === "pending" || view.notice),
    ended: requests.filter((view) => view.state !== "pending" && !view.notice),
    sessions: [],
    messages: [],
    settings: SETTINGS,
    alerts: [],
    notes: [],
    ...changes,
  };
  return { type: "snapshot", boot: whole.boot, seq: whole.seq, snapshot: whole };
}
