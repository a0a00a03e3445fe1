"""What programs ask themselves, from the ask to its end: no session, no event, no receipt of a hook."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from sayso.core.bounds import KEEP_ENDED_S
from sayso.core.effects import Hint, Publish, Resolve
from sayso.core.requests import ending
from sayso.core.types import Choice, Decision, Kind, Reply
from sayso.errors import Gone, OutOfTurn, TooMany
from tests.core.stage import ADA, BOB, PROCESS, SESSION, Stage, asked, permission, prompt, ran, stop

YES = Reply(behavior="allow", value="yes")
YESNO = asked(Kind.YESNO)


def test_it_waits_for_as_long_as_its_program_says() -> None:
    stage = Stage()
    assert stage.ask(replace(YESNO, hold_s=5.0)).state == "pending"
    assert stage.desk.next_deadline() == 105.0
    stage.desk.tick(105.0)
    request = stage.desk.request("r1")
    assert (request.state, ending(request), request.notice) == (
        "expired",
        "timed out: nobody answered",
        False,
    )


def test_without_a_timeout_it_waits_for_ever() -> None:
    stage = Stage()
    request = stage.ask(YESNO)
    assert (stage.desk.next_deadline(), stage.desk.expires_s(request)) == (None, None)
    stage.desk.tick(1e9)
    assert stage.desk.request("r1").state == "pending"


def test_an_answer_and_the_timeout_have_one_order() -> None:
    stage = Stage()
    stage.ask(replace(YESNO, hold_s=5.0))
    with pytest.raises(Gone, match="timed out"):
        stage.desk.answer("r1", YES, ADA, 105.0)


def test_two_answers_at_once_are_one() -> None:
    stage = Stage()
    stage.ask(YESNO)
    stage.desk.answer("r1", YES, ADA, 101)
    with pytest.raises(Gone):
        stage.desk.answer("r1", Reply(behavior="allow", value="no"), BOB, 101)
    resolved = [effect for effect in stage.take_effects() if isinstance(effect, Resolve)]
    assert resolved == [Resolve("r1", "w-r1", Decision(behavior="allow", value="yes"))]


def test_handed_over_is_its_end() -> None:
    stage = Stage()
    stage.ask(YESNO)
    stage.desk.answer("r1", YES, ADA, 101)
    stage.desk.written("r1", "w-r1", "", 101.1)
    request = stage.desk.request("r1")
    assert (request.state, request.ended_s) == ("delivered", 101.1)
    assert ending(request) == "handed to the program that asked"
    stage.desk.waiter_gone("w-r1", 102)  # it has its answer, and ends
    assert stage.desk.request("r1").state == "delivered"
    assert stage.desk.next_deadline() == 101.1 + KEEP_ENDED_S
    stage.desk.tick(101.1 + KEEP_ENDED_S)
    with pytest.raises(Gone):
        stage.desk.request("r1")


def test_an_answer_to_nobody_is_lost() -> None:
    stage = Stage()
    stage.ask(YESNO)
    stage.desk.answer("r1", YES, ADA, 101)
    stage.desk.waiter_gone("w-r1", 101)
    request = stage.desk.request("r1")
    assert (request.state, request.reason) == ("lost", "caller_lost")
    assert "ended before it had the answer" in ending(request)


def test_a_caller_that_ends_takes_its_question_along() -> None:
    stage = Stage()
    stage.ask(YESNO)
    stage.desk.waiter_gone("w-r1", 101)
    request = stage.desk.request("r1")
    assert (request.state, request.reason) == ("withdrawn", "caller_gone")
    assert ending(request) == "the program that asked has ended"
    with pytest.raises(Gone):
        stage.desk.answer("r1", YES, ADA, 102)


def test_a_program_takes_it_back_with_its_own_words() -> None:
    stage = Stage()
    stage.ask(YESNO)
    stage.ask(asked(Kind.TEXT, "r2"))
    assert stage.desk.withdraw("r1", "not needed", 101).state == "withdrawn"
    assert ending(stage.desk.request("r1")) == "taken back by the program that asked: not needed"
    stage.desk.withdraw("r2", "", 101)
    assert ending(stage.desk.request("r2")) == "taken back by the program that asked"
    with pytest.raises(Gone, match="not needed"):
        stage.desk.withdraw("r1", "again", 102)
    with pytest.raises(Gone):
        stage.desk.withdraw("r9", "", 102)


def test_what_is_answered_is_not_taken_back() -> None:
    stage = Stage()
    stage.ask(YESNO)
    stage.desk.answer("r1", YES, ADA, 101)
    with pytest.raises(Gone, match="answered"):
        stage.desk.withdraw("r1", "", 101)


def test_an_agents_own_request_is_not_taken_back_so() -> None:
    stage = Stage()
    stage.ask(permission())
    with pytest.raises(Gone):
        stage.desk.withdraw("r1", "", 101)
    assert stage.desk.request("r1").state == "pending"


def test_a_closed_pane_takes_along_what_was_asked_from_it_alone() -> None:
    stage = Stage()
    stage.ask(asked(Kind.YESNO, "r1", surface_id="p1"))
    stage.ask(asked(Kind.TEXT, "r2", surface_id="p2"))
    stage.ask(permission("r3", surface_id="p1"))
    stage.desk.close_surface("p1", 101)
    assert [stage.desk.request(name).state for name in ("r1", "r2", "r3")] == [
        "withdrawn",
        "pending",
        "pending",
    ]
    assert "pane" in ending(stage.desk.request("r1"))


def test_given_back_nothing_is_decided_and_nothing_stays() -> None:
    stage = Stage()
    stage.ask(YESNO)
    request = stage.desk.release("r1", 101)
    assert (request.state, request.notice) == ("released", False)
    assert ending(request) == "given back: nothing was decided"


def test_a_desk_that_is_stopped_says_so() -> None:
    stage = Stage()
    stage.ask(YESNO)
    stage.desk.shutdown(101)
    assert ending(stage.desk.request("r1")) == "sayso was stopped: nothing was decided"


def test_of_the_choices_the_one_that_was_taken_is_kept() -> None:
    stage = Stage()
    choices = tuple(Choice(value=f"{number}", label=f"number {number}") for number in range(9))
    stage.ask(asked(Kind.CHOICE, choices=choices))
    stage.ask(asked(Kind.CHOICE, "r2", choices=choices))
    stage.desk.answer("r1", Reply(behavior="allow", value="4"), ADA, 101)
    assert stage.desk.request("r1").ask.choices == choices  # it is on its way yet
    stage.desk.written("r1", "w-r1", "", 101)
    stage.desk.waiter_gone("w-r2", 101)
    assert stage.desk.request("r1").ask.choices == (choices[4],)
    assert stage.desk.request("r2").ask.choices == ()


# --- apart from sessions -----------------------------------------------------------------


def test_it_makes_no_session_and_raises_no_flag() -> None:
    stage = Stage()
    stage.ask(YESNO)
    stage.desk.answer("r1", YES, ADA, 101)
    stage.desk.waiter_gone("w-r1", 101)
    stage.desk.tick(1e6)
    effects = stage.take_effects()
    assert stage.desk.snapshot().sessions == {}
    assert not [effect for effect in effects if isinstance(effect, Hint)]
    assert [e.type for e in effects if isinstance(e, Publish)] == [
        "shown",
        "resolved",
        "changed",
        "forgotten",
    ]


def test_no_event_of_a_session_with_its_surfaces_name_touches_it() -> None:
    stage = Stage()
    stage.ask(permission("r0"), process=PROCESS)
    stage.ask(asked(Kind.YESNO, agent="claude-code", session_id=SESSION, started_s=100.0), process=PROCESS)
    for event in (ran(101), prompt(102), stop(103)):
        stage.desk.observe(event, 104, PROCESS)
    stage.desk.process_gone(PROCESS, 105)
    assert stage.desk.request("r1").state == "pending"
    assert stage.desk.request("r0").state == "withdrawn"


def test_it_comes_from_the_session_that_its_agent_works_on() -> None:
    stage = Stage()
    stage.ask(permission("r0", cwd="/shop"), process=PROCESS)
    request = stage.ask(YESNO, process=PROCESS)
    session = stage.desk.session_of(request)
    assert session is not None
    assert (session.session_id, session.cwd) == (SESSION, "/shop")
    assert stage.desk.session_of(stage.ask(asked(Kind.TEXT, "r2"), process="")) is None
    assert stage.desk.agent_of(PROCESS) == "claude-code"
    assert stage.desk.agent_of("9:9") == ""
    assert stage.desk.pending_of(session) == (1, 1)


def test_an_answer_begins_no_turn_of_an_agent_that_is_idle() -> None:
    stage = Stage()
    stage.ask(permission("r0"), process=PROCESS)
    stage.ask(YESNO, process=PROCESS)
    stage.observe(stop(101), 101)
    assert stage.session_state() == "idle"
    stage.answer(Reply(behavior="allow", value="yes"), 102)
    assert stage.session_state() == "idle"


def test_switching_codex_off_leaves_what_a_program_in_it_asks() -> None:
    stage = Stage()
    stage.ask(replace(YESNO, agent="codex"))
    stage.desk.change({"codex_approvals": True}, 101)
    stage.desk.change({"codex_approvals": False}, 102)
    assert stage.desk.request("r1").state == "pending"


# --- how many ----------------------------------------------------------------------------


def test_a_full_desk_says_so_at_once_and_counts_each_program_by_itself() -> None:
    stage = Stage(pending_per_agent=2, pending_in_all=4)
    for number, caller in enumerate(("5:1", "5:1", "6:1")):
        stage.desk.ask(replace(YESNO, id=f"n{number}"), f"w{number}", 100, "", caller)
    with pytest.raises(TooMany):
        stage.desk.ask(replace(YESNO, id="n9"), "w9", 100, "", "5:1")
    stage.desk.ask(replace(YESNO, id="n3"), "w3", 100, "", "7:1")
    with pytest.raises(TooMany):
        stage.desk.ask(replace(YESNO, id="n9"), "w9", 100, "", "8:1")
    stage.desk.waiter_gone("w0", 101)
    assert stage.desk.ask(replace(YESNO, id="n9"), "w9", 102, "", "5:1").state == "pending"


def test_what_is_asked_within_an_agent_counts_as_the_agents() -> None:
    stage = Stage(pending_per_agent=1)
    stage.desk.ask(YESNO, "w-r1", 100, PROCESS, "5:1")
    with pytest.raises(TooMany):
        stage.desk.ask(replace(YESNO, id="r2"), "w2", 100, PROCESS, "6:1")


def test_an_id_is_taken_once() -> None:
    stage = Stage()
    stage.ask(YESNO)
    with pytest.raises(OutOfTurn):
        stage.ask(YESNO)


def test_no_timeout_is_no_instant() -> None:
    assert YESNO.hold_s == math.inf
