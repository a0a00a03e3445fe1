/** Tabs that nobody looks at keep few streams; one that is looked at always has its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_HIDDEN, Slots } from "../src/state/slots.ts";
import { until } from "./desk.ts";

/** The locks of a browser, as far as they are used. */
class Locks {
  readonly held = new Set<string>();

  async request(name: string, _options: LockOptions, work: (lock: Lock | null) => unknown): Promise<unknown> {
    if (this.held.has(name)) return await work(null);
    this.held.add(name);
    try {
      return await work({ name, mode: "exclusive" });
    } finally {
      this.held.delete(name);
    }
  }
}

function tabs(count: number): { slots: Slots[]; paused: number[] } {
  const locks = new Locks() as unknown as Pick<LockManager, "request">;
  const paused: number[] = [];
  const slots = Array.from({ length: count }, (_, index) => new Slots(() => void paused.push(index), locks));
  return { slots, paused };
}

test("of many hidden tabs a few keep their stream", async () => {
  const { slots, paused } = tabs(MOST_HIDDEN + 2);
  for (const one of slots) await one.hidden();
  assert.deepEqual(paused, [MOST_HIDDEN, MOST_HIDDEN + 1]);
});

test("who is looked at leaves its place to another", async () => {
  const { slots, paused } = tabs(MOST_HIDDEN + 1);
  for (const one of slots.slice(0, MOST_HIDDEN)) await one.hidden();
  slots[0]?.shown();
  await until(() => paused.length === 0);
  await slots[MOST_HIDDEN]?.hidden();
  assert.deepEqual(paused, []);
});

test("a tab that was hidden only for a moment is not paused", async () => {
  const { slots, paused } = tabs(MOST_HIDDEN + 1);
  for (const one of slots.slice(0, MOST_HIDDEN)) await one.hidden();
  const hiding = slots[MOST_HIDDEN]?.hidden();
  slots[MOST_HIDDEN]?.shown();
  await hiding;
  assert.deepEqual(paused, []);
});

test("a browser without locks pauses nothing", async () => {
  const paused: number[] = [];
  await new Slots(() => void paused.push(0), null).hidden();
  assert.deepEqual(paused, []);
});
