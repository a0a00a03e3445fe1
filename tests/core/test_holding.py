"""How long requests wait: beside the terminal, instead of it, and with whom watching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sayso.core.bounds import OPEN_CARD_S, WATCH_S
from sayso.core.desk import Desk
from sayso.core.states import MessageTrigger, State
from sayso.core.types import Ask, Hold, Presence
from sayso.errors import Gone, OutOfTurn
from tests.core.stage import AGENT, ALLOW, SESSION, Stage, form, permission, stop

P = State.PENDING
RELEASED = (State.RELEASED, "nobody_watching")
EXPIRED = (State.EXPIRED, "")


def wait(stage: Stage, until_s: float) -> None:
    """Let time pass as the shell does: tick at every deadline, and not before."""
    while (due_s := stage.desk.next_deadline()) is not None and due_s < until_s:
        stage.desk.tick(due_s)
    stage.desk.tick(until_s)


@pytest.mark.parametrize(
    ("asked", "settings", "ends_s"),
    [
        (permission(), {}, 3690.0),
        (permission(hold_s=20.0), {}, 120.0),
        (form(), {}, 125.0),
        (form(), {"exclusive_wait_s": 60.0}, 160.0),
        (form(hold_s=20.0), {}, 115.0),
        (form(), {"away": True}, 690.0),
        (permission(hold=Hold.EXCLUSIVE, attended=False), {}, 400.0),
        (permission(hold=Hold.EXCLUSIVE, attended=False), {"unattended_wait_s": 30.0}, 130.0),
        (permission(hold=Hold.EXCLUSIVE, attended=False, hold_s=20.0), {}, 115.0),
    ],
)
def test_case_22_each_waits_its_time(asked: Ask, settings: dict[str, Any], ends_s: float) -> None:
    stage = Stage(watched_at=100.0, **settings)
    request = stage.ask(asked)
    shown_s = min(ends_s, stage.desk.watched_until()) if asked.hold is Hold.EXCLUSIVE else ends_s
    assert stage.desk.expires_s(request) == shown_s
    for at_s in range(150, int(ends_s), 100):
        stage.watch(float(at_s))
    stage.desk.tick(ends_s - 0.1)
    assert stage.state() is P
    stage.desk.tick(ends_s)
    assert stage.end() == EXPIRED
    assert stage.request().notice
    assert stage.desk.expires_s(stage.request()) is None


def test_waiting_starts_with_the_hook_and_not_with_its_arrival() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form(), 110.0)
    assert stage.desk.next_deadline() == 125.0


# --- somebody watches -------------------------------------------------------------------


def test_case_29_the_last_watcher_who_leaves_releases_what_waits() -> None:
    stage = Stage(watched_at=100.0)
    stage.watch(100.0, watcher="terminal")
    stage.ask(form())
    stage.ask(permission("beside"))
    stage.desk.watch("page", None, 101.0)
    assert stage.state() is P
    stage.desk.watch("terminal", None, 102.0)
    assert stage.end() == RELEASED
    assert stage.resolutions() == [None]
    assert stage.state("beside") is P


def test_case_29_so_does_one_who_is_not_heard_of_any_more() -> None:
    stage = Stage(watched_at=100.0, exclusive_wait_s=500.0)
    stage.ask(form())
    wait(stage, 100.0 + WATCH_S - 0.1)
    assert stage.state() is P
    wait(stage, 100.0 + WATCH_S)
    assert stage.end() == RELEASED


def test_signs_of_life_keep_it() -> None:
    stage = Stage(watched_at=100.0, exclusive_wait_s=400.0)
    stage.ask(form())
    stage.watch(200.0)
    wait(stage, 319.9)
    assert stage.state() is P
    wait(stage, 320.0)
    assert stage.end() == RELEASED


def test_whoever_was_never_there_does_not_count() -> None:
    stage = Stage()
    stage.watch(100.0, reaches=True, watcher="telegram")  # present, it says
    assert stage.desk.watched_until() == 220.0
    other = Stage()
    assert other.desk.watched_until() == float("-inf")
    assert other.ask(form()).reason == "nobody_watching"


def test_of_two_ends_the_first_is_told() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form())
    stage.desk.tick(1000.0)  # a laptop that slept
    assert stage.end() == EXPIRED


# --- away -------------------------------------------------------------------------------


def reachable(stage: Stage) -> None:
    stage.desk.watch("telegram", Presence(reaches=True), 100.0)


def test_who_is_away_is_reached_elsewhere_for_as_long_as_the_hook_lasts() -> None:
    stage = Stage(away=True)
    reachable(stage)
    stage.ask(form())
    assert stage.desk.next_deadline() == 690.0
    wait(stage, 689.9)
    assert stage.state() is P


def test_a_channel_that_reaches_nobody_who_is_here_does_not_count() -> None:
    stage = Stage()
    reachable(stage)
    assert stage.ask(form()).reason == "nobody_watching"


def test_coming_back_ends_what_only_being_away_had_kept() -> None:
    stage = Stage(away=True)
    reachable(stage)
    stage.ask(form())
    stage.desk.tick(200.0)
    stage.desk.change({"away": False}, 201.0)
    assert stage.end() == RELEASED


def test_going_away_prolongs_what_waits() -> None:
    stage = Stage(watched_at=100.0)
    reachable(stage)
    stage.ask(form())
    stage.desk.change({"away": True}, 110.0)
    wait(stage, 689.9)
    assert stage.state() is P
    wait(stage, 690.0)
    assert stage.end() == EXPIRED


# --- an open card -----------------------------------------------------------------------


def test_an_open_card_keeps_it_longer() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form())
    stage.watch(110.0, "r1")
    wait(stage, 200.0)
    stage.watch(200.0, "r1")
    wait(stage, 300.0)
    stage.watch(300.0, "r1")
    wait(stage, 100.0 + OPEN_CARD_S - 0.1)
    assert stage.state() is P
    wait(stage, 100.0 + OPEN_CARD_S)
    assert stage.end() == EXPIRED


def test_a_card_that_is_closed_after_its_time_ends_it() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form())
    stage.watch(110.0, "r1")
    stage.watch(150.0)
    assert stage.end() == EXPIRED


def test_another_card_keeps_another_request() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form("a"))
    stage.ask(form("b"))
    stage.watch(110.0, "b")
    wait(stage, 126.0)
    assert (stage.state("a"), stage.state("b")) == (State.EXPIRED, P)


def test_a_longer_setting_is_not_cut_by_a_card() -> None:
    stage = Stage(watched_at=100.0, exclusive_wait_s=400.0)
    stage.ask(form())
    stage.watch(110.0, "r1")
    assert stage.desk.next_deadline() == 230.0  # when it counts as unwatched
    stage.watch(230.0 - 0.1, "r1")
    stage.watch(349.0, "r1")
    assert stage.desk.next_deadline() == 469.0


def test_changed_settings_count_at_once() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form())
    stage.desk.change({"exclusive_wait_s": 5.0}, 110.0)
    assert stage.end() == EXPIRED


# --- the timer --------------------------------------------------------------------------


def test_nothing_is_due_on_an_empty_desk() -> None:
    stage = Stage()
    assert stage.desk.next_deadline() is None
    stage.desk.tick(1e9)
    assert stage.take_effects() == []


@pytest.mark.parametrize(
    "call",
    [
        lambda desk: desk.ask(permission("r2", started_s=130.0), "w", 130.0),
        lambda desk: desk.observe(stop(129.0), 130.0),
        lambda desk: desk.waiter_gone("w-r1", 130.0),
        lambda desk: desk.process_gone("7:70", 130.0),
        lambda desk: desk.watch("page", None, 130.0),
        lambda desk: desk.change({"away": True}, 130.0),
        lambda desk: desk.shutdown(130.0),
        lambda desk: desk.queue(AGENT, SESSION, "hello", "soon", 130.0),
        lambda desk: desk.take(AGENT, SESSION, "hook", 130.0),
        lambda desk: desk.message_receipt("hook", MessageTrigger.WRITTEN, 130.0),
        lambda desk: desk.delete_message(AGENT, SESSION, 130.0),
        lambda desk: desk.tick(130.0),
    ],
)
def test_whatever_happens_what_was_due_before_happened_first(call: Callable[[Desk], object]) -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form())
    call(stage.desk)
    assert stage.end() == EXPIRED


def test_what_was_due_is_over_for_whoever_comes_too_late() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form())
    with pytest.raises(Gone, match="timed out"):
        stage.desk.release("r1", 125.0)
    other = Stage()
    other.ask(permission())
    other.answer(ALLOW, 101.0)
    with pytest.raises(OutOfTurn):
        other.desk.written("r1", "another", "", 107.0)
    assert other.end() == (State.LOST, "no_receipt")
