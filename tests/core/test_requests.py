"""What is kept of requests, for how long, and what people are told of their ends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sayso.core import evidence, requests
from sayso.core.bounds import KEEP_ENDED_COUNT, KEEP_ENDED_S, MAX_VALUE_CHARS
from sayso.core.requests import ENDINGS, REASONS, Book, ending
from sayso.core.states import ENDED, LIVE, UNPROVEN, State
from sayso.core.types import Request, Row
from tests.core.stage import ALLOW, Stage, form, permission, ran

LONG = Row(label="Command", value="x" * (MAX_VALUE_CHARS + 5), hidden=(3,))
DEFERRALS = {"not_opted_in", "bypass_mode", "not_showable", "too_many", "nobody_watching"}
LOSSES = {"hook_failed", "hook_gone", "no_receipt", "caller_lost", "not_fetched"}
RELEASES = {"by_hand", "prompt_typed", "nobody_watching"}
OTHER_WITHDRAWALS = {"closed_in_terminal", "setting_off", "shutdown", "cut_off"} | {
    "caller_gone",
    "cancelled",
    "surface_closed",
}


def kept(state: State, reason: str = "") -> Request:
    return Request(id="r1", ask=permission(), state=state, created_s=100.0, reason=reason)


# --- words ------------------------------------------------------------------------------


def test_each_reason_has_words_and_no_word_is_without_use() -> None:
    used = set(evidence.MOOT_REASONS.values()) | DEFERRALS | LOSSES | RELEASES | OTHER_WITHDRAWALS
    assert used == set(REASONS)


@pytest.mark.parametrize("state", sorted(ENDED | UNPROVEN | LIVE))
def test_each_state_can_be_told(state: State) -> None:
    reasons = {State.WITHDRAWN: "stopped", State.DEFERRED: "too_many"}
    said = ending(kept(state, reasons.get(state, "")))
    assert bool(said) is (state is not State.PENDING)


def test_a_pending_request_has_not_ended() -> None:
    assert ending(kept(State.PENDING)) == ""


@pytest.mark.parametrize(
    ("state", "reason", "begins"),
    [
        (State.ANSWERED, "", "answered, on its way"),
        (State.DELIVERED, "", "handed to the agent"),
        (State.CONFIRMED, "", "confirmed"),
        (State.OVERRULED, "", "overruled: the terminal answered first"),
        (State.UNCONFIRMED, "", "handed to the agent; nothing showed"),
        (State.LOST, "", "lost: as far as"),
        (State.LOST, "hook_gone", "lost: the agent's hook ended"),
        (State.LOST, "hook_failed", "lost: the agent's hook could not"),
        (State.LOST, "no_receipt", "lost: the agent's hook never said"),
        (State.EXPIRED, "", "timed out"),
        (State.RELEASED, "by_hand", "given back"),
        (State.RELEASED, "", "given back"),
        (State.RELEASED, "nobody_watching", "nobody was watching"),
        (State.WITHDRAWN, "closed_in_terminal", "turned down in the terminal, or decided by another hook"),
        (State.WITHDRAWN, "tool_ran", "answered in the terminal: it ran"),
        (State.WITHDRAWN, "new_prompt", "the session moved on"),
        (State.DEFERRED, "bypass_mode", "this session asked never to be asked"),
    ],
)
def test_case_25_each_end_has_words_of_its_own(state: State, reason: str, begins: str) -> None:
    assert ending(kept(state, reason)).startswith(begins)


def test_case_25_nothing_that_nobody_decided_reads_like_a_decision() -> None:
    undecided = DEFERRALS | RELEASES | OTHER_WITHDRAWALS - {"closed_in_terminal"}
    texts = [REASONS[reason] for reason in undecided] + [ENDINGS[State.EXPIRED], ENDINGS[State.RELEASED]]
    assert [text for text in texts if "allowed" in text or "denied" in text] == []


# --- how long ---------------------------------------------------------------------------


def test_an_ended_request_answers_for_five_minutes() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.observe(ran(101.0))
    stage.take_effects()
    assert stage.desk.next_deadline() == 101.0 + KEEP_ENDED_S
    stage.desk.tick(100.9 + KEEP_ENDED_S)
    assert stage.take_effects() == []
    stage.desk.tick(101.0 + KEEP_ENDED_S)
    assert [(e.type, e.request.id) for e in stage.take_effects()] == [("forgotten", "r1")]


def test_a_forgotten_id_may_be_used_again() -> None:
    stage = Stage()
    stage.ask(permission(input=(LONG,)))
    stage.desk.row("r1", 0, "c1")
    stage.observe(ran(101.0))
    stage.desk.tick(101.0 + KEEP_ENDED_S)
    asked = stage.ask(permission(started_s=500.0, input=(LONG,)))
    assert asked.state is State.PENDING
    with pytest.raises(Exception, match="read it first"):  # what was seen was the other one
        stage.answer(ALLOW, 501.0)


def test_only_so_many_ended_ones_are_kept_and_the_oldest_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "KEEP_ENDED_COUNT", 2)
    stage = Stage()
    stage.ask(permission("live", digest="d9"))
    for name in "abcd":
        stage.ask(form(name))
    stage.desk.tick(100.0)
    assert sorted(stage.desk.snapshot().requests) == ["c", "d", "live"]
    for name in "abcd":  # whether it is still kept or not
        stage.gone(101.0, name=name)
    stage.desk.tick(100.0 + KEEP_ENDED_S)
    assert list(stage.desk.snapshot().requests) == ["live"]
    assert KEEP_ENDED_COUNT == 1000


# --- long values ------------------------------------------------------------------------


def test_long_values_are_kept_as_long_as_somebody_may_want_to_read_them() -> None:
    stage = Stage()
    stage.ask(permission(input=(LONG, Row(label="File", value="a"))))
    assert stage.desk.row("r1", 0, "c1") == LONG
    stage.observe(ran(101.0))
    cut = stage.desk.row("r1", 0, "c1")
    assert cut == Row(
        label="Command",
        value="x" * MAX_VALUE_CHARS,
        length=MAX_VALUE_CHARS + 5,
        hidden=(3,),
        lost=True,
    )
    assert stage.desk.row("r1", 1, "c1") == Row(label="File", value="a")


def test_the_true_length_of_what_the_hook_had_cut_stays() -> None:
    stage = Stage()
    stage.ask(permission(input=(replace(LONG, length=9_999_999, lost=True),)))
    stage.observe(ran(101.0))
    assert stage.desk.row("r1", 0, "c1").length == 9_999_999


# --- the book ---------------------------------------------------------------------------


def test_the_book_counts_what_it_holds() -> None:
    book = Book()
    assert (len(book), list(book), book.next_due()) == (0, [], None)
    book.add(kept(State.PENDING))
    assert (len(book), [one.id for one in book]) == (1, ["r1"])
    book.forget("r1")
    assert (len(book), book.of_session("claude-code", "s1"), book.pending_of("")) == (0, [], 0)


def test_what_is_scheduled_anew_is_due_once() -> None:
    book = Book()
    for due_s in (5.0, 9.0, 5.0, 7.0):
        book.schedule("r1", due_s)
    book.schedule("r1", 7.0)
    assert book.next_due() == 7.0
    assert list(book.due(6.9)) == []
    assert list(book.due(7.0)) == ["r1"]
    assert (book.next_due(), list(book.due(100.0))) == (None, [])


def test_what_is_not_scheduled_any_more_is_never_due() -> None:
    book = Book()
    book.schedule("r1", 5.0)
    book.schedule("r1", None)
    assert (book.next_due(), list(book.due(100.0))) == (None, [])


def test_pending_requests_are_counted_by_process_and_session() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(permission("a"))
    stage.ask(permission("b", agent_id="sub"))
    assert stage.desk.pending_of(stage.session()) == (2, 1)
    stage.answer(ALLOW, 101.0, name="a")
    assert stage.desk.pending_of(stage.session()) == (1, 0)
    assert stage.desk.pending_in_all() == 1
    assert stage.desk.session_of(stage.request("b")) == stage.session()
