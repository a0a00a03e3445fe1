/** The stream comes back from everything, and goes on where it was. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Api, type ApiError } from "../src/api/client.ts";
import { openStream, type Stream, type Timing } from "../src/api/stream.ts";
import type { Change } from "../src/api/types.ts";
import { Desk, until } from "./desk.ts";
import { request, snapshot } from "./stage.ts";

const FAST: Timing = { firstMs: 5, lastMs: 40, silenceMs: 60_000, freshMs: 60_000 };

let desk: Desk;
let stream: Stream | undefined;
let changes: Change[];
let said: string[];
let refusals: ApiError[];
let tries = 0;

beforeEach(async () => {
  desk = await new Desk().open();
  desk.begin = [snapshot([request("a")])];
  changes = [];
  said = [];
  tries = 0;
  refusals = [];
});

afterEach(async () => {
  stream?.close();
  await desk.close();
});

function open(timing: Partial<Timing> = {}, waking: Parameters<typeof openStream>[2] = {}): void {
  const handlers = {
    change: (change: Change) => void changes.push(change),
    online: () => void said.push("online"),
    offline: () => void said.push("offline"),
    refused: (error: ApiError) => void refusals.push(error),
  };
  const api = new Api(desk.base, "secret", (input, init) => {
    tries += 1;
    return fetch(input, init);
  });
  stream = openStream(api, handlers, waking, { ...FAST, ...timing });
}

function lastIds(): (string | undefined)[] {
  return desk.calls.map((call) => call.headers["last-event-id"] as string | undefined);
}

test("the credential goes in its header, and a snapshot comes", async () => {
  open();
  await until(() => changes.length === 1);
  assert.equal(desk.calls[0]?.headers.authorization, "Bearer secret");
  assert.equal(changes[0]?.type, "snapshot");
  assert.deepEqual(said, ["online"]);
});

test("case 40: a broken connection is resumed after the last change", async () => {
  open();
  await until(() => changes.length === 1);
  desk.begin = [];
  desk.tell({ type: "shown", boot: "b1", seq: 2, request: request("b") });
  await until(() => changes.length === 2);
  desk.breakAll();
  await until(() => said.length === 3);
  assert.deepEqual(lastIds(), [undefined, "b1-2"]);
  assert.deepEqual(said, ["online", "offline", "online"]);
});

test("case 40: it is tried for ever, also of a desk that is not there at first", async () => {
  await desk.close();
  open();
  await until(() => tries > 4);
  await desk.open();
  await until(() => changes.length === 1);
  assert.deepEqual(said, ["offline", "online"]);
});

test("case 40: a connection without a byte is dead", async () => {
  open({ silenceMs: 60 });
  await until(() => desk.calls.length >= 3);
  assert.ok(said.includes("offline"));
});

test("case 40: on waking, a connection that was silent is not believed", async () => {
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  open({ freshMs: 0 }, { document });
  await until(() => changes.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  document.dispatchEvent(new Event("visibilitychange"));
  await until(() => desk.calls.length === 2);
});

test("when the network is back, it is tried at once", async () => {
  const window = new EventTarget();
  await desk.close();
  open({ firstMs: 60_000, lastMs: 60_000 }, { window });
  await until(() => said.length > 0);
  await desk.open();
  window.dispatchEvent(new Event("online"));
  await until(() => changes.length === 1);
});

test("a credential that is not taken is not tried again by itself", async () => {
  desk.refuses = 401;
  open();
  await until(() => refusals.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(desk.calls.length, 1);
  assert.equal(refusals[0]?.status, 401);
  desk.refuses = 0;
  stream?.again();
  await until(() => changes.length === 1);
});

test("an error that may pass is tried again", async () => {
  desk.refuses = 503;
  open();
  await until(() => desk.calls.length > 2);
  desk.refuses = 0;
  await until(() => changes.length === 1);
});

test("what is adrift begins with a snapshot", async () => {
  open();
  await until(() => changes.length === 1);
  stream?.again(true);
  await until(() => changes.length === 2);
  assert.deepEqual(lastIds(), [undefined, undefined]);
});

test("closed is closed", async () => {
  open();
  await until(() => changes.length === 1);
  stream?.close();
  await until(() => desk.streams.length === 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(desk.calls.length, 1);
  assert.deepEqual(said, ["online"]);
});
