// Code in colours: plain at once, coloured when the grammars have come.
//
// Not here: the grammars (`highlighter`, a chunk of its own) and how lines look (`block`).
// Imports `lazy`.

import { lazy } from "./lazy.ts";
import { split } from "./lines.ts";

/** A stretch of one colour. `kind`: comment, word, value, string, name or attribute. */
export interface Run {
  text: string;
  kind?: string;
}

/** Longer texts stay plain: colouring them would hold up the page. */
const MOST_CHARS = 60_000;

const highlighter = lazy(() => import("./highlighter.ts"));

/** Returns the lines of a text in runs. `wake` is called when colours may have come. */
export function coloured(text: string, language: string, wake: () => void): Run[][] {
  const found =
    language && text.length <= MOST_CHARS ? (highlighter(wake)?.runs(text, language) ?? null) : null;
  return found ? byLine(found) : split(text).map((line) => [{ text: line }]);
}

/** Returns runs line by line, as `split` makes lines. */
export function byLine(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]];
  for (const run of runs) {
    run.text.split("\n").forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text) lines.at(-1)?.push({ ...run, text });
    });
  }
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

const BY_ENDING = table({
  bash: "bash",
  sh: "bash",
  zsh: "bash",
  py: "python",
  pyi: "python",
  js: "javascript",
  cjs: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  json: "json",
  jsonc: "json",
  ipynb: "json",
  yaml: "yaml",
  yml: "yaml",
  go: "go",
  rs: "rust",
  sql: "sql",
  html: "html",
  htm: "html",
  xml: "html",
  svg: "html",
  vue: "html",
  css: "css",
  diff: "diff",
  patch: "diff",
});

const BY_NAME = table({
  shell: "bash",
  console: "bash",
  python: "python",
  javascript: "javascript",
  typescript: "typescript",
  rust: "rust",
  golang: "go",
});

/** Returns the language of a file by its name, "" where it is not one of ours. */
export function languageOf(path: string): string {
  const name = path.trim().split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  const dot = name.lastIndexOf(".");
  return dot >= 0 ? (BY_ENDING.get(name.slice(dot + 1)) ?? "") : "";
}

/** Returns the language that a fenced block names. */
export function languageNamed(word: string): string {
  const name = word.trim().split(/\s/)[0]?.toLowerCase() ?? "";
  return BY_NAME.get(name) ?? BY_ENDING.get(name) ?? "";
}

/** Returns a table in which only its own names are found: "constructor" is no language. */
function table(names: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names));
}
