// A desk for tests: an HTTP server of node's that says what a test lets it say.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Change } from "../src/api/types.ts";

const WAIT_MS = 5_000;

export interface Call {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
  response: ServerResponse;
}

type Answer = (call: Call) => void;

export class Desk {
  readonly calls: Call[] = [];
  readonly streams: ServerResponse[] = [];
  /** What answers a call that is no stream. */
  answer: Answer = (call) => reply(call, 200, { ok: true });
  /** What a stream begins with. */
  begin: Change[] = [];
  /** Status with which streams are refused; 0 lets them in. */
  refuses = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private port = 0;

  constructor() {
    this.server = createServer((incoming, response) => void this.take(incoming, response));
    this.server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
    });
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(this.port, "127.0.0.1", resolve));
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  /** Ends as a crash would: every connection breaks. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.breakAll();
    await closed;
  }

  breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  tell(change: Change): void {
    for (const stream of this.streams) stream.write(event(change));
  }

  private async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const { method = "", url: path = "", headers } = incoming;
    const call: Call = { method, path, headers, body: text ? JSON.parse(text) : undefined, response };
    this.calls.push(call);
    if (path !== "/api/events") this.answer(call);
    else if (this.refuses) reply(call, this.refuses, error(this.refuses, "refused", "No."));
    else this.stream(response);
  }

  private stream(response: ServerResponse): void {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.flushHeaders();
    for (const change of this.begin) response.write(event(change));
    this.streams.push(response);
    response.on("close", () => this.streams.splice(this.streams.indexOf(response), 1));
  }
}

function event(change: Change): string {
  return `id: ${change.boot}-${change.seq}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`;
}

export function reply(call: Call, status: number, body: unknown): void {
  call.response.writeHead(status, { "Content-Type": "application/json" });
  call.response.end(JSON.stringify(body));
}

export function error(status: number, code: string, words: string, more: object = {}): object {
  return { ok: false, error: words, code, status, ...more };
}

/** Waits until something is so. */
export async function until(isSo: () => boolean, what = "it"): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`${what} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
