// Lines of a text, a diff or a patch, before they are shown: signs, numbers, folds and gaps.
//
// Not here: where they come from (`diff`, `patch`) and how they look (`block`). Pure.

export type Sign = " " | "+" | "-";

/** One line. `old` and `new`: its number on that side. `bare`: the text ends here without a newline. */
export interface Line {
  sign: Sign;
  text: string;
  old?: number;
  new?: number;
  bare?: boolean;
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
  for (let from = 0; from < lines.length; ) {
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
