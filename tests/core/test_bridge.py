"""What comes over the interaction bridge: held while somebody watches, or registered and fetched later."""

from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec.structs import replace

from sayso.core.bounds import WATCH_S, WRITE_S
from sayso.core.effects import Resolve
from sayso.core.requests import ending
from sayso.core.types import Ask, Bridge, Decision, Hold, Kind, Question, Reply, Request, Row
from sayso.errors import BadReply, BadRequest, Gone, TooMany
from tests.core.stage import (
    ADA,
    ALLOW,
    BOB,
    DENY,
    RED,
    Stage,
    asked,
    permission,
    plan,
    prompt,
    question,
    stop,
)

CALLER = "device:d1"


def over(ask: Ask, bridge: Bridge, **fields: Any) -> Ask:
    hold = Hold.EXCLUSIVE if bridge is Bridge.HELD else Hold.PARALLEL
    return replace(ask, bridge=bridge, hold=hold, interrupt=False, hold_s=110.0, **fields)


HELD = over(permission(), Bridge.HELD)
REGISTERED = over(permission(), Bridge.REGISTERED)


class Bridged(Stage):
    """A stage where the caller has no process, and whoever registers waits for nothing yet."""

    def take_in(self, ask: Ask, *, caller: str = CALLER) -> Request:
        waiter = None if ask.is_registered else f"w-{ask.id}"
        self.desk.ask(ask, waiter, ask.started_s, "", caller)
        self.settle()
        return self.request(ask.id)

    def attach(self, now: float, waiter: str = "w-r1") -> Request:
        attached = self.desk.attach("r1", waiter, now)
        self.settle()
        return attached


# --- held ---------------------------------------------------------------------------------


def test_unwatched_it_is_not_held_at_all() -> None:
    stage = Bridged()
    request = stage.take_in(HELD)
    assert stage.end() == ("deferred", "nobody_watching")
    assert (ending(request), request.notice) == ("nobody was watching: nothing was decided", False)
    assert stage.resolutions() == [None]


def test_when_the_last_watcher_leaves_it_is_let_go() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(HELD)
    stage.desk.watch("page", None, 101.0)
    stage.settle()
    assert (stage.end(), stage.request().notice) == (("released", "nobody_watching"), False)
    assert ending(stage.request()) == "nobody was watching: nothing was decided"
    assert stage.resolutions() == [None]


def test_it_waits_as_long_as_its_caller_says_and_not_as_an_agents_hook() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(HELD)
    stage.watch(150.0)
    stage.watch(205.0)
    stage.desk.tick(209.9)
    assert stage.state() == "pending"
    stage.desk.tick(210.0)
    assert (stage.state(), ending(stage.request())) == ("expired", "timed out: nobody answered")
    assert not stage.request().notice


def test_its_caller_leaves_and_takes_it_along() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(HELD)
    stage.gone(101.0)
    assert stage.end() == ("withdrawn", "caller_gone")


def test_what_is_handed_over_is_over_since_nothing_can_prove_it() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(HELD)
    stage.answer(ALLOW, 101.0)
    assert stage.resolutions() == [Decision(behavior="allow")]
    stage.written(101.1)
    assert (stage.state(), stage.request().is_over) == ("unconfirmed", True)
    assert ending(stage.request()) == "handed to the program that asked; nothing shows what it did then"


def test_a_text_that_is_handed_over_is_over() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(over(asked(Kind.TEXT), Bridge.HELD))
    stage.answer(Reply(behavior="allow", value="as it is"), 101.0)
    stage.written(101.1)
    assert (stage.state(), stage.request().is_over) == ("delivered", True)


def test_a_lost_answer_says_so() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(HELD)
    stage.answer(ALLOW, 101.0)
    stage.gone(101.1)
    assert stage.end() == ("lost", "caller_lost")


@pytest.mark.parametrize("ask", [HELD, REGISTERED])
def test_no_event_of_an_agent_touches_it(ask: Ask) -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(ask)
    stage.observe(stop(101.0))
    stage.observe(prompt(102.0))
    assert stage.state() == "pending"
    assert stage.hints() == []


