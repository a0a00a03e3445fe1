// Whether a person is here, told truthfully: agents that show nothing meanwhile wait for nobody else.
//
// Present is who looks at this page and did something in it lately; a hidden page never is. Not
// here: which cards are open. Imports nothing.

/** How long something that was done here counts as presence. */
export const PRESENT_MS = 120_000;
/** What did not change is told again after this. */
export const REPEAT_MS = 30_000;
/** What changed is not told sooner than this after the last time, but for coming and going. */
export const SOON_MS = 1_000;

export interface Told {
  present: boolean;
  open: readonly string[];
  page: string;
}

export interface Surroundings {
  visible(): boolean;
  now(): number;
  /** Tells the desk; `last` when the page may be gone at any moment. */
  send(told: Told, last: boolean): void;
  /** The ids of the cards that are open. */
  open(): readonly string[];
  /** Tells one page of a device from another. */
  page: string;
}

const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

export class Presence {
  private didAt: number;
  private toldAt = Number.NEGATIVE_INFINITY;
  private told = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listening = new AbortController();

  constructor(private readonly around: Surroundings) {
    this.didAt = around.now(); // to open a page is to be there
  }

  /** Listens to the person, and to the page's coming and going. */
  start(window: EventTarget, document: EventTarget): void {
    const options = { signal: this.listening.signal, passive: true, capture: true };
    for (const sign of SIGNS) window.addEventListener(sign, () => this.did(), options);
    document.addEventListener("visibilitychange", () => this.turned(), options);
    window.addEventListener("pageshow", () => this.turned(), options);
    window.addEventListener("pagehide", () => this.tell(false, true), options);
    this.timer = setInterval(() => this.look(), SOON_MS);
    this.look();
  }

  stop(): void {
    clearInterval(this.timer as Parameters<typeof clearInterval>[0]);
    this.listening.abort();
  }

  /** The person did something here. */
  did(): void {
    this.didAt = this.around.now();
  }

  /** Another connection: the desk that is there now may know nothing of us. */
  forget(): void {
    this.told = "";
    this.toldAt = Number.NEGATIVE_INFINITY;
    this.look();
  }

  get present(): boolean {
    return this.around.visible() && this.around.now() - this.didAt < PRESENT_MS;
  }

  /** Tells the desk what is new, or was told too long ago. */
  look(): void {
    const present = this.present;
    const open = present ? this.around.open() : [];
    const since = this.around.now() - this.toldAt;
    const isNew = JSON.stringify([present, open]) !== this.told;
    if ((isNew && since >= SOON_MS) || (present && since >= REPEAT_MS)) this.tell(present, false);
  }

  /** The page came to the front, or left it: both are told at once. */
  private turned(): void {
    if (this.around.visible()) this.did();
    this.tell(this.present, !this.around.visible());
  }

  private tell(present: boolean, last: boolean): void {
    const open = present ? this.around.open() : [];
    this.told = JSON.stringify([present, open]);
    this.toldAt = this.around.now();
    this.around.send({ present, open, page: this.around.page }, last);
  }
}
