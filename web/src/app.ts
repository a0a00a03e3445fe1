// The page as a whole: who may see it, where one is in it, and what is always in sight.
//
// Not here: what a view shows (`views`), calls (`state`). Imports lit, `state`, `views` and `ui`.

import { LitElement, html, nothing } from "lit";
import { appStyles } from "./app.css.ts";
import { ApiError } from "./api/client.ts";
import { count } from "./cards/words.ts";
import { deviceName, forget, token } from "./state/credential.ts";
import { Page, Watching } from "./state/page.ts";
import { pending } from "./state/select.ts";
import { base, buttons, panels } from "./ui/tokens.ts";
import "./ui/switch.ts";
import "./views/inbox.ts";
import type { SaysoInbox } from "./views/inbox.ts";
import { type Keyed, Keys } from "./views/keys.ts";
import { codeOf, format, parse, type Route, TABS, type Tab } from "./views/routes.ts";
import type { SaysoStrips } from "./views/strips.ts";
import "./views/strips.ts";
import { clock } from "./views/words.ts";

const NAMES: Record<Tab, string> = {
  inbox: "Inbox",
  sessions: "Sessions",
  devices: "Devices",
  settings: "Settings",
  help: "Help",
};
/** Only the inbox is there from the beginning. */
const LOADS: Partial<Record<Tab, () => Promise<unknown>>> = {
  sessions: () => import("./views/sessions.ts"),
  devices: () => import("./views/devices.ts"),
  settings: () => import("./views/settings.ts"),
  help: () => import("./views/help.ts"),
};
const TICK_MS = 1_000;
const CALM_TICKS = 10;
/** A break shorter than this is not worth a word; nothing can be sent during it all the same. */
const BREAK_MS = 1_500;

export class SaysoApp extends LitElement implements Keyed {
  static override properties = {
    page: { state: true },
    route: { state: true },
    now: { state: true },
    code: { state: true },
    trouble: { state: true },
    awayBusy: { state: true },
    loaded: { state: true },
    isOld: { state: true },
  };
  static override styles = [base, buttons, panels, appStyles];

  declare page: Page | undefined;
  declare route: Route;
  /** The time as far as it is shown: it does not go on each second unless something hangs on it. */
  declare now: number;
  declare code: string;
  declare trouble: string;
  declare awayBusy: boolean;
  declare loaded: ReadonlySet<Tab>;
  /** A newer page was put in place while this one was open. */
  declare isOld: boolean;
  private ticks = 0;
  /** Whether the cursor is to go into the field that finds, once it is there. */
  private isFinding = false;
  /** The number that title and icon say. */
  private told = 0;

