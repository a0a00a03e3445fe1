"""The public client of document 001 against a real desk: its own bytes in, these bytes back.

Not here: what it writes for which words (`test_ht_lines`), connections and lines that go wrong
(`test_ht_wire`), panes (`test_ht_panes`).
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.desks import Home, Watcher
from tests.ht import Ended, Ht
from tests.standin import WAIT_S

NO_PROCESS = str(2**22 + 1)
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with Home() as home:
        home.up("--agents-only", NO_PROCESS)
        yield home


@pytest.fixture
def person(home: Home) -> Iterator[Watcher]:
    with Watcher(home) as person:
        yield person


class Asked:
    """A run of the program that waits for a person. `surface` is its own, so that it can be found."""

    def __init__(self, home: Home, person: Watcher, *words: str) -> None:
        self.surface = f"surface:{next(_numbers)}"
        self._path = str(home.places.socket)
        self.run = Ht(self._path, *words, surface=self.surface)
        try:
            self.shown = person.until(lambda request: request.get("surface_id") == self.surface)
        except AssertionError:
            self.run.hang_up()
            raise
        self.id: str = self.shown["id"]

    def other(self, *words: str) -> bytes:
        """Run another one, with the id of what was asked for "ID"; return the line it gets."""
        return Ht(self._path, *(self.id if word == "ID" else word for word in words)).line(WAIT_S)

    def line(self, **result: Any) -> bytes:
        """Return the line of its end."""
        return line_of({"request_id": self.id, **result})

    def pending(self) -> dict[str, Any] | None:
        """Return it as the list of what pends has it."""
        said = json.loads(self.other("ask", "pending", "--surface", self.surface))
        (found,) = said["result"]["pending"] or [None]
        return found


@pytest.fixture
def asked(home: Home, person: Watcher) -> Iterator[Any]:
    runs: list[Asked] = []

    def ask(*words: str) -> Asked:
        runs.append(Asked(home, person, *words))
        return runs[-1]

    yield ask
    for one in runs:
        one.run.hang_up()


def line_of(result: Any) -> bytes:
    text = json.dumps({"id": "1", "result": result}, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


RESOLVED = line_of({"resolved": True})
UNRESOLVED = line_of({"resolved": False})
YESNO = ("ask", "yesno", "--title", "Run install?")
CHOICE = ("ask", "choice", "--title", "Which?", "--choices", "a,b:Label two,c:")
TEXT = ("ask", "text", "--title", "What then?")
CONFIRM = ("ask", "confirm-command", "--title", "Run this?", "--body", "rm -r build")


# --- answers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (YESNO, "yes"),
        (YESNO, "no"),
        (CHOICE, "a"),
        (CHOICE, "c"),
        (TEXT, "two words é \u2028 \U0001f600"),
        (TEXT, ""),
        (TEXT, "yes"),
        (TEXT, "two\nlines\t\x1b[0m\\"),
    ],
)
def test_an_answer_given_by_another_run_of_it(asked: Any, words: tuple[str, ...], value: str) -> None:
    one = asked(*words)
    assert one.other("ask", "answer", "ID", value) == RESOLVED
    assert one.run.line(WAIT_S) == one.line(action="ok", value=value)
    assert one.run.ended(WAIT_S) == Ended(0, f"{value}\n", "")
    assert one.other("ask", "answer", "ID", value) == UNRESOLVED
    assert one.other("ask", "cancel", "ID") == UNRESOLVED
    assert one.pending() is None


@pytest.mark.parametrize(
    ("words", "reply", "value"),
    [
        (YESNO, {"value": "no"}, "no"),
        (CHOICE, {"value": "b"}, "b"),
        (TEXT, {"value": ""}, ""),
    ],
)
def test_an_answer_from_another_channel(
    asked: Any, person: Watcher, words: tuple[str, ...], reply: dict[str, str], value: str
) -> None:
    one = asked(*words)
    person.answer(one.id, behavior="allow", **reply)
    assert one.run.line(WAIT_S) == one.line(action="ok", value=value)


@pytest.mark.parametrize(
    ("words", "value"),
    [(YESNO, "maybe"), (YESNO, "YES"), (YESNO, ""), (CHOICE, "Label two"), (CHOICE, "d"), (CONFIRM, "yes")],
)
def test_case_18_a_value_that_does_not_fit_leaves_it_pending(
    asked: Any, words: tuple[str, ...], value: str
) -> None:
    one = asked(*words)
    said = json.loads(one.other("ask", "answer", "ID", value))
    assert (said["id"], said["result"]["resolved"], list(said["result"])) == (
        "1",
        False,
        ["resolved", "reason"],
    )
    assert said["result"]["reason"]
    assert one.pending()["request_id"] == one.id


def test_a_command_runs_only_after_it_was_acknowledged(asked: Any) -> None:
    one = asked(*CONFIRM)
    early = json.loads(one.other("ask", "answer", "ID", "run"))["result"]
    assert (early["resolved"], "ack" in early["reason"]) == (False, True)
    assert one.other("ask", "answer", "ID", "ack") == line_of({"resolved": False, "acknowledged": True})
    assert one.pending()["body"] == "rm -r build"
    assert one.other("ask", "answer", "ID", "run") == RESOLVED
    assert one.run.line(WAIT_S) == one.line(action="ok", value="run")


@pytest.mark.parametrize(
    ("words", "reason", "ended"),
    [
        ((), {}, Ended(3, "", "cancelled\n")),
        (("--reason", "user is afk"), {"reason": "user is afk"}, Ended(3, "", "cancelled: user is afk\n")),
    ],
)
@pytest.mark.parametrize("kind", [YESNO, CHOICE, TEXT, CONFIRM])
def test_it_is_cancelled(
    asked: Any, kind: tuple[str, ...], words: tuple[str, ...], reason: dict[str, str], ended: Ended
) -> None:
    one = asked(*kind)
    assert one.other("ask", "cancel", "ID", *words) == RESOLVED
    assert one.run.line(WAIT_S) == one.line(action="cancel", **reason)
    assert one.run.ended(WAIT_S) == ended
    assert one.other("ask", "cancel", "ID", *words) == UNRESOLVED


def test_a_person_turns_it_down_elsewhere(asked: Any, person: Watcher) -> None:
    one = asked(*CONFIRM)
    person.answer(one.id, behavior="deny", message="not on a Friday")
    assert one.run.line(WAIT_S) == one.line(action="cancel", reason="not on a Friday")


@pytest.mark.parametrize("words", [("answer", "nobody", "yes"), ("cancel", "nobody")])
def test_an_id_that_never_was(home: Home, words: tuple[str, ...]) -> None:
    assert Ht(str(home.places.socket), "ask", *words).line(WAIT_S) == UNRESOLVED


# --- how long ----------------------------------------------------------------------------


def test_it_times_out(asked: Any) -> None:
    one = asked(*YESNO, "--timeout", "40")
    assert one.run.line(WAIT_S) == one.line(action="timeout")
    assert one.run.ended(WAIT_S) == Ended(2, "", "timed out\n")
    assert one.other("ask", "answer", "ID", "yes") == UNRESOLVED


@pytest.mark.parametrize("words", [(), ("--timeout", "0"), ("--timeout", "soon"), ("--timeout",)])
def test_without_a_time_it_waits_for_ever(asked: Any, words: tuple[str, ...]) -> None:
    one = asked(*YESNO, *words)
    assert "expires_at" not in one.shown
    assert "timeout_ms" not in one.pending()
    assert one.other("ask", "answer", "ID", "no") == RESOLVED


@pytest.mark.parametrize("far", ["86400000", "1e18", "1e21", "1e308"])
def test_a_time_beyond_every_calendar_is_none_or_far_away(asked: Any, far: str) -> None:
    one = asked(*TEXT, "--timeout", far)
    assert one.pending()["request_id"] == one.id
    assert one.other("ask", "answer", "ID", "in time") == RESOLVED
    assert one.run.line(WAIT_S) == one.line(action="ok", value="in time")


# --- what is told of it --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (YESNO, {"kind": "yesno", "title": "Run install?"}),
        (
            (*YESNO, "--body", "Lockfile\nchanged", "--agent", "claude:1", "--timeout", "900000"),
            {
                "kind": "yesno",
                "title": "Run install?",
                "body": "Lockfile\nchanged",
                "agent_id": "claude:1",
                "timeout_ms": 900_000,
            },
        ),
        (
            (*CHOICE, "--default", "b"),
            {
                "kind": "choice",
                "title": "Which?",
                "choices": [
                    {"id": "a", "label": "a"},
                    {"id": "b", "label": "Label two"},
                    {"id": "c", "label": "c"},
                ],
                "default": "b",
            },
        ),
        ((*TEXT, "--default", "v"), {"kind": "text", "title": "What then?", "default": "v"}),
        (
            (*CONFIRM, "--unsafe"),
            {"kind": "confirm-command", "title": "Run this?", "body": "rm -r build", "unsafe": True},
        ),
    ],
)
def test_every_flag_is_told_to_whoever_lists_what_pends(
    asked: Any, words: tuple[str, ...], told: dict[str, Any]
) -> None:
    one = asked(*words)
    listed = one.pending()
    created_at_ms = listed.pop("created_at")
    assert type(created_at_ms) is int
    assert created_at_ms > 1_600_000_000_000
    assert listed == {"request_id": one.id, "surface_id": one.surface, **told}


def test_what_pends_is_listed_in_the_order_it_was_asked_and_by_surface(home: Home, asked: Any) -> None:
    path = str(home.places.socket)
    ones = [asked(*YESNO), asked(*CONFIRM), asked(*TEXT)]
    everything = json.loads(Ht(path, "ask", "pending").line(WAIT_S))["result"]["pending"]
    mine = [one["request_id"] for one in everything if one["request_id"] in [o.id for o in ones]]
    assert mine == [one.id for one in ones]
    assert Ht(path, "ask", "pending", "--surface", "surface:none").line(WAIT_S) == line_of({"pending": []})


def test_answers_come_in_any_order(asked: Any) -> None:
    first, second, third = asked(*TEXT), asked(*TEXT), asked(*TEXT)
    for number, one in enumerate((third, first, second)):
        assert one.other("ask", "answer", "ID", str(number)) == RESOLVED
        assert one.run.line(WAIT_S) == one.line(action="ok", value=str(number))


def test_nothing_is_said_before_the_answer(asked: Any) -> None:
    # The first line is taken for the answer, whatever it is.
    one = asked(*YESNO)
    assert one.pending() is not None  # the desk has said all that it had to say
    with pytest.raises(TimeoutError):
        one.run.line(0.01)


# --- refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("ask", "yesno", "--title", "two\nlines"), "title"),
        (("ask", "choice", "--title", "T", "--choices", "a,a"), "choices[1].id"),
        (("ask", "choice", "--title", "T", "--choices", "a,,b"), "choices[1].id"),
    ],
)
def test_what_it_lets_through_and_we_do_not_is_an_error_that_names_the_field(
    home: Home, words: tuple[str, ...], field: str
) -> None:
    run = Ht(str(home.places.socket), *words, surface="surface:0")
    line = run.line(WAIT_S)
    assert line.startswith(b'{"id":"1","error":"')
    assert line.endswith(b'"}\n')
    assert field in json.loads(line)["error"]
    assert run.ended(WAIT_S).code == 1
