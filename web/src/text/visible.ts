// Text that somebody else wrote, made safe to read: what hides, moves or commands is written out.
//
// The same characters in the same words as on a terminal (`channels/text.py`), so that a person
// sees one text everywhere. Here each is also a mark with a name of its own, for a pointer and for
// a screen reader. Letters written from right to left are kept apart word by word, so that they
// never change the order of what stands around them. Imports lit alone.

import { html, type TemplateResult } from "lit";

/** More spaces than this in a row are counted instead of shown. */
const LONGEST_GAP_CHARS = 40;
/** More combining marks than this on one letter are written out. */
const MOST_MARKS = 2;
const TAB = "    ";

const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\x20-\x7e\n]*$/;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;
const COMBINING = /[\p{Mn}\p{Me}]/u;
const CARRIES_MARKS = /[\p{L}\p{M}\p{N}]/u;
const SYMBOL = /[\p{So}\p{Sk}]/u;
const SELECTOR = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const INVISIBLE_LETTERS = new Set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0");
const EMOJI_STYLE = "\ufe0f";
const JOINER = "\u200d";
const GAP = new RegExp(` {${LONGEST_GAP_CHARS + 1},}`, "g");

const RTL = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const RTL_LETTER = new RegExp(`[${RTL}]`, "u");
const RTL_WORD = new RegExp(`([${RTL}][${RTL}\\p{M}]*)`, "u");

/** A character, or a gap, that is written out: what is shown for it, and what it is. */
export interface Mark {
  shown: string;
  name: string;
}

export type Piece = string | Mark;

/** Returns the text in pieces that may be shown. `lines`: newlines stay, tabs become spaces. */
export function pieces(text: string, lines = false): Piece[] {
  const even = lines ? text.replaceAll("\t", TAB) : text;
  if ((lines ? PLAIN_LINES : PLAIN).test(even)) return gaps([even]);
  if (!lines) return gaps(writtenOut(even));
  const found: Piece[] = [];
  even.split("\n").forEach((line, index) => {
    if (index > 0) found.push("\n");
    found.push(...(PLAIN.test(line) ? [line] : writtenOut(line)));
  });
  return gaps(joined(found));
}

/** Returns the text with every character that hides, moves or commands written out. */
export function visible(text: string, lines = false): string {
  return pieces(text, lines)
    .map((piece) => (typeof piece === "string" ? piece : piece.shown))
    .join("");
}

/** Returns whether letters in it are written from right to left. */
export function turnsDirection(text: string): boolean {
  return RTL_LETTER.test(text);
}