  constructor() {
    super();
    this.code = codeOf(location.hash);
    // Out of the address and its history, before anything else can see it.
    if (this.code) history.replaceState(null, "", location.pathname);
    this.route = parse(location.hash);
    this.now = Date.now();
    this.trouble = "";
    this.awayBusy = false;
    this.loaded = new Set();
    this.isOld = false;
    this.page = token() ? new Page(token()) : undefined;
    new Watching(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const keys = new Keys(this);
    window.addEventListener("hashchange", () => this.moved());
    window.addEventListener("keydown", (event) => {
      if (this.page && keys.press(event)) event.preventDefault();
    });
    document.addEventListener("visibilitychange", () => {
      this.now = Date.now(); // it stood still while nobody looked
    });
    window.addEventListener("beforeunload", (event) => {
      if (this.page?.isSending) event.preventDefault(); // an answer would be lost with the page
    });
    // Another tab of this browser was paired, or forgot its credential.
    window.addEventListener("storage", (event) => {
      if (event.key === "sayso.token") this.paired();
    });
    const worker = navigator.serviceWorker;
    const isKept = Boolean(worker?.controller);
    worker?.addEventListener("controllerchange", () => {
      this.isOld = isKept;
    });
    worker?.addEventListener("message", (event: MessageEvent<{ type?: string; id?: string }>) => {
      if (event.data?.type === "open") location.hash = format({ tab: "inbox", id: event.data.id ?? "" });
    });
    setInterval(() => this.tick(), TICK_MS);
    void this.load();
  }

  private moved(): void {
    const code = codeOf(location.hash);
    if (code) {
      history.replaceState(null, "", location.pathname);
      this.code = code;
    }
    const before = this.route.tab;
    this.route = parse(location.hash);
    this.trouble = "";
    if (this.route.tab !== before) window.scrollTo(0, 0);
    void this.load();
  }

  private async load(): Promise<void> {
    const { tab } = this.route;
    try {
      await LOADS[tab]?.();
      this.loaded = new Set([...this.loaded, tab]);
    } catch {
      this.trouble = "This part of the page could not be loaded. Is the desk up? Then load the page anew.";
    }
  }

  private tick(): void {
    this.ticks += 1;
    if (document.visibilityState !== "visible") return;
    if (this.isUrgent() || this.ticks % CALM_TICKS === 0) this.now = Date.now();
  }

  /** Whether seconds matter: something waits only shortly, or the connection just broke. */
  private isUrgent(): boolean {
    if (!this.page) return false;
    const { store } = this.page;
    if (!store.online && Date.now() - store.since < 2 * CALM_TICKS * TICK_MS) return true;
    const soon = Date.now() + 60_000;
    if (store.state.grants.some((grant) => Date.parse(grant.until) < soon)) return true;
    return pending(store.state).some((view) => view.expires_at && Date.parse(view.expires_at) < soon);
  }

  override updated(): void {
    if (this.isFinding && this.inbox) {
      this.isFinding = false;
      this.inbox.find();
    }
    const waiting = this.page ? pending(this.page.store.state).length : 0;
    if (waiting === this.told) return;
    this.told = waiting;
    document.title = waiting > 0 ? `(${waiting}) sayso` : "sayso";
    void badge(waiting);
  }

  // --- who may see it ----------------------------------------------------------------------

  private paired(): void {
    this.page?.close();
    this.code = "";
    this.page = token() ? new Page(token()) : undefined;
  }

  private forget(): void {
    forget();
    this.paired();
  }

  override render() {
    const refusal = this.page?.store.refusal;
    if (!this.page || refusal?.status === 401) return this.pairing(refusal ?? null);
    return this.shell(this.page);
  }

  private pairing(refusal: ApiError | null) {
    const why = refusal
      ? `The desk does not know this device${deviceName() ? ` (${deviceName()})` : ""} any more: it was taken back, or is another desk's.`
      : "";
    void import("./views/pairing.ts");
    return html`<sayso-pairing .code=${this.code} .why=${why} @paired=${this.paired}></sayso-pairing>`;
  }

  // --- what is always in sight ---------------------------------------------------------------

  private shell(page: Page) {
    const isDeep = this.route.tab === "inbox" && this.route.id !== "";
    return html`
      <button class="skip" @click=${this.skip}>To what waits</button>
      <header class=${isDeep ? "deep" : ""}>
        <a class="brand" href="#/inbox"
          ><img src="/icons/mark.svg" alt="" width="28" height="28" /><span>sayso</span></a
        >
        ${this.tabs(page, isDeep)}
        <sayso-switch
          label="Away"
          title="Away: agents that show nothing meanwhile wait longer for you (w)"
          .on=${page.store.state.settings?.away ?? false}
          .busy=${this.awayBusy}
          ?disabled=${!page.store.online || !page.may("answer")}
          @toggle=${this.away}
        ></sayso-switch>
      </header>
      ${this.banners(page)}
      <sayso-strips .page=${page} .now=${this.now}></sayso-strips>
      <p class="sr" role="status">${this.waiting(page)}</p>
      <main tabindex="-1" class=${isDeep ? "deep" : ""}>${this.view(page)}</main>
    `;
  }

  private waiting(page: Page): string {
    if (page.store.state.boot === "") return "";
    return count(pending(page.store.state).length, "request waits", "requests wait");
  }

  private tabs(page: Page, isDeep: boolean) {
    const waiting = pending(page.store.state).length;
    return html`<nav class=${isDeep ? "deep" : ""} aria-label="Parts of the page">
      ${TABS.map(
        (tab) => html`<a href=${format({ tab, id: "" })} aria-current=${this.route.tab === tab ? "page" : nothing}
          ><span>${NAMES[tab]}</span>${
            tab === "inbox" && waiting > 0
              ? html`<span class="count" aria-label=${this.waiting(page)}>${waiting}</span>`
              : nothing
          }</a
        >`,
      )}
    </nav>`;
  }

  private banners(page: Page) {
    const { store } = page;
    const isBroken = !store.online && Date.now() - store.since > BREAK_MS && store.refusal === null;
    const since = clock(store.since, this.now);
    const lost =
      store.state.boot === ""
        ? "Not connected to the desk yet. Trying…"
        : `Not connected to the desk since ${since}; what you see may be old. Trying again…`;
    return html`<div role="status">
        ${
          isBroken
            ? html`<div class="banner">
                <span>${lost}</span><button class="quiet" @click=${() => page.again()}>Try now</button>
              </div>`
            : nothing
        }
        ${
          store.refusal
            ? html`<div class="banner">
                <span>${store.refusal.message}</span>
                <button class="quiet" @click=${() => page.again()}>Try again</button>
              </div>`
            : nothing
        }
        ${this.unused(page)} ${this.isOld ? this.older() : nothing}
      </div>
      ${this.trouble ? html`<div class="banner" role="alert"><span>${this.trouble}</span></div>` : nothing}`;
  }

  /** A link with a code was opened where there is a credential already. */
  private unused(page: Page) {
    if (!this.code || !page.store.me) return nothing;
    const { me } = page.store;
    return html`<div class="note">
      <span>This browser is paired already, as ${me.device.name} (${me.power}); the code in the link was not used.</span>
      <button class="quiet" @click=${this.useCode}>Use it</button>
      <button
        class="quiet"
        @click=${() => {
          this.code = "";
        }}
      >
        Leave it
      </button>
    </div>`;
  }

  private older() {
    return html`<div class="note">
      <span>The desk was brought up to date; this page is still the one before.</span>
      <button class="quiet" @click=${() => location.reload()}>Load it anew</button>
    </div>`;
  }

  private useCode(): void {
    this.page?.close();
    this.page = undefined;
  }

  private view(page: Page) {
    const { tab, id } = this.route;
    if (tab === "inbox") {
      return html`<sayso-inbox .page=${page} .wanted=${id} .now=${this.now}></sayso-inbox>`;
    }
    if (!this.loaded.has(tab)) return html`<p class="soft wait">…</p>`;
    switch (tab) {
      case "sessions":
        return html`<sayso-sessions .page=${page} .now=${this.now}></sayso-sessions>`;
      case "devices":
        return html`<sayso-devices .page=${page} .now=${this.now} @forget=${this.forget}></sayso-devices>`;
      case "settings":
        return html`<sayso-settings .page=${page} .now=${this.now} @forget=${this.forget}></sayso-settings>`;
      default:
        return html`<sayso-help></sayso-help>`;
    }
  }

  // --- keys, and what they do ------------------------------------------------------------------

  private get inbox(): SaysoInbox | null {
    return this.renderRoot.querySelector<SaysoInbox>("sayso-inbox");
  }

  private skip(): void {
    this.renderRoot.querySelector<HTMLElement>("main")?.focus();
  }

  move(step: number): void {
    this.inbox?.move(step);
  }

  enter(): void {
    if (!this.inbox) this.go("inbox");
    else void this.inbox.enter();
  }

  go(place: string): void {
    location.hash = `#/${place}`;
  }

  help(): void {
    this.go(this.route.tab === "help" ? "inbox" : "help");
  }

  filter(): void {
    this.isFinding = true;
    if (!this.inbox) this.go("inbox");
    this.requestUpdate();
  }

  dismiss(): void {
    this.renderRoot.querySelector<SaysoStrips>("sayso-strips")?.dismiss();
  }

  back(): boolean {
    return this.inbox?.back() ?? false;
  }

  card(event: KeyboardEvent): boolean {
    return this.inbox?.key(event) ?? false;
  }

  away(): void {
    const { page } = this;
    if (!page?.store.online || this.awayBusy || !page.may("answer")) return;
    this.awayBusy = true;
    this.trouble = "";
    page.actions
      .setAway(!page.store.state.settings?.away)
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        this.trouble = error.message;
      })
      .finally(() => {
        this.awayBusy = false;
      });
  }
}

/** Puts the number on the installed page's icon, where there is such a thing. */
async function badge(waiting: number): Promise<void> {
  try {
    await (waiting > 0 ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.());
  } catch {
    // A browser that has it and does not allow it; the title says the same.
  }
}

customElements.define("sayso-app", SaysoApp);
