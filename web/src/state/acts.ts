// What became of something that was done here to a request, until the desk's own changes tell.
//
// Types alone; imports `api/types`.

import type { Reply } from "../api/types.ts";

/**
 * idle: nothing was done here. sending: on its way, and sent again until the desk says something.
 * acknowledged: the first step of a command was taken. sent: the desk took it; what becomes of it
 * is in the request's own state. refused: it was not taken, and may be answered again. gone: it
 * was settled before, by somebody else.
 */
export type Phase = "idle" | "sending" | "acknowledged" | "sent" | "refused" | "gone";

export interface Act {
  phase: Phase;
  what: "answer" | "release";
  reply?: Reply;
  /** Under which an answer counts once, however often it is sent. */
  key: string;
  /** The run of the desk that it was meant for. */
  boot: string;
  /** Since when it is in this phase, in milliseconds since 1970. */
  since: number;
  /** How often it was sent so far. */
  tries: number;
  /** The connection broke over it: it goes again when the desk is back. */
  waiting?: boolean;
  /** Why it was refused, or how it was settled before: words for a person. */
  message?: string;
  /** Which field of the reply was at fault. */
  field?: string;
  code?: string;
}
