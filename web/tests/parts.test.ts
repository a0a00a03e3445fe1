/** What cards do with keys and presses: nothing by accident. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Kind, Question, Reply, RequestView, Row } from "../src/api/types.ts";
import { Confirm } from "../src/cards/confirm.ts";
import { ChoiceOf, TextOf, YesNo } from "../src/cards/direct.ts";
import { Elicitation } from "../src/cards/elicitation.ts";
import { heading } from "../src/cards/heading.ts";
import type { Host, Part } from "../src/cards/part.ts";
import { Permission } from "../src/cards/permission.ts";
import { Plan } from "../src/cards/plan.ts";
import { Questions } from "../src/cards/question.ts";
import { BadReply } from "../src/cards/replies.ts";
import type { Act } from "../src/state/acts.ts";
import { parts } from "./templates.ts";

/** A card that sends nothing anywhere. */
class Stand implements Host {
  input: readonly Row[];
  isBusy = false;
  isSettling = false;
  lock = "";
  isUnseenTaken = false;
  focused = true;
  problem: BadReply | undefined;
  epoch = 0;
  sent: Reply[] = [];
  revealed = 0;
  focusedOn = "";
  readonly wake = (): void => undefined;

  constructor(readonly view: RequestView) {
    this.input = view.input;
  }

  refresh(): void {}

  send(make: () => Reply): boolean {
    try {
      this.sent.push(make());
      return true;
    } catch (error) {
      assert.ok(error instanceof BadReply);
      this.problem = error;
      return false;
    }
  }

  release(): void {}

  reveal(): void {
    this.revealed += 1;
  }

  focusOn(selector: string): void {
    this.focusedOn = selector;
  }
}

function view(kind: Kind, more: Partial<RequestView> = {}): RequestView {
  return {
    id: "a1b2c3d4e5f6",
    agent: "claude-code",
    session_id: "s1234567890",
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

const press = (part: Part, ...names: string[]) => names.map((name) => part.key(name));
const shown = (part: Part) => {
  const { markup, texts } = parts([part.body(), part.actions()]);
  return [...markup, ...texts].join("");
};

test("case_43 a locked card allows nothing by key: it leads to what must be read", () => {
  for (const make of [
    (host: Host) => new Permission(host),
    (host: Host) => new Plan(host),
    (host: Host) => new TextOf(host),
  ]) {
    const host = new Stand(view("permission", { modes: ["default"], default: "x" }));
    host.lock = "read it first";
    press(make(host), "a");
    assert.deepEqual(host.sent, []);
    assert.equal(host.revealed, 1);
  }
});

test("no single Enter answers what an agent wants to do", () => {
  for (const [kind, make] of [
    ["permission", (host: Host) => new Permission(host)],
    ["plan", (host: Host) => new Plan(host)],
    ["elicitation", (host: Host) => new Elicitation(host)],
    ["yesno", (host: Host) => new YesNo(host)],
    ["choice", (host: Host) => new ChoiceOf(host)],
    ["confirm-command", (host: Host) => new Confirm(host)],
  ] as const) {
    const host = new Stand(view(kind, { modes: ["default"], choices: [{ value: "a" }], default: "a" }));
    press(make(host), "Enter", "Enter");
    assert.deepEqual(host.sent, [], kind);
  }
});

test("case_44 a suggestion is chosen by number, seen in the agent's words, and goes with allow", () => {
  const suggestions = [
    { id: "0", label: "Allow for this session: Bash(ls:*)" },
    { id: "1", label: "" },
    { id: "2", label: "Allow always: Bash" },
  ];
  const host = new Stand(view("permission", { suggestions }));
  const part = new Permission(host);
  assert.ok(shown(part).includes("Allow for this session: Bash(ls:*)"));
  press(part, "2", "a");
  assert.deepEqual(host.sent, [{ behavior: "allow", suggestion: "2" }], "numbers count what is offered");
  press(part, "3");
  press(part, "0", "a");
  assert.deepEqual(host.sent[1], { behavior: "allow" });
});

test("a no asks for a reason first; keys of the card rest meanwhile", () => {
  const host = new Stand(view("permission"));
  const part = new Permission(host);
  press(part, "d");
  assert.deepEqual(host.sent, []);
  assert.equal(host.focusedOn, "#reason");
  assert.deepEqual(press(part, "a"), [false]);
  press(part, "Escape", "a");
  assert.deepEqual(host.sent, [{ behavior: "allow" }]);
});

test("deny and stop is there only where the agent has it", () => {
  const has = shown(opened(new Stand(view("permission")), "d"));
  const lacks = shown(opened(new Stand(view("permission", { interrupt: false })), "d"));
  assert.ok(has.includes("Deny and stop"));
  assert.ok(!lacks.includes("Deny and stop"));
  assert.deepEqual(press(new Permission(new Stand(view("permission", { interrupt: false }))), "s"), [false]);
});

function opened(host: Stand, key: string): Part {
  const part = new Permission(host);
  press(part, key);
  return part;
}

const QUESTIONS: Question[] = [
  { question: "Which?", header: "", multi_select: false, options: [{ label: "a" }, { label: "b" }] },
  { question: "Which ones?", header: "", multi_select: true, options: [{ label: "c" }, { label: "d" }] },
];

test("case_17 a question is sent only when each has an answer", () => {
  const host = new Stand(view("question", { questions: QUESTIONS }));
  const part = new Questions(host);
  press(part, "a", "Enter");
  assert.deepEqual(host.sent, []);
  press(part, "2", "Enter", "1", "2", "Enter");
  assert.ok(shown(part).includes("Your answers"));
  press(part, "Enter");
  assert.deepEqual(host.sent, [], "what is looked over is not sent by Enter");
  press(part, "a");
  assert.deepEqual(host.sent, [{ behavior: "allow", answers: [{ picked: ["b"] }, { picked: ["c", "d"] }] }]);
});

test("case_24 a plan's mode is chosen in words, and approval says nothing else", () => {
  const host = new Stand(
    view("plan", { modes: ["default", "acceptEdits"], input: [{ label: "Plan", value: "# Do it" }] }),
  );
  const part = new Plan(host);
  assert.ok(shown(part).includes("Edits are accepted without asking"));
  assert.ok(!/bypass/i.test(shown(part)));
  press(part, "2", "a");
  assert.deepEqual(host.sent, [{ behavior: "allow", mode: "acceptEdits" }]);
});

const act = (phase: Act["phase"], key = "k"): Act => ({
  phase,
  what: "answer",
  key,
  boot: "b",
  since: Date.now(),
  tries: 1,
});

test("a command runs only by its word, after it was acknowledged", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const host = new Stand(view("confirm-command", { interrupt: false }));
  const part = new Confirm(host);
  press(part, "r", "u", "n");
  assert.deepEqual(host.sent, []);
  press(part, "a");
  assert.deepEqual(host.sent, [{ behavior: "allow", step: "ack" }]);
  part.told(act("acknowledged"));
  press(part, "r", "u", "n");
  assert.equal(host.sent.length, 1, "too soon after the first step");
  context.mock.timers.tick(1000);
  press(part, "a", "Enter", "r", "n", "r", "u");
  assert.equal(host.sent.length, 1);
  press(part, "n");
  assert.deepEqual(host.sent[1], { behavior: "allow", step: "run" });
});

test("a command that was acknowledged and not run must be acknowledged again", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const host = new Stand(view("confirm-command", { interrupt: false, unsafe: true }));
  const part = new Confirm(host);
  part.told(act("acknowledged"));
  assert.ok(shown(part).includes("Run it"));
  assert.ok(shown(part).includes("ls"), "the command stands there again");
  context.mock.timers.tick(59_000);
  assert.ok(!shown(part).includes("Run it"));
  press(part, "r", "u", "n");
  assert.deepEqual(host.sent, []);
  part.told(act("acknowledged"));
  assert.ok(!shown(part).includes("Run it"), "old news is no news");
  part.told(act("acknowledged", "k2"));
  assert.ok(shown(part).includes("Run it"));
});

