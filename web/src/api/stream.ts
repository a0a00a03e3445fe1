// The stream of changes, kept open for ever: it comes back after a lost network, a sleep, a restart.
//
// Read with fetch, since EventSource cannot send the credential. Not here: what a change means
// (`state/reduce`). Imports `client`, `sse` and `types`.

import { type Api, ApiError, failed } from "./client.ts";
import { SseParser } from "./sse.ts";
import type { Change } from "./types.ts";

export const FIRST_RETRY_MS = 500;
export const LAST_RETRY_MS = 10_000;
/** The desk sends something every 15 s; a connection without a byte for this long is dead. */
export const SILENCE_MS = 40_000;
/** After a sleep a connection may look open and be dead: on waking, it is believed for this long only. */
export const FRESH_MS = 17_000;

export interface Handlers {
  /** A change has come, in order. */
  change(change: Change): void;
  /** The desk answered: what is shown is about to be right. */
  online(): void;
  /** The connection is gone; it is tried again for ever. */
  offline(): void;
  /** The desk does not take this credential; it is not tried again until `again()`. */
  refused(error: ApiError): void;
}

export interface Stream {
  close(): void;
  /** Connects anew now, and from a snapshot if `afresh`. */
  again(afresh?: boolean): void;
  /** Lets go of the connection until it is asked for again, or somebody looks. */
  pause(): void;
}

export interface Timing {
  firstMs: number;
  lastMs: number;
  silenceMs: number;
  freshMs: number;
}

const TIMING: Timing = {
  firstMs: FIRST_RETRY_MS,
  lastMs: LAST_RETRY_MS,
  silenceMs: SILENCE_MS,
  freshMs: FRESH_MS,
};

/** Keeps the stream open until it is closed. `waking`: where `online` and `visibilitychange` come from. */
export function openStream(
  api: Api,
  handlers: Handlers,
  waking: { window?: EventTarget; document?: EventTarget & { visibilityState?: string } } = globalThis,
  timing: Timing = TIMING,
): Stream {
  return new Connection(api, handlers, waking, timing);
}

class Connection implements Stream {
  private lastId = "";
  private waitMs: number;
  private heardAt = 0;
  private isOpen = false;
  private isLost = false;
  private isClosed = false;
  private abort = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly waking = new AbortController();

  constructor(
    private readonly api: Api,
    private readonly handlers: Handlers,
    place: { window?: EventTarget; document?: EventTarget & { visibilityState?: string } },
    private readonly timing: Timing,
  ) {
    this.waitMs = timing.firstMs;
    const options = { signal: this.waking.signal };
    place.window?.addEventListener("online", () => this.wake(), options);
    place.window?.addEventListener("pageshow", () => this.wake(), options);
    place.document?.addEventListener(
      "visibilitychange",
      () => {
        if (place.document?.visibilityState === "visible") this.wake();
      },
      options,
    );
    void this.run();
  }

  close(): void {
    this.isClosed = true;
    this.waking.abort();
    this.stop();
  }

  again(afresh = false): void {
    if (afresh) this.lastId = "";
    this.waitMs = this.timing.firstMs;
    this.stop();
    void this.run();
  }

  pause(): void {
    this.stop();
  }

  private wake(): void {
    if (!this.isOpen || Date.now() - this.heardAt > this.timing.freshMs) this.again();
  }

  /** Ends what is under way; whoever runs it sees that its signal is another's. */
  private stop(): void {
    clearTimeout(this.timer);
    this.abort.abort();
    this.abort = new AbortController();
    if (this.isOpen && !this.isClosed) this.lost();
    this.isOpen = false;
  }

  private lost(): void {
    if (!this.isLost) this.handlers.offline();
    this.isLost = true;
  }

  private async run(): Promise<void> {
    const signal = this.abort.signal;
    this.watch(signal);
    try {
      await this.read(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
        this.stop();
        this.handlers.refused(error);
        return;
      }
    }
    if (!signal.aborted) this.retry();
  }

  private retry(): void {
    this.stop();
    if (this.isClosed) return;
    this.lost(); // also if it never was open
    // Not all pages of a desk that comes back at the same instant.
    const waitMs = this.waitMs * (0.75 + Math.random() / 2);
    this.waitMs = Math.min(this.waitMs * 2, this.timing.lastMs);
    this.timer = setTimeout(() => void this.run(), waitMs);
  }

  /** Takes a connection on which nothing comes for a while for dead. */
  private watch(signal: AbortSignal): void {
    this.heardAt = Date.now();
    clearTimeout(this.timer);
    const look = (): void => {
      if (signal.aborted) return;
      const leftMs = this.heardAt + this.timing.silenceMs - Date.now();
      if (leftMs <= 0) this.retry();
      else this.timer = setTimeout(look, leftMs);
    };
    this.timer = setTimeout(look, this.timing.silenceMs);
  }

  private async read(signal: AbortSignal): Promise<void> {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (this.lastId) headers["Last-Event-ID"] = this.lastId;
    const response = await this.api.open("/api/events", headers, signal);
    if (!response.ok) throw failed(response.status, await response.text());
    if (response.body === null || !isStream(response)) {
      throw new ApiError(0, "no_stream", "What answered is not the desk.");
    }
    this.opened();
    const parser = new SseParser(this.lastId);
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      this.heardAt = Date.now();
      this.waitMs = this.timing.firstMs;
      for (const event of parser.feed(value)) {
        this.take(event.data);
        if (signal.aborted) return; // a handler asked for another connection
        this.lastId = event.id;
      }
    }
  }

  private opened(): void {
    this.isOpen = true;
    this.isLost = false;
    this.heardAt = Date.now();
    this.handlers.online();
  }

  private take(data: string): void {
    const change: unknown = JSON.parse(data);
    if (isChange(change)) this.handlers.change(change);
  }
}

function isStream(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
}

function isChange(value: unknown): value is Change {
  if (typeof value !== "object" || value === null) return false;
  const change = value as Partial<Change>;
  return typeof change.type === "string" && typeof change.boot === "string" && typeof change.seq === "number";
}
