"""The page in the system's browser: what it loads, and how long many changes at once keep it busy.

Imports `world`, `table`, and the browser of the tests.
"""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Error, Page

from bench.table import Row, ms
from bench.world import CannotMeasure, Helper, RunningDesk, World, ask
from sayso.client.blocking import Desk
from tests.browser.chromium import Chromium, Tab

KIB = 1024
_WAIT_MS = 30_000
_SETTLED_MS = 500
_LOADED_BYTES = 60 * 1000

_GATE = """
window.gate = Promise.resolve();
window.hold = () => { window.gate = new Promise((open) => { window.open_gate = open; }); };
const plain = window.fetch;
window.fetch = async (url, options) => {
  const response = await plain(url, options);
  if (!String(url).includes("/api/events")) return response;
  const passing = new TransformStream(
    { async transform(chunk, out) { await window.gate; out.enqueue(chunk); } },
    new CountQueuingStrategy({ highWaterMark: 1e6 }),
  );
  return new Response(response.body.pipeThrough(passing), { headers: response.headers });
};
"""
"""Holds the stream back on its way into the page, and lets it go all at once."""
_SETTLE = """async (last) => {
  const app = document.querySelector("sayso-app");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const begun = performance.now();
  window.open_gate();
  while (app.page.store.state.seq < last) await frame();
  await app.updateComplete;
  await frame();
  await frame();
  return performance.now() - begun;
}"""
_LOADED = """() => {
  const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const files = all.filter((one) => /\\/$|\\.(js|css)$/.test(new URL(one.name).pathname));
  return files.reduce((sum, one) => sum + one.encodedBodySize, 0);
}"""


def page(world: World, cards: int, changes: int) -> list[Row]:
    """Measure the first load of a paired page, then changes in one burst beside cards that wait."""
    try:
        with world.desk("--port", "0") as desk, Chromium() as chromium:
            desk.raise_limits()
            tab = _paired(desk, chromium)
            loaded = _load(tab)
            crowd = desk.crowd()
            crowd.call(hold=cards, ask=ask(), sessions=_sessions())
            took_s, happened = _burst(desk, crowd, tab.page, cards, changes)
    except Error as error:
        raise CannotMeasure(f"the browser: {error.message}") from None
    note = (
        f"{happened:,} changes of a real stream, held back before the page and let go at once; until the "
        "page knows the last of them and has drawn it"
    )
    what = f"page, {cards:,} cards and {changes:,} changes, until it has settled"
    return [
        Row(what, ms(took_s), f"{_SETTLED_MS} ms", took_s * 1000 <= _SETTLED_MS, note),
        Row(
            "page, first load of the inbox, gzipped",
            f"{loaded / 1000:.1f} KB",
            f"{_LOADED_BYTES // 1000} KB",
            loaded <= _LOADED_BYTES,
        ),
    ]


def _paired(desk: RunningDesk, chromium: Chromium) -> Tab:
    opened: dict[str, Any] = desk.client.call("desk.pairing", {"power": "admin", "name": "bench"})
    link = str(opened["here"])
    tab = chromium.tab(link.partition("/#")[0])
    tab.context.add_init_script(_GATE)
    tab.pair(link)
    return tab


def _load(tab: Tab) -> int:
    """Load the page anew, from the desk alone; return how many bytes came."""
    session = tab.context.new_cdp_session(tab.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Network.setBypassServiceWorker", {"bypass": True})
    tab.page.goto("about:blank")
    tab.page.goto(tab.address)
    tab.page.get_by_role("navigation").wait_for()
    tab.page.get_by_text("Nothing waits for you.").wait_for()
    return int(tab.page.evaluate(_LOADED))


def _burst(desk: RunningDesk, crowd: Helper, page: Page, cards: int, changes: int) -> tuple[float, int]:
    """Return how long a burst kept the page busy, in seconds, and how many changes it had."""
    page.locator("a.entry").first.wait_for(timeout=_WAIT_MS)
    first = _until(page, cards)
    page.evaluate("window.hold()")
    waiting = [str(request["id"]) for request in _snapshot(desk)["requests"]]
    last = first
    while last - first < changes:
        some = max(1, min(100, changes // 4))
        crowd.call(hold=some, ask=ask(), sessions=_sessions())
        for _ in range(min(some, len(waiting))):
            desk.client.call("desk.release", {"id": waiting.pop()})
        last = int(_snapshot(desk)["seq"])
    return float(page.evaluate(_SETTLE, last)) / 1000, last - first


def _snapshot(desk: RunningDesk) -> dict[str, Any]:
    with Desk(desk.client.path) as look:
        return look.snapshot()


def _until(page: Page, cards: int) -> int:
    """Wait until so many wait on the page; return the number of the last change that it knows."""
    end = time.monotonic() + _WAIT_MS / 1000
    while not page.title().startswith(f"({cards})"):
        if time.monotonic() > end:
            raise CannotMeasure(f"the page shows {page.title()} instead of {cards}")
        page.wait_for_timeout(50)
    return int(page.evaluate("document.querySelector('sayso-app').page.store.state.seq"))


def _sessions() -> list[str]:
    return [f"session-{number}" for number in range(100)]