@pytest.mark.parametrize(
    ("ask", "reply", "decision"),
    [
        (permission(), DENY, Decision(behavior="deny", message="not today")),
        (plan(modes=("default",)), ALLOW, Decision(behavior="allow", mode="default")),
        (question(), RED, None),
    ],
)
def test_it_is_answered_like_any_of_its_kind(ask: Ask, reply: Reply, decision: Decision | None) -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(over(ask, Bridge.HELD))
    answered = stage.answer(reply, 101.0)
    assert answered.decision == (decision or answered.decision)
    assert stage.resolutions() == [answered.decision]


def test_nobody_but_an_agent_is_stopped_by_an_answer() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(HELD)
    with pytest.raises(BadReply):
        stage.answer(Reply(behavior="deny", interrupt=True), 101.0)
    assert stage.state() == "pending"


@pytest.mark.parametrize(
    "ask",
    [
        question(questions=()),
        question(questions=(Question(question="Same?"), Question(question="Same?"))),
        plan(input=(Row(label="Plan", value=" "),)),
    ],
)
def test_what_nobody_could_answer_is_refused(ask: Ask) -> None:
    stage = Bridged(watched_at=100.0)
    with pytest.raises(BadRequest, match="cannot be asked") as refused:
        stage.take_in(over(ask, Bridge.HELD))
    assert refused.value.field == "payload"


def test_one_caller_cannot_fill_the_desk() -> None:
    stage = Bridged(pending_per_agent=1)
    stage.take_in(REGISTERED)
    with pytest.raises(TooMany):
        stage.take_in(replace(REGISTERED, id="r2"))
    stage.take_in(replace(REGISTERED, id="r3"), caller="device:d2")
    assert stage.state("r3") == "pending"


# --- registered ----------------------------------------------------------------------------


def test_it_pends_though_nobody_waits_and_nobody_watches() -> None:
    stage = Bridged()
    request = stage.take_in(REGISTERED)
    assert (request.state, request.is_alone) == ("pending", True)
    assert stage.desk.expires_s(request) == 210.0
    stage.desk.tick(210.0)
    assert stage.end() == ("expired", "")


def test_it_does_not_expire_while_somebody_waits_and_is_kept_as_long_again_after() -> None:
    stage = Bridged()
    stage.take_in(REGISTERED)
    assert not stage.attach(150.0).is_alone
    assert stage.desk.next_deadline() is None
    stage.gone(1000.0)
    assert (stage.state(), stage.request().is_alone) == ("pending", True)
    assert stage.desk.expires_s(stage.request()) == 1110.0
    assert stage.published() == ["shown", "changed", "changed"]


def test_whoever_waits_is_told_at_once() -> None:
    stage = Bridged()
    stage.take_in(REGISTERED)
    stage.attach(101.0)
    stage.answer(ALLOW, 102.0)
    assert stage.resolutions() == [Decision(behavior="allow")]
    stage.written(102.1)
    assert stage.state() == "unconfirmed"


def test_the_answer_waits_for_whoever_comes_for_it() -> None:
    stage = Bridged()
    stage.take_in(REGISTERED)
    stage.answer(ALLOW, 101.0)
    assert ending(stage.request()) == "answered; the program that asked has not come for it yet"
    stage.desk.tick(101.0 + WRITE_S + 1)
    assert stage.state() == "answered"
    stage.attach(200.0)
    assert ending(stage.request()) == "answered, on its way to the program that asked"
    stage.written(200.1)
    assert (stage.state(), stage.resolutions()) == ("unconfirmed", [])


def test_an_answer_that_could_not_be_handed_over_is_kept_for_the_next_one_who_comes() -> None:
    stage = Bridged()
    stage.take_in(REGISTERED)
    stage.attach(101.0)
    stage.answer(ALLOW, 102.0)
    stage.gone(102.1)
    assert (stage.state(), stage.request().is_alone) == ("answered", True)
    stage.attach(103.0, "another")
    stage.desk.written("r1", "another", "", 103.1)
    assert stage.state() == "unconfirmed"


