// Who asks, from where, how long ago; and where the request stands.
//
// Every text of an agent stands apart from our words, so that it can pass for none of them. Imports
// lit, the wire's types, `words` and `text`.

import { html, nothing } from "lit";
import type { RequestView } from "../api/types.ts";
import type { Act } from "../state/acts.ts";
import { prose } from "../text/block.ts";
import { inline, inlineCode, visible } from "../text/visible.ts";
import type { Content } from "./part.ts";
import * as words from "./words.ts";

const SHORT_ID_CHARS = 8;
const GIST_CHARS = 120;

/** Returns the head of a card: its heading is `title`, by which the card is named. */
export function heading(view: RequestView, now: number, position: string): Content {
  const at = Date.parse(view.created_at);
  const exact = Number.isNaN(at) ? "" : new Date(at).toLocaleString();
  const isClaim = view.confirmed === false && !words.isOwn(view);
  return html`<header>
    <div class="top">
      <h2 id="title">${asker(view)} <span class="what">${words.what(view)}</span></h2>
      <p class="when soft small">
        ${position ? html`<span class="badge">${position}</span>` : nothing}
        <time datetime=${view.created_at} title=${exact}>${words.age(view.created_at, now)}</time>
      </p>
    </div>
    <p class="origin soft small">${origin(view)}</p>
    ${lastPrompt(view)}
    ${isClaim ? html`<p class="loud small">${words.UNCONFIRMED}</p>` : nothing}
  </header>`;
}

function asker(view: RequestView): Content {
  const label = view.label?.trim() ? html` (calls itself “${inline(view.label, 40)}”)` : nothing;
  return html`<span class="who">${words.capital(words.asker(view))}</span>${label}`;
}

function origin(view: RequestView): Content {
  const parts: Content[] = [];
  if (view.project || view.cwd) {
    const branch = view.branch ? html` on ${inline(view.branch, 60)}` : nothing;
    const worktree = view.worktree ? html` in worktree ${inline(view.worktree, 60)}` : nothing;
    parts.push(
      html`<span title=${visible(view.cwd ?? "")}>
        <strong class="project">${inline(view.project || view.cwd || "")}</strong>${branch}${worktree}</span
      >`,
    );
  }
  if (words.isOwn(view)) parts.push(html`surface ${inline(view.surface_id || view.session_id, 60)}`);
  else if (view.agent_id) {
    parts.push(
      html`subagent ${view.agent_type ? html`${inline(view.agent_type, 40)} ` : nothing}${inlineCode(
        view.agent_id.slice(0, 12),
      )}`,
    );
  } else parts.push("main agent");
  if (view.mode && !words.isOwn(view)) parts.push(html`mode ${inline(view.mode, 40)}`);
  if (!words.isOwn(view))
    parts.push(html`session ${inlineCode(view.session_id.slice(0, SHORT_ID_CHARS))}`);
  if (view.host) parts.push(html`on ${inline(view.host, 40)}`);
  return parts.map(
    (part, index) =>
      html`${index > 0 ? html`<span class="dot" aria-hidden="true"> · </span>` : nothing}${part}`,
  );
}

function lastPrompt(view: RequestView): Content {
  if (!view.prompt?.trim()) return nothing;
  return html`<details class="prompt small">
    <summary>
      <span class="soft">Your last prompt:</span>
      <span class="gist">${inline(view.prompt.replace(/\s+/g, " "), GIST_CHARS)}</span>
    </summary>
    ${prose(view.prompt)}
  </details>`;
}

/** Returns the question that a program asks itself; an agent's own has none. */
export function asked(view: RequestView): Content {
  if (!words.isOwn(view)) return nothing;
  return html`<p class="asked" dir="auto">${inline(view.title ?? "")}</p>
    ${view.unsafe ? html`<p class="loud">${words.DESTRUCTIVE}</p>` : nothing}`;
}

/** Returns how it ended, or how far its answer has come. */
export function outcome(view: RequestView): Content {
  const given = words.given(view);
  const by = words.answeredBy(view);
  const answer = given
    ? html`<p class="small">The answer${by ? ` (${by})` : ""}: ${inline(given)}</p>`
    : nothing;
  const said = view.said?.trim()
    ? html`<p class="small">It was said: ${inline(view.said, 300)}</p>`
    : nothing;
  return html`<p class=${words.isLoud(view) ? "loud" : "strong"}>${words.capital(words.stateWords(view))}</p>
    ${answer}${given.includes(view.said ?? "") ? nothing : said}`;
}

/** Returns what became of what was done here, until the desk's own word comes. */
export function progress(act: Act | undefined): Content {
  switch (act?.phase) {
    case "sending":
      return act.waiting
        ? html`<p>The connection broke: it is sent again until the desk has it…</p>`
        : html`<p>Sending…</p>`;
    case "sent":
      return html`<p>Sent: the desk has it.</p>`;
    case "acknowledged":
      return html`<p class="soft">The desk knows that you understood the command. Nothing runs yet.</p>`;
    case "refused":
      return html`<p class="loud">Not taken: ${inline(act.message ?? "the desk refused it")}</p>`;
    case "gone":
      return html`<p class="loud">Too late: ${inline(act.message ?? "it is settled")}</p>`;
    default:
      return nothing;
  }
}
