/** What is done here reaches the desk once, or says in words why not. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Api, ApiError } from "../src/api/client.ts";
import type { Act } from "../src/state/acts.ts";
import { Actions } from "../src/state/actions.ts";
import { Store } from "../src/state/store.ts";
import { type Call, Desk, error, reply, until } from "./desk.ts";
import { request, snapshot } from "./stage.ts";

let desk: Desk;
let store: Store;
let actions: Actions;

beforeEach(async () => {
  desk = await new Desk().open();
  store = new Store();
  store.apply(snapshot([request("a")]));
  store.setOnline(true);
  actions = new Actions(store, new Api(desk.base, "secret"), 5);
});

afterEach(() => desk.close());

function act(): Act {
  const found = store.acts.get("a");
  assert.ok(found);
  return found;
}

function answers(): Call[] {
  return desk.calls.filter((call) => call.path.endsWith("/answer"));
}

function keys(): unknown[] {
  return answers().map((call) => (call.body as { key: string }).key);
}

/** Breaks so many calls, and then answers; health says which desk this is. */
function breaking(times: number, boot = "b1", after = true): void {
  let left = times;
  desk.answer = (call) => {
    if (call.path === "/api/health") reply(call, 200, { boot });
    else if (left-- > 0) call.response.destroy();
    else if (after) reply(call, 200, { ok: true, state: "answered" });
  };
}

test("an answer is taken, under a key of its own", async () => {
  desk.answer = (call) => reply(call, 200, { ok: true, state: "answered" });
  await actions.answer("a", { behavior: "allow" });
  assert.equal(act().phase, "sent");
  assert.deepEqual(answers()[0]?.body, { behavior: "allow", key: act().key });
});

test("case 2: an answer over a broken connection goes again under the same key", async () => {
  breaking(3);
  await actions.answer("a", { behavior: "deny", message: "no" });
  assert.equal(act().phase, "sent");
  assert.equal(act().tries, 4);
  assert.equal(keys().length, 4);
  assert.equal(new Set(keys()).size, 1);
});

test("case 2: while the desk is away it waits, says so, and goes when it is back", async () => {
  store.setOnline(false);
  breaking(1);
  const going = actions.answer("a", { behavior: "allow" });
  await until(() => act().waiting === true);
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(answers().length, 1);
  assert.equal(act().phase, "sending");
  store.setOnline(true);
  await going;
  assert.equal(act().phase, "sent");
});

test("case 2: somebody else was first: gone, with the desk's words", async () => {
  desk.answer = (call) => reply(call, 409, error(409, "request_gone", "Ada answered.", { state: "answered" }));
  await actions.answer("a", { behavior: "allow" });
  assert.equal(act().phase, "gone");
  assert.equal(act().message, "Ada answered.");
});

test("an answer that is refused leaves the card answerable", async () => {
  desk.answer = (call) => reply(call, 400, error(400, "bad_request", "Say why.", { field: "message" }));
  await actions.answer("a", { behavior: "deny" });
  assert.deepEqual([act().phase, act().message, act().field], ["refused", "Say why.", "message"]);
  desk.answer = (call) => reply(call, 200, { ok: true, state: "answered" });
  await actions.answer("a", { behavior: "deny", message: "because" });
  assert.equal(act().phase, "sent");
  assert.equal(new Set(keys()).size, 2);
});

test("pressed twice is sent once", async () => {
  breaking(1);
  await Promise.all([actions.answer("a", { behavior: "allow" }), actions.answer("a", { behavior: "deny" })]);
  await actions.answer("a", { behavior: "deny" });
  assert.equal(new Set(keys()).size, 1);
});

test("an answer is not given to a desk that started anew", async () => {
  breaking(1, "b2");
  await actions.answer("a", { behavior: "allow" });
  assert.equal(answers().length, 1);
  assert.equal(act().phase, "refused");
  assert.match(act().message ?? "", /started anew/);
});

