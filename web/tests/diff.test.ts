/** Changes between two texts, and what of them is put away. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { byLine, coloured, languageNamed, languageOf } from "../src/text/code.ts";
import { changes } from "../src/text/diff.ts";
import { runs } from "../src/text/highlighter.ts";
import { compared, counted, folded, isFold, isGap, split, whole } from "../src/text/lines.ts";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("changed lines have the numbers of their side", () => {
  const { lines, added, removed } = changes("a\nb\nc\n", "a\nB\nB2\nc\n");
  assert.deepEqual(lines, [
    { sign: " ", text: "a", old: 1, new: 1 },
    { sign: "-", text: "b", old: 2 },
    { sign: "+", text: "B", new: 2 },
    { sign: "+", text: "B2", new: 3 },
    { sign: " ", text: "c", old: 3, new: 4 },
  ]);
  assert.deepEqual([added, removed], [2, 1]);
});

test("both texts can be had back from the lines", () => {
  const [before, after] = ["x\ny\n\nz", "y\n\n\nz\nend"];
  const { lines } = changes(before, after);
  const side = (not: string) => lines.filter((line) => line.sign !== not).map((line) => line.text);
  assert.deepEqual(side("+"), split(before));
  assert.deepEqual(side("-"), split(after));
});

test("a newline at the end that comes or goes is told", () => {
  const { lines } = changes("a", "a\n");
  assert.deepEqual(
    lines.map((line) => [line.sign, line.bare ?? false]),
    [
      ["-", true],
      ["+", false],
    ],
  );
  assert.ok(changes("a\nb", "a\nc").lines.every((line) => !line.bare));
});

test("texts with nothing in common are shown one after the other", () => {
  const many = (word: string) => Array.from({ length: 9000 }, (_, index) => `${word} ${index}`).join("\n");
  const found = changes(many("a"), many("b"));
  assert.equal(found.isCompared, false);
  assert.deepEqual([found.removed, found.added], [9000, 9000]);
});

test("long unchanged stretches are folded, three lines beside a change are not", () => {
  const before = numbered(40);
  const items = folded(changes(before, before.replace("line 20\n", "line twenty\n")).lines);
  const folds = items.filter(isFold);
  assert.deepEqual(
    folds.map((each) => each.fold.length),
    [16, 17],
  );
  assert.equal(items.length - folds.length, 3 + 2 + 3);
});

test("short stretches stay, and so does a text without changes", () => {
  const before = numbered(9);
  const items = folded(changes(before, before.replace("line 5\n", "")).lines);
  assert.ok(!items.some(isFold));
  assert.ok(!folded(whole(numbered(100))).some(isFold));
});

test("case_43 blank lines cannot push the end away", () => {
  const items = counted(whole(`rm a${"\n".repeat(200)}rm -rf /`));
  assert.equal(items.length, 3);
  const gap = items[1];
  assert.ok(gap && isGap(gap) && gap.blank === 199);
  assert.equal(counted(whole("a\n\n\nb")).length, 4);
});

test("a folded stretch and signs are kept apart from blank lines", () => {
  const items = counted(changes("a\n", `a\n${"\n".repeat(10)}`).lines);
  assert.deepEqual(items.at(-1), { blank: 10, sign: "+" });
});

test("colours change no character", () => {
  for (const [language, text] of [
    ["bash", "for f in *; do rm -rf \"$f\" && echo 'x' # y\ndone\n"],
    ["python", 'def f(x):\n    """doc"""\n    return f"{x!r}" if x else None\n'],
    ["html", "<p class='x'>&lt;b&gt;</p>"],
    ["json", '{"a": [1, true, null, "\\u202e"]}'],
  ] as const) {
    const found = runs(text, language);
    assert.ok(found, language);
    assert.equal(found.map((run) => run.text).join(""), text);
    assert.ok(found.some((run) => run.kind));
    assert.equal(byLine(found).length, split(text).length);
  }
  assert.equal(runs("x", "cobol"), null);
});

test("code is plain at once, and coloured when the grammars came", async () => {
  const first = await new Promise<void>((resolve) => {
    const plain = coloured("echo hi\necho", "bash", resolve);
    assert.deepEqual(plain, [[{ text: "echo hi" }], [{ text: "echo" }]]);
  });
  assert.equal(first, undefined);
  const later = coloured("echo hi\necho", "bash", () => assert.fail("it is there already"));
  assert.ok(later[0]?.some((run) => run.kind === "name"));
  assert.equal(later.length, 2);
});

test("languages are told from names", () => {
  assert.equal(languageOf("src/app/main.PY"), "python");
  assert.equal(languageOf("Makefile"), "");
  assert.equal(languageOf("a.constructor"), "");
  assert.equal(languageNamed("ts title=x"), "typescript");
  assert.equal(languageNamed("toString"), "");
});

test("what changed within a line that stands for another", () => {
  const [old, now] = changes("const a = 1;\n", "const abc = 1;\n").lines;
  assert.deepEqual(
    [old?.changed, now?.changed],
    [
      [7, 7],
      [7, 9],
    ],
  );
  assert.ok(
    changes("const a = 1;", "import x").lines.every((line) => !line.changed),
    "nothing in common",
  );
  const [one] = compared([
    { sign: "-", text: "a 😀 b" },
    { sign: "+", text: "a 😁 b" },
  ]);
  assert.deepEqual(one?.changed, [2, 4], "no character is split");
  const uneven = compared([
    { sign: "-", text: "aaaa" },
    { sign: "+", text: "aaab" },
    { sign: "+", text: "c" },
  ]);
  assert.ok(uneven.every((line) => !line.changed));
});
