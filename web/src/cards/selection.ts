// What a person has selected, also inside of shadow roots, where browsers differ.
//
// Imports nothing.

/** Returns the selected text, "" for none. */
export function selectedIn(): string {
  const own = document.getSelection()?.toString() ?? "";
  if (own.trim()) return own;
  // Chromium keeps a selection of its own in each shadow root.
  for (let root = document.activeElement?.shadowRoot; root; root = root.activeElement?.shadowRoot ?? null) {
    const inner = selectionOf(root)?.toString() ?? "";
    if (inner.trim()) return inner;
  }
  return "";
}

function selectionOf(root: ShadowRoot): Selection | null {
  const asked = root as ShadowRoot & { getSelection?: () => Selection | null };
  return asked.getSelection?.() ?? null;
}
