"""Ends of turns that are told, sessions for which nobody is called: by the plan, and at a real desk."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from sayso.channels.notice_text import TURN_ENDED, shape, words
from sayso.channels.notices import Batch, Notices, turn_id
from sayso.core.types import Settings
from sayso.wire.views import Change, RequestView, SessionView
from tests.channels.fake_desk import FakeDesk, builtins, run, view
from tests.channels.test_notices import GRACE_S, change, snapshot
from tests.channels.test_notices_desk import ON_REQUEST, Desktop
from tests.desks import sample
from tests.standin import StandIn

SESSION = SessionView(
    agent="claude-code", session_id="s1", state="working", since="", process="7:1", project="shop"
)
IDLE = replace(SESSION, state="idle", since="2026-11-30T12:00:00.000Z", prompt="publish the fix")
OTHER = replace(SESSION, session_id="s2", process="8:1")
ASKED = view(session_id="s1")


def _title(note: object) -> str:
    return TURN_ENDED if isinstance(note, SessionView) else "a note"


class Scene:
    def __init__(self, **settings: Any) -> None:
        self.notices = Notices(Settings(**{"notice_turn_ends": True, **settings}))

    def hear(self, now: float, *views: SessionView, type_: str = "session") -> None:
        for one in views:
            self.notices.hear(Change(type=type_, boot="b", seq=1, session=one), now)

    def ask(self, now: float, one: RequestView = ASKED) -> None:
        self.notices.hear(change(request=one), now)

    def told(self, now: float, *seen: str) -> list[str]:
        """Return what is told: ids of requests, titles of notes."""
        batch = self.notices.take(seen, now)
        if batch is None:
            return []
        return [*(one.id for one in batch.requests), *map(_title, batch.notes)]


# --- ends of turns -----------------------------------------------------------------------


@pytest.mark.parametrize("state", ["working", "waiting"])
def test_case_45_the_end_of_a_turn_is_told_after_the_grace(state: str) -> None:
    scene = Scene()
    scene.hear(0.0, replace(SESSION, state=state))
    scene.hear(10.0, IDLE)
    assert scene.notices.next_s() == 10.0 + GRACE_S
    assert scene.notices.turns() == (IDLE,)
    assert scene.told(9.9 + GRACE_S) == []
    batch = scene.notices.take((), 10.0 + GRACE_S)
    assert batch is not None
    assert (batch.notes, batch.note_count) == ((IDLE,), 1)
    assert scene.told(1000.0) == []
    assert scene.notices.next_s() is None


def test_case_45_usually_it_is_not_told() -> None:
    scene = Scene(notice_turn_ends=False)
    scene.hear(0.0, SESSION, IDLE)
    assert scene.told(1000.0) == []


def test_a_session_that_was_idle_ends_no_turn() -> None:
    scene = Scene()
    scene.hear(0.0, IDLE, replace(IDLE, prompt="x"))
    assert scene.told(1000.0) == []


@pytest.mark.parametrize("after", [SESSION, replace(IDLE, state="ended")])
def test_what_goes_on_within_the_grace_is_not_told(after: SessionView) -> None:
    scene = Scene()
    scene.hear(0.0, SESSION, IDLE)
    scene.hear(1.0, after)
    assert scene.told(1000.0) == []


def test_a_session_that_is_forgotten_is_not_told() -> None:
    scene = Scene()
    scene.hear(0.0, SESSION, IDLE)
    scene.hear(1.0, IDLE, type_="session_forgotten")
    assert scene.told(1000.0) == []


def test_who_sees_it_is_not_called_later_either() -> None:
    scene = Scene()
    scene.hear(0.0, SESSION, IDLE, OTHER, replace(OTHER, state="idle"))
    assert scene.told(GRACE_S, turn_id(IDLE)) == [TURN_ENDED]
    assert scene.told(1000.0) == []


def test_a_snapshot_says_who_is_at_work() -> None:
    scene = Scene()
    scene.hear(0.0, SESSION, IDLE)
    whole = snapshot(notice_turn_ends=True)
    assert whole.snapshot is not None
    scene.notices.hear(replace(whole, snapshot=replace(whole.snapshot, sessions=(OTHER,))), 1.0)
    assert scene.told(1000.0) == []
    scene.hear(1001.0, replace(OTHER, state="idle"))
    assert scene.told(2000.0) == [TURN_ENDED]


TURN = Batch(notes=(IDLE,), note_count=1)
TURNS = Batch(notes=(IDLE, replace(OTHER, project="a\x1bb")), note_count=2)


@pytest.mark.parametrize(
    ("batch", "content", "said"),
    [
        (TURN, "nothing", ("The turn of an agent has ended", "")),
        (TURN, "who", ("Claude Code in shop", TURN_ENDED)),
        (TURN, "what", ("Claude Code in shop", f"{TURN_ENDED}\nYou had asked: publish the fix")),
        (TURNS, "nothing", ("2 notes", "")),
        (
            TURNS,
            "who",
            ("2 notes", f"Claude Code in shop: {TURN_ENDED}\nClaude Code in a␛b: {TURN_ENDED}"),
        ),
    ],
)
def test_case_45_the_end_of_a_turn_in_words(batch: Batch, content: str, said: tuple[str, str]) -> None:
    assert words(batch, content, 0.0) == said


def test_the_end_of_a_turn_for_a_command() -> None:
    assert shape(TURN, "nothing", 0.0)["note"] == {}
    told = shape(TURN, "what", 0.0)
    assert (told["type"], told["count"]) == ("note", 1)
    assert told["note"] == {
        "agent": "claude-code",
        "project": "shop",
        "session_id": "s1",
        "at": IDLE.since,
        "title": TURN_ENDED,
        "prompt": "publish the fix",
    }
    assert "prompt" not in shape(TURN, "who", 0.0)["note"]


# --- muted ---------------------------------------------------------------------------------


def test_case_45_nobody_is_called_for_a_muted_session() -> None:
    scene = Scene()
    scene.hear(0.0, replace(SESSION, muted=True), OTHER)
    scene.ask(0.0)
    scene.hear(0.0, replace(IDLE, muted=True))
    assert scene.notices.next_s() is None
    assert (scene.notices.new(), scene.notices.turns()) == ((), ())
    asked = view("5" * 32, session_id="s2")
    scene.ask(1.0, asked)
    assert scene.told(1000.0) == [asked.id]


def test_case_45_what_still_waits_is_told_once_that_is_over() -> None:
    scene = Scene()
    scene.hear(0.0, replace(SESSION, muted=True))
    scene.ask(0.0)
    assert scene.told(1000.0) == []
    scene.hear(1001.0, SESSION)
    assert scene.notices.next_s() == GRACE_S
    assert scene.told(1001.0) == [ASKED.id]


def test_a_snapshot_says_who_is_muted() -> None:
    scene = Scene()
    whole = snapshot(ASKED)
    assert whole.snapshot is not None
    muted = replace(whole.snapshot, sessions=(replace(SESSION, muted=True),))
    scene.notices.hear(replace(whole, snapshot=muted), 0.0)
    assert scene.told(1000.0) == []
    scene.hear(1001.0, SESSION, type_="session_forgotten")
    assert scene.told(1001.0) == [ASKED.id]


# --- the command ---------------------------------------------------------------------------


class Muting(FakeDesk):
    def __init__(self) -> None:
        super().__init__()
        self.sessions = [builtins(SESSION)]

    def _mute(self, params: dict[str, Any]) -> Any:
        return {"sessions": [{**self.sessions[0], "muted": not params["off"]}]}


@pytest.mark.parametrize(
    ("words", "asked", "said"),
    [
        (["--for", "1h"], {"for_s": 3600.0, "off": False}, "Nobody is called for Claude Code in shop"),
        ([], {"for_s": None, "off": False}, "until you take that back"),
        (["--off"], {"for_s": None, "off": True}, "You are called for Claude Code in shop"),
    ],
)
def test_case_45_a_session_is_muted(
    capsys: pytest.CaptureFixture[str], words: list[str], asked: dict[str, Any], said: str
) -> None:
    desk = Muting()
    assert run(desk, "mute", "shop", *words) == 0
    assert desk.calls[-1] == ("desk.mute", {"agent": "claude-code", "session_id": "s1", **asked})
    assert said in " ".join(capsys.readouterr().out.split())


def test_sessions_say_that_they_are_muted(capsys: pytest.CaptureFixture[str]) -> None:
    desk = Muting()
    desk.sessions = [builtins(replace(SESSION, muted=True))]
    assert run(desk, "sessions") == 0
    assert "muted" in capsys.readouterr().out
    assert run(desk, "mute", "nothing") == 6
    assert "no session is known" in capsys.readouterr().err


# --- a real desk -----------------------------------------------------------------------------


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    made = Desktop()
    yield made
    made.close()


def test_case_45_at_a_real_desk_ends_are_told_and_a_muted_session_is_not(desktop: Desktop) -> None:
    program = desktop.programs / "told.py"
    program.write_text(ON_REQUEST, encoding="utf-8")
    with StandIn(desktop.home.handlers()) as agent:
        desktop.up(
            str(agent.pid),
            notice_turn_ends=True,
            on_request=f"{sys.executable} -IS {program} {desktop.pipe}",
        )
        session_id = sample("Stop")["session_id"]
        prompt, stop = sample("UserPromptSubmit", session_id=session_id), sample("Stop")
        for payload in (prompt, stop):
            agent.hook(payload).result()
        told = json.loads(desktop.said())
        assert (told["text"], told["note"]["session_id"]) == (TURN_ENDED, session_id)

        assert desktop.home.sayso("mute", session_id[:8]).returncode == 0
        for payload in (prompt, stop):
            agent.hook(payload).result()
        (other,) = desktop.ask(7)
        assert other in desktop.said()
        assert desktop.home.sayso("mute", session_id[:8], "--off").returncode == 0
        assert TURN_ENDED in desktop.said()
