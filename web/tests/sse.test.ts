/** Server-sent events, however they are cut. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ServerEvent, SseParser } from "../src/api/sse.ts";

const STREAM =
  '\uFEFF: still here\n\nid: b-1\nevent: snapshot\ndata: {"a": "ü€😀"}\n\n' +
  "id: b-2\r\nevent: shown\r\ndata: one\r\ndata: two\r\n\r\n" +
  "data\rretry: 5\rfield: x\r\r" +
  "event: nothing\n\nid: b-3\ndata:no space\n\ndata: not ended\n";
const EVENTS: ServerEvent[] = [
  { type: "snapshot", data: '{"a": "ü€😀"}', id: "b-1" },
  { type: "shown", data: "one\ntwo", id: "b-2" },
  { type: "message", data: "", id: "b-2" },
  { type: "message", data: "no space", id: "b-3" },
];

test("events come out the same in pieces of any size", () => {
  const bytes = new TextEncoder().encode(STREAM);
  for (let size = 1; size <= bytes.length; size += 1) {
    const parser = new SseParser();
    const found: ServerEvent[] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...parser.feed(bytes.slice(at, at + size)));
    assert.deepEqual(found, EVENTS, `in pieces of ${size}`);
  }
});

test("an id goes on from the last connection, and one with a zero in it is none", () => {
  const parser = new SseParser("b-7");
  const found = parser.feed(new TextEncoder().encode("id: b\0\ndata: x\n\n"));
  assert.deepEqual(found, [{ type: "message", data: "x", id: "b-7" }]);
});

test("a line of many pieces is not searched from its beginning each time", () => {
  const parser = new SseParser();
  const piece = new TextEncoder().encode("x".repeat(1000));
  parser.feed(new TextEncoder().encode("data: "));
  const began = performance.now();
  for (let count = 0; count < 5000; count += 1) parser.feed(piece);
  const found = parser.feed(new TextEncoder().encode("\n\n"));
  assert.equal(found[0]?.data.length, 5_000_000);
  assert.ok(performance.now() - began < 2000);
});
