// Patches as agents write them: apply_patch's own format, and unified diffs.
//
// Every line of the source is in the result; what cannot be read so that this holds is no patch
// here (null), and is shown as the text that it is. Not here: how it looks (`block`). Pure;
// imports `lines`.

import { type Line, split } from "./lines.ts";

export type Verb = "add" | "update" | "delete";

/** A stretch of changes. `header`: what the patch says of its place. */
export interface Hunk {
  header: string;
  lines: Line[];
}

/**
 * What becomes of one file. `path` is "" where the patch does not name it. `to`: its new name.
 * `meta`: further lines that say something of it.
 */
export interface FileChange {
  verb: Verb;
  path: string;
  to?: string;
  meta: string[];
  hunks: Hunk[];
}

/** Returns what a patch does, file by file; null for a text that is none. */
export function parsePatch(text: string): FileChange[] | null {
  if (!/^(?:\s*\*\*\* Begin Patch|diff --git |--- |@@ -)/.test(text)) return null;
  const lines = split(text);
  const files = /^\s*\*\*\* Begin Patch\s*$/m.test(lines[0] ?? "") ? applyPatch(lines) : unified(lines);
  return files && files.length > 0 ? files : null;
}

// --- apply_patch --------------------------------------------------------------------------

const MARKER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;
const VERBS: Record<string, Verb> = { "Add File": "add", "Update File": "update", "Delete File": "delete" };
const END_OF_FILE = "*** End of File";

function applyPatch(lines: readonly string[]): FileChange[] | null {
  const files: FileChange[] = [];
  let ended = false;
  for (const line of lines.slice(1)) {
    if (ended) {
      if (line.trim()) return null; // something after the end: not to be hidden
    } else if (line.trim() === "*** End Patch") {
      ended = true;
    } else if (!takeLine(files, line)) {
      return null;
    }
  }
  return ended ? files : null;
}

/** Takes one line; false when it has no place in a patch. */
function takeLine(files: FileChange[], line: string): boolean {
  const file = files.at(-1);
  const marker = MARKER.exec(line.trimEnd());
  if (marker) return takeMarker(files, marker[1] ?? "", marker[2] ?? "");
  if (!file || file.verb === "delete") return false;
  if (file.verb === "add") return takeAdded(file, line);
  if (line.trimEnd() === END_OF_FILE) {
    hunkOf(file).lines.push({ sign: " ", text: END_OF_FILE });
    return true;
  }
  if (line.startsWith("@@")) {
    file.hunks.push({ header: line.slice(2).trim(), lines: [] });
    return true;
  }
  return takeChange(hunkOf(file), line);
}

function takeMarker(files: FileChange[], word: string, path: string): boolean {
  const verb = VERBS[word];
  const file = files.at(-1);
  if (verb) {
    files.push({ verb, path, meta: [], hunks: [] });
    return true;
  }
  if (!file || file.verb !== "update" || file.hunks.length > 0 || file.to !== undefined) return false;
  file.to = path;
  return true;
}

function takeAdded(file: FileChange, line: string): boolean {
  if (!line.startsWith("+")) return false;
  const hunk = hunkOf(file);
  hunk.lines.push({ sign: "+", text: line.slice(1), new: hunk.lines.length + 1 });
  return true;
}

function takeChange(hunk: Hunk, line: string): boolean {
  const sign = line === "" ? " " : line[0];
  if (sign !== " " && sign !== "+" && sign !== "-") return false;
  hunk.lines.push({ sign, text: line.slice(1) });
  return true;
}

function hunkOf(file: FileChange): Hunk {
  const last = file.hunks.at(-1);
  if (last) return last;
  const first: Hunk = { header: "", lines: [] };
  file.hunks.push(first);
  return first;
}

// --- unified diffs ------------------------------------------------------------------------

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;
const META =
  /^(?:index|(?:new|deleted) file mode|(?:old|new) mode|(?:dis)?similarity index|(?:rename|copy) (?:from|to)|Binary files) /;

function unified(lines: readonly string[]): FileChange[] | null {
  const files: FileChange[] = [];
  let at = 0;
  // Some agents name the file elsewhere, and give its hunks alone.
  if (HUNK.test(lines[0] ?? "")) files.push({ verb: "update", path: "", meta: [], hunks: [] });
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const named = /^diff --git (.+)$/.exec(line);
    const next = lines[at + 1] ?? "";
    if (named) {
      files.push({ verb: "update", path: named[1] ?? "", meta: [], hunks: [] });
      at += 1;
    } else if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      name(files, line.slice(4), next.slice(4));
      at += 2;
    } else if (META.test(line) && files.length > 0) {
      describe(files.at(-1), line);
      at += 1;
    } else {
      const after = takeHunk(files.at(-1), lines, at);
      if (after < 0) return null;
      at = after;
    }
  }
  return files.some((file) => file.hunks.length > 0 || file.meta.length > 0) ? files : null;
}

function describe(file: FileChange | undefined, line: string): void {
  if (!file) return;
  file.meta.push(line);
  if (line.startsWith("new file mode")) file.verb = "add";
  if (line.startsWith("deleted file mode")) file.verb = "delete";
}

function name(files: FileChange[], from: string, to: string): void {
  const [before, after] = [bareName(from), bareName(to)];
  let file = files.at(-1);
  if (!file || file.hunks.length > 0 || file.to !== undefined) {
    file = { verb: "update", path: "", meta: [], hunks: [] };
    files.push(file);
  }
  if (before === "/dev/null") file.verb = "add";
  if (after === "/dev/null") file.verb = "delete";
  file.path = before === "/dev/null" ? after : before;
  // A new name may hide behind the same path of another line: only a true change of name is told.
  if (before !== after && file.verb === "update") file.to = after;
}

/** Returns a name without git's prefix and without a time stamp behind a tab. */
function bareName(written: string): string {
  const path = written.split("\t")[0] ?? "";
  return /^[ab]\//.test(path) ? path.slice(2) : path;
}

/** Takes a hunk; returns the index after it, -1 when there is none that holds what it says. */
function takeHunk(file: FileChange | undefined, lines: readonly string[], start: number): number {
  const head = HUNK.exec(lines[start] ?? "");
  if (!head || !file) return -1;
  let [old, now] = [Number(head[1]), Number(head[3])];
  let [oldLeft, newLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
  const hunk: Hunk = { header: lines[start] ?? "", lines: [] };
  let at = start + 1;
  for (; at < lines.length && (oldLeft > 0 || newLeft > 0 || lines[at]?.startsWith("\\")); at += 1) {
    const line = lines[at] ?? "";
    const last = hunk.lines.at(-1);
    if (line.startsWith("\\")) {
      if (!last) return -1;
      last.bare = true;
      continue;
    }
    if (!takeChange(hunk, line)) return -1;
    const taken = hunk.lines.at(-1);
    if (!taken) return -1;
    if (taken.sign !== "+") [taken.old, old, oldLeft] = [old, old + 1, oldLeft - 1];
    if (taken.sign !== "-") [taken.new, now, newLeft] = [now, now + 1, newLeft - 1];
  }
  if (oldLeft !== 0 || newLeft !== 0) return -1;
  file.hunks.push(hunk);
  return at;
}
