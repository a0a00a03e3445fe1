// What a person entered on cards that are not shown just now. Imports its neighbours' types.

import type { Part } from "./part.ts";
import type { Reading } from "./reading.ts";
import type { Rows } from "./rows.ts";

/** What is kept of a card while another one is shown. */
export interface Left {
  own: Part | undefined;
  reading: Reading;
  rowsPart: Rows;
}

const MOST_LEFT = 64;

/** Keeps what was left on a card, and forgets the oldest of many. */
export function keep(all: Map<string, Left>, name: string, left: Left): void {
  all.delete(name);
  all.set(name, left);
  const [oldest] = all.keys();
  if (all.size > MOST_LEFT && oldest !== undefined) all.delete(oldest);
}