def test_an_answer_nobody_comes_for_is_lost_until_somebody_does() -> None:
    stage = Bridged()
    stage.take_in(REGISTERED)
    stage.answer(ALLOW, 101.0)
    stage.desk.tick(211.0)
    assert stage.end() == ("lost", "not_fetched")
    assert ending(stage.request()) == "lost: the program that asked never came for the answer"
    stage.attach(212.0)
    stage.written(212.1)
    assert stage.state() == "unconfirmed"


def test_nobody_can_wait_for_what_is_over_or_held_by_another() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(REGISTERED)
    stage.take_in(replace(HELD, id="r2"))
    stage.desk.release("r1", 101.0)
    for name in ("r1", "r2", "r3"):
        with pytest.raises(Gone):
            stage.desk.attach(name, "w", 102.0)
    assert stage.desk.is_pending("r2")
    assert not stage.desk.is_pending("r1")


def test_two_answers_at_once_are_one() -> None:
    stage = Bridged()
    stage.take_in(REGISTERED)
    stage.answer(ALLOW, 101.0)
    with pytest.raises(Gone):
        stage.desk.answer("r1", DENY, BOB, 101.0)
    assert stage.request().by == ADA


def test_an_answer_and_its_time_have_one_order() -> None:
    stage = Bridged()
    stage.take_in(REGISTERED)
    with pytest.raises(Gone, match="timed out"):
        stage.desk.answer("r1", ALLOW, ADA, 210.0)


def test_the_end_of_the_desk_tells_it() -> None:
    stage = Bridged()
    stage.take_in(REGISTERED)
    stage.desk.shutdown(101.0)
    assert ending(stage.request()) == "sayso was stopped: nothing was decided"


# --- the session moves on --------------------------------------------------------------------


def test_what_its_own_caller_asked_before_is_moot_when_the_session_moves_on() -> None:
    stage = Bridged(watched_at=100.0)
    stage.take_in(HELD)
    stage.take_in(replace(REGISTERED, id="later", started_s=102.0))
    stage.take_in(replace(REGISTERED, id="other session", session_id="s2"))
    stage.take_in(replace(REGISTERED, id="other caller"), caller="device:d2")
    stage.take_in(replace(asked(Kind.YESNO, session_id="s1", hold_s=math.inf), id="no bridge"))
    stage.take_in(replace(REGISTERED, id="answered"))
    stage.answer(ALLOW, 100.5, name="answered")
    stage.desk.move_on("s1", CALLER, "new_prompt", 101.0, 101.0)
    stage.settle()
    assert stage.end() == ("withdrawn", "new_prompt")
    others = ("later", "other session", "other caller", "no bridge")
    assert {stage.state(name) for name in others} == {"pending"}
    assert stage.state("answered") == "answered"
    assert [e.request_id for e in stage.effects if isinstance(e, Resolve)] == ["r1"]


def test_someone_watches_for_two_minutes_after_a_sign() -> None:
    stage = Bridged(watched_at=100.0 - WATCH_S + 1)
    assert stage.take_in(HELD).state == "pending"
    stage.desk.tick(101.0)
    assert stage.end() == ("released", "nobody_watching")


def test_codex_is_let_go_when_asking_for_it_is_switched_off_and_nobody_else() -> None:
    stage = Bridged(watched_at=100.0)
    stage.desk.change({"codex_approvals": True}, 100.0)
    stage.take_in(replace(HELD, agent="codex"))
    stage.take_in(replace(REGISTERED, id="other", agent="program"))
    stage.take_in(replace(asked(Kind.YESNO, hold_s=math.inf), id="own", agent="codex"))
    stage.desk.change({"codex_approvals": False}, 101.0)
    stage.settle()
    assert stage.end() == ("withdrawn", "setting_off")
    assert {stage.state(name) for name in ("other", "own")} == {"pending"}
