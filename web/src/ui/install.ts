// The page as an application of its own: its service worker, and the way onto a home screen.
//
// Imports nothing.

/** What browsers that can install a page fire; no standard type has it. */
interface Installable extends Event {
  prompt(): Promise<unknown>;
}

let waiting: Installable | undefined;
const told = new Set<() => void>();

window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // a hint stands in the settings; nothing pops up by itself
  waiting = event as Installable;
  for (const tell of told) tell();
});
window.addEventListener("appinstalled", () => {
  waiting = undefined;
  for (const tell of told) tell();
});

/** Has something told when installing becomes possible; returns what ends that. */
export function onInstallable(tell: () => void): () => void {
  told.add(tell);
  return () => void told.delete(tell);
}

export function canInstall(): boolean {
  return waiting !== undefined;
}

export function isInstalled(): boolean {
  return matchMedia("(display-mode: standalone)").matches;
}

export async function install(): Promise<void> {
  await waiting?.prompt();
  waiting = undefined;
  for (const tell of told) tell();
}

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Starts the service worker, where there may be one. */
export async function serve(): Promise<void> {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  const { trustedTypes } = window as { trustedTypes?: Policies };
  // The one address that may become a script here.
  const policy = trustedTypes?.createPolicy("sayso", { createScriptURL: () => "/sw.js" });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL("") ?? "/sw.js");
  } catch {
    // A browser that has none in this mode; the page works without.
  }
}
