/** What the page names by chance. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { chance } from "../src/state/chance.ts";

test("names are long, and no two are the same", () => {
  const names = new Set(Array.from({ length: 1000 }, chance));
  assert.equal(names.size, 1000);
  for (const name of names) assert.match(name, /^[0-9a-f]{32}$/);
});
