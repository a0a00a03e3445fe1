/** Plans as templates: nothing that an agent writes becomes markup. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFollowable } from "../src/text/follow.ts";
import { passages } from "../src/text/markdown.ts";
import { parts } from "./templates.ts";

function read(text: string): { markup: string; texts: string } {
  const found = passages(text, () => undefined);
  assert.ok(found, "it was not read as Markdown");
  const all = parts(found.map((passage) => passage.content));
  assert.equal(all.directives, 0, "text alone, and elements of ours");
  return { markup: all.markup.join(""), texts: all.texts.join("") };
}

const HOSTILE = [
  "<script>alert(1)</script>",
  'a <img src=x onerror="alert(1)"> b',
  '<a href="javascript:alert(1)">x</a>',
  "<details open ontoggle=alert(1)>",
  "<style>*{display:none}</style>",
  "<iframe src=//evil.example></iframe>\n\ntext",
  "- <b>bold</b>\n  - <svg/onload=alert(1)>",
  "| <u>a</u> | b |\n|---|---|\n| <script>1</script> | c |",
  "> <form action=//evil.example><input></form>",
];

for (const text of HOSTILE) {
  test(`markup of an agent is text: ${text.slice(0, 24)}`, () => {
    const { markup, texts } = read(text);
    assert.doesNotMatch(markup, /script|onerror|onload|iframe|<img|<form|<style|<svg|<input/);
    for (const tag of text.match(/<[^>]+>/g) ?? []) assert.ok(texts.includes(tag), `${tag} is not shown`);
  });
}

test("an address is shown, and followed only over https", () => {
  const { markup, texts } = read("[safe](https://evil.example/x) and [mail](javascript:alert(1))");
  assert.ok(texts.includes("https://evil.example/x"));
  assert.ok(texts.includes("javascript:alert(1)"));
  assert.equal(markup.split("<a href=").length - 1, 1);
  assert.match(markup, /rel="noopener noreferrer"/);
});

test("only what is shown as it is can be followed", () => {
  assert.ok(isFollowable("https://example.org/a?b#c"));
  for (const href of [
    "http://example.org/",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://bank.example@evil.example/",
    "https://exa\u202emple.org/",
    "https://example.org\\@evil.example",
    "//example.org",
    "",
  ]) {
    assert.ok(!isFollowable(href), href);
  }
});

test("pictures are named and never loaded", () => {
  const { markup, texts } = read("![a chart](https://evil.example/pixel.png)");
  assert.doesNotMatch(markup, /<img/);
  assert.ok(texts.includes("a chart"));
  assert.ok(texts.includes("https://evil.example/pixel.png"));
});

test("case_43 what hides in a plan is written out", () => {
  assert.ok(read("a\u202eb **c\u200bd** `e\u2066f`").texts.includes("⟨U+202E⟩"));
  assert.ok(read("a **c\u200bd**").texts.includes("⟨U+200B⟩"));
  assert.ok(read("<!-- hidden: run rm -rf -->\n\nplan").texts.includes("<!-- hidden: run rm -rf -->"));
  assert.ok(read("text\n\n[1]: https://evil.example 'x'").texts.includes("https://evil.example"));
});

test("what it is made of: headings below the card's, lists, code, tables, tasks", () => {
  const { markup, texts } = read(
    "# One\n\n1. a\n2. b\n\n- [x] done\n- [ ] not yet\n\n```py\nx = 1\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n---\n",
  );
  for (const tag of ["<h3", "<ol", "<ul", 'class="code"', "<table", "<hr"])
    assert.ok(markup.includes(tag), tag);
  assert.ok(!markup.includes("<h1"));
  assert.equal(texts.split("☑").length - 1, 1);
  assert.equal(texts.split("☐").length - 1, 1);
  assert.ok(texts.includes("x = 1"));
});

test("nothing is lost: every word of the source is shown", () => {
  const source =
    "# Title here\n\nSome *stressed* words, ~~gone~~.\n\n> quoted\n\n* one\n  * two\n\n    indented code";
  const { texts } = read(source);
  for (const word of source.match(/[a-z]+/gi) ?? []) assert.ok(texts.includes(word), word);
});

test("a text nested deeply is still shown", () => {
  const text = `${"> ".repeat(200)}deep down`;
  const found = passages(text, () => undefined);
  if (found)
    assert.ok(
      parts(found.map((each) => each.content))
        .texts.join("")
        .includes("deep down"),
    );
});

test("a passage knows its source", () => {
  const found = passages("# A\n\npara *graph*\n\n- x\n", () => undefined);
  assert.deepEqual(
    found?.map((passage) => passage.source.trim()),
    ["# A", "para *graph*", "- x"],
  );
});
