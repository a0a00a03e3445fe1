// The rows of a card: what a request would do, whole, each in the form in which it is read best.
//
// A passage that is replaced is a diff, a new file is all new lines, a patch is shown file by file,
// commands and files are coloured; each can be had as the text that it is. A text that is not all
// here is only ever shown as text, since a diff of parts would mislead. Imports lit, `text`, `part`,
// `reading` and `words`.

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Row } from "../api/types.ts";
import { block, prose } from "../text/block.ts";
import { coloured, languageOf } from "../text/code.ts";
import { lazy } from "../text/lazy.ts";
import { type Line, compared, folded, whole } from "../text/lines.ts";
import { type FileChange, parsePatch } from "../text/patch.ts";
import { inline, inlineCode, visible } from "../text/visible.ts";
import type { Content, Host } from "./part.ts";
import type { Reading } from "./reading.ts";
import { count, isCut, rowNotes } from "./words.ts";

const differ = lazy(() => import("../text/diff.ts"));
const INLINE_CHARS = 90;
/** Rows that name a file, and rows that hold a text of the file named before them. */
const FILE_LABELS = new Set(["File", "New file", "Delete file"]);
const TEXT_LABELS = new Set(["Old text", "New text", "Content", "Content until now"]);

/** What the rows need to know beside what a part knows. */
export interface RowsHost extends Host {
  readonly reading: Reading;
  /** The rows that were asked for whole, and have not come yet. */
  readonly fetching: ReadonlySet<number>;
  fetch(index: number): void;
}

/** How a row is shown. */
type Shape = "inline" | "text" | "code" | "new" | "gone" | "old-new" | "patch" | "hidden";

export class Rows {
  /** The rows that are shown as the text that they are. */
  private readonly raw = new Set<number>();

  constructor(private readonly host: RowsHost) {}

  /** Returns all rows but those that a part shows itself. */
  template(except: ReadonlySet<number> = new Set()): Content {
    const { input: rows } = this.host;
    const indexes = rows.map((_, index) => index).filter((index) => !except.has(index));
    if (indexes.length === 0) return nothing;
    return html`<div class="rows">${indexes.map((index) => this.row(index))}</div>`;
  }

  private row(index: number): Content {
    const row = this.host.input[index];
    if (!row) return nothing;
    const shape = this.shape(index, row);
    if (shape === "hidden") return nothing;
    const label = shape === "old-new" ? "Change" : row.label;
    if (shape === "inline") {
      return html`<div class="pair" id="row-${index}">
        <span class="label">${inline(label)}</span>
        <span class="value">${row.code ? inlineCode(row.value) : this.short(row)}</span>
        ${this.after(index)}
      </div>`;
    }
    return html`<section class="long" id="row-${index}" aria-label=${visible(label)}>
      <div class="head"><span class="label">${inline(label)}</span>${this.toggle(index, row)}</div>
      ${guard([row, this.host.input, shape, this.host.epoch], () => this.value(index, row, shape))}
      ${this.after(index)}${shape === "old-new" ? this.after(this.indexOf("New text")) : nothing}
    </section>`;
  }

  private short(row: Row): Content {
    return row.value.trim() ? inline(row.value) : html`<span class="soft">(empty)</span>`;
  }

  // --- in which form ----------------------------------------------------------------------

  private shape(index: number, row: Row): Shape {
    const isRaw = this.raw.has(index) || isCut(row);
    if (this.isReplacement()) {
      if (row.label === "New text") return this.raw.has(this.indexOf("Old text")) ? "code" : "hidden";
      if (row.label === "Old text") return isRaw ? "code" : "old-new";
    }
    const isShort = row.value.length <= INLINE_CHARS && !row.value.includes("\n");
    if (isShort && row.label !== "Command" && !isCut(row) && !(row.value && this.isWholeFile(row))) {
      return "inline";
    }
    if (!row.code) return "text";
    if (isRaw) return "code";
    if (this.isWholeFile(row)) return row.label === "Content" ? "new" : "gone";
    return parsePatch(row.value) ? "patch" : "code";
  }

  /** Whether a row holds all of a file that comes, or goes. */
  private isWholeFile(row: Row): boolean {
    const tools = ["Write", "apply_patch"];
    return (
      tools.includes(this.host.view.tool) && (row.label === "Content" || row.label === "Content until now")
    );
  }

  /** Whether an old and a new text are here whole, so that they can be compared. */
  private isReplacement(): boolean {
    const [old, now] = [this.find("Old text"), this.find("New text")];
    return old !== undefined && now !== undefined && !isCut(old) && !isCut(now) && !old.lost && !now.lost;
  }

  private find(label: string): Row | undefined {
    return this.host.input[this.indexOf(label)];
  }

  private indexOf(label: string): number {
    return this.host.input.findIndex((row) => row.label === label && row.code === true);
  }

  private toggle(index: number, row: Row): Content {
    const shape = this.shape(index, row);
    const isRaw = this.raw.has(index);
    if (!isRaw && shape !== "old-new" && shape !== "patch") return nothing;
    const press = () => {
      if (isRaw) this.raw.delete(index);
      else this.raw.add(index);
      this.host.refresh();
    };
    return html`<button type="button" class="quiet tool" aria-pressed=${isRaw ? "true" : "false"} @click=${press}>
      As text
    </button>`;
  }

