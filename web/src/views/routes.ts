// Addresses within the page: `#/inbox/<id>` and its like. Pure; imports nothing.

export const TABS = ["inbox", "sessions", "devices", "settings", "help"] as const;
export type Tab = (typeof TABS)[number];

export interface Route {
  tab: Tab;
  /** The request in the inbox, the session among sessions; "" for none. */
  id: string;
}

/** Returns where a fragment leads; what is not known leads to the inbox. */
export function parse(hash: string): Route {
  const [, name = "", id = ""] = hash.replace(/^#/, "").split("/");
  const tab = TABS.find((each) => each === name);
  return tab ? { tab, id: decoded(id) } : { tab: "inbox", id: "" };
}

export function format(route: Route): string {
  return `#/${route.tab}${route.id ? `/${encodeURIComponent(route.id)}` : ""}`;
}

/** Returns the one-time code in a fragment, "" for none. */
export function codeOf(hash: string): string {
  const match = /^#code=([^&]+)/.exec(hash);
  return match?.[1] ? decoded(match[1]) : "";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
