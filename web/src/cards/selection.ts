// What a person has selected inside of a shadow root, where browsers differ.
//
// Imports nothing.

/** Returns the text that is selected within an element of a shadow root, "" for none. */
export function selectedWithin(root: ShadowRoot, element: Element | null): string {
  // Chromium keeps a selection of its own in each shadow root; elsewhere the document's reaches in.
  const asked = root as ShadowRoot & { getSelection?: () => Selection | null };
  const selection = asked.getSelection?.() ?? document.getSelection();
  if (!selection || selection.isCollapsed || !element?.contains(selection.anchorNode)) return "";
  return selection.toString();
}