test("an empty text is an answer, but not by accident", () => {
  const host = new Stand(view("text", { interrupt: false }));
  const part = new TextOf(host);
  press(part, "a");
  assert.deepEqual(host.sent, []);
  press(part, "a");
  assert.deepEqual(host.sent, [{ behavior: "allow", value: "" }]);
});

test("a choice shows its id where that differs, and needs one to be chosen", () => {
  const choices = [{ value: "eu", label: "Europe" }, { value: "us" }];
  const host = new Stand(view("choice", { interrupt: false, choices }));
  const part = new ChoiceOf(host);
  for (const word of ["Europe", "eu", "us"]) assert.ok(shown(part).includes(word), word);
  press(part, "a");
  assert.match(host.problem?.message ?? "", /choose one/);
  press(part, "1", "a");
  assert.deepEqual(host.sent, [{ behavior: "allow", value: "eu" }]);
});

test("case_60 a card says who asks: agent, project, branch, worktree, subagent, host, prompt, age", () => {
  const one = view("permission", {
    project: "shop",
    branch: "fix/total",
    worktree: "shop-2",
    host: "workshop",
    agent_id: "abcdef0123456789",
    agent_type: "Explore",
    prompt: "Fix the total",
    mode: "plan",
  });
  const { texts, markup } = parts(heading(one, Date.parse("2026-01-01T00:02:30Z"), "1 of 3"));
  const all = texts.join(" ");
  for (const word of [
    "Claude Code",
    "Bash",
    "shop",
    "fix/total",
    "shop-2",
    "workshop",
    "Explore",
    "abcdef012345",
    "Fix the total",
    "2 min ago",
    "1 of 3",
    "plan",
    "s1234567",
  ]) {
    assert.ok(all.includes(word), word);
  }
  assert.match(markup.join(""), /subagent/);
});

test("case_60 what a program calls itself is shown as its own word", () => {
  const one = view("yesno", { agent: "program", label: "de\u202eploy", surface_id: "%3" });
  const { texts, markup } = parts(heading(one, 0, ""));
  assert.ok(texts.join("").includes("A program"));
  assert.match(markup.join(""), /calls itself “/);
  assert.ok(texts.join("").includes("⟨U+202E⟩"));
});
