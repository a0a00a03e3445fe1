// One credential's page: the connection, what is known over it, and what can be done.
//
// Not here: where the credential comes from (`credential`), what anything looks like. Imports its
// neighbours and `api/client`.

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { Api } from "../api/client.ts";
import type { Stream } from "../api/stream.ts";
import type { Power } from "../api/types.ts";
import { Actions } from "./actions.ts";
import { chance } from "./chance.ts";
import { link } from "./link.ts";
import { Presence } from "./presence.ts";
import { Push } from "./push.ts";
import { Slots } from "./slots.ts";
import { Store } from "./store.ts";

export class Page {
  readonly store = new Store();
  readonly actions: Actions;
  readonly presence: Presence;
  readonly push: Push;
  /** The ids of the cards that are before the person's eyes. */
  open: readonly string[] = [];
  private readonly stream: Stream;
  private readonly slots: Slots;

  constructor(token: string) {
    const api = new Api("", token);
    this.actions = new Actions(this.store, api);
    this.push = new Push(api);
    this.presence = new Presence({
      visible: () => document.visibilityState === "visible",
      now: () => Date.now(),
      send: (told, last) => {
        if (this.store.online) this.actions.presence(told, last);
      },
      open: () => this.open,
      page: chance(),
    });
    this.store.addEventListener("online", () => this.presence.forget());
    this.store.addEventListener("online", () => void this.push.renew(), { once: true });
    this.presence.start(window, document);
    this.stream = link(this.store, api);
    this.slots = new Slots(() => this.stream.pause());
    document.addEventListener("visibilitychange", this.turned);
  }

  private readonly turned = (): void => {
    if (document.visibilityState === "visible") this.slots.shown();
    else void this.slots.hidden();
  };

  /** Whether something that was done here has not reached the desk. */
  get isSending(): boolean {
    return [...this.store.acts.values()].some((act) => act.phase === "sending");
  }

  /** Tries the connection now. */
  again(): void {
    this.stream.again();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.turned);
    this.slots.shown();
    this.stream.close();
    this.presence.stop();
  }

  /** Whether this device may do that; until the desk has said what it may, it is let try. */
  may(power: Power): boolean {
    const order: readonly Power[] = ["none", "ask", "see", "answer", "admin"];
    const mine = this.store.me?.power;
    return mine === undefined || order.indexOf(mine) >= order.indexOf(power);
  }
}

/** A page of which no frame is drawn shows what changed after this: its title is seen all the same. */
const HIDDEN_MS = 100;

/** Has an element shown anew whenever its page knows something new. */
export class Watching implements ReactiveController {
  private watched: Store | undefined;
  private isDue = false;
  private readonly changed = (): void => this.due();

  constructor(private readonly host: ReactiveControllerHost & { page?: Page | undefined }) {
    host.addController(this);
  }

  hostConnected(): void {
    this.follow(this.host.page?.store);
  }

  hostUpdate(): void {
    this.follow(this.host.page?.store);
  }

  hostDisconnected(): void {
    this.follow(undefined);
  }

  /** Shows what changed with the next frame, however much that is; a hidden page draws none. */
  private due(): void {
    if (this.isDue) return;
    this.isDue = true;
    const show = (): void => {
      if (!this.isDue) return;
      this.isDue = false;
      this.host.requestUpdate();
    };
    if (document.visibilityState === "visible") requestAnimationFrame(show);
    setTimeout(show, HIDDEN_MS);
  }

  private follow(store: Store | undefined): void {
    if (store === this.watched) return;
    this.watched?.removeEventListener("change", this.changed);
    store?.addEventListener("change", this.changed);
    this.watched = store;
  }
}
