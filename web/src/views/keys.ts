// The keyboard of the whole page: what no card takes and nobody types.
//
// Keys move, open and show; what answers is the card's own matter, and only the open card is asked.
// A key with a modifier is the browser's. Imports nothing.

export interface Keyed {
  /** Goes that many cards on; negative: back. */
  move(step: number): void;
  /** Opens what is chosen in the list, without answering anything. */
  enter(): void;
  go(place: string): void;
  help(): void;
  filter(): void;
  away(): void;
  dismiss(): void;
  back(): boolean;
  /** Gives a key to the open card; returns whether it took it. */
  card(event: KeyboardEvent): boolean;
}

export const PLACES: Record<string, string> = {
  i: "inbox",
  s: "sessions",
  d: "devices",
  e: "settings",
  h: "help",
};
/** How long after g the other key may come. */
const SECOND_MS = 1500;

export class Keys {
  private wentAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly keyed: Keyed,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes a key press; returns whether it meant something. */
  press(event: KeyboardEvent): boolean {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = event.composedPath()[0] ?? null;
    if (isTyping(target) || isInDialog(event.composedPath())) return false;
    if (isPressed(event, target)) return false;
    const isSecond = this.now() - this.wentAt < SECOND_MS;
    this.wentAt = Number.NEGATIVE_INFINITY;
    const place = isSecond ? PLACES[event.key] : undefined;
    if (place !== undefined) {
      this.keyed.go(place);
      return true;
    }
    return this.move(event.key) || this.keyed.card(event) || (event.key === "Escape" && this.keyed.back());
  }

  private move(key: string): boolean {
    switch (key) {
      case "j":
        this.keyed.move(1);
        return true;
      case "k":
        this.keyed.move(-1);
        return true;
      case "g":
        this.wentAt = this.now();
        return true;
      case "o":
        this.keyed.enter();
        return true;
      case "?":
        this.keyed.help();
        return true;
      case "/":
        this.keyed.filter();
        return true;
      case "w":
        this.keyed.away();
        return true;
      case "x":
        this.keyed.dismiss();
        return true;
      default:
        return false;
    }
  }
}

/** Whether what is pressed goes into a text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) {
    return !["checkbox", "radio", "button", "submit"].includes(target.type);
  }
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

function isInDialog(path: readonly EventTarget[]): boolean {
  return path.some((one) => one instanceof HTMLDialogElement);
}

/** Whether the key works what has the focus: a button, a link, a switch. */
function isPressed(event: KeyboardEvent, target: EventTarget | null): boolean {
  if (event.key !== "Enter" && event.key !== " ") return false;
  return target instanceof Element && target.matches("button, a, summary, input, [role=button]");
}