/** Returns how many characters a text has, as the desk counts them: a pair of surrogates is one. */
export function chars(text: string): number {
  let count = text.length;
  for (let index = 0; index + 1 < text.length; index += 1) {
    if (isPair(text, index)) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** Returns the beginning of a text on one line, with "…" when there is more. Cut before it is marked. */
export function clip(text: string, most: number): string {
  const all = Array.from(text.slice(0, most * 2 + 2));
  return all.length <= most ? text : `${all.slice(0, Math.max(most - 1, 0)).join("")}…`;
}

function isPair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  const low = text.charCodeAt(index + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

function writtenOut(line: string): Piece[] {
  const found: Piece[] = [];
  let before = "";
  let marks = 0;
  const all = Array.from(line);
  all.forEach((char, index) => {
    if (char >= " " && char <= "~") {
      found.push(char);
      [before, marks] = [char, 0];
      return;
    }
    marks = COMBINING.test(char) ? marks + 1 : 0;
    if ((char === EMOJI_STYLE || char === JOINER) && insideEmoji(before, all[index + 1] ?? "", char)) {
      return; // how a symbol is drawn, nothing else
    }
    found.push(hides(char, before, marks) ? mark(char) : char);
    before = char;
  });
  return joined(found);
}

function hides(char: string, before: string, marks: number): boolean {
  if (COMBINING.test(char) && (marks > MOST_MARKS || !before || !CARRIES_MARKS.test(before))) {
    return true; // a mark upon nothing, or a pile of them that covers other lines
  }
  return HIDDEN.test(char) || INVISIBLE_LETTERS.has(char) || SELECTOR.test(char);
}

function insideEmoji(before: string, after: string, char: string): boolean {
  if (!before || !SYMBOL.test(before)) return false;
  return char === EMOJI_STYLE || (after !== "" && SYMBOL.test(after));
}

function joined(found: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  let run: string[] = [];
  for (const piece of found) {
    if (typeof piece === "string") {
      run.push(piece);
      continue;
    }
    if (run.length > 0) all.push(run.join(""));
    run = [];
    all.push(piece);
  }
  if (run.length > 0) all.push(run.join(""));
  return all;
}

/** Returns the pieces with long runs of spaces counted instead of shown. */
function gaps(found: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of found) {
    if (typeof piece !== "string" || !piece.includes(" ".repeat(LONGEST_GAP_CHARS + 1))) {
      all.push(piece);
      continue;
    }
    let from = 0;
    for (const gap of piece.matchAll(GAP)) {
      if (gap.index > from) all.push(piece.slice(from, gap.index));
      all.push({ shown: `⟨${gap[0].length} spaces⟩`, name: `${gap[0].length} spaces in a row` });
      from = gap.index + gap[0].length;
    }
    if (from < piece.length) all.push(piece.slice(from));
  }
  return all;
}

const NAMES: Record<number, string> = {
  0x00: "null",
  0x07: "bell",
  0x08: "backspace",
  0x09: "tab",
  0x0a: "new line",
  0x0d: "carriage return",
  0x1b: "escape: begins commands to a terminal",
  0x7f: "delete",
  0xa0: "no-break space",
  0xad: "soft hyphen",
  0x061c: "Arabic letter mark: changes the direction of text",
  0x200b: "zero width space",
  0x200c: "zero width non-joiner",
  0x200d: "zero width joiner",
  0x200e: "left-to-right mark: changes the direction of text",
  0x200f: "right-to-left mark: changes the direction of text",
  0x2028: "line separator",
  0x2029: "paragraph separator",
  0x202a: "left-to-right embedding: changes the direction of text",
  0x202b: "right-to-left embedding: changes the direction of text",
  0x202c: "end of a change of direction",
  0x202d: "left-to-right override: changes the direction of text",
  0x202e: "right-to-left override: changes the direction of text",
  0x2060: "word joiner",
  0x2066: "left-to-right isolate: changes the direction of text",
  0x2067: "right-to-left isolate: changes the direction of text",
  0x2068: "first strong isolate: changes the direction of text",
  0x2069: "end of an isolated direction",
  0xfeff: "zero width no-break space",
};

function mark(char: string): Mark {
  const code = char.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = `${NAMES[code] ?? (code < 0xa0 ? "control character" : "invisible character")} (${number})`;
  if (code < 0x20) return { shown: String.fromCodePoint(0x2400 + code), name };
  return { shown: code === 0x7f ? "␡" : `⟨${number}⟩`, name };
}

// --- as templates ------------------------------------------------------------------------

type Shown = string | TemplateResult;

/** Returns the text to be placed into a template: whatever is written out has a name. */
export function shown(text: string, lines = false): Shown[] {
  return pieces(text, lines).map((piece) => (typeof piece === "string" ? piece : marked(piece)));
}

/** As `shown`, with letters from right to left apart word by word: the order of code is what it does. */
export function shownCode(text: string): Shown[] {
  const all: Shown[] = [];
  for (const piece of pieces(text, true)) {
    if (typeof piece !== "string") {
      all.push(marked(piece));
    } else if (turnsDirection(piece)) {
      piece.split(RTL_WORD).forEach((part, index) => {
        if (part) all.push(index % 2 === 1 ? html`<bdi>${part}</bdi>` : part);
      });
    } else {
      all.push(piece);
    }
  }
  return all;
}

function marked(mark: Mark): TemplateResult {
  return html`<span class="mark" role="img" title=${mark.name} aria-label=${mark.name}>${mark.shown}</span>`;
}

/** Returns a text of an agent within a line of ours, from which nothing of it can reach out. */
export function inline(text: string, most = 0): TemplateResult {
  return html`<bdi class="theirs">${shown(most > 0 ? clip(text, most) : text)}</bdi>`;
}

/** As `inline`, for what is no prose: a path, an address, an id. */
export function inlineCode(text: string): TemplateResult {
  const line = text.replaceAll("\n", "␊").replaceAll("\t", "␉");
  return html`<bdi class="theirs mono" dir="ltr">${shownCode(line)}</bdi>`;
}
