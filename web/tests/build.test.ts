/** What is built can be trusted with the page's Content-Security-Policy. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

test("nothing in index.html is carried out in place", async () => {
  const html = await readFile("index.html", "utf8");
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/);
  assert.doesNotMatch(html, /\son\w+=|\sstyle=|<style/);
  assert.doesNotMatch(html, /https?:\/\//);
});