  // --- values -----------------------------------------------------------------------------

  private value(index: number, row: Row, shape: Shape): Content {
    if (!row.value.trim()) {
      return html`<p class=${row.code ? "loud" : "soft"}>${row.value ? "(blank)" : "(empty)"}</p>`;
    }
    switch (shape) {
      case "old-new":
        return this.replacement(index, row, this.find("New text"));
      case "new":
        return this.file(index, row, "+");
      case "gone":
        return this.file(index, row, "-");
      case "patch":
        return this.patch(row);
      case "text":
        return prose(row.value);
      default:
        return this.code(index, row);
    }
  }

  private language(index: number, row: Row): string {
    if (row.label === "Command") return /^\s*\*\*\* Begin Patch/.test(row.value) ? "diff" : "bash";
    if (TEXT_LABELS.has(row.label)) return this.languageAt(index);
    if (row.label === "New source") return "python";
    return /^\s*[[{]/.test(row.value) ? "json" : "";
  }

  private code(index: number, row: Row): TemplateResult {
    const lines = coloured(row.value, this.language(index, row), this.host.wake);
    const items = whole(row.value);
    return block(items, { numbers: items.length > 1, runs: (line) => lines[(line.new ?? 1) - 1] });
  }

  /** A file that comes, or goes, as a whole. */
  private file(index: number, row: Row, sign: "+" | "-"): TemplateResult {
    const lines = coloured(row.value, this.languageAt(index), this.host.wake);
    const items = whole(row.value, sign);
    const runs = (line: Line) => lines[(line.new ?? line.old ?? 1) - 1];
    return html`<p class="soft small">${count(items.length, "line")}, all of the file</p>
      ${block(items, { numbers: true, signs: true, runs })}`;
  }

  /** The language of the file that was named last before a row. */
  private languageAt(index: number): string {
    const named = this.host.input.slice(0, index).filter((row) => row.code && FILE_LABELS.has(row.label));
    return languageOf(named.at(-1)?.value ?? "");
  }

  private replacement(index: number, old: Row, now: Row | undefined): TemplateResult {
    const [before, after] = [old.value, now?.value ?? ""];
    const found = differ(this.host.wake)?.changes(before, after);
    const lines: readonly Line[] = found?.lines ?? [...whole(before, "-"), ...whole(after, "+")];
    const language = this.languageAt(index);
    const [olds, news] = [before, after].map((text) => coloured(text, language, this.host.wake));
    const runs = (line: Line) =>
      line.sign === "-" ? olds?.[(line.old ?? 1) - 1] : news?.[(line.new ?? 1) - 1];
    const tally = found
      ? `${count(found.added, "line")} added, ${found.removed.toLocaleString("en")} removed`
      : "";
    const apart = found && !found.isCompared ? "too much differs to compare line by line; " : "";
    const lead = `${tally ? `${tally}; ` : ""}${apart}`;
    return html`<p class="soft small">${lead}numbers count the lines of this passage</p>
      ${block(folded(lines), { numbers: true, signs: true, runs })}`;
  }

  private patch(row: Row): Content {
    return (parsePatch(row.value) ?? []).map((file) => fileTemplate(file));
  }

  // --- what stands below a row ---------------------------------------------------------------

  /** What of a row is not here, how to get it, and the mark at its end that must come into sight. */
  after(index: number): Content {
    const row = this.host.input[index];
    if (!row) return nothing;
    const listed = this.host.view.input[index];
    const end =
      listed && isCut(listed) && row !== listed ? html`<div class="end" data-row=${index}></div>` : nothing;
    const notes = rowNotes(row).map(
      (note) => html`<p class="note small ${note.loud ? "loud" : "soft"}">${note.text}</p>`,
    );
    return [end, ...notes, this.fetcher(index, row, listed)];
  }

  private fetcher(index: number, row: Row, listed: Row | undefined): Content {
    if (!listed || !isCut(listed) || row !== listed || this.host.view.state !== "pending") return nothing;
    if (this.host.fetching.has(index)) return html`<p class="soft small">Fetching all of it…</p>`;
    const words = `Show all ${(listed.length ?? 0).toLocaleString("en")} characters`;
    return html`<button type="button" class="show" @click=${() => this.host.fetch(index)}>${words}</button>`;
  }
}

const VERBS = { add: "New file", update: "Changes", delete: "Deletes" };

function fileTemplate(file: FileChange): TemplateResult {
  const to = file.to === undefined ? nothing : html` and renames it to ${inlineCode(file.to)}`;
  const meta = file.meta.map((line) => html`<p class="soft small">${inlineCode(line)}</p>`);
  const name = file.path
    ? html`<p class="file-name">
        <span class="verb ${file.verb}">${VERBS[file.verb]}</span> ${inlineCode(file.path)}${to}
      </p>`
    : nothing;
  return html`<div class="file">
    ${name}${meta}${file.hunks.map((hunk) => {
      const numbers = hunk.lines.some((line) => line.new !== undefined || line.old !== undefined);
      const header = hunk.header ? html`<p class="place soft small">${inlineCode(hunk.header)}</p>` : nothing;
      return html`${header}${block(folded(compared(hunk.lines)), { numbers, signs: true })}`;
    })}
  </div>`;
}
