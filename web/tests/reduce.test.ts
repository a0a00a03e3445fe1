/** A snapshot and the changes after it make the same state as a later snapshot. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Change, RequestView, Snapshot } from "../src/api/types.ts";
import { EMPTY, reduce, type State } from "../src/state/reduce.ts";
import { Store } from "../src/state/store.ts";
import { request, snapshot } from "./stage.ts";

type Recorded = Change & { check?: Snapshot };

async function recorded(): Promise<Recorded[]> {
  return JSON.parse(await readFile("tests/recorded/changes.json", "utf8")) as Recorded[];
}

function sorted<V>(map: ReadonlyMap<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What the desk tells of a request as of now and not by a change: how much longer it waits, its prompt. */
function lasting(views: ReadonlyMap<string, RequestView>): unknown[] {
  return sorted(views).map(([, { expires_at: _, prompt: __, ...rest }]) => rest);
}

function comparable(state: State): unknown {
  return {
    boot: state.boot,
    seq: state.seq,
    requests: lasting(state.requests),
    ended: lasting(state.ended),
    sessions: sorted(state.sessions),
    messages: sorted(state.messages),
    settings: state.settings,
    notes: state.notes.length >= 0,
  };
}

test("case 9: changes lead from one recorded snapshot to every later one", async () => {
  let state = EMPTY;
  let checked = 0;
  for (const said of await recorded()) {
    if (said.check === undefined) {
      state = reduce(state, said);
      continue;
    }
    const later = reduce(EMPTY, { type: "snapshot", boot: "", seq: 0, snapshot: said.check });
    assert.deepEqual(comparable(state), comparable(later), `after ${said.check.seq}`);
    checked += 1;
  }
  assert.ok(checked > 5);
});

test("case 9: a page opened late sees what one that was there sees", async () => {
  const all = await recorded();
  const middle = all.findIndex((said, index) => index > all.length / 2 && said.check);
  const late = all[middle]?.check;
  assert.ok(late);
  let seen = reduce(EMPTY, { type: "snapshot", boot: late.boot, seq: late.seq, snapshot: late });
  let whole = EMPTY;
  for (const said of all) {
    if (said.check) continue;
    whole = reduce(whole, said);
    if (said.seq > late.seq) seen = reduce(seen, said);
  }
  assert.deepEqual(comparable(seen), comparable(whole));
});

test("the order is the order of asking", () => {
  let state = reduce(EMPTY, snapshot([request("a"), request("b")]));
  state = reduce(state, { type: "shown", boot: "b1", seq: 2, request: request("c") });
  state = reduce(state, { type: "changed", boot: "b1", seq: 3, request: request("a", { prompt: "new" }) });
  assert.deepEqual([...state.requests.keys()], ["a", "b", "c"]);
  state = reduce(state, { type: "shown", boot: "b1", seq: 4, request: request("a") });
  assert.deepEqual([...state.requests.keys()], ["b", "c", "a"]);
});

test("a change of a newer desk's own is passed over, and the next one taken", () => {
  let state = reduce(EMPTY, snapshot([request("a")]));
  state = reduce(state, { type: "weather", boot: "b1", seq: 2 });
  state = reduce(state, { type: "shown", boot: "b1", seq: 3, request: request("b") });
  assert.equal(state.requests.size, 2);
  assert.equal(state.adrift, false);
});

test("case_59 the grants are those that were told last", () => {
  const by = { channel: "cli" };
  const grant = { id: "a", agent: "codex", session_id: "s", tool: "Bash", what: "ls", by, until: "2026-01-01" };
  let state = reduce(EMPTY, snapshot([], { grants: [grant] }));
  assert.deepEqual(state.grants, [grant]);
  const more = [grant, { ...grant, id: "b" }];
  state = reduce(state, { type: "grants", boot: "b1", seq: 2, grants: more });
  assert.deepEqual(state.grants, more);
  state = reduce(state, { type: "settings", boot: "b1", seq: 3 });
  assert.deepEqual(state.grants, more);
  assert.deepEqual(reduce(state, { type: "grants", boot: "b1", seq: 4, grants: [] }).grants, []);
  assert.deepEqual(reduce(EMPTY, snapshot([])).grants, []);
});

test("a change of another run waits for its snapshot", () => {
  const before = reduce(EMPTY, snapshot([request("a")]));
  const after = reduce(before, { type: "shown", boot: "b2", seq: 2, request: request("b") });
  assert.equal(after, before);
  const came = reduce(after, snapshot([request("b")], { boot: "b2" }));
  assert.deepEqual([...came.requests.keys()], ["b"]);
});

test("what was said before changes nothing; what is missing is noticed", () => {
  const before = reduce(EMPTY, snapshot([request("a")], { seq: 5 }));
  const again = reduce(before, { type: "shown", boot: "b1", seq: 5, request: request("b") });
  assert.equal(again, before);
  const adrift = reduce(before, { type: "shown", boot: "b1", seq: 7, request: request("b") });
  assert.equal(adrift.adrift, true);
  assert.equal(adrift.requests.size, 1);
  assert.equal(reduce(adrift, snapshot([], { seq: 9 })).adrift, false);
});

test("a notice is among what waits, until its session moves on", () => {
  let state = reduce(EMPTY, snapshot([request("a")]));
  const notice = request("a", { state: "expired", notice: true });
  state = reduce(state, { type: "resolved", boot: "b1", seq: 2, request: notice });
  assert.ok(state.requests.has("a"));
  const over = request("a", { state: "expired" });
  state = reduce(state, { type: "changed", boot: "b1", seq: 3, request: over });
  assert.deepEqual([...state.requests.keys(), ...state.ended.keys()], ["a"]);
  assert.ok(state.ended.has("a"));
});

test("what a desk that came back does not know is shown as that", () => {
  const store = new Store();
  store.apply(snapshot([request("a"), request("b")]));
  store.apply(snapshot([request("b")], { boot: "b2" }));
  assert.equal(store.find("a")?.state, "withdrawn");
  assert.match(store.find("a")?.ending ?? "", /does not know/);
  assert.equal(store.find("b")?.state, "pending");
});
