/** What waits, in which order, and what may be answered together. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionView } from "../src/api/types.ts";
import { EMPTY, reduce } from "../src/state/reduce.ts";
import { bySession, ended, fits, likeOf, pending, position, sessionOf, sessions } from "../src/state/select.ts";
import { codeOf, format, parse } from "../src/views/routes.ts";
import { request, snapshot } from "./stage.ts";

function session(session_id: string, changes: Partial<SessionView> = {}): SessionView {
  return { agent: "claude-code", session_id, state: "idle", since: "2026-11-30T12:00:00.000Z", ...changes };
}

test("case 10: four at once are counted, in the order of asking", () => {
  const state = reduce(EMPTY, snapshot(["a", "b", "c", "d"].map((id) => request(id))));
  assert.deepEqual(pending(state).map((view) => position(state, view.id)), [
    { n: 1, of: 4 },
    { n: 2, of: 4 },
    { n: 3, of: 4 },
    { n: 4, of: 4 },
  ]);
  assert.equal(position(state, "gone"), null);
});

test("notices wait for nobody here", () => {
  const views = [request("a"), request("b", { state: "expired", notice: true })];
  const state = reduce(EMPTY, snapshot(views));
  assert.deepEqual(pending(state).map((view) => view.id), ["a"]);
});

test("case 60: what waits is grouped by session, the oldest first", () => {
  const views = [request("a"), request("b", { session_id: "s2" }), request("c")];
  const state = reduce(EMPTY, snapshot(views, { sessions: [session("s1"), session("s2")] }));
  const groups = bySession(pending(state), state);
  assert.deepEqual(groups.map((group) => group.requests.map((view) => view.id)), [["a", "c"], ["b"]]);
  assert.deepEqual(groups.map((group) => group.session?.session_id), ["s1", "s2"]);
});

test("of several processes with one session's id the living one is meant", () => {
  const all = [session("s1", { process: "2:1", state: "working" }), session("s1", { process: "1:1", state: "ended" })];
  const state = reduce(EMPTY, snapshot([], { sessions: all }));
  assert.equal(sessionOf({ agent: "claude-code", session_id: "s1" }, state)?.state, "working");
});

test("case 59: only like permissions are answered together", () => {
  const like = request("a");
  const others = [
    request("b"),
    request("c", { session_id: "s2" }),
    request("d", { tool: "Write" }),
    request("e", { agent: "codex" }),
    request("f", { kind: "plan" }),
    request("g", { input: [{ label: "Command", value: "ls", code: true, lost: true, length: 9 }] }),
    request("h", { input: [{ label: "Command", value: "ls" }, { label: "Reason", value: "why" }] }),
    request("i", { confirmed: false }),
    request("j", { state: "expired", notice: true }),
  ];
  const state = reduce(EMPTY, snapshot([like, ...others]));
  assert.deepEqual(likeOf(state, like).map((view) => view.id), ["b", "c"]);
  const plan = state.requests.get("f");
  assert.ok(plan);
  assert.deepEqual(likeOf(state, plan), []);
});

test("what ended last comes first", () => {
  const views = [
    request("a", { state: "expired", ended_at: "2026-11-30T12:01:00.000Z" }),
    request("b", { state: "answered", answered_at: "2026-11-30T12:02:00.000Z" }),
  ];
  assert.deepEqual(ended(reduce(EMPTY, snapshot(views))).map((view) => view.id), ["b", "a"]);
});

test("sessions in which something waits come first, ended ones last", () => {
  const all = [session("over", { state: "ended" }), session("idle"), session("busy", { state: "working" })];
  const waiting = session("asks", { state: "working", pending: 1 });
  const state = reduce(EMPTY, snapshot([], { sessions: [...all, waiting] }));
  assert.deepEqual(sessions(state).map((view) => view.session_id), ["asks", "busy", "idle", "over"]);
});

test("a request is found by every word of what it is about", () => {
  const view = request("a", { project: "kiosk", prompt: "Ship the page" });
  assert.ok(fits(view, ""));
  assert.ok(fits(view, "KIOSK make ship"));
  assert.ok(!fits(view, "kiosk nothing"));
});

test("addresses lead there and back, whatever stands in an id", () => {
  for (const id of ["", "abc", "a/b?c#d e", "ü%"]) {
    assert.deepEqual(parse(format({ tab: "inbox", id })), { tab: "inbox", id });
  }
  assert.deepEqual(parse("#/nowhere/x"), { tab: "inbox", id: "" });
  assert.deepEqual(parse("#/settings"), { tab: "settings", id: "" });
  assert.deepEqual(parse("#/inbox/%E0%A4%A"), { tab: "inbox", id: "%E0%A4%A" });
  assert.equal(codeOf("#code=AB12-CD34"), "AB12-CD34");
  assert.equal(codeOf("#/inbox"), "");
});
