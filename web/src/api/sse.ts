// Server-sent events, parsed from bytes in pieces of any size.
//
// As https://html.spec.whatwg.org/multipage/server-sent-events.html has it. Imports nothing.

export interface ServerEvent {
  type: string;
  data: string;
  /** The last one that the stream gave. */
  id: string;
}

export class SseParser {
  lastId: string;
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: false });
  private rest = "";
  private afterCr = false;
  private data: string[] = [];
  private type = "";

  constructor(lastId = "") {
    this.lastId = lastId;
  }

  /** Returns the events that this piece completes; comments are dropped. */
  feed(bytes: Uint8Array): ServerEvent[] {
    let text = this.decoder.decode(bytes, { stream: true });
    if (text === "") return [];
    if (this.afterCr && text.startsWith("\n")) text = text.slice(1); // the other half of a CRLF
    this.afterCr = text.endsWith("\r");
    // Only the new piece is searched, or a long line in many pieces would be searched again and again.
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = this.rest + (lines[0] ?? "");
    this.rest = lines.pop() ?? "";
    const found: ServerEvent[] = [];
    for (const line of lines) this.line(line, found);
    return found;
  }

  private line(line: string, found: ServerEvent[]): void {
    if (line === "") {
      if (this.data.length > 0) {
        found.push({ type: this.type || "message", data: this.data.join("\n"), id: this.lastId });
      }
      this.data = [];
      this.type = "";
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return; // a comment: that bytes came is all it says
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.data.push(value);
    else if (name === "event") this.type = value;
    else if (name === "id" && !value.includes("\0")) this.lastId = value;
  }
}
