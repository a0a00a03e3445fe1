"""What whoever may ask cannot make the desk keep: events and sessions without end."""

from __future__ import annotations

import pytest

from sayso.core import events, requests, sessions
from sayso.core.bounds import KEEP_EVENTS_CHARS, KEEP_EVENTS_COUNT, KEEP_UNPROVEN_S, MOST_SESSIONS
from sayso.core.events import Recent, Seen
from sayso.core.states import State
from sayso.core.types import EventType, Row
from tests.core.stage import RED, Stage, batch, event, permission, prompt, question, ran, stop

LONG = tuple(f"{number:0128d}" for number in range(1000))
SMALL_CHARS = 2000


def test_the_events_of_all_sessions_fit_into_one_bound() -> None:
    recent, kept = Recent(), 0
    for number in range(100):
        seen = Seen(batch(float(number), responses=LONG), "", float(number))
        assert seen.chars > sum(map(len, LONG))
        assert recent.add(("a", str(number)), seen)
    for number in range(100):
        kept += sum(seen.chars for seen in recent.of(("a", str(number))))
    assert 0 < kept <= KEEP_EVENTS_CHARS
    assert recent.of(("a", "0")) == []
    assert len(recent.of(("a", "99"))) == 1


def test_what_is_forgotten_makes_room() -> None:
    recent = Recent()
    for number in range(100):
        assert recent.add(("a", "s"), Seen(batch(float(number), responses=LONG), "", 1.0))
        recent.forget(("a", "s"))
    assert recent.add(("a", "s"), Seen(stop(1.0), "", 1.0))
    assert recent.add(("a", "t"), Seen(batch(2.0, responses=LONG), "", 1.0))
    assert len(recent.of(("a", "s"))) == 1


def test_the_sessions_heard_of_longest_ago_make_room_for_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "KEEP_EVENTS_CHARS", SMALL_CHARS)
    stage = Stage(watched_at=100.0)
    stage.observe(stop(100.5))
    assert stage.ask(permission("before"), 101.0).state is State.WITHDRAWN
    for number in range(3):
        stage.observe(prompt(100.6, session_id=f"other {number}"), 101.0)
    assert stage.ask(permission("after"), 101.0).state is State.PENDING


def test_sessions_are_not_listed_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 3)
    stage = Stage()
    stage.observe(event(EventType.SESSION_END, 100.0, session_id="ended"))
    stage.observe(prompt(90.0, session_id="silent"), 100.0)
    stage.observe(prompt(100.0, session_id="alive"))
    for number in range(9):
        stage.observe(prompt(101.0 + number, session_id=f"claimed {number}"), process="")
    stage.desk.tick(111.0)
    stage.settle()
    names = {session_id for _, session_id, _ in stage.desk.snapshot().sessions}
    assert names == {"silent", "alive", "claimed 8"}
    assert stage.published().count("session_forgotten") == 9


def test_a_full_desk_takes_in_who_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_SESSIONS >= 1000
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 2)
    stage = Stage()
    for number in range(4):
        stage.observe(prompt(100.0 + number, session_id=f"s{number}"))
    stage.desk.tick(104.0)
    assert {session_id for _, session_id, _ in stage.desk.snapshot().sessions} == {"s2", "s3"}


def test_the_oldest_of_one_session_go_one_by_one() -> None:
    recent, one = Recent(), Seen(batch(0.0, responses=LONG), "", 1.0).chars
    for number in range(KEEP_EVENTS_CHARS // one + 3):
        assert recent.add(("a", "s"), Seen(batch(float(number), responses=LONG), "", 1.0))
    kept = recent.of(("a", "s"))
    assert len(kept) == KEEP_EVENTS_CHARS // one
    assert kept[0].event.at_s == 3.0


def test_events_that_wait_for_a_hooks_word_are_bounded() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(question())
    stage.answer(RED, 101.0)
    for number in range(2 * KEEP_EVENTS_COUNT):
        told = {"tool": "AskUserQuestion", "answers": "red" if number else "blue"}
        stage.observe(ran(101.1 + number / 1e6, **told))
    stage.written(101.5, "red")
    assert stage.state() is State.OVERRULED


def ended(stage: Stage, name: str, chars: int, now: float, **fields: object) -> None:
    rows = (Row(label="Command", value="x" * chars),)
    stage.ask(permission(name, input=rows, started_s=now, **fields), now)
    stage.gone(now, name=name)


def test_ended_requests_are_bounded_in_size_the_oldest_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "KEEP_ENDED_BYTES", 10_000)
    stage = Stage(watched_at=100.0)
    for number in range(9):
        ended(stage, f"r{number}", 3000, 100.0 + number / 100)
    stage.desk.tick(101.0)
    assert sorted(stage.desk.snapshot().requests) == ["r6", "r7", "r8"]


def test_what_was_forgotten_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "KEEP_ENDED_BYTES", 10_000)
    stage = Stage(watched_at=100.0)
    now = 100.0
    for number in range(9):
        now += KEEP_UNPROVEN_S
        ended(stage, f"r{number}", 3000, now)
        stage.watch(now)
    assert set(stage.desk.snapshot().requests) == {"r8"}
    stage.ask(permission("waits", started_s=now), now)
    ended(stage, "last", 100, now)
    stage.desk.tick(now)
    assert set(stage.desk.snapshot().requests) == {"r8", "waits", "last"}


def test_one_that_is_larger_than_all_of_it_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "KEEP_ENDED_BYTES", 1000)
    stage = Stage(watched_at=100.0)
    ended(stage, "large", 3000, 100.0)
    stage.desk.tick(101.0)
    assert stage.desk.snapshot().requests == {}
