"""A desk, an agent that asks it, a person who follows it, and browsers before it.

Not here: what is asked (`asks`), what a test does on the page. May import the desks and the contract.
"""

from __future__ import annotations

import signal
from types import TracebackType
from typing import Any, Self

from sayso.core.types import DIRECT
from tests.browser.chromium import Chromium, Tab
from tests.browser.line import Line
from tests.contract.askers import Agent, Program
from tests.contract.rows import Row
from tests.desks import Home, Watcher
from tests.standin import StandIn

Json = dict[str, Any]


class Asked:
    """A request that waits, and who asked it. `view`: as the desk showed it first."""

    def __init__(self, scene: Scene, asker: Agent | Program, view: Json) -> None:
        self._scene = scene
        self._asker = asker
        self.view = view
        self.id: str = view["id"]
        self.session_id: str = view["session_id"]

    def becomes(self, *states: str) -> Json:
        """Wait until the desk tells one of these states; return the request."""
        return self._scene.watcher.state(self.id, *states)

    def check(self, says: Json) -> None:
        """Wait for the asker's end, and for these words alone."""
        self._asker.check(says, self.id)

    def freeze(self) -> None:
        """Stop its hook in the middle of what it does."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        assert isinstance(self._asker, Agent)
        self._asker.signal(number)

    def leave(self) -> None:
        """End the asker, and wait until the desk knows."""
        self._asker.leave()
        self._scene.watcher.until(lambda view: view["id"] == self.id and view["state"] != "pending")


class Scene:
    """A desk that runs, as a context. Tabs that were opened in it end with the test: `leave`.

    `line`: the network over which browsers reach it, if not directly. `options`: of `sayso up`.
    """

    def __init__(self, chromium: Chromium, line: Line | None = None, options: tuple[str, ...] = ()) -> None:
        self.chromium = chromium
        self.line = line
        self.options = options
        self._tabs: list[Tab] = []
        self._asked: list[Asked] = []

    def __enter__(self) -> Self:
        self.home = Home()
        self.agent = StandIn(self.home.handlers())
        self.up("--port", "0")
        with self.home.desk() as desk:
            own: str = desk.call("desk.health", {})["http"]
        self._port = own.rpartition(":")[2]
        self.address = own
        if self.line is not None:
            self.line.port = int(self._port)
            self.address = self.line.address
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.watcher.__exit__(kind, error, trace)
        self.agent.close()
        self.home.__exit__(kind, error, trace)

    def up(self, *options: str) -> None:
        """Start the desk, and follow it."""
        if self.line is not None:
            options += ("--public-url", self.line.address)
        self.home.up("--agents-only", str(self.agent.pid), *self.options, *options, http=True)
        self.watcher = Watcher(self.home)
        self.watcher.be_there()

    def crash(self) -> None:
        self.home.kill()
        self.watcher.__exit__(None, None, None)

    def come_back(self) -> None:
        """Start a desk again, where the old one was to be found."""
        self.up("--port", self._port)

    # --- who asks --------------------------------------------------------------------------

    def ask(self, row: Row, session_id: str = "", **payload: Any) -> Asked:
        """Ask what a row asks, changed; return it when it waits. A new session asks unless one is named."""
        self.watcher.be_there()  # a form waits only where somebody watches
        row = row._replace(payload={**row.payload, **payload})
        direct = row.kind in DIRECT
        before = {view["id"] for view in self.watcher.requests.values()}
        asker = Program(self.home, row) if direct else Agent(self.agent, row, session_id)
        asked = Asked(
            self,
            asker,
            self.watcher.until(
                lambda view: (
                    view["session_id"] == asker.session_id
                    and view["state"] == "pending"
                    and view["id"] not in before
                )
            ),
        )
        self._asked.append(asked)
        return asked

    def pending(self) -> list[Json]:
        """Return what waits, as the desk has it now."""
        return [view for view in self.watcher.call("desk.list")["requests"] if view["state"] == "pending"]

    def event(self, payload: Json) -> None:
        """Have the agent tell of an event, and wait for its hook's end."""
        assert self.agent.hook(payload).code() == 0

    # --- who answers -----------------------------------------------------------------------

    def link(self, name: str = "", power: str = "admin") -> str:
        """Return a new one-time link to the page, as `sayso open` prints it."""
        opened = self.watcher.call("desk.pairing", power=power, name=name)
        return self.address + opened["here"][opened["here"].index("/#") :]

    def tab(self, name: str = "", *, power: str = "admin", is_paired: bool = True, **options: Any) -> Tab:
        """Open a browser at the page, paired by a link of its own; without a service worker unless asked."""
        tab = self.chromium.tab(self.address, **{"service_workers": "block", **options})
        self._tabs.append(tab)
        if is_paired:
            tab.pair(self.link(name, power))
        return tab

    def leave(self) -> None:
        """Close what was opened; what a page did that it may not fails here."""
        tabs, self._tabs = self._tabs, []
        flaws = [flaw for tab in tabs for flaw in tab.closed()]
        asked, self._asked = self._asked, []
        for each in asked:
            each.leave()
        assert flaws == [], flaws
