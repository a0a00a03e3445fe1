// What a person has read of a request: nothing is allowed that could not be seen to its end.
//
// A row that a list cuts counts as read once it was fetched whole and its end was on the screen.
// What never left the agent's hook can be read by nobody, and is allowed only by saying so. The
// desk keeps its own account of what it served. Pure; imports the wire's types and `words`.

import type { RequestView, Row } from "../api/types.ts";
import { visible } from "../text/visible.ts";
import { isCut } from "./words.ts";

export class Reading {
  /** They said that they take unseen what cannot be shown. */
  isUnseenTaken = false;
  private readonly read = new Set<number>();

  /** The rows that a list cuts: each must be fetched, and seen to its end. */
  static cut(view: RequestView): number[] {
    return view.input.flatMap((row, index) => (isCut(row) ? [index] : []));
  }

  /** Takes note that the end of a row was on the screen. Returns whether that is news. */
  reached(index: number): boolean {
    if (this.read.has(index)) return false;
    this.read.add(index);
    return true;
  }

  hasRead(index: number): boolean {
    return this.read.has(index);
  }

  /** Returns the first row that must still be read, -1 for none. */
  next(view: RequestView, whole: ReadonlyMap<number, Row>): number {
    return Reading.cut(view).find((index) => !whole.has(index) || !this.read.has(index)) ?? -1;
  }

  /** Returns why nothing may be allowed yet, in words; "" when it may. */
  lock(view: RequestView, whole: ReadonlyMap<number, Row>): string {
    const index = this.next(view, whole);
    const row = view.input[index];
    if (row) {
      const label = visible(row.label);
      return whole.has(index)
        ? `Read “${label}” to its end first: scroll down to it.`
        : `“${label}” is longer than what is shown: show all of it, and read it to its end first.`;
    }
    if (this.isUnseenTaken || !isAnyLost(view)) return "";
    return "A part of this cannot be shown: say first that you take it unseen.";
  }
}

/** Whether a part of it never left the agent's hook. */
export function isAnyLost(view: RequestView): boolean {
  return view.input.some((row) => row.lost === true);
}
