// The service worker: keeps what the page is made of, so that it opens without the desk; and shows
// what the desk pushes while no page is open.
//
// It keeps no answer of the desk, ever: what waits is only shown as the desk tells it. A push holds
// as much as the person let it (`notice_content`), and decides nothing. Imports nothing.

declare const self: ServiceWorkerGlobalScope;
declare const __BUILD__: string;
declare const __FILES__: readonly string[];

const KEPT = `sayso-${__BUILD__}`;
const ICON = "/icons/icon-192.png";
const PATIENCE_MS = 3_000;
const BADGE = "/icons/badge.png";
/** Longer than any browser waits before it looks whether a push showed something: Firefox's three seconds. */
const LINGER_MS = 5_000;

/** What the desk pushes: a request, that it is settled, or a note. */
interface Pushed {
  type?: "request" | "close" | "note";
  id?: string;
  title?: string;
  body?: string;
  tag?: string;
  ticket?: string;
}

/** What a notice keeps for when it is tapped. */
interface Kept {
  id?: string;
  ticket?: string;
  /** It only says that there is nothing to do any more. */
  isOver?: boolean;
}

const BUTTONS = [
  { action: "allow", title: "Allow" },
  { action: "deny", title: "Deny" },
];

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

async function keep(): Promise<void> {
  const cache = await caches.open(KEPT);
  await cache.addAll(__FILES__.map((path) => new Request(path, { cache: "no-cache", credentials: "omit" })));
}

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([clean(), sweep()]).then(() => self.clients.claim()));
});

/** Forgets what earlier builds were made of. */
async function clean(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("sayso-") && name !== KEPT).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isOurs = request.method === "GET" && url.origin === self.location.origin && !url.pathname.startsWith("/api/");
  if (!isOurs) return;
  if (request.mode === "navigate") {
    event.waitUntil(sweep());
    event.respondWith(opened(request));
  } else if (__FILES__.includes(url.pathname)) event.respondWith(kept(request, url.pathname));
});

/** The page as the desk has it now; as it was kept when the desk is away, or does not answer soon. */
async function opened(request: Request): Promise<Response> {
  const shell = await caches.match("/", { cacheName: KEPT });
  if (!shell) return fetch(request);
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return response.ok ? response : shell; // a proxy before a desk that is away answers with an error
  } catch {
    return shell;
  }
}

async function kept(request: Request, path: string): Promise<Response> {
  return (await caches.match(path, { cacheName: KEPT })) ?? fetch(request);
}

self.addEventListener("push", (event) => {
  event.waitUntil(pushed(read(event.data)));
});

function read(data: PushMessageData | null): Pushed {
  try {
    return (data?.json() ?? {}) as Pushed;
  } catch {
    return {};
  }
}

async function pushed(what: Pushed): Promise<void> {
  const tag = what.tag || what.id || "sayso";
  await sweep();
  if (what.type === "close") {
    await settle(tag);
    return;
  }
  await show(what.title || "sayso", what.body || "Something waits for you.", tag, {
    id: what.type === "note" ? "" : (what.id ?? ""),
    ticket: what.ticket ?? "",
  });
}

async function show(title: string, body: string, tag: string, data: Kept): Promise<void> {
  const options: NotificationOptions = { body, tag, icon: ICON, badge: BADGE, data };
  // Where the platform has no buttons, a tap opens the card as ever.
  await self.registration.showNotification(title, data.ticket ? Object.assign(options, { actions: BUTTONS }) : options);
}

/**
 * Takes a notice away that was answered elsewhere.
 *
 * No browser likes a push that shows nothing: after a few, Apple and Firefox end the subscription, and
 * Chromium shows words of its own. So a quiet notice takes the place of the loud one, and goes by
 * itself. Chromium looks when the event is over, Firefox a little later; for Apple it is enough that it
 * was shown, and there nothing may run any more once the event is over.
 */
async function settle(tag: string): Promise<void> {
  const isApples = await isAtApples();
  if (!isApples && (await isWatched())) {
    await close({ tag });
    return;
  }
  const data: Kept = { isOver: true };
  const body = "Answered, or no longer asked.";
  await self.registration.showNotification("Settled", { body, tag, silent: true, icon: ICON, badge: BADGE, data });
  if (isApples) await sweep();
  else setTimeout(() => void sweep(), LINGER_MS);
}

async function isAtApples(): Promise<boolean> {
  const subscription = await self.registration.pushManager.getSubscription();
  return subscription !== null && new URL(subscription.endpoint).hostname.endsWith(".push.apple.com");
}

/** Whether a page of ours is in sight: then whoever looks knows, and a push may show nothing. */
async function isWatched(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === "visible");
}

/** Takes away what only says that there is nothing to do, also where this worker was ended meanwhile. */
function sweep(): Promise<void> {
  return close({}, ({ isOver }) => isOver === true);
}

async function close(which: GetNotificationOptions, isMeant: (data: Kept) => boolean = () => true): Promise<void> {
  if (!("getNotifications" in self.registration)) return; // on an iPhone, where it was not added to the home screen
  for (const notice of await self.registration.getNotifications(which)) {
    if (isMeant((notice.data ?? {}) as Kept)) notice.close();
  }
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { id = "", ticket = "" } = (event.notification.data ?? {}) as Kept;
  const isButton = BUTTONS.some((button) => button.action === event.action);
  event.waitUntil(isButton && ticket ? answer(id, ticket, event.action) : open(id));
});

/** Answers by the button of a notice. What went wrong is said where the button was. */
async function answer(id: string, ticket: string, behavior: string): Promise<void> {
  let why = "The desk cannot be reached.";
  try {
    const response = await fetch("/api/push/answer", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ticket, behavior }),
      credentials: "omit",
    });
    if (response.ok) return;
    why = ((await response.json()) as { error?: string }).error ?? why;
  } catch {
    // Said below.
  }
  await show("Not answered", why, id, { id });
}

/** Brings the page to the front, at the card that the notice was of. */
async function open(id: string): Promise<void> {
  const place = `/#/inbox${id ? `/${encodeURIComponent(id)}` : ""}`;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const client of windows) {
    await client.focus();
    client.postMessage({ type: "open", id });
    return;
  }
  await self.clients.openWindow(place);
}

export {};
