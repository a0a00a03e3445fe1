// Few streams, however many tabs: a browser opens six connections to a host, and no more.
//
// A tab that is looked at always has its stream. Of those that are not, a few keep theirs, so that
// their titles stay true; the others come back when they are looked at. Imports nothing.

/** So many hidden tabs of a browser keep their stream. */
export const MOST_HIDDEN = 3;
const NAME = "sayso.stream";

type Locks = Pick<LockManager, "request">;

export class Slots {
  private release: (() => void) | undefined;
  private turn = 0;

  constructor(
    private readonly pause: () => void,
    private readonly locks: Locks | null = navigator.locks ?? null, // none without https
  ) {}

  /** The tab is looked at: it needs no place among the hidden ones. */
  shown(): void {
    this.turn += 1;
    this.release?.();
    this.release = undefined;
  }

  /** The tab is hidden: it keeps its stream if there is a place. */
  async hidden(): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    if (!this.locks || this.release) return;
    for (let place = 0; place < MOST_HIDDEN; place += 1) {
      if (await this.take(`${NAME}.${place}`, turn)) return;
    }
    if (turn === this.turn) this.pause();
  }

  /** Returns whether a place was had, or is not needed any more. */
  private take(name: string, turn: number): Promise<boolean> {
    return new Promise((resolve) => {
      void this.locks?.request(name, { ifAvailable: true }, (lock) => {
        if (turn !== this.turn) return resolve(true);
        if (lock === null) return resolve(false);
        // The place is held until this is settled.
        return new Promise<void>((release) => {
          this.release = release;
          resolve(true);
        });
      });
    });
  }
}
