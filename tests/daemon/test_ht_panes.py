"""Agents in panes, as the public client of document 001 starts, counts and closes them on a real tmux.

Not here: what tmux does (`tests/panes`), and what this client never says, its own pane for one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from sayso.panes import TMUX_SOCKET
from tests.desks import Home, Watcher
from tests.ht import WATCHDOG_S, Ended, Ht
from tests.standin import WAIT_S

NO_PROCESS = str(2**22 + 1)
OK = b'{"id":"1","result":"OK"}\n'


@pytest.fixture
def home() -> Iterator[Home]:
    assert shutil.which("tmux"), "these tests need tmux"
    with Home() as home:
        home.up("--agents-only", NO_PROCESS)
        with home.desk() as desk:
            desk.call("desk.settings", {"settings": {"pane_program": "sleep 1000"}})
        yield home
        socket = home.places.run / TMUX_SOCKET
        if socket.exists():
            subprocess.run(["tmux", "-S", str(socket), "kill-server"], check=False, timeout=WAIT_S)


def ht(home: Home, *words: str) -> bytes:
    """Return the line that the program gets; it waits for one no longer than it does."""
    return Ht(str(home.places.socket), "agent", *words).line(WATCHDOG_S)


def listed(home: Home) -> list[str]:
    return json.loads(ht(home, "list"))["result"]


def counted(home: Home) -> bytes:
    return ht(home, "count")


def test_none_yet(home: Home) -> None:
    assert ht(home, "list") == b'{"id":"1","result":[]}\n'
    assert counted(home) == b'{"id":"1","result":0}\n'


def test_they_are_made_listed_and_closed_in_every_way_it_has(home: Home) -> None:
    assert ht(home, "create") == OK
    assert ht(home, "split") == OK
    assert ht(home, "split", "down") == OK
    ids = listed(home)
    assert len(set(ids)) == 3
    assert ht(home, "list") == f'{{"id":"1","result":{json.dumps(ids, separators=(",", ":"))}}}\n'.encode()
    assert counted(home) == b'{"id":"1","result":3}\n'
    assert ht(home, "close", ids[1]) == OK  # which names both ids
    assert listed(home) == [ids[0], ids[2]]
    assert ht(home, "close", "--agent", ids[2]) == OK
    assert ht(home, "close", "--surface", ids[0]) == OK
    assert counted(home) == b'{"id":"1","result":0}\n'


@pytest.mark.parametrize("word", ["right", "horizontal", "vertical"])
def test_each_direction_that_it_knows(home: Home, word: str) -> None:
    assert ht(home, "split", word) == OK  # beside nothing yet: a window of its own
    assert ht(home, "split", word) == OK
    assert counted(home) == b'{"id":"1","result":2}\n'


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (("close",), "agent_id"),
        (("close", "nobody"), "nobody"),
        (("close", "--agent", "one", "--surface", "another"), "surface_id"),
        (("split", "sideways"), "direction"),
    ],
)
def test_what_cannot_be_done_is_an_error_in_words(home: Home, words: tuple[str, ...], about: str) -> None:
    line = ht(home, *words)
    assert line.startswith(b'{"id":"1","error":"')
    assert about in json.loads(line)["error"]
    assert counted(home) == b'{"id":"1","result":0}\n'


def test_a_program_that_is_not_there_is_named(home: Home) -> None:
    with home.desk() as desk:
        desk.call("desk.settings", {"settings": {"pane_program": "no-such-agent --fast"}})
    run = Ht(str(home.places.socket), "agent", "create")
    code, out, err = run.ended(WATCHDOG_S)
    assert (code, out) == (1, "")
    assert "no-such-agent" in err
    assert counted(home) == b'{"id":"1","result":0}\n'


def test_what_was_asked_from_a_pane_ends_with_it(home: Home) -> None:
    path = str(home.places.socket)
    assert ht(home, "create") == OK
    (surface,) = listed(home)
    with Watcher(home) as person:
        run = Ht(path, "ask", "yesno", "T", surface=surface)
        other = Ht(path, "ask", "yesno", "T", surface="elsewhere")

        def asked(request: dict[str, Any]) -> bool:
            return request.get("surface_id") == surface

        assert person.until(asked)["state"] == "pending"
        assert ht(home, "close", surface) == OK
        ended = person.until(lambda request: asked(request) and request["state"] != "pending")
        assert (ended["state"], ended["reason"]) == ("withdrawn", "surface_closed")
        line = run.line(WAIT_S)
        said = json.loads(line)["result"]
        assert (said["request_id"], said["action"], bool(said["reason"])) == (ended["id"], "cancel", True)
        assert run.ended(WAIT_S) == Ended(3, "", f"cancelled: {said['reason']}\n")
        left = person.until(lambda request: request.get("surface_id") == "elsewhere")
        assert left["state"] == "pending"
        other.hang_up()
