// This device's credential: kept in storage of this origin alone, got for a one-time code.
//
// Never in a cookie, which every port of a host would see, and never in an address, which ends up
// in histories: the code stands behind the #, and is taken out of there before anything else.
// Imports `api/client` and `api/types`.

import { Api } from "../api/client.ts";
import type { Paired } from "../api/types.ts";

const TOKEN = "sayso.token";
const DEVICE = "sayso.device";

export function token(): string {
  return localStorage.getItem(TOKEN) ?? "";
}

/** Returns what this device is called, "" when that is not known. */
export function deviceName(): string {
  return localStorage.getItem(DEVICE) ?? "";
}

export function forget(): void {
  localStorage.removeItem(TOKEN);
  localStorage.removeItem(DEVICE);
}

/** Exchanges a code, and keeps what it is worth. Raises ApiError. */
export async function redeem(code: string, name: string): Promise<Paired> {
  const paired = await new Api("", "").pair(code.trim(), name.trim());
  localStorage.setItem(TOKEN, paired.token);
  localStorage.setItem(DEVICE, paired.device.name);
  return paired;
}

/** Returns what people may call this device, as far as the browser says. */
export function proposedName(agent = navigator.userAgent): string {
  const browsers: [string, string][] = [
    ["Edg/", "Edge"],
    ["Firefox/", "Firefox"],
    ["Chrome/", "Chrome"],
    ["Safari/", "Safari"],
  ];
  const systems: [RegExp, string][] = [
    [/iPhone/, "iPhone"],
    [/iPad/, "iPad"],
    [/Android/, "Android"],
    [/Mac OS X/, "Mac"],
    [/Windows/, "Windows"],
    [/CrOS/, "ChromeOS"],
    [/Linux/, "Linux"],
  ];
  const browser = browsers.find(([mark]) => agent.includes(mark))?.[1] ?? "Browser";
  const system = systems.find(([mark]) => mark.test(agent))?.[1];
  return system ? `${browser} on ${system}` : browser;
}
