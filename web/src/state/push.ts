// Notices on this device while no page is open: asked of the browser, told to the desk.
//
// The desk has one subscription a device. Not here: what a notice says (the desk), how it is shown
// (`sw`). Imports `api/client`.

import { type Api, ApiError } from "../api/client.ts";

const ROUTE = "/api/push/subscription";

/** unsupported: this browser has none, or none without https. denied: the browser was told never to. */
export type PushState = "unsupported" | "denied" | "off" | "on";

export class Push {
  constructor(private readonly api: Api) {}

  async state(): Promise<PushState> {
    if (!("serviceWorker" in navigator) || !("PushManager" in window) || !window.isSecureContext) {
      return "unsupported";
    }
    if (Notification.permission === "denied") return "denied";
    return (await this.current()) ? "on" : "off";
  }

  private async current(): Promise<PushSubscription | null> {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration?.pushManager.getSubscription()) ?? null;
  }

  /** Asks the person and the browser, then tells the desk. Raises ApiError in words. */
  async start(): Promise<void> {
    if ((await Notification.requestPermission()) !== "granted") {
      throw new ApiError(0, "denied", "The browser was not allowed to show notices.");
    }
    const { key } = await this.api.get<{ key: string }>("/api/push/key");
    const registration = await navigator.serviceWorker.ready;
    let subscription: PushSubscription;
    try {
      subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ApiError(0, "push", `The browser could not subscribe: ${why}`);
    }
    await this.tell(subscription);
  }

  async stop(): Promise<void> {
    await (await this.current())?.unsubscribe();
    await this.api.delete(ROUTE);
  }

  /** Tells the desk again what the browser has: the device may be paired anew. Losses do not matter. */
  async renew(): Promise<void> {
    try {
      const subscription = (await this.state()) === "on" ? await this.current() : null;
      if (subscription) await this.tell(subscription);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private async tell(subscription: PushSubscription): Promise<void> {
    const { endpoint, keys } = subscription.toJSON();
    await this.api.put(ROUTE, { endpoint, keys });
  }
}
