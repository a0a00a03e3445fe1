/** The words of a card: the same as in a terminal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestView } from "../src/api/types.ts";
import { Reading } from "../src/cards/reading.ts";
import * as words from "../src/cards/words.ts";
import { grantWords, noteFrom } from "../src/views/words.ts";

function view(more: Partial<RequestView> = {}): RequestView {
  return {
    id: "a1",
    agent: "claude-code",
    session_id: "s1",
    kind: "permission",
    tool: "Bash",
    created_at: "2026-01-01T00:00:00.000Z",
    input: [],
    suggestions: [],
    questions: [],
    state: "pending",
    ...more,
  };
}

const START = Date.parse("2026-01-01T00:00:00.000Z");

test("an age ticks calmly", () => {
  const age = (seconds: number) => words.age("2026-01-01T00:00:00.000Z", START + seconds * 1000);
  assert.deepEqual([-5, 9, 34, 59, 60, 3599, 7260, 200_000].map(age), [
    "just now",
    "just now",
    "30 s ago",
    "50 s ago",
    "1 min ago",
    "59 min ago",
    "2 h 1 min ago",
    "2 days ago",
  ]);
  assert.equal(words.age("", START), "");
});

test("who asks what", () => {
  assert.equal(words.asker(view()), "Claude Code");
  assert.equal(words.asker(view({ kind: "yesno" })), "a program in Claude Code");
  assert.equal(words.asker(view({ kind: "yesno", agent: "program" })), "a program");
  assert.equal(words.agentName("constructor"), "constructor");
  assert.equal(words.what(view({ tool: "x\u202ey" })), "wants to use x⟨U+202E⟩y");
});

test("what comes over the bridge is a program's", () => {
  const own = view({ agent: "program", label: "build", bridge: "registered", asker_away: true });
  assert.equal(words.asker(own), "a program");
  assert.match(words.pendingNote(own), /^The program that asked is not waiting now; .* is its own word\.$/);
  assert.doesNotMatch(words.pendingNote({ ...own, asker_away: false }), /not waiting/);
  const answered = { ...own, state: "answered" as const };
  assert.equal(words.stateWords(answered), "answered, on its way to the program that asked");
  assert.equal(words.stateWords({ ...answered, ending: "answered; not fetched" }), "answered; not fetched");
  assert.match(words.stateWords({ ...own, state: "unconfirmed" }), /^handed to the program that asked; nothing/);
});

test("an end is told in the desk's own words where they say more", () => {
  assert.equal(
    words.stateWords(
      view({ state: "overruled", ending: "overruled: the terminal answered first: the command ran" }),
    ),
    "OVERRULED: the terminal answered first: the command ran",
  );
  assert.equal(
    words.stateWords(view({ state: "lost" })),
    "LOST: as far as sayso knows, the answer never reached the agent",
  );
  assert.equal(
    words.stateWords(view({ state: "withdrawn", reason: "tool_ran" })),
    "no longer asked: tool ran",
  );
  assert.equal(
    words.stateWords(view({ state: "delivered", kind: "text" })),
    "handed to the program that asked",
  );
  assert.equal(
    words.stateWords(view({ state: "confirmed", kind: "elicitation" })),
    "handed to the agent; it does not show what became of it",
  );
  assert.equal(
    words.stateWords(view({ state: "deferred", notice: true, ending: "two options look alike" })),
    "Claude Code waits in its terminal: two options look alike",
  );
});

test("what of a row is not here is said with numbers", () => {
  const [cut] = words.rowNotes({ label: "x", value: "ab", length: 5000 });
  assert.equal(cut?.text, "not shown: the last 4,998 of 5,000 characters; the whole text is kept");
  assert.ok(cut?.loud);
  assert.match(words.rowNotes({ label: "x", value: "ab", lost: true })[0]?.text ?? "", /never left/);
  assert.equal(
    words.rowNotes({ label: "x", value: "ab", hidden: [36, 4] })[0]?.text,
    "masked: 2 parts of 36, 4 characters",
  );
  assert.equal(words.rowNotes({ label: "x", value: "א", code: true }).length, 1);
});

test("case_59 what is allowed for a while says how much longer, calmly", () => {
  const until = new Date(START + 300_000).toISOString();
  const by = { channel: "cli" };
  const grant = { id: "a", agent: "codex", session_id: "s", tool: "Bash", what: "make\u0007 test", by, until };
  const at = (seconds: number) => grantWords(grant, START + seconds * 1000);
  assert.equal(at(0), "Allowed for 5 min more to Codex: Bash: make␇ test");
  assert.match(at(-9), /for 5 min more/);
  assert.match(at(49), /for 5 min more/);
  assert.match(at(50), /for 4 min more/);
  assert.match(at(241), /for 1 min more/);
  assert.match(at(255), /for 50 s more/);
  assert.match(at(290.5), /for 9 s more/);
  assert.match(grantWords({ ...grant, project: "shop" }, START), /to Codex in shop: Bash/);
});

test("until when it waits, and what then", () => {
  const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
  assert.equal(
    words.deadline(view({ expires_at: at(125) }), START),
    "Waits for 2 min more; then the agent's own prompt decides.",
  );
  assert.match(
    words.deadline(view({ kind: "text", expires_at: at(15) }), START),
    /15 s more; then it goes on/,
  );
  assert.equal(words.deadline(view({ expires_at: at(-1) }), START), "");
  assert.match(words.pendingNote(view({ attended: false })), /may take that for a no/);
  assert.match(words.pendingNote(view({ hold: "exclusive" })), /release gives it back/);
});

test("case_43 a cut row is read when it is here whole and its end was seen", () => {
  const one = view({ input: [{ label: "Command", value: "abc", length: 5000 }] });
  const whole = new Map([[0, { label: "Command", value: "x".repeat(5000) }]]);
  const reading = new Reading();
  assert.deepEqual(Reading.cut(one), [0]);
  assert.match(reading.lock(one, new Map()), /show all of it/);
  assert.match(reading.lock(one, whole), /to its end/);
  assert.ok(reading.reached(0));
  assert.ok(!reading.reached(0));
  assert.equal(reading.lock(one, whole), "");
  assert.match(reading.lock(one, new Map()), /show all of it/, "what is not here any more is not read");
});

test("case_43 what nobody can be shown is taken only by saying so", () => {
  const one = view({ input: [{ label: "Content", value: "abc", lost: true }] });
  const reading = new Reading();
  assert.match(reading.lock(one, new Map()), /unseen/);
  reading.isUnseenTaken = true;
  assert.equal(reading.lock(one, new Map()), "");
});

test("case_57 what the desk noticed is said of the agent", () => {
  const note = { agent: "claude-code", title: "x", at: "", project: "shop" };
  assert.equal(noteFrom(note), "Note of a program in Claude Code in shop");
  assert.equal(noteFrom({ ...note, of_desk: true }), "Note of Claude Code in shop");
});
