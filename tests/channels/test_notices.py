"""When a notice is due, and of what: grace, bursts, what is seen anyway."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sayso.channels.notices import (
    GAP_S,
    LOOK_S,
    MOST_NOTES,
    TRUST_S,
    Batch,
    Notices,
    in_terminal,
    together,
)
from sayso.core.types import Settings
from sayso.wire.views import Change, NoteView, RequestView, Snapshot
from tests.channels.fake_desk import view

GRACE_S = Settings().notice_grace_s


def request(number: int = 0, **changes: Any) -> RequestView:
    return view(f"{number:032x}", **changes)


def change(type_: str = "shown", **what: Any) -> Change:
    return Change(type=type_, boot="b", seq=1, **what)


def note(title: str = "Done") -> NoteView:
    return NoteView(agent="claude-code", title=title, at="2026-11-30T12:00:00.000Z", project="shop")


class Scene:
    """Notices, and the steps of a test."""

    def __init__(self, **settings: Any) -> None:
        self.notices = Notices(Settings(**settings))

    def hear(self, now: float, *views: RequestView, type_: str = "shown") -> None:
        for one in views:
            self.notices.hear(change(type_, request=one), now)

    def note(self, now: float, *titles: str) -> None:
        for title in titles:
            self.notices.hear(change("note", note=note(title)), now)

    def take(self, now: float, *seen: RequestView) -> list[str]:
        """Return the ids of the requests that are told."""
        batch = self.notices.take({one.id for one in seen}, now)
        return [one.id for one in batch.requests] if batch is not None else []

    def titles(self, now: float) -> list[str]:
        batch = self.notices.take((), now)
        return [one.title for one in batch.notes if isinstance(one, NoteView)] if batch is not None else []


# --- the grace ---------------------------------------------------------------------------


def test_nothing_is_due_without_anything_that_waits() -> None:
    scene = Scene()
    assert scene.notices.next_s() is None
    assert scene.take(100.0) == []


def test_it_is_told_after_the_grace_and_once() -> None:
    scene = Scene()
    one = request()
    scene.hear(10.0, one)
    assert scene.notices.next_s() == 10.0 + GRACE_S
    assert scene.take(9.9 + GRACE_S) == []
    assert scene.take(10.0 + GRACE_S) == [one.id]
    assert scene.notices.next_s() is None
    scene.hear(20.0, one, type_="changed")  # as when its branch is read anew
    assert scene.notices.next_s() is None


def test_case_15_what_is_settled_within_the_grace_is_never_told() -> None:
    for state in ("answered", "withdrawn", "expired", "released"):
        scene = Scene()
        one = request()
        scene.hear(0.0, one)
        scene.hear(5.0, replace(one, state=state), type_="resolved")
        assert scene.take(100.0) == []
        assert scene.notices.next_s() is None


def test_the_grace_is_a_setting_and_may_change_meanwhile() -> None:
    scene = Scene(notice_grace_s=60.0)
    scene.hear(0.0, request())
    scene.notices.hear(change("settings", settings=Settings(notice_grace_s=2.0)), 1.0)
    assert scene.notices.next_s() == 2.0


def test_thousands_that_come_and_go_are_not_counted_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    counts: list[float] = []
    due = Notices._due_s  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(Notices, "_due_s", lambda *words: (counts.append(0), due(*words))[1])
    views = [request(number) for number in range(1000)]
    for one in views:
        scene.hear(0.0, one)
        assert scene.notices.next_s() == GRACE_S
    for one in views:
        scene.hear(1.0, replace(one, state="answered"), type_="resolved")
        assert scene.notices.next_s() == GRACE_S
    assert len(counts) <= 2000
    assert scene.take(GRACE_S) == []


def test_where_nothing_is_to_tell_of_it_nothing_is_due() -> None:
    scene = Scene(desktop_notices=False)
    scene.hear(0.0, request())
    scene.note(0.0, "Done")
    assert scene.notices.next_s() is None
    scene.notices.hear(change("settings", settings=Settings(on_request="ring")), 100.0)
    assert scene.notices.next_s() == GRACE_S


# --- bursts ------------------------------------------------------------------------------


def test_case_45_a_burst_is_one_notice() -> None:
    scene = Scene()
    views = [request(number) for number in range(20)]
    for number, one in enumerate(views):
        scene.hear(number * 0.2, one)
    assert scene.take(GRACE_S) == [one.id for one in views]
    assert scene.notices.next_s() is None


def test_two_notices_are_a_while_apart() -> None:
    scene = Scene(notice_grace_s=1.0)
    scene.hear(0.0, request(1))
    assert scene.take(1.0) == [request(1).id]
    scene.hear(1.1, request(2))
    assert scene.notices.next_s() == 1.0 + GAP_S
    assert scene.take(2.1) == []
    scene.hear(2.5, request(3))
    assert scene.take(1.0 + GAP_S) == [request(2).id, request(3).id]


def test_how_many_wait_in_all_is_told() -> None:
    scene = Scene(notice_grace_s=1.0)
    scene.hear(0.0, request(1), request(2))
    scene.notices.take((), 1.0)
    scene.hear(10.0, request(3))
    scene.hear(10.5, replace(request(1), state="answered"), type_="resolved")
    batch = scene.notices.take((), 11.0)
    assert batch is not None
    assert (len(batch.requests), batch.waiting) == (1, 2)


def test_what_ended_before_it_was_sent_is_left_out() -> None:
    scene = Scene()
    one, other = request(1), request(2)
    scene.hear(0.0, one, other)
    batch = scene.notices.take((), GRACE_S)
    assert batch is not None
    scene.hear(GRACE_S, replace(one, state="answered"), type_="resolved")
    assert scene.notices.still(batch) == Batch(requests=(other,), waiting=1)


# --- what is seen anyway -------------------------------------------------------------------


def test_what_somebody_sees_is_not_told_until_they_turn_away() -> None:
    scene = Scene()
    one = request()
    scene.hear(0.0, one)
    assert scene.take(GRACE_S, one) == []
    assert scene.notices.next_s() == GRACE_S + LOOK_S
    assert scene.take(GRACE_S + LOOK_S, one) == []
    assert scene.take(GRACE_S + 2 * LOOK_S) == [one.id]


def test_case_46_what_seems_to_be_seen_for_long_is_told_all_the_same() -> None:
    scene = Scene()
    one = request()
    scene.hear(0.0, one)
    now = GRACE_S
    while not scene.take(now, one):
        due_s = scene.notices.next_s()
        assert due_s is not None
        assert due_s > now
        now = due_s
    assert now == TRUST_S


def test_of_two_only_the_one_that_nobody_sees_is_told() -> None:
    scene = Scene()
    seen, unseen = request(1), request(2)
    scene.hear(0.0, seen, unseen)
    assert scene.take(GRACE_S, seen) == [unseen.id]
    assert scene.take(GRACE_S + LOOK_S) == [seen.id]


def test_one_that_is_seen_calls_for_no_notice_of_others_in_their_grace() -> None:
    scene = Scene()
    scene.hear(0.0, request(1))
    scene.hear(5.0, request(2))
    assert scene.take(GRACE_S, request(1)) == []
    assert scene.notices.next_s() == GRACE_S + LOOK_S
    assert scene.take(5.0 + GRACE_S, request(1)) == [request(2).id]


def test_the_terminal_shows_what_it_asks_itself() -> None:
    assert in_terminal(request(hold="parallel"))
    assert not in_terminal(request(hold="exclusive"))
    assert in_terminal(request(hold="exclusive", state="deferred", notice=True))


# --- notices without buttons ---------------------------------------------------------------


def test_case_46_what_the_agent_asks_in_its_terminal_is_told_too() -> None:
    scene = Scene()
    one = request(state="deferred", notice=True, reason="not_showable")
    scene.hear(0.0, one)
    assert scene.take(GRACE_S) == [one.id]
    scene.hear(20.0, request(2, state="deferred", notice=True, reason="nobody_watching"))
    scene.hear(21.0, request(2, state="deferred", notice=False), type_="changed")
    assert scene.take(100.0) == []


def test_of_what_waits_for_nobody_nothing_is_told() -> None:
    scene = Scene()
    for reason in ("bypass_mode", "by_hand", "prompt_typed"):
        scene.hear(0.0, request(state="released", notice=True, reason=reason))
    assert scene.notices.next_s() is None


def test_what_was_told_is_not_told_again_when_it_goes_back_to_the_terminal() -> None:
    scene = Scene()
    one = request()
    scene.hear(0.0, one)
    assert scene.take(GRACE_S) == [one.id]
    scene.hear(30.0, replace(one, state="expired", notice=True, reason=""), type_="resolved")
    assert scene.notices.next_s() is None


def test_a_forgotten_one_is_forgotten() -> None:
    scene = Scene()
    one = request(state="deferred", notice=True, reason="too_many")
    scene.hear(0.0, one)
    scene.hear(1.0, one, type_="forgotten")
    assert not scene.notices.is_due(100.0)
    assert (scene.notices.next_s(), scene.notices.waiting) == (None, 0)


# --- snapshots -----------------------------------------------------------------------------


def snapshot(*views: RequestView, **settings: Any) -> Change:
    kept = Snapshot(
        boot="b",
        seq=1,
        requests=views,
        ended=(),
        sessions=(),
        messages=(),
        settings=Settings(**settings),
    )
    return change("snapshot", snapshot=kept)


def test_what_waits_from_before_is_one_notice() -> None:
    scene = Scene()
    scene.notices.hear(snapshot(request(1), request(2), notice_grace_s=3.0), 0.0)
    assert scene.notices.next_s() == 3.0
    assert scene.take(3.0) == [request(1).id, request(2).id]


def test_a_snapshot_later_keeps_the_grace_and_drops_what_is_gone() -> None:
    scene = Scene()
    scene.hear(0.0, request(1), request(2))
    scene.notices.hear(snapshot(request(2), request(3)), 5.0)
    assert scene.notices.next_s() == GRACE_S
    assert scene.take(GRACE_S) == [request(2).id, request(3).id]
    scene.notices.hear(snapshot(), 8.0)
    assert scene.notices.waiting == 0


# --- notes ---------------------------------------------------------------------------------


def test_a_note_is_told_at_once_and_the_next_ones_together() -> None:
    scene = Scene()
    scene.note(0.0, "one")
    assert scene.titles(0.0) == ["one"]
    scene.note(0.5, "two")
    scene.note(1.0, "three")
    assert scene.titles(1.0) == []
    assert scene.notices.next_s() == GAP_S
    assert scene.titles(GAP_S) == ["two", "three"]


def test_requests_go_first_and_apart() -> None:
    scene = Scene()
    scene.hear(0.0, request())
    assert scene.take(GRACE_S - 1) == []
    scene.note(GRACE_S, "Done")
    assert scene.take(GRACE_S) == [request().id]
    assert scene.titles(GRACE_S + GAP_S) == ["Done"]


def test_of_very_many_notes_the_first_are_kept_and_all_counted() -> None:
    scene = Scene()
    scene.note(0.0, *(str(number) for number in range(50)))
    batch = scene.notices.take((), 0.0)
    assert batch is not None
    assert (len(batch.notes), batch.note_count) == (MOST_NOTES, 50)


def test_batches_that_could_not_be_sent_become_one() -> None:
    first = Batch(requests=(request(1),), waiting=1)
    second = Batch(requests=(request(1), request(2)), waiting=2)
    assert together(first, second) == second
    notes = Batch(notes=(note("one"),), note_count=1)
    assert together(notes, notes).note_count == 2
