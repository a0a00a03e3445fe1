// Lines of a text, a diff or a patch, before they are shown: signs, numbers, folds and gaps.
//
// Not here: where they come from (`diff`, `patch`) and how they look (`block`). Pure.

export type Sign = " " | "+" | "-";

/**
 * One line. `old` and `new`: its number on that side. `bare`: the text ends here without a newline.
 * `changed`: from where to where it differs from the line that it replaces, or is replaced by.
 */
export interface Line {
  sign: Sign;
  text: string;
  old?: number;
  new?: number;
  bare?: boolean;
  changed?: readonly [number, number];
}

/** Unchanged lines that are put away. */
export interface Fold {
  fold: readonly Line[];
}

/** Blank lines that are counted instead of shown, so that they push nothing out of sight. */
export interface Gap {
  blank: number;
  sign: Sign;
}

export type Item = Line | Fold | Gap;

/** More blank lines than this in a row are counted. */
const MOST_BLANK_LINES = 3;
const CONTEXT_LINES = 3;
/** Fewer than this are not worth a fold. */
const LEAST_FOLDED = 4;

export function isFold(item: Item): item is Fold {
  return "fold" in item;
}

export function isGap(item: Item): item is Gap {
  return "blank" in item;
}

/** Returns the lines of a text; a newline at its end begins no further line. */
export function split(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** Returns a whole text as lines of one sign, numbered. */
export function whole(text: string, sign: Sign = " "): Line[] {
  if (text === "") return [];
  return split(text).map((line, index) => {
    const number = index + 1;
    return sign === "-" ? { sign, text: line, old: number } : { sign, text: line, new: number };
  });
}

/** Returns the lines with long unchanged stretches folded, but for the lines beside a change. */
export function folded(lines: readonly Line[]): (Line | Fold)[] {
  if (lines.every((line) => line.sign === " ")) return [...lines];
  const items: (Line | Fold)[] = [];
  for (let from = 0; from < lines.length;) {
    let to = from;
    while (to < lines.length && (lines[to]?.sign === " ") === (lines[from]?.sign === " ")) to += 1;
    const stretch = lines.slice(from, to);
    if (lines[from]?.sign === " ") items.push(...shortened(stretch, from === 0, to === lines.length));
    else items.push(...stretch);
    from = to;
  }
  return items;
}

function shortened(stretch: readonly Line[], isFirst: boolean, isLast: boolean): (Line | Fold)[] {
  const before = isFirst ? 0 : CONTEXT_LINES;
  const after = isLast ? 0 : CONTEXT_LINES;
  const end = stretch.length - after;
  if (end - before < LEAST_FOLDED) return [...stretch];
  return [...stretch.slice(0, before), { fold: stretch.slice(before, end) }, ...stretch.slice(end)];
}

/** Returns the items with many blank lines in a row counted. */
export function counted(items: readonly Item[]): Item[] {
  const all: Item[] = [];
  let blank: Line[] = [];
  const flush = () => {
    const first = blank[0];
    if (first && blank.length > MOST_BLANK_LINES) all.push({ blank: blank.length, sign: first.sign });
    else all.push(...blank);
    blank = [];
  };
  for (const item of items) {
    const isBlank = "text" in item && /^[ \t]*$/.test(item.text);
    if (!isBlank || (blank[0] && blank[0].sign !== item.sign)) flush();
    if (isBlank) blank.push(item);
    else all.push(item);
  }
  flush();
  return all;
}

/** Lines with less than this in common are other lines, not changed ones. */
const LEAST_COMMON = 0.4;

/** Returns the lines, with what changed within those that stand for each other. */
export function compared(lines: readonly Line[]): Line[] {
  const all = lines.map((line) => ({ ...line }));
  for (let at = 0; at < all.length;) {
    const removed = run(all, at, "-");
    const added = run(all, at + removed, "+");
    // Only where as many come as go is it plain which line stands for which.
    if (removed === added)
      for (let index = 0; index < removed; index += 1) pair(all[at + index], all[at + removed + index]);
    at += Math.max(removed + added, 1);
  }
  return all;
}

function run(lines: readonly Line[], from: number, sign: Sign): number {
  let to = from;
  while (lines[to]?.sign === sign) to += 1;
  return to - from;
}

function pair(old: Line | undefined, now: Line | undefined): void {
  if (!old || !now) return;
  const shorter = Math.min(old.text.length, now.text.length);
  let before = 0;
  while (before < shorter && old.text[before] === now.text[before]) before += 1;
  let after = 0;
  while (after < shorter - before && old.text.at(-1 - after) === now.text.at(-1 - after)) after += 1;
  // Blanks say nothing: lines at the same depth begin alike.
  const common = inked(now.text.slice(0, before)) + inked(now.text.slice(now.text.length - after));
  if (common < LEAST_COMMON * Math.max(inked(old.text), inked(now.text))) return;
  old.changed = wholeCharacters(old.text, before, old.text.length - after);
  now.changed = wholeCharacters(now.text, before, now.text.length - after);
}

function inked(text: string): number {
  return text.replaceAll(/\s/g, "").length;
}

/** Returns a stretch that splits no pair of surrogates. */
function wholeCharacters(text: string, from: number, to: number): readonly [number, number] {
  const splits = (at: number) =>
    /[\udc00-\udfff]/.test(text[at] ?? "") && /[\ud800-\udbff]/.test(text[at - 1] ?? "");
  return [splits(from) ? from - 1 : from, splits(to) ? to + 1 : to];
}
