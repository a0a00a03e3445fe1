/** From what a person chose on a card to a reply of the wire. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Field, Kind, Question, RequestView } from "../src/api/types.ts";
import * as replies from "../src/cards/replies.ts";

function view(kind: Kind, more: Partial<RequestView> = {}): RequestView {
  return {
    id: "a1",
    agent: "claude-code",
    session_id: "s1",
    kind,
    tool: "Bash",
    created_at: "2026-01-01T00:00:00.000Z",
    input: [{ label: "Command", value: "ls", code: true }],
    suggestions: [],
    questions: [],
    state: "pending",
    interrupt: true,
    ...more,
  };
}

const bad = (make: () => unknown, words: RegExp, field?: string) =>
  assert.throws(make, (error: unknown) => {
    assert.ok(error instanceof replies.BadReply);
    assert.match(error.message, words);
    if (field !== undefined) assert.equal(error.field, field);
    return true;
  });

// --- permissions ---------------------------------------------------------------------------

test("allow, once or with a suggestion", () => {
  const one = view("permission", {
    suggestions: [
      { id: "0", label: "Allow ls" },
      { id: "1", label: " " },
    ],
  });
  assert.deepEqual(replies.allow(one, one.input), { behavior: "allow" });
  assert.deepEqual(replies.allow(one, one.input, { suggestion: "0" }), {
    behavior: "allow",
    suggestion: "0",
  });
  bad(() => replies.allow(one, one.input, { suggestion: "2" }), /did not offer/, "suggestion");
});

test("case_59 this very call for a while: by itself, seen whole, of a process that is known", () => {
  const one = view("permission", { suggestions: [{ id: "0", label: "Allow ls" }] });
  assert.deepEqual(replies.allow(one, one.input, { forS: 300 }), { behavior: "allow", for_s: 300 });
  bad(() => replies.allow(one, one.input, { forS: 300, suggestion: "0" }), /not both/, "for_s");
  bad(() => replies.allow(one, one.input, { forS: 300, unseen: true }), /once only/, "for_s");
  const unknown = view("permission", { confirmed: false });
  bad(() => replies.allow(unknown, unknown.input, { forS: 300 }), /once only/, "for_s");
  const plan = view("plan", { modes: ["default"] });
  bad(() => replies.allow(plan, plan.input, { forS: 300 }), /once only/, "for_s");
  assert.equal(replies.canLast(one, [{ label: "Command", value: "ls", lost: true, length: 9 }]), false);
});

test("case_44 a suggestion without words is never chosen", () => {
  const one = view("permission", { suggestions: [{ id: "0", label: "" }] });
  bad(() => replies.allow(one, one.input, { suggestion: "0" }), /did not offer/);
});

test("case_43 nothing is allowed whose end is not here", () => {
  const cut = view("permission", { input: [{ label: "Command", value: "abc", code: true, length: 5000 }] });
  bad(() => replies.allow(cut, cut.input), /not shown to its end/);
  assert.deepEqual(replies.allow(cut, [{ label: "Command", value: "x".repeat(5000), code: true }]), {
    behavior: "allow",
  });
  const lost = view("permission", { input: [{ label: "Command", value: "abc", lost: true, length: 9 }] });
  bad(() => replies.allow(lost, lost.input), /unseen/);
  assert.deepEqual(replies.allow(lost, lost.input, { unseen: true }), { behavior: "allow", unseen: true });
});

test("case_43 a text of wide characters is measured as the desk measures it", () => {
  const wide = [{ label: "Command", value: "😀".repeat(3000), length: 4000 }];
  bad(() => replies.allow(view("permission", { input: wide }), wide), /not shown to its end/);
  const whole = [{ label: "Command", value: "😀".repeat(4000), length: 4000 }];
  assert.deepEqual(replies.allow(view("permission", { input: whole }), whole), { behavior: "allow" });
});

test("deny, with a reason, and stop where the agent has that", () => {
  const one = view("permission");
  assert.deepEqual(replies.deny(one), { behavior: "deny" });
  assert.deepEqual(replies.deny(one, "  "), { behavior: "deny" });
  assert.deepEqual(replies.deny(one, "not now", true), {
    behavior: "deny",
    message: "not now",
    interrupt: true,
  });
  bad(
    () => replies.deny(view("permission", { interrupt: false }), "", true),
    /cannot be stopped/,
    "interrupt",
  );
  bad(() => replies.deny(one, "x".repeat(4001)), /1 too many/, "message");
  assert.ok(replies.deny(one, "😀".repeat(4000)));
});

// --- questions -----------------------------------------------------------------------------

const ONE: Question = {
  question: "Which?",
  header: "",
  multi_select: false,
  options: [{ label: "a, b" }, { label: 'c "d"' }, { label: "e\nf" }],
};
const MANY: Question = { ...ONE, question: "Which ones?", multi_select: true };

test("case_17 a question never gets a bare allow", () => {
  const one = view("question", { questions: [ONE] });
  bad(() => replies.allow(one, one.input), /only answered/);
  bad(() => replies.answers(one, []), /pick an option/, "answers[0]");
  bad(() => replies.answers(view("question"), []), /no question/);
});

test("case_18 answers go by label as shown, in the order of the options", () => {
  let draft = replies.pick(replies.NO_DRAFT, MANY, 2);
  draft = replies.pick(draft, MANY, 0);
  const both = view("question", { questions: [ONE, MANY] });
  assert.deepEqual(replies.answers(both, [replies.pick(replies.NO_DRAFT, ONE, 1), draft]), {
    behavior: "allow",
    answers: [{ picked: ['c "d"'] }, { picked: ["a, b", "e\nf"] }],
  });
});

test("picking again: one option instead of the other, or one less of many", () => {
  const first = replies.pick(replies.NO_DRAFT, ONE, 0);
  assert.deepEqual([...replies.pick(first, ONE, 1).picked], [1]);
  assert.deepEqual([...replies.pick(replies.pick(replies.NO_DRAFT, MANY, 1), MANY, 1).picked], []);
  assert.equal(replies.pick(first, ONE, 9), first);
});

test("case_19 blank words are no answer, own words stand instead of options", () => {
  const draft = { ...replies.pick(replies.NO_DRAFT, ONE, 0), isOther: true };
  bad(() => replies.answerTo(ONE, { ...draft, other: " \n" }), /blank/);
  assert.deepEqual(replies.answerTo(ONE, { ...draft, other: "neither", notes: "sorry" }), {
    text: "neither",
    notes: "sorry",
  });
  assert.deepEqual(replies.answerTo(ONE, { ...draft, isOther: false, other: "kept", notes: " " }), {
    picked: ["a, b"],
  });
  assert.deepEqual([...replies.pick(draft, MANY, 1).picked], [1], "own words are put aside by picking");
  assert.deepEqual(replies.answerTo({ ...ONE, options: [] }, { ...replies.NO_DRAFT, other: "x" }), {
    text: "x",
  });
});

// --- plans ---------------------------------------------------------------------------------

const PLAN = view("plan", {
  tool: "ExitPlanMode",
  input: [{ label: "Plan", value: "# Do it" }],
  modes: ["default", "acceptEdits"],
});

test("case_24 a plan is approved into the mode that was chosen, and into no other", () => {
  assert.deepEqual(replies.allow(PLAN, PLAN.input, { mode: "acceptEdits" }), {
    behavior: "allow",
    mode: "acceptEdits",
  });
  assert.deepEqual(replies.allow(PLAN, PLAN.input), { behavior: "allow", mode: "default" });
  bad(() => replies.allow(PLAN, PLAN.input, { mode: "bypassPermissions" }), /cannot be approved so/, "mode");
});

test("case_24 a plan that could not be shown is not approved", () => {
  const empty = [{ label: "Plan", value: " \n" }];
  bad(() => replies.allow({ ...PLAN, input: empty }, empty), /no plan could be shown/);
});

test("an edited plan goes as it was edited, unless parts were masked", () => {
  assert.deepEqual(replies.allow(PLAN, PLAN.input, { plan: "# Do less" }), {
    behavior: "allow",
    mode: "default",
    plan: "# Do less",
  });
  bad(() => replies.allow(PLAN, PLAN.input, { plan: " " }), /empty plan/, "plan");
  const masked = [{ label: "Plan", value: "# Do it", hidden: [20] }];
  bad(() => replies.allow(PLAN, masked, { plan: "# Do less" }), /masked/, "plan");
});

test("comments on passages become one message, each with its passage", () => {
  const reply = replies.feedback(
    PLAN,
    [
      { passage: "first\nline\n", words: "why?" },
      { passage: "second", words: "not this " },
    ],
    "and be quick",
  );
  assert.deepEqual(reply, {
    behavior: "deny",
    message: "> first\n> line\n\nwhy?\n\n> second\n\nnot this\n\nand be quick",
  });
  assert.deepEqual(replies.feedback(PLAN, [], "", true), { behavior: "deny", interrupt: true });
});

// --- forms ---------------------------------------------------------------------------------

function form(field: Partial<Field>, typed: replies.Typed) {
  const one = view("elicitation", { fields: [{ name: "x", ...field }] });
  return replies.accept(one, new Map([["x", typed]]));
}

test("a form: every field in its own type, blank ones left out", () => {
  assert.deepEqual(form({ type: "integer" }, " 3 "), { behavior: "allow", content: { x: 3 } });
  assert.deepEqual(form({ type: "number" }, "-1.5e3"), { behavior: "allow", content: { x: -1500 } });
  assert.deepEqual(form({}, " as typed "), { behavior: "allow", content: { x: " as typed " } });
  assert.deepEqual(form({ type: "boolean" }, false), { behavior: "allow", content: { x: false } });
  assert.deepEqual(form({ type: "boolean" }, null), { behavior: "allow", content: {} });
  assert.deepEqual(form({ type: "integer" }, ""), { behavior: "allow", content: {} });
  const choices = [{ value: "a" }, { value: "b", label: "B" }];
  assert.deepEqual(form({ type: "choice", choices }, "b"), { behavior: "allow", content: { x: "b" } });
  assert.deepEqual(form({ type: "choices", choices }, ["b", "a"]), {
    behavior: "allow",
    content: { x: ["b", "a"] },
  });
  assert.deepEqual(form({ type: "choices", choices }, []), { behavior: "allow", content: {} });
});

test("a form says what would fit, and where", () => {
  const choices = [{ value: "a" }];
  for (const [field, typed, words] of [
    [{ required: true }, "", /x is required/],
    [{ required: true, title: "Name" }, null, /Name is required/],
    [{ minimum: 3 }, "ab", /at least 3 characters/],
    [{ maximum: 3 }, "abcd", /at most 3 characters/],
    [{ type: "integer" }, "1.5", /whole number/],
    [{ type: "integer" }, "9007199254740993", /too large to be sent exactly/],
    [{ type: "integer", minimum: 2 }, "1", /at least 2/],
    [{ type: "number" }, "1e999", /finite/],
    [{ type: "number" }, "0x10", /must be a number/],
    [{ type: "choice", choices }, "b", /one of the choices/],
    [{ type: "choices", choices, minimum: 1, required: true }, [], /at least 1 choices/],
    [{ type: "choices", choices }, ["b"], /not among/],
  ] as const) {
    bad(() => form(field, typed), words, "content.x");
  }
});

test("a form begins with its defaults", () => {
  assert.equal(replies.initial({ name: "x", type: "integer", default: 3 }), "3");
  assert.equal(replies.initial({ name: "x", type: "boolean", default: false }), false);
  assert.deepEqual(replies.initial({ name: "x", type: "choices" }), []);
  assert.equal(replies.initial({ name: "x" }), null);
});

test("a link is accepted without a form; declining carries no message", () => {
  const link = view("elicitation", { url: "https://example.org/" });
  assert.deepEqual(replies.accept(link), { behavior: "allow" });
  assert.deepEqual(replies.deny(link), { behavior: "deny" });
  assert.deepEqual(replies.cancel(link), { behavior: "cancel" });
  bad(() => replies.deny(link, "no"), /no message/, "message");
  bad(() => replies.cancel(view("permission")), /only denied/);
});

// --- what programs ask themselves ----------------------------------------------------------

test("what programs ask themselves is answered by value, or cancelled", () => {
  assert.deepEqual(replies.yesno("no"), { behavior: "allow", value: "no" });
  assert.deepEqual(replies.text(""), { behavior: "allow", value: "" });
  assert.deepEqual(replies.step("ack"), { behavior: "allow", step: "ack" });
  const one = view("choice", { choices: [{ value: "eu", label: "Europe" }] });
  assert.deepEqual(replies.choice(one, "eu"), { behavior: "allow", value: "eu" });
  bad(() => replies.choice(one, "Europe"), /one of the choices/, "value");
  assert.deepEqual(replies.deny(one, "later"), { behavior: "cancel", message: "later" });
  bad(() => replies.allow(one, one.input), /only answered/);
});
