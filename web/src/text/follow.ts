// Which addresses may be followed from the page. Imports `visible`.

import { visible } from "./visible.ts";

/** Whether an address may be followed: over https, and just what is shown of it. */
export function isFollowable(href: string): boolean {
  if (!/^https:\/\/[^\s/\\@]+(?:[/?#]|$)/i.test(href) || visible(href) !== href) return false;
  return URL.canParse(href);
}
