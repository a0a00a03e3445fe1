// What a key is for, before any card takes it. Imports nothing.

/** Whether somebody writes: then a key is a letter. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && target.type !== "radio" && target.type !== "checkbox";
}

export function isOnControl(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches("button, a, summary, input, select");
}

/** Whether a key might answer: while the card settles it is taken, and does nothing. */
export function isAnswerKey(name: string): boolean {
  return /^(?:Enter|[acdnrstuy0-9])$/.test(name);
}
