// Lines of code on a card: numbered, signed, folded; a text of an agent that can reach out of nothing.
//
// Numbers and signs are drawn and not written, so that what is copied is the text alone. A sign
// has a name for screen readers, and a colour only beside it. Imports lit, `lines`, `visible`.

import { html, nothing, type TemplateResult } from "lit";
import type { Run } from "./code.ts";
import { type Fold, type Gap, type Item, type Line, counted, isFold, isGap, whole } from "./lines.ts";
import { shown, shownCode } from "./visible.ts";

export interface BlockOptions {
  /** Show the numbers of lines. */
  numbers?: boolean;
  /** The lines are changes, and have signs. */
  signs?: boolean;
  /** The coloured runs of a line; plain where it gives none. */
  runs?: (line: Line) => readonly Run[] | undefined;
}

/** Returns a text of an agent that is no code: line by line, each in its own direction. */
export function prose(text: string): TemplateResult {
  return html`<div class="prose">
    ${counted(whole(text)).map((item) => {
      if (isGap(item)) return html`<div><span class="mark">⟨${item.blank} blank lines⟩</span></div>`;
      return isFold(item)
        ? nothing
        : html`<div dir="auto">${item.text ? shown(item.text, true) : html`<br />`}</div>`;
    })}
  </div>`;
}

const SIGN_NAMES = { "+": "added", "-": "removed", " ": "" };
const SIGN_CLASSES = { "+": "added", "-": "removed", " ": "" };
const DRAWN = { "+": "+", "-": "−", " ": "" };

/** Returns lines as a block. */
export function block(items: readonly Item[], options: BlockOptions = {}): TemplateResult {
  return html`<div class="code" dir="ltr">${counted(items).map((item) => itemOf(item, options))}</div>`;
}

function itemOf(item: Item, options: BlockOptions): TemplateResult {
  if (isFold(item)) return foldOf(item, options);
  if (isGap(item)) return gapOf(item, options);
  return lineOf(item, options);
}

function foldOf(item: Fold, options: BlockOptions): TemplateResult {
  const words = `${item.fold.length.toLocaleString("en")} unchanged lines`;
  return html`<details class="fold">
    <summary>${words}</summary>
    ${counted(item.fold).map((line) => itemOf(line, options))}
  </details>`;
}

function gapOf(item: Gap, options: BlockOptions): TemplateResult {
  return html`<div class="line ${SIGN_CLASSES[item.sign]}">
    ${gutter({ sign: item.sign, text: "" }, options)}<span class="text"
      ><span class="mark">⟨${item.blank.toLocaleString("en")} blank lines⟩</span></span
    >
  </div>`;
}

function lineOf(line: Line, options: BlockOptions): TemplateResult {
  const runs = emphasised(options.runs?.(line) ?? [{ text: line.text }], line.changed);
  const text = runs.map((run) => {
    const kinds = `${run.kind ?? ""} ${run.isChanged ? "changed" : ""}`.trim();
    return kinds ? html`<span class=${kinds}>${shownCode(run.text)}</span>` : shownCode(run.text);
  });
  const end = line.bare ? html`<span class="mark">⟨no newline at the end⟩</span>` : nothing;
  // The break keeps an empty line a line when it is copied.
  return html`<div class="line ${SIGN_CLASSES[line.sign]}">${gutter(line, options)}<span class="text"
      >${line.text === "" && !line.bare ? html`<br />` : text}${end}</span
    ></div>`;
}

function gutter(line: Line, options: BlockOptions): TemplateResult {
  const number = line.sign === "-" ? line.old : (line.new ?? line.old);
  const name = SIGN_NAMES[line.sign];
  return html`${
    options.numbers
      ? html`<span class="number" data-number=${number ?? ""} aria-hidden="true"></span>`
      : nothing
  }${
    options.signs
      ? name
        ? html`<span class="sign" data-sign=${DRAWN[line.sign]} role="img" aria-label=${name}></span>`
        : html`<span class="sign" data-sign=""></span>`
      : nothing
  }`;
}

/** Returns the runs of a line, split where a changed stretch begins and ends. */
function emphasised(
  runs: readonly Run[],
  changed: Line["changed"],
): readonly (Run & { isChanged?: boolean })[] {
  if (!changed || changed[0] === changed[1]) return runs;
  const all: (Run & { isChanged?: boolean })[] = [];
  let at = 0;
  for (const run of runs) {
    const cuts = [
      0,
      ...changed.map((place) => Math.min(Math.max(place - at, 0), run.text.length)),
      run.text.length,
    ];
    for (let index = 0; index < 3; index += 1) {
      const text = run.text.slice(cuts[index], cuts[index + 1]);
      if (text) all.push({ ...run, text, isChanged: index === 1 });
    }
    at += run.text.length;
  }
  return all;
}
