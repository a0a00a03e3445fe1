/** Text of others, made safe to read: the same as on a terminal (tests/channels/test_text.py). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chars, clip, pieces, turnsDirection, visible } from "../src/text/visible.ts";

const CASES: [string, string][] = [
  ["plain text", "plain text"],
  ["\x1b[2Jx", "␛[2Jx"],
  ["a\rb", "a␍b"],
  ["a\nb\tc", "a␊b␉c"],
  ["\x00\x7f", "␀␡"],
  ["\x9b31m", "⟨U+009B⟩31m"],
  ["rm \u202e", "rm ⟨U+202E⟩"],
  ["a\u200bb", "a⟨U+200B⟩b"],
  ["a\u00a0b", "a⟨U+00A0⟩b"],
  ["\u3164", "⟨U+3164⟩"],
  ["\u2800", "⟨U+2800⟩"],
  ["\u{e0041}", "⟨U+E0041⟩"],
  ["\ud800", "⟨U+D800⟩"],
  ["\u2028", "⟨U+2028⟩"],
  ["a\ufe00", "a⟨U+FE00⟩"],
  ["Grüße, 世界, привет, नमस्ते हीं", "Grüße, 世界, привет, नमस्ते हीं"],
  ["e\u0301", "e\u0301"],
  ["\u0301", "⟨U+0301⟩"],
  [" \u0301", " ⟨U+0301⟩"],
  ["e\u0301\u0302\u0303", "e\u0301\u0302⟨U+0303⟩"],
  ["⚠\ufe0f stop", "⚠ stop"],
  ["👩\u200d💻", "👩💻"],
  ["a\u200d\u200db", "a⟨U+200D⟩⟨U+200D⟩b"],
  ["x" + " ".repeat(300) + "y", "x⟨300 spaces⟩y"],
];

for (const [text, expected] of CASES) {
  test(`case_43 ${JSON.stringify(text.slice(0, 20))} hides nothing`, () => {
    assert.equal(visible(text), expected);
  });
}

test("lines are kept where asked for", () => {
  assert.equal(visible("a\n\tb", true), "a\n    b");
  assert.equal(visible("a\u202e\nb\u0301", true), "a⟨U+202E⟩\nb\u0301");
});

test("case_43 whatever comes, nothing is left that hides or moves", () => {
  const bad = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
  const spiteful = Array.from("ab \n\t\r\x1b\x07\x7f\x9b\u202e\u200b\u0301\u3042\u{1f600}\ufe0f\u200d\ud800");
  let seed = 7;
  for (let round = 0; round < 500; round += 1) {
    let text = "";
    for (let index = 0; index < 40; index += 1) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      text += spiteful[seed % spiteful.length];
    }
    assert.doesNotMatch(visible(text), bad);
    assert.doesNotMatch(visible(text, true).replaceAll("\n", ""), bad);
  }
});

test("a mark says what it is", () => {
  const [, override] = pieces("rm \u202etxt");
  assert.ok(typeof override === "object");
  assert.match(override.name, /right-to-left override/);
});

test("characters are counted as the desk counts them", () => {
  assert.equal(chars("abc"), 3);
  assert.equal(chars("😀😀"), 2);
  assert.equal(chars("\ud83da\ude00"), 3);
});

test("clipping says that it clipped, and splits no character", () => {
  assert.equal(clip("abc", 3), "abc");
  assert.equal(clip("abcd", 3), "ab…");
  assert.equal(clip("😀😀😀", 2), "😀…");
  assert.equal(clip("😀😀", 2), "😀😀");
});

test("letters from right to left are noticed", () => {
  assert.ok(turnsDirection("rm א"));
  assert.ok(!turnsDirection("rm ä 世"));
});
