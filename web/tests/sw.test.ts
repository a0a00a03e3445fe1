/** Every push shows something, and nothing that is settled stays on the screen. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

interface Shown {
  title: string;
  tag: string;
  silent?: boolean;
  data: { id?: string; isOver?: boolean };
  close(): void;
}

type Listener = (event: object) => void;

const listeners = new Map<string, Listener>();
/** What is on the screen, and all that ever was. */
let screen: Shown[] = [];
let ever: Shown[] = [];
let endpoint = "";
let isInSight = false;

function showNotification(title: string, options: Omit<Shown, "title" | "close">): Promise<void> {
  const shown: Shown = { ...options, title, close: () => (screen = screen.filter((one) => one !== shown)) };
  screen = [...screen.filter((one) => one.tag !== shown.tag), shown];
  ever.push(shown);
  return Promise.resolve();
}

const registration = {
  showNotification,
  getNotifications: ({ tag }: { tag?: string }) => Promise.resolve(screen.filter((one) => !tag || one.tag === tag)),
  pushManager: { getSubscription: () => Promise.resolve(endpoint ? { endpoint } : null) },
};
const clients = {
  matchAll: () => Promise.resolve([{ visibilityState: isInSight ? "visible" : "hidden" }]),
};
const addEventListener = (type: string, listener: Listener): unknown => listeners.set(type, listener);

mock.timers.enable({ apis: ["setTimeout"] });
Object.assign(globalThis, {
  __BUILD__: "b",
  __FILES__: [],
  self: { addEventListener, registration, clients, location: { origin: "http://desk" } },
});
await import("../src/sw.ts");

beforeEach(() => {
  screen = [];
  ever = [];
  endpoint = "https://push.example/1";
  isInSight = false;
});

/** Hands a push over, and waits until its event is over. */
async function push(what: object): Promise<void> {
  await fire("push", { data: { json: () => what } });
}

async function fire(type: string, event: object): Promise<void> {
  const awaited: Promise<unknown>[] = [];
  listeners.get(type)?.({ ...event, waitUntil: (work: Promise<unknown>) => awaited.push(work) });
  await Promise.all(awaited);
}

async function later(): Promise<void> {
  mock.timers.tick(5_000);
  await new Promise((resolve) => setImmediate(resolve));
}

const REQUEST = { type: "request", id: "1", tag: "1", title: "Claude Code in shop", body: "asks" };
const CLOSE = { type: "close", tag: "1" };
const titles = (): string[] => screen.map((one) => one.title);

test("what was answered elsewhere is replaced without a sound, and goes", async () => {
  await push(REQUEST);
  await push(CLOSE);
  assert.deepEqual(titles(), ["Settled"]); // when the event is over, something is shown
  assert.equal(screen[0]?.silent, true);
  await later();
  assert.deepEqual(titles(), []);
});

test("at Apple's service it is gone when the event is over: nothing runs there any more", async () => {
  endpoint = "https://web.push.apple.com/1";
  await push(REQUEST);
  isInSight = true; // which excuses nothing there
  await push(CLOSE);
  assert.deepEqual(titles(), []);
  assert.deepEqual(ever.map((one) => one.title), ["Claude Code in shop", "Settled"]);
});

test("what is not on the screen any more leaves nothing there", async () => {
  await push(CLOSE);
  assert.equal(ever.length, 1);
  await later();
  assert.deepEqual(titles(), []);
});

test("where the page is in sight nothing is told, and what is old goes", async () => {
  await push(REQUEST);
  isInSight = true;
  await push(CLOSE);
  assert.deepEqual(titles(), []);
  assert.equal(ever.length, 1);
});

test("other notices stay", async () => {
  await push(REQUEST);
  await push({ ...REQUEST, id: "2", tag: "2", title: "Codex" });
  await push(CLOSE);
  await later();
  assert.deepEqual(titles(), ["Codex"]);
});

test("what is asked again under the same tag stays", async () => {
  await push(REQUEST);
  await push(CLOSE);
  await push(REQUEST);
  await later();
  assert.deepEqual(titles(), ["Claude Code in shop"]);
});

for (const [type, event] of [
  ["push", { data: { json: () => ({ type: "note", tag: "note-1", title: "Note" }) } }],
  ["activate", {}],
  ["fetch", { request: { method: "GET", url: "http://desk/", mode: "navigate" }, respondWith: () => {} }],
] as const) {
  test(`a worker that was ended before it could tidy up does so at its next ${type}`, async () => {
    await push(CLOSE);
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout"] });
    Object.assign(globalThis, { caches: { keys: () => Promise.resolve([]), match: () => Promise.resolve({}) } });
    Object.assign((globalThis as unknown as { self: { clients: object } }).self.clients, { claim: () => {} });
    await fire(type, event);
    assert.equal(titles().includes("Settled"), false);
  });
}
