// Calls of the desk over HTTP: JSON there and back, one shape of error.
//
// Not here: the stream (`stream`), what is sent again (`state/actions`). Imports `types`.

import type { ErrorBody, Paired } from "./types.ts";

/** A desk that has not answered within this is taken for gone. */
export const CALL_MS = 10_000;

type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** A call that failed. Its message is for people. `status` 0: nothing answered. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field = "",
    readonly state = "",
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** Whether it says nothing about what was called: the same call may fare better later. */
  get isLoss(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export class Api {
  constructor(
    readonly base: string,
    readonly token: string,
    private readonly fetcher: Fetch = (input, init) => fetch(input, init),
    private readonly patienceMs = CALL_MS,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>("GET", path);
  }

  post<T>(path: string, body: unknown = {}, keepalive = false): Promise<T> {
    return this.call<T>("POST", path, body, keepalive);
  }

  put<T>(path: string, body: unknown = {}): Promise<T> {
    return this.call<T>("PUT", path, body);
  }

  delete<T>(path: string): Promise<T> {
    return this.call<T>("DELETE", path);
  }

  /** Exchanges a one-time code for a credential of this device's own. */
  pair(code: string, name: string): Promise<Paired> {
    return this.call("POST", "/api/pair", { code, name });
  }

  /** Opens a response that goes on; who calls it reads the body. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const all = { ...this.headers(), ...headers };
    return this.fetcher(this.base + path, { headers: all, signal, cache: "no-store", credentials: "omit" });
  }

  private headers(): Record<string, string> {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  private async call<T>(method: string, path: string, body?: unknown, keepalive = false): Promise<T> {
    const init: RequestInit = {
      method,
      headers: this.headers(),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      keepalive,
      signal: AbortSignal.timeout(this.patienceMs),
    };
    if (body !== undefined) {
      init.headers = { ...this.headers(), "Content-Type": "application/json" };
      init.body = JSON.stringify(body);
    }
    let response: Response;
    let text: string;
    try {
      response = await this.fetcher(this.base + path, init);
      text = await response.text();
    } catch {
      // Dropped, refused, or not answered in time: which of these a browser does not say.
      throw new ApiError(0, "no_connection", "The desk cannot be reached.");
    }
    if (!response.ok) throw failed(response.status, text);
    return parsed(text) as T;
  }
}

/** Returns the error that a response stands for, whoever it came from. */
export function failed(status: number, text: string): ApiError {
  const body = parsed(text, null) as Partial<ErrorBody> | null;
  if (body !== null && typeof body === "object" && typeof body.error === "string") {
    return new ApiError(status, body.code ?? "error", body.error, body.field, body.state);
  }
  return new ApiError(status, "error", `The desk answered with ${status} and no words.`);
}

function parsed(text: string, otherwise: unknown = undefined): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (otherwise !== undefined) return otherwise;
    throw new ApiError(0, "no_json", "What answered is not the desk, or is cut off.");
  }
}
