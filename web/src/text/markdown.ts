// Markdown as templates: what an agent writes can only ever become text, in elements of ours.
//
// marked reads it into tokens; from these templates are made, never HTML. HTML in it is shown as the
// text that it is. Of a link the address is shown, and only the address can be followed, and only
// over https; pictures are named, never loaded. Loaded when the first plan is shown. Imports lit,
// marked, `block`, `code`, `visible`.

import { html, nothing, type TemplateResult } from "lit";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { block } from "./block.ts";
import { coloured, languageNamed } from "./code.ts";
import { isFollowable } from "./follow.ts";
import { whole } from "./lines.ts";
import { shown } from "./visible.ts";

/** Deeper than this it is shown as it was written: no reader needs it, and it could fill the stack. */
const DEEPEST = 24;
/** Longer texts are shown as they were written. */
const MOST_CHARS = 120_000;

type Part = TemplateResult | string | typeof nothing | readonly Part[];

/** A block of a text: a paragraph, a list, some code. `source`: as it was written. */
export interface Passage {
  source: string;
  content: Part;
}

/** Returns a text block by block, or null where it is better shown as it was written. */
export function passages(text: string, wake: () => void): Passage[] | null {
  if (text.length > MOST_CHARS) return null;
  const tokens = lexed(text);
  if (!tokens) return null;
  return tokens
    .filter((token) => token.type !== "space")
    .map((token) => ({ source: token.raw, content: blockOf(token, 0, wake) }));
}

function lexed(text: string): Token[] | null {
  try {
    return lexer(text, { gfm: true });
  } catch {
    return null; // the reader gave up on it: nested too deeply
  }
}

// --- blocks -------------------------------------------------------------------------------

function blocks(tokens: readonly Token[] | undefined, depth: number, wake: () => void): Part[] {
  return (tokens ?? []).map((token) => blockOf(token, depth, wake));
}

function blockOf(token: Token, depth: number, wake: () => void): Part {
  if (depth > DEEPEST) return written(token.raw);
  const known = token as MarkedToken;
  switch (known.type) {
    case "space":
      return nothing;
    case "heading":
      return heading(known, depth);
    case "paragraph":
      return html`<p dir="auto">${inlines(known.tokens, depth + 1)}</p>`;
    case "text":
      return known.tokens ? inlines(known.tokens, depth + 1) : shown(known.text, true);
    case "code":
      return fenced(known, wake);
    case "blockquote":
      return html`<blockquote dir="auto">${blocks(known.tokens, depth + 1, wake)}</blockquote>`;
    case "list":
      return list(known, depth, wake);
    case "table":
      return table(known, depth);
    case "hr":
      return html`<hr />`;
    case "checkbox":
      return checkbox(known.checked);
    default:
      return written(token.raw);
  }
}

/** Returns a text as it was written, for whatever has no template of its own. */
function written(raw: string): TemplateResult {
  return html`<div class="written" dir="auto">${shown(raw.replace(/\n+$/, ""), true)}</div>`;
}

function heading(token: Tokens.Heading, depth: number): TemplateResult {
  const content = inlines(token.tokens, depth + 1);
  // Below the card's own heading, whatever the text thinks of itself.
  if (token.depth <= 1) return html`<h3 dir="auto">${content}</h3>`;
  if (token.depth === 2) return html`<h4 dir="auto">${content}</h4>`;
  return token.depth === 3 ? html`<h5 dir="auto">${content}</h5>` : html`<h6 dir="auto">${content}</h6>`;
}

function fenced(token: Tokens.Code, wake: () => void): TemplateResult {
  const lines = coloured(token.text, languageNamed(token.lang ?? ""), wake);
  const runs = (line: { new?: number }) => lines[(line.new ?? 1) - 1];
  const named = token.lang ? html`<div class="lang">${shown(token.lang)}</div>` : nothing;
  return html`${named}${block(whole(token.text), { runs })}`;
}

function list(token: Tokens.List, depth: number, wake: () => void): TemplateResult {
  const items = token.items.map((item) => {
    const box = item.task && !hasCheckbox(item) ? checkbox(item.checked) : nothing;
    const content = blocks(item.tokens, depth + 1, wake);
    return html`<li dir="auto" class=${item.task ? "task" : nothing}>${box}${content}</li>`;
  });
  if (!token.ordered) return html`<ul>${items}</ul>`;
  return html`<ol start=${token.start === "" ? 1 : token.start}>${items}</ol>`;
}

function hasCheckbox(item: Tokens.ListItem): boolean {
  const holds = (tokens: readonly Token[] | undefined): boolean =>
    (tokens ?? []).some((token) => token.type === "checkbox" || ("tokens" in token && holds(token.tokens)));
  return holds(item.tokens);
}

function checkbox(checked: boolean | undefined): TemplateResult {
  return html`<span role="img" aria-label=${checked ? "done" : "to do"}>${checked ? "☑" : "☐"}</span>${" "}`;
}

function table(token: Tokens.Table, depth: number): TemplateResult {
  const cells = (row: readonly Tokens.TableCell[], head: boolean) =>
    row.map((cell) => {
      const content = inlines(cell.tokens, depth + 1);
      return head ? html`<th scope="col" dir="auto">${content}</th>` : html`<td dir="auto">${content}</td>`;
    });
  return html`<div class="table" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead><tr>${cells(token.header, true)}</tr></thead>
      <tbody>${token.rows.map((row) => html`<tr>${cells(row, false)}</tr>`)}</tbody>
    </table>
  </div>`;
}

// --- within a line ------------------------------------------------------------------------

function inlines(tokens: readonly Token[] | undefined, depth: number): Part[] {
  return (tokens ?? []).map((token) => inlineOf(token, depth));
}

function inlineOf(token: Token, depth: number): Part {
  if (depth > DEEPEST) return shown(token.raw, true);
  const known = token as MarkedToken;
  switch (known.type) {
    case "text":
      return known.tokens ? inlines(known.tokens, depth + 1) : shown(known.text, true);
    case "escape":
      return shown(known.text, true);
    case "strong":
      return html`<strong>${inlines(known.tokens, depth + 1)}</strong>`;
    case "em":
      return html`<em>${inlines(known.tokens, depth + 1)}</em>`;
    case "del":
      return html`<del>${inlines(known.tokens, depth + 1)}</del>`;
    case "codespan":
      return html`<code dir="ltr">${shown(known.text)}</code>`;
    case "br":
      return html`<br />`;
    case "link":
      return link(known, depth);
    case "image":
      return picture(known);
    case "checkbox":
      return checkbox(known.checked);
    default:
      return html`<span class="written">${shown(token.raw, true)}</span>`; // HTML, and what is not known
  }
}

/** Returns a link: its words, and beside them where it leads, which alone can be followed. */
function link(token: Tokens.Link, depth: number): Part {
  const isBare = token.text === token.href || `mailto:${token.text}` === token.href;
  const title = token.title ? html` “${shown(token.title)}”` : nothing;
  if (isBare) return html`${address(token.href)}${title}`;
  return html`${inlines(token.tokens, depth + 1)}${title} (${address(token.href)})`;
}

function picture(token: Tokens.Image): TemplateResult {
  const from = html`<bdi class="address" dir="ltr">${shown(token.href)}</bdi>`;
  return html`<span class="picture">[picture, not loaded: ${shown(token.text)} ${from}]</span>`;
}

function address(href: string): TemplateResult {
  return html`<bdi class="address" dir="ltr">${
    isFollowable(href)
      ? html`<a href=${href} target="_blank" rel="noopener noreferrer">${shown(href)}</a>`
      : shown(href)
  }</bdi>`;
}
