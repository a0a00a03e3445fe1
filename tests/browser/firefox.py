"""Firefox, worked as a person works it, to see that the page is no page for one browser alone.

Driven by Marionette, which is part of every Firefox: JSON with its length before it, over TCP, with
WebDriver's commands. Its own driver is not packaged everywhere, and would say no more. Not here: what a test
does on the page. May import the standard library alone.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

NAMES = ("firefox", "firefox-esr")
ON_MACOS = Path("/Applications/Firefox.app/Contents/MacOS/firefox")
WAIT_S = 15.0
START_S = 60.0
ENTER = "\ue007"
"""The key, in WebDriver's spelling."""
_PREFERENCES = {
    "marionette.port": 0,  # any that is free
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "ui.prefersReducedMotion": 1,
}
_WITHIN = """
const within = (root) => [...root.querySelectorAll("*")].flatMap((one) =>
  one.shadowRoot ? [one, ...within(one.shadowRoot)] : [one]);
"""
"""Returns every element of the page, also of what its own elements are made of."""
_FIND = f"""{_WITHIN}
const [selector, text] = arguments;
return within(document).find((one) => one.matches(selector) && one.checkVisibility()
  && !one.matches(".settling") && one.textContent.replace(/\\s+/g, " ").trim().startsWith(text)) ?? null;"""
_TEXT = f"""{_WITHIN}
const root = within(document).find((one) => one.matches(arguments[0]));
const all = root ? [root, ...within(root), ...(root.shadowRoot ? within(root.shadowRoot) : [])] : [];
return all.flatMap((one) => [...one.childNodes]).filter((one) => one.nodeType === Node.TEXT_NODE)
  .map((one) => one.data).join(" ").replace(/\\s+/g, " ");"""
_BROKEN_OFF = "Script terminated by timeout"
"""What is said of a page that was doing something in the moment when the browser left it."""
_SAID = """return Services.console.getMessageArray().filter((one) => !(one instanceof Ci.nsIScriptError)
  || (one.sourceName + one.errorMessage).includes(arguments[0])).map(String)
  .filter((one) => one.includes(arguments[0]));"""


def installed() -> str:
    """Return the path of Firefox.

    Raises: FileNotFoundError, when this machine has none.
    """
    for name in NAMES:
        if found := shutil.which(name):
            return found
    if ON_MACOS.exists():
        return str(ON_MACOS)
    raise FileNotFoundError("no Firefox: scripts/setup installs it, or says what to install")


class Refused(Exception):
    """A command that Firefox could not carry out; says why."""


class Firefox:
    """A running Firefox with a profile of its own and one page, as a context."""

    def __init__(self) -> None:
        self._path = installed()

    def __enter__(self) -> Self:
        self._profile = Path(tempfile.mkdtemp(prefix="sayso-f-"))
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(is_)});\n" for name, is_ in _PREFERENCES.items()]
        (self._profile / "user.js").write_text("".join(lines), encoding="utf-8")
        options = ["--headless", "--no-remote", "--marionette", "-remote-allow-system-access"]
        words = [self._path, *options, "--profile", str(self._profile)]
        # Its home, too: a Firefox keeps more there than in its profile.
        env = {**os.environ, "HOME": str(self._profile)}
        with (self._profile / "log").open("wb") as log:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)
        self._line = socket.create_connection(("127.0.0.1", self._port()), WAIT_S)
        self._from = self._line.makefile("rb")
        self._receive()
        self._sent = 0
        self.call("WebDriver:NewSession", capabilities={})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._from.close()
        self._line.close()
        self._process.terminate()
        try:
            self._process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(WAIT_S)
        shutil.rmtree(self._profile, ignore_errors=True)  # what it left running may still write

    def _port(self) -> int:
        """Wait until it is up; return where it listens."""
        told = self._profile / "MarionetteActivePort"
        until_s = time.monotonic() + START_S
        while not (told.exists() and told.read_text().strip()):
            assert self._process.poll() is None, (self._profile / "log").read_text(errors="replace")
            assert time.monotonic() < until_s, "Firefox does not come up"
            time.sleep(0.05)
        return int(told.read_text())

    # --- the protocol ----------------------------------------------------------------------

    def call(self, command: str, **params: Any) -> Any:
        """Carry out a command of WebDriver. Raises: Refused."""
        self._sent += 1
        message = json.dumps([0, self._sent, command, params]).encode()
        self._line.sendall(b"%d:%b" % (len(message), message))
        _, _, error, result = self._receive()
        if error:
            raise Refused(f"{command}: {error['message']}")
        return result

    def _receive(self) -> Any:
        digits = b""
        while (byte := self._from.read(1)) != b":":
            assert byte, "Firefox has ended"
            digits += byte
        return json.loads(self._from.read(int(digits)))

    # --- the page --------------------------------------------------------------------------

    def go(self, address: str) -> None:
        self.call("WebDriver:Navigate", url=address)

    def run(self, script: str, *args: object) -> Any:
        """Return what a script of the page returns."""
        return self.call("WebDriver:ExecuteScript", script=script, args=args)["value"]

    def find(self, selector: str, text: str = "") -> dict[str, str]:
        """Wait for an element that is shown, and whose text begins so; return what stands for it.

        What takes no answer yet, since its card has just changed, is waited for.
        """
        until_s = time.monotonic() + WAIT_S
        while (found := self.run(_FIND, selector, text)) is None:
            assert time.monotonic() < until_s, f"no {selector} {text!r}: {self.text('body')}"
            time.sleep(0.05)
        return found

    def text(self, selector: str) -> str:
        """Return all text within the first such element, whatever it is made of."""
        return str(self.run(_TEXT, selector))

    def says(self, words: str, selector: str = "sayso-card") -> None:
        """Wait until these words stand there."""
        until_s = time.monotonic() + WAIT_S
        while words not in self.text(selector):
            assert time.monotonic() < until_s, f"{words!r} is not said: {self.text(selector)}"
            time.sleep(0.05)

    def press(self, text: str, selector: str = "button") -> None:
        """Click what is shown with this text, as a pointer does."""
        self.call("WebDriver:ElementClick", id=_id(self.find(selector, text)))

    def type(self, text: str, selector: str = "body") -> None:
        self.call("WebDriver:ElementSendKeys", id=_id(self.find(selector)), text=text)

    def show(self, request_id: str) -> None:
        """Open the card of a request, and wait until it takes answers."""
        self.press("", f"a.entry[href='#/inbox/{request_id}']")
        self.find(".actions button")

    def complaints(self, address: str) -> list[str]:
        """Return what the browser said of a page of this address: errors, breaches of its policy."""
        self.call("Marionette:SetContext", value="chrome")
        try:
            return [said for said in self.run(_SAID, address) if _BROKEN_OFF not in said]
        finally:
            self.call("Marionette:SetContext", value="content")


def _id(element: dict[str, str]) -> str:
    (name,) = element.values()
    return name


if __name__ == "__main__":
    try:
        print(installed())
    except FileNotFoundError as missing:
        sys.exit(str(missing))
