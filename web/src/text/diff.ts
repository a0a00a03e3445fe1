// What changes between two texts, line by line.
//
// Loaded when the first diff is shown. Not here: folding (`lines`) and how it looks (`block`).
// Pure; imports the package `diff` and `lines`.

import { diffArrays } from "diff";
import { type Line, type Sign, compared, whole } from "./lines.ts";

/** Beyond these the texts are shown one after the other: two texts with little in common take long. */
const MOST_EDITS = 4000;
const MOST_MS = 300;

export interface Changes {
  lines: readonly Line[];
  added: number;
  removed: number;
  /** Whether they were compared; else all of the old text goes, and all of the new one comes. */
  isCompared: boolean;
}

/** Returns the changes that lead from one text to the other. */
export function changes(before: string, after: string): Changes {
  const found = diffArrays(tokens(before), tokens(after), { maxEditLength: MOST_EDITS, timeout: MOST_MS });
  if (!found) return counted([...whole(before, "-"), ...whole(after, "+")], false);
  const lines: Line[] = [];
  let old = 1;
  let now = 1;
  for (const change of found) {
    const sign: Sign = change.added ? "+" : change.removed ? "-" : " ";
    for (const token of change.value) {
      const line: Line = { sign, text: token.endsWith("\n") ? token.slice(0, -1) : token };
      if (sign !== "+") line.old = old++;
      if (sign !== "-") line.new = now++;
      if (sign !== " " && !token.endsWith("\n") && before.endsWith("\n") !== after.endsWith("\n")) {
        line.bare = true;
      }
      lines.push(line);
    }
  }
  return counted(compared(lines), true);
}

/** Returns the lines with their newlines, so that a last line without one differs from one with it. */
function tokens(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function counted(lines: readonly Line[], isCompared: boolean): Changes {
  const of = (sign: Sign) => lines.filter((line) => line.sign === sign).length;
  return { lines, added: of("+"), removed: of("-"), isCompared };
}
