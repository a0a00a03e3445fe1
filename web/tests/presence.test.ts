/** A page says that a person is there only if one is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Presence, type Told } from "../src/state/presence.ts";

class Stage {
  now = 1_000_000;
  isVisible = true;
  cards: string[] = [];
  readonly told: (Told & { last: boolean })[] = [];
  readonly window = new EventTarget();
  readonly document = new EventTarget();
  readonly presence = new Presence({
    visible: () => this.isVisible,
    now: () => this.now,
    send: (told, last) => void this.told.push({ ...told, last }),
    open: () => this.cards,
    page: "p1",
  });

  /** Lets time pass, looking each second as the page does. */
  pass(seconds: number): void {
    for (let count = 0; count < seconds; count += 1) {
      this.now += 1000;
      this.presence.look();
    }
  }

  turn(visible: boolean): void {
    this.isVisible = visible;
    this.document.dispatchEvent(new Event("visibilitychange"));
  }
}

function started(): Stage {
  const stage = new Stage();
  stage.presence.start(stage.window, stage.document);
  stage.presence.stop(); // its timer; the test looks by itself
  return stage;
}

test("who opens the page is there, and is told every 30 s", () => {
  const stage = started();
  assert.deepEqual(stage.told, [{ present: true, open: [], page: "p1", last: false }]);
  stage.pass(29);
  assert.equal(stage.told.length, 1);
  stage.pass(1);
  assert.equal(stage.told.length, 2);
});

test("nobody is there who did nothing for 120 s", () => {
  const stage = started();
  stage.pass(119);
  assert.equal(stage.told.at(-1)?.present, true);
  stage.pass(1);
  assert.equal(stage.told.at(-1)?.present, false);
  const count = stage.told.length;
  stage.pass(300);
  assert.equal(stage.told.length, count, "what is absent is not said again");
  stage.presence.did();
  stage.pass(1);
  assert.equal(stage.told.at(-1)?.present, true);
});

test("a hidden page never says that somebody is there", () => {
  const stage = new Stage();
  stage.presence.start(stage.window, stage.document);
  stage.turn(false);
  assert.deepEqual(stage.told.at(-1), { present: false, open: [], page: "p1", last: true });
  const count = stage.told.length;
  stage.window.dispatchEvent(new Event("keydown"));
  stage.cards = ["a"];
  stage.pass(200);
  assert.equal(stage.told.length, count);
  stage.turn(true);
  assert.deepEqual(stage.told.at(-1), { present: true, open: ["a"], page: "p1", last: false });
  stage.presence.stop();
});

test("a page that goes says so at once", () => {
  const stage = new Stage();
  stage.presence.start(stage.window, stage.document);
  stage.window.dispatchEvent(new Event("pagehide"));
  assert.deepEqual(stage.told.at(-1), { present: false, open: [], page: "p1", last: true });
  stage.presence.stop();
});

test("the cards that are open are told within a second", () => {
  const stage = started();
  stage.cards = ["a", "b"];
  stage.pass(1);
  assert.deepEqual(stage.told.at(-1)?.open, ["a", "b"]);
  stage.cards = [];
  stage.pass(1);
  assert.deepEqual(stage.told.at(-1)?.open, []);
});

test("another connection is told anew", () => {
  const stage = started();
  stage.presence.forget();
  assert.equal(stage.told.length, 2);
});
