/** Patches as agents write them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "../src/text/patch.ts";

test("apply_patch: a new file", () => {
  const files = parsePatch(
    "*** Begin Patch\n*** Add File: notes/new file.txt\n+hello\n+\n+world\n*** End Patch",
  );
  assert.deepEqual(files, [
    {
      verb: "add",
      path: "notes/new file.txt",
      meta: [],
      hunks: [
        {
          header: "",
          lines: [
            { sign: "+", text: "hello", new: 1 },
            { sign: "+", text: "", new: 2 },
            { sign: "+", text: "world", new: 3 },
          ],
        },
      ],
    },
  ]);
});

test("apply_patch: changes, a new name, a place, a removal", () => {
  const files = parsePatch(
    [
      "*** Begin Patch",
      "*** Update File: src/app.py",
      "*** Move to: src/main.py",
      "@@ class App:",
      "     def run(self):",
      "-        pass",
      "+        self.loop()",
      "",
      "@@",
      " x = 1",
      "+y = 2",
      "*** End of File",
      "*** Delete File: old.txt",
      "*** End Patch",
      "",
    ].join("\n"),
  );
  assert.equal(files?.length, 2);
  assert.deepEqual(
    [files?.[0]?.verb, files?.[0]?.path, files?.[0]?.to],
    ["update", "src/app.py", "src/main.py"],
  );
  assert.deepEqual(
    files?.[0]?.hunks.map((hunk) => hunk.header),
    ["class App:", ""],
  );
  assert.deepEqual(
    files?.[0]?.hunks[0]?.lines.map((line) => line.sign + line.text),
    ["     def run(self):", "-        pass", "+        self.loop()", " "],
  );
  assert.equal(files?.[0]?.hunks[1]?.lines.at(-1)?.text, "*** End of File");
  assert.deepEqual([files?.[1]?.verb, files?.[1]?.path], ["delete", "old.txt"]);
});

for (const [why, text] of [
  ["has no end", "*** Begin Patch\n*** Add File: a\n+x"],
  ["goes on after its end", "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nrm -rf /"],
  ["has a line without a place", "*** Begin Patch\nrm -rf /\n*** Add File: a\n+x\n*** End Patch"],
  ["adds a line without its sign", "*** Begin Patch\n*** Add File: a\nx\n*** End Patch"],
  ["has a line after a removal", "*** Begin Patch\n*** Delete File: a\n+x\n*** End Patch"],
  ["says something of no known kind", "*** Begin Patch\n*** Frobnicate: a\n*** End Patch"],
  ["renames twice", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Move to: c\n*** End Patch"],
  ["is empty", ""],
  ["is a command", "git diff | cat"],
  ["claims fewer lines than it has", "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b\n+c"],
  ["claims more lines than it has", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b"],
] as const) {
  test(`case_43 what ${why} is shown as the text that it is`, () => {
    assert.equal(parsePatch(text), null);
  });
}

test("a unified diff: numbers, names, no newline at the end", () => {
  const files = parsePatch(
    [
      "diff --git a/src/x.ts b/src/x.ts",
      "index 1111111..2222222 100644",
      "--- a/src/x.ts",
      "+++ b/src/x.ts",
      "@@ -10,3 +10,4 @@ export function f() {",
      " a",
      "-b",
      "+c",
      "+d",
      " e",
      "\\ No newline at end of file",
      "diff --git a/gone.txt b/gone.txt",
      "deleted file mode 100644",
      "--- a/gone.txt",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-bye",
      "",
    ].join("\n"),
  );
  assert.deepEqual(
    files?.map((file) => [file.verb, file.path]),
    [
      ["update", "src/x.ts"],
      ["delete", "gone.txt"],
    ],
  );
  assert.deepEqual(files?.[0]?.hunks[0]?.lines, [
    { sign: " ", text: "a", old: 10, new: 10 },
    { sign: "-", text: "b", old: 11 },
    { sign: "+", text: "c", new: 11 },
    { sign: "+", text: "d", new: 12 },
    { sign: " ", text: "e", old: 12, new: 13, bare: true },
  ]);
  assert.deepEqual(files?.[0]?.meta, ["index 1111111..2222222 100644"]);
});

test("a removed line that begins with two dashes is no header", () => {
  const files = parsePatch("--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,1 @@\n--- a comment\n select 1");
  assert.equal(files?.length, 1);
  assert.deepEqual(files?.[0]?.hunks[0]?.lines[0], { sign: "-", text: "-- a comment", old: 1 });
});

test("a rename without changes, and new files", () => {
  const files = parsePatch(
    "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\ndiff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x",
  );
  assert.equal(files?.[0]?.meta.length, 3);
  assert.deepEqual([files?.[1]?.verb, files?.[1]?.path], ["add", "n"]);
});

test("hunks alone, where the file is named elsewhere", () => {
  const files = parsePatch("@@ -1 +1,2 @@\n a\n+b\n@@ -9 +10 @@\n-c\n+d\n");
  assert.deepEqual(
    files?.map((file) => [file.path, file.hunks.length]),
    [["", 2]],
  );
  assert.equal(parsePatch("@@ not a hunk\n a"), null);
});
