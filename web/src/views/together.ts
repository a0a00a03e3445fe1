// Like requests, answered together: only after a look at each to its end, and a second word.
//
// What asks later does not join. Each gets an answer of its own, and each may still fail by itself.
// Fires "done" to be put away. Imports lit, `state`, `text/visible`, `ui` and `words`.

import { LitElement, css, html, nothing } from "lit";
import type { RequestView, Row } from "../api/types.ts";
import { agentName, capital, count, isCut, stateWords, waits, what } from "../cards/words.ts";
import { type Page, Watching } from "../state/page.ts";
import { likeOf } from "../state/select.ts";
import { inline, shown } from "../text/visible.ts";
import { confirm } from "../ui/confirm.ts";
import { base, buttons, panels } from "../ui/tokens.ts";
import { gist, where } from "./words.ts";

type Verdict = "allow" | "deny";

export class SaysoTogether extends LitElement {
  static override properties = {
    page: { attribute: false },
    first: { attribute: false },
    at: { state: true },
    seen: { state: true },
    sent: { state: true },
  };
  static override styles = [
    base,
    buttons,
    panels,
    css`
      pre {
        margin: 0;
        padding: var(--gap);
        border-radius: var(--radius-s);
        background: var(--code-ground);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .mark {
        border-radius: 0.2em;
        background: var(--mark);
        color: var(--on-mark);
        padding: 0 0.15em;
      }
      dt {
        margin-top: var(--gap-s);
        color: var(--text-soft);
        font-size: var(--size-s);
      }
      ol {
        margin: var(--gap) 0;
      }
      ol li {
        display: flex;
        gap: var(--gap);
        padding: 0.3rem 0;
        border-top: 1px solid var(--line);
      }
      ol bdi {
        flex: 1;
        min-width: 0;
        font-family: var(--mono);
        font-size: var(--size-s);
      }
    `,
  ];

  declare page: Page;
  declare first: RequestView;
  declare at: number;
  declare seen: ReadonlySet<string>;
  declare sent: boolean;
  private ids: readonly string[] = [];
  private readonly watcher = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) this.reached();
  });

  constructor() {
    super();
    this.at = 0;
    this.seen = new Set();
    this.sent = false;
    new Watching(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watcher.disconnect();
  }

  override willUpdate(): void {
    if (this.ids.length > 0) return;
    const like = likeOf(this.page.store.state, this.first);
    this.ids = [this.first, ...like].sort((a, b) => (a.created_at < b.created_at ? -1 : 1)).map((one) => one.id);
  }

  /** Those that still wait. */
  private get views(): RequestView[] {
    const all = this.ids.map((id) => this.page.store.find(id));
    return all.filter((view): view is RequestView => view !== undefined && (this.sent || waits(view)));
  }

  override updated(): void {
    this.watcher.disconnect();
    const end = this.renderRoot.querySelector(".end");
    if (end) this.watcher.observe(end);
    const view = this.views[this.at];
    view?.input.forEach((row, index) => {
      if (isCut(row)) void this.page.actions.row(view.id, index);
    });
  }

  private whole(view: RequestView): Row[] {
    const rows = this.page.store.rows.get(view.id);
    return view.input.map((row, index) => rows?.get(index) ?? row);
  }

  /** The end of the one that is shown was on the screen. */
  private reached(): void {
    const view = this.views[this.at];
    if (!view || this.seen.has(view.id) || this.whole(view).some(isCut)) return;
    this.seen = new Set([...this.seen, view.id]);
  }

  override render() {
    const { views } = this;
    if (views.length === 0) return html`<p class="panel">None of these waits any more. ${this.close("Close")}</p>`;
    if (this.sent) return this.outcome(views);
    const isAllSeen = views.every((view) => this.seen.has(view.id));
    return html`<section class="panel stack" aria-label="Like requests together">
      <h2>Look at each, then answer all</h2>
      ${this.one(views)} ${isAllSeen ? this.verdict(views) : this.left(views)}
    </section>`;
  }

  private one(views: RequestView[]) {
    const at = Math.min(this.at, views.length - 1);
    const view = views[at];
    if (!view) return nothing;
    return html`<div role="group" aria-label="${at + 1} of ${views.length}">
        <p>
          <b>${at + 1} of ${views.length}</b> · ${capital(agentName(view.agent))} ${what(view)} in <bdi>${where(view)}</bdi>
        </p>
        <dl>
          ${this.whole(view).map(
            (row) =>
              html`<dt>${inline(row.label)}</dt>
                <dd>${row.code ? html`<pre dir="ltr">${shown(row.value, true)}</pre>` : inline(row.value)}</dd>`,
          )}
        </dl>
        <div class="end"></div>
      </div>
      <div class="row">
        <button ?disabled=${at === 0} @click=${() => this.step(-1)}>The one before</button>
        <button ?disabled=${at === views.length - 1 || !this.seen.has(view.id)} @click=${() => this.step(1)}>
          The next one
        </button>
        ${this.close("Leave it")}
      </div>`;
  }

  private step(by: number): void {
    this.at = Math.min(this.at, this.views.length - 1) + by;
  }

  private left(views: RequestView[]) {
    const left = views.filter((view) => !this.seen.has(view.id)).length;
    return html`<p class="soft" role="status">${count(left, "is", "are")} still to be looked at to the end.</p>`;
  }

  private verdict(views: RequestView[]) {
    const isOff = !this.page.store.online;
    return html`<div class="row" role="group" aria-label="Answer all">
      <button class="wide" ?disabled=${isOff} @click=${() => this.answer(views, "deny")}>Deny all ${views.length}…</button>
      <button class="wide" ?disabled=${isOff} @click=${() => this.answer(views, "allow")}>
        Allow all ${views.length}…
      </button>
    </div>`;
  }

  private async answer(views: RequestView[], verdict: Verdict): Promise<void> {
    const gists = views.slice(0, 12).map((view) => `• ${gist(view)}`);
    const more = views.length > gists.length ? [`and ${views.length - gists.length} more`] : [];
    const isSure = await confirm({
      title: `${capital(verdict)} all ${views.length}?`,
      words: `${[...gists, ...more].join("\n")}\n\nWhat is sent is sent: there is no way back.`,
      yes: `${capital(verdict)} all ${views.length}`,
      danger: true,
    });
    if (!isSure) return;
    this.sent = true;
    this.ids = views.map((view) => view.id);
    for (const view of views) {
      const now = this.page.store.find(view.id);
      if (now && waits(now)) void this.page.actions.answer(view.id, { behavior: verdict });
    }
  }

  private outcome(views: RequestView[]) {
    return html`<section class="panel" aria-label="Answered together">
      <h2>Answered together</h2>
      <ol>
        ${views.map((view) => {
          const act = this.page.store.acts.get(view.id);
          const words = act?.message ?? (act?.phase === "sending" ? "sending" : stateWords(view));
          return html`<li><bdi>${gist(view)}</bdi><span class="small">${words}</span></li>`;
        })}
      </ol>
      ${this.close("Close")}
    </section>`;
  }

  private close(label: string) {
    return html`<button class="quiet" @click=${() => this.dispatchEvent(new CustomEvent("done"))}>${label}</button>`;
  }
}

customElements.define("sayso-together", SaysoTogether);
