// The grammars that code is coloured by. Loaded when the first code is shown; see `code`.
//
// Imports lowlight and the grammars of highlight.js.

import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import html from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import type { Run } from "./code.ts";

const lowlight = createLowlight({
  bash,
  css,
  diff,
  go,
  html,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  yaml,
});

/** What lowlight gives: a tree of spans with classes, and texts. */
interface Node {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly Node[];
}

/** Returns a text in coloured runs, which joined are the text again; null for a language not known. */
export function runs(text: string, language: string): Run[] | null {
  if (!lowlight.registered(language)) return null;
  const found: Run[] = [];
  const walk = (node: Node, kind: string) => {
    if (node.type === "text" && node.value)
      found.push(kind ? { text: node.value, kind } : { text: node.value });
    const own = kindOf(node.properties?.className) || kind;
    for (const child of node.children ?? []) walk(child, own);
  };
  walk(lowlight.highlight(language, text) as Node, "");
  // A grammar that loses a character would hide it: then there are no colours.
  return found.map((run) => run.text).join("") === text ? found : null;
}

const KINDS = new Map(
  Object.entries({
    comment: "comment",
    quote: "comment",
    keyword: "word",
    literal: "value",
    number: "value",
    symbol: "value",
    string: "string",
    regexp: "string",
    addition: "string",
    char: "string",
    title: "name",
    built_in: "name",
    section: "name",
    type: "name",
    attr: "attribute",
    attribute: "attribute",
    property: "attribute",
    variable: "attribute",
    "template-variable": "attribute",
    params: "",
    meta: "comment",
    tag: "word",
    name: "word",
    deletion: "attribute",
  }),
);

/** Returns the kind of a span from its classes: of a fixed few, whatever a grammar calls it. */
function kindOf(classes: unknown): string {
  const first: unknown = Array.isArray(classes) ? classes[0] : "";
  return KINDS.get(String(first).replace(/^hljs-/, "")) ?? "";
}
