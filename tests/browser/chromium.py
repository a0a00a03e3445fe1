"""The browser of the system, without a network but the loopback, and a tab in which a page is watched.

A tab notes what no page of ours may do: an error, a breach of its own policy, a request to anybody
but the desk. Not here: what a test does in it. May import playwright only.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

NAMES = ("chromium", "chromium-browser", "google-chrome")
ON_MACOS = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
WAIT_MS = 10_000
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE_OPTIONS: dict[str, Any] = {"viewport": PHONE, "is_mobile": True, "has_touch": True}
STRANGER = "stranger.example"
"""A name that the browser takes for this machine's, as if somebody had pointed it here."""
_FAILED_LOAD = "Failed to load resource"
_UNTRUSTED = (
    "The Cross-Origin-Opener-Policy header has been ignored, because the URL's origin was untrustworthy"
)
"""What a browser says of every page that has no https: that it protects it less."""
_BLOCKED = "Service Worker registration blocked by Playwright"
"""What is said where a test has no use for one."""
_NOTICE_BREACHES = """
addEventListener("securitypolicyviolation", (event) => {
  console.error(`BREACH ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
});
"""


def installed() -> str:
    """Return the path of the browser.

    Raises: FileNotFoundError, when this machine has none.
    """
    for name in NAMES:
        if found := shutil.which(name):
            return found
    if ON_MACOS.exists():
        return str(ON_MACOS)
    raise FileNotFoundError("no Chromium: scripts/setup installs it, or says what to install")


HIDE = """(state) => {
  Object.defineProperty(document, "visibilityState", {get: () => state, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""A browser without a screen never hides a page, so the page is told that it was."""


class Chromium:
    """A running browser, as a context."""

    def __init__(self) -> None:
        self._path = installed()

    def __enter__(self) -> Self:
        self._playwright: Playwright = sync_playwright().start()
        self.browser: Browser = self._playwright.chromium.launch(
            executable_path=self._path,
            # A desk may run as root, in a container; its sandbox is not what is tested.
            chromium_sandbox=False,
            args=[f"--host-resolver-rules=MAP {STRANGER} 127.0.0.1"],
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.browser.close()
        self._playwright.stop()

    def tab(self, address: str, **options: Any) -> Tab:
        return Tab(self.browser, address, options)


class Tab:
    """A browser of its own, as far as a page can tell: storage, cache and one tab.

    `address`: the desk's. `flaws`: what its pages did that they may not. `sent`: every request, in
    order. `loses`: the test takes the connection away, so loading may fail. `others`: addresses
    that pages of somebody else in the same browser may speak to.
    """

    def __init__(self, browser: Browser, address: str, options: dict[str, Any]) -> None:
        self.address = address
        self.loses = False
        self.others: set[str] = set()
        self.flaws: list[str] = []
        self.sent: list[Request] = []
        self.context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
        self.context.set_default_timeout(WAIT_MS)
        self.context.add_init_script(_NOTICE_BREACHES)
        self.context.on("request", self._requested)
        self.page = self.open()

    def open(self) -> Page:
        """Open one more tab of the same browser."""
        page = self.context.new_page()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.flaws.append(f"error: {error.message}"))
        return page

    def pair(self, link: str) -> None:
        """Come in by a one-time link."""
        self.page.goto(link)
        expect(self.page.get_by_role("navigation")).to_be_visible()

    # --- what is on the page ---------------------------------------------------------------

    @property
    def card(self) -> Locator:
        """The one that is open."""
        return self.page.locator("sayso-card")

    def entry(self, request_id: str) -> Locator:
        """What stands for a request in the list."""
        return self.page.locator(f"a.entry[href='#/inbox/{request_id}']")

    def show(self, request_id: str) -> Locator:
        """Open the card of a request, and return it."""
        self.entry(request_id).click()
        expect(self.page).to_have_url(re.compile(f"#/inbox/{request_id}$"))
        return self.card

    def button(self, label: str) -> Locator:
        """A button of the open card."""
        return self.card.get_by_role("button", name=label, exact=True)

    @property
    def banner(self) -> Locator:
        """What says that the page is cut off."""
        return self.page.get_by_role("status").filter(has_text="Not connected")

    def closed(self) -> list[str]:
        """Close it; return what its pages did that they may not."""
        self.context.close()
        return self.flaws

    def _said(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning") or message.text.startswith((_UNTRUSTED, _BLOCKED)):
            return
        if message.text.startswith(_FAILED_LOAD) and (self.loses or "status of 4" in message.text):
            return  # an answer of the desk like any other, or what the test wants
        self.flaws.append(f"{message.type}: {message.text}")

    def _requested(self, request: Request) -> None:
        self.sent.append(request)
        parts = urlsplit(request.url)
        is_sent = parts.scheme in ("http", "https", "ws", "wss")
        if is_sent and f"{parts.scheme}://{parts.netloc}" not in {self.address, *self.others}:
            self.flaws.append(f"request to {request.url}")


if __name__ == "__main__":
    try:
        print(installed())
    except FileNotFoundError as missing:
        sys.exit(str(missing))