test("an answer is not given to another question under the same id", async () => {
  store.setOnline(false);
  breaking(1);
  const going = actions.answer("a", { behavior: "allow" });
  await until(() => act().waiting === true);
  store.apply({ type: "shown", boot: "b1", seq: 2, request: request("a", { tool: "Write" }) });
  store.setOnline(true);
  await going;
  assert.equal(answers().length, 1);
  assert.equal(store.acts.has("a"), false);
});

test("what was answered and is asked again by a desk that started anew says so", async () => {
  desk.answer = (call) => reply(call, 200, { ok: true, state: "answered" });
  await actions.answer("a", { behavior: "allow" });
  store.apply(snapshot([request("a")], { boot: "b2" }));
  assert.equal(act().phase, "refused");
  assert.match(act().message ?? "", /waits again/);
});

test("who asks may come back later than the desk: it is said then", async () => {
  desk.answer = (call) => reply(call, 200, { ok: true, state: "answered" });
  await actions.answer("a", { behavior: "allow" });
  store.apply(snapshot([], { boot: "b2" }));
  assert.equal(store.acts.has("a"), false);
  store.apply({ type: "shown", boot: "b2", seq: 2, request: request("a") });
  assert.equal(act().phase, "refused");
  assert.match(act().message ?? "", /waits again/);
});

test("another question under the same id does not wait again", async () => {
  desk.answer = (call) => reply(call, 200, { ok: true, state: "answered" });
  await actions.answer("a", { behavior: "allow" });
  store.apply(snapshot([request("a", { tool: "Write" })], { boot: "b2" }));
  assert.equal(store.acts.has("a"), false);
  store.apply(snapshot([request("a")], { boot: "b3" }));
  await actions.answer("a", { behavior: "allow" });
  store.apply(snapshot([], { boot: "b4" }));
  store.apply({ type: "shown", boot: "b4", seq: 2, request: request("a", { tool: "Write" }) });
  assert.equal(store.acts.has("a"), false);
});

test("a command is taken in two steps, and the first is not the end", async () => {
  desk.answer = (call) => reply(call, 200, { ok: true, state: "pending", acknowledged: true });
  await actions.answer("a", { behavior: "allow", step: "ack" });
  assert.equal(act().phase, "acknowledged");
  desk.answer = (call) => reply(call, 200, { ok: true, state: "answered" });
  await actions.answer("a", { behavior: "allow", step: "run" });
  assert.equal(act().phase, "sent");
});

test("a release that was sent twice finds its own first one", async () => {
  let first = true;
  desk.answer = (call) => {
    if (call.path === "/api/health") reply(call, 200, { boot: "b1" });
    else if (first) call.response.destroy();
    else reply(call, 409, error(409, "request_gone", "It was released.", { state: "released" }));
    if (call.path !== "/api/health") first = false;
  };
  await actions.release("a");
  assert.equal(act().phase, "sent");
});

test("a row is fetched once, and anew from a desk that started anew", async () => {
  desk.answer = (call) => reply(call, 200, { label: "Command", value: "whole" });
  await Promise.all([actions.row("a", 0), actions.row("a", 0)]);
  await actions.row("a", 0);
  assert.equal(desk.calls.length, 1);
  assert.equal(store.rows.get("a")?.get(0)?.value, "whole");
  store.apply(snapshot([request("a")], { boot: "b2" }));
  assert.equal(store.rows.has("a"), false);
  await actions.row("a", 0);
  assert.equal(desk.calls.length, 2);
});

test("a message is not sent twice: a loss is told as what it is", async () => {
  desk.answer = (call) => call.response.destroy();
  await assert.rejects(actions.sendMessage("claude-code", "s1", "hello", "soon"), (error: unknown) => {
    return error instanceof ApiError && error.status === 0 && /not known/.test(error.message);
  });
  assert.equal(desk.calls.length, 1);
});

test("ids are part of a path, whatever stands in them", async () => {
  desk.answer = (call) => reply(call, 200, { ok: true });
  await actions.unsendMessage("an agent", "a/b?c#d");
  assert.equal(desk.calls[0]?.path, "/api/agent-messages/an%20agent/a%2Fb%3Fc%23d");
});
