"""Every kind of request, answered in every way over every channel that can answer.

One real desk; the hooks are real and started as Claude Code starts them, programs hold a connection;
each channel is the real one. What counts: the line that the hook prints or the result that the program
gets, to the letter, and that the desk says it was handed over, by whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import sayso
from sayso.core.types import DIRECT, Kind
from tests.contract import codex_rows, direct_rows, rows
from tests.contract.askers import Agent, Asker, Program
from tests.contract.bridge import Reading, has_words
from tests.contract.chat import Chatting, bots
from tests.contract.codex_asker import CodexServer, Server
from tests.contract.page import Pointing, Typing
from tests.contract.people import CommandLine, Device, Person, Screen
from tests.contract.rows import Row
from tests.desks import Home, Watcher
from tests.standin import StandIn


class Channel(NamedTuple):
    """`column`: its column in the rows; `module` sends its answers; `by` is what the desk calls it.

    `is_end_to_end`: the person needs a real browser. `has_words`: whether it has words for an answer.
    """

    name: str
    person: type[Person]
    module: str
    by: tuple[str, str]
    column: str = ""
    is_end_to_end: bool = False
    has_words: Callable[[Any], bool] = lambda _answer: True

    def answer(self, row: Row) -> Any:
        """Return how the row is answered here, None for not at all."""
        answer = row.answer(self.column or self.name)
        return answer if self.has_words(answer) else None


ROWS = (*rows.ROWS, *direct_rows.ROWS, *codex_rows.ROWS)
CHANNELS = (
    Channel("http", Device, "daemon/http_routes.py", ("web", "phone")),
    Channel("cli", CommandLine, "channels/courier.py", ("cli", "this computer")),
    Channel("watch", Screen, "channels/watch.py", ("cli", "this computer")),
    # What is tapped in a chat, and what the page sends, is what the row says for HTTP.
    Channel("telegram", Chatting, "channels/telegram/acts.py", ("telegram", Chatting.name), "http"),
    # The same in the words of document 004.
    Channel("bridge", Reading, "daemon/bridge.py", ("bridge", Reading.name), "http", has_words=has_words),
    Channel("page", Pointing, "daemon/http_routes.py", ("web", Pointing.name), "http", True),
    Channel("page_by_keyboard", Typing, "daemon/http_routes.py", ("web", Typing.name), "http", True),
)
GAPS = {
    # The screen has no editor for a whole plan: there it is sent back, or approved as it is.
    ("watch", Kind.PLAN, "edited"),
    # Document 004 has no words that stop a turn, and none for notes.
    ("bridge", Kind.PERMISSION, "denied and stopped"),
    ("bridge", Kind.PERMISSION, "Codex stopped"),
    ("bridge", Kind.PLAN, "denied and stopped"),
    ("bridge", Kind.QUESTION, "several questions and a note"),
}
NAMES_IT = {"channels/base.py", "daemon/methods.py"}
"""They speak of answering, and send none: words for people, and the desk's own side."""

PAIRS = [
    pytest.param(
        channel,
        row,
        id=f"{channel.name}-{row.kind}-{row.name.replace(' ', '_')}",
        marks=[pytest.mark.end_to_end] if channel.is_end_to_end else [],
    )
    for channel in CHANNELS
    for row in ROWS
    if channel.answer(row) is not None
]


class Stage:
    """A desk, the agent whose hooks ask it, programs beside it, who follows it, and a person at a channel."""

    def __init__(self, home: Home, agent: StandIn, server: Server, watcher: Watcher) -> None:
        self.home = home
        self.agent = agent
        self.server = server
        self.watcher = watcher
        self._there: tuple[Channel, Person] | None = None

    def asker(self, row: Row) -> Asker:
        if row in codex_rows.ROWS:
            return CodexServer(self.server, row)
        return Program(self.home, row) if row.kind in DIRECT else Agent(self.agent, row)

    def person(self, channel: Channel) -> Person:
        """Return whoever sits at the channel; whoever sat at another one leaves."""
        if self._there is None or self._there[0] != channel:
            self.leave()
            self._there = channel, channel.person(self.home)
        return self._there[1]

    def leave(self) -> None:
        if self._there is not None:
            self._there[1].close()
            self._there = None


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Home() as home, StandIn(home.handlers()) as agent, Server(home.path / "codex") as server:
        # Whoever runs the tests has a home of Codex, too: that one is none of ours.
        home.env.update(HOME=str(home.path), CODEX_HOME=str(home.path / "codex"))
        with bots(home) as options:
            home.up("--agents-only", str(agent.pid), "--port", "0", *options, http=True)
            with Watcher(home) as watcher:
                watcher.call("desk.settings", settings={"codex_server": True})
                stage = Stage(home, agent, server, watcher)
                yield stage
                stage.leave()


@pytest.mark.parametrize(("channel", "row"), PAIRS)
def test_an_answer_reaches_the_agent_as_it_was_meant(channel: Channel, row: Row, stage: Stage) -> None:
    person = stage.person(channel)
    stage.watcher.be_there()  # a form waits only where somebody watches
    asker = stage.asker(row)
    try:
        asked = stage.watcher.pending(asker.session_id)
        assert asked["kind"] == row.kind
        person.answer(asked, row)
        asker.check(row.says, asked["id"])
    finally:
        asker.leave()
    done = stage.watcher.state(asked["id"], "delivered")
    assert (done["by"]["channel"], done["by"].get("name", "")) == channel.by


# --- that nothing is left out ------------------------------------------------------------------


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_every_kind_has_rows_on_every_channel(channel: Channel) -> None:
    answered = {row.kind for row in ROWS if channel.answer(row) is not None}
    assert answered == set(Kind)


def test_only_the_known_gaps_are_left() -> None:
    gaps = {(c.name, row.kind, row.name) for c in CHANNELS for row in ROWS if c.answer(row) is None}
    assert gaps == GAPS


def test_every_module_that_sends_answers_belongs_to_a_channel_here() -> None:
    root = Path(sayso.__file__).parent
    folders = ("channels", "daemon")
    files = [path for folder in folders for path in (root / folder).rglob("*.py")]
    sending = {str(path.relative_to(root)) for path in files if '"desk.answer"' in path.read_text("utf-8")}
    by_itself = {"daemon/bridge.py"}  # it is a part of the desk, and speaks to the core
    assert sending - NAMES_IT == {channel.module for channel in CHANNELS} - by_itself
