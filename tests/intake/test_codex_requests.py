"""What Codex's app server asks, at the desk: who is first, what is proven, and what is never answered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from sayso.agents import Unrenderable, codex
from sayso.core.digest import Number
from sayso.core.states import State
from sayso.core.types import ListedAnswer, Reply
from sayso.intake import codex_requests
from tests.intake.codex_stage import ADA, ROOT, Stage, described

ALLOW, DENY = Reply(behavior="allow"), Reply(behavior="deny")
STOP = Reply(behavior="deny", interrupt=True)
PENDING, ANSWERED, DELIVERED = State.PENDING, State.ANSWERED, State.DELIVERED
CONFIRMED, OVERRULED, WITHDRAWN = State.CONFIRMED, State.OVERRULED, State.WITHDRAWN
BLUE = Reply(behavior="allow", answers=[ListedAnswer(picked=("Blue",))])


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    stage = Stage()
    stage.turn()
    yield stage
    stage.close()


# --- the plain way -------------------------------------------------------------------------------


async def test_an_answer_goes_to_the_server_and_its_item_proves_it(stage: Stage) -> None:
    stage.ask()
    request = stage.request()
    assert request.state is PENDING
    assert (request.ask.session_id, request.ask.agent, request.process) == (ROOT, "codex", "7:70")
    assert request.ask.hold_s == float("inf")
    await stage.answer(ALLOW)
    assert stage.link.replies == [(Number("0"), {"decision": "accept"})]
    assert stage.states() == [DELIVERED]
    stage.resolved()
    assert stage.states() == [DELIVERED]
    stage.item_over()
    assert stage.states() == [CONFIRMED]


async def test_it_waits_as_long_as_codex_asks(stage: Stage) -> None:
    stage.ask()
    stage.now_s += 1e7
    stage.runtime.desk.tick(stage.now_s)
    assert stage.states() == [PENDING]


@pytest.mark.parametrize(
    ("name", "reply", "sent", "ended"),
    [
        ("command", DENY, {"decision": "decline"}, {"status": "declined"}),
        ("command", STOP, {"decision": "cancel"}, {"status": "declined"}),
        ("file_change", ALLOW, {"decision": "accept"}, {}),
        ("tool_call", ALLOW, {"action": "accept", "content": {}, "_meta": None}, {}),
    ],
)
async def test_each_kind_is_proven_by_its_item(
    stage: Stage, name: str, reply: Reply, sent: Any, ended: Any
) -> None:
    stage.ask(name)
    await stage.answer(reply)
    assert stage.link.replies == [(Number("0"), sent)]
    stage.resolved()
    stage.item_over(name, **ended)
    assert stage.states() == [CONFIRMED]


@pytest.mark.parametrize(
    ("name", "reply"), [("question", BLUE), ("permissions", ALLOW), ("write_stdin", ALLOW)]
)
async def test_what_nothing_proves_stays_unproven(stage: Stage, name: str, reply: Reply) -> None:
    stage.ask(name)
    await stage.answer(reply)
    stage.resolved()
    stage.item_over("command")
    assert stage.states() == [DELIVERED]
    stage.turn_over()
    assert stage.states() == [State.UNCONFIRMED]


async def test_what_was_allowed_for_a_while_is_answered_at_once_and_nothing_else(stage: Stage) -> None:
    stage.ask()
    await stage.answer(Reply(behavior="allow", for_s=600.0))
    stage.resolved()
    stage.item_over()
    stage.ask(number=1, itemId="again")
    await stage.rest()
    assert [number for number, _ in stage.link.replies] == [Number("0"), Number("1")]
    stage.ask(number=2, itemId="other", command="/bin/bash -lc 'rm -rf /'")
    await stage.rest()
    assert stage.states() == [CONFIRMED, DELIVERED, PENDING]


# --- races with the terminal ---------------------------------------------------------------------


async def test_an_answer_in_the_terminal_withdraws_the_card(stage: Stage) -> None:
    stage.ask()
    stage.resolved()
    assert (stage.request().state, stage.request().reason) == (WITHDRAWN, "answered_in_terminal")
    stage.item_over()
    assert stage.states() == [WITHDRAWN]
    assert stage.session().state == "working"
    assert stage.link.replies == []


@pytest.mark.parametrize(
    ("reply", "status", "state"),
    [(ALLOW, "declined", OVERRULED), (DENY, "completed", OVERRULED), (ALLOW, "failed", CONFIRMED)],
)
async def test_case_27_the_server_took_the_terminals_answer_though_ours_was_sent(
    stage: Stage, reply: Reply, status: str, state: State
) -> None:
    stage.ask()
    await stage.answer(reply)
    stage.resolved()  # it does not say whose answer it was
    stage.item_over(status=status)
    assert stage.states() == [state]


async def test_an_answer_that_comes_when_it_is_settled_is_not_sent(stage: Stage) -> None:
    stage.ask()
    stage.runtime.desk.answer(stage.request().id, ALLOW, ADA, stage.now_s + 1)
    stage.runtime.settle()
    stage.resolved()
    await stage.rest()
    assert stage.link.replies == []
    assert stage.states() == [State.LOST]


async def test_esc_ends_the_turn_and_withdraws_what_it_asked(stage: Stage) -> None:
    stage.ask()
    stage.turn_over("interrupted")
    stage.resolved()
    assert (stage.request().state, stage.request().reason) == (WITHDRAWN, "stopped")
    assert stage.session().state == "idle"


async def test_two_at_once_are_told_apart(stage: Stage) -> None:
    stage.ask(number=0)
    stage.ask(number=1, itemId="other")
    await stage.answer(DENY, 2)
    stage.resolved(1)
    stage.resolved(0)
    assert stage.link.replies == [(Number("1"), {"decision": "decline"})]
    assert stage.states() == [WITHDRAWN, DELIVERED]
    stage.item_over()
    assert stage.states() == [WITHDRAWN, DELIVERED]
    stage.item_over(id="other", status="declined")
    assert stage.states() == [WITHDRAWN, CONFIRMED]


async def test_a_request_that_is_told_again_is_one(stage: Stage) -> None:
    stage.ask()
    stage.ask()
    assert stage.states() == [PENDING]


async def test_a_connection_that_is_gone_takes_no_answer(stage: Stage) -> None:
    stage.ask()
    stage.link.close()
    await stage.answer(ALLOW)
    assert stage.states() == [State.LOST]


async def test_a_lost_connection_withdraws_what_waits_and_says_so(stage: Stage) -> None:
    stage.ask(number=0)
    stage.ask(number=1, itemId="other")
    await stage.answer(ALLOW, 2)
    stage.talk.leave("cut_off")
    assert stage.states() == [WITHDRAWN, DELIVERED]
    assert stage.request().reason == "cut_off"
    assert not stage.session().wakes
    stage.resolved()  # nothing is known of it any more
    assert stage.states() == [WITHDRAWN, DELIVERED]


# --- what is not answered ------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["item/tool/call", "attestation/generate", "applyPatchApproval"])
async def test_case_27_a_request_that_is_not_handled_is_left_to_others(stage: Stage, method: str) -> None:
    stage.talk.hear(method, Number("5"), {"threadId": ROOT})
    stage.resolved(5)
    assert stage.states() == []
    assert stage.link.replies == []


async def test_a_request_without_a_thread_is_left_to_others(stage: Stage) -> None:
    stage.talk.hear(codex.ELICITATION, Number("5"), {})
    assert stage.states() == []


async def test_a_secret_is_told_of_and_asked_in_the_terminal_alone(stage: Stage) -> None:
    one = {
        "id": "p",
        "header": "",
        "question": "Password?",
        "isOther": False,
        "isSecret": True,
        "options": None,
    }
    stage.ask("question", questions=[one])
    request = stage.request()
    assert (request.state, request.reason, request.notice) == (State.DEFERRED, "not_showable", True)
    assert "secret" in request.ask.unshowable
    stage.resolved()
    assert not stage.request().notice
    assert stage.link.replies == []


async def test_a_change_that_was_never_seen_is_not_shown(stage: Stage) -> None:
    stage.ask("file_change", itemId="unseen")
    assert stage.request().reason == "not_showable"


async def test_a_change_too_long_to_be_shown_whole_is_cut_and_says_so(stage: Stage) -> None:
    item = {
        "type": "fileChange",
        "id": "big",
        "status": "inProgress",
        "changes": [{"path": "/a", "kind": {"type": "add"}, "diff": "x" * 300_000}],
    }
    stage.tell("item/started", threadId=ROOT, item=item)
    stage.ask("file_change", itemId="big")
    assert stage.request().state is PENDING
    assert stage.request().ask.input[1].lost


async def test_what_the_desk_refuses_is_left_to_the_terminal(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.ask(cwd="/" + "x" * 5000)
    assert stage.states() == []
    stage.resolved()
    assert "asks in its terminal" in caplog.text


async def test_an_answer_that_does_not_fit_is_not_sent(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def never(*_: object) -> Any:
        raise Unrenderable("a position lies outside")

    stage.ask()
    monkeypatch.setattr(codex, "result", never)
    await stage.answer(ALLOW)
    assert stage.link.replies == []
    assert (stage.request().state, stage.request().reason) == (State.LOST, "hook_failed")
    assert "was not sent: a position" in caplog.text


async def test_switched_off_by_hand_nothing_is_answered(stage: Stage) -> None:
    stage.ask()
    stage.runtime.desk.release(stage.request().id, stage.now_s + 1)
    stage.runtime.settle()
    stage.resolved()
    assert stage.states() == [State.RELEASED]
    assert stage.link.replies == []


# --- subagents, unknown threads ------------------------------------------------------------------


async def test_a_request_of_a_thread_waits_until_its_session_is_known(stage: Stage) -> None:
    stage.ask(thread_id="child")
    assert stage.states() == []
    told = {"thread": described("child", parentThreadId=ROOT, agentRole="explorer")}
    stage.answer_call("thread/resume", told)
    request = stage.request()
    assert (request.ask.session_id, request.ask.agent_id, request.ask.agent_type) == (
        ROOT,
        "child",
        "explorer",
    )
    assert len(stage.sessions()) == 1
    await stage.answer(ALLOW)
    stage.item_over(thread_id="child")
    assert stage.states() == [CONFIRMED]


async def test_the_end_of_a_subagents_turn_withdraws_what_it_asked_and_nothing_else(stage: Stage) -> None:
    stage.link.threads["child"] = {"thread": described("child", parentThreadId=ROOT)}
    stage.ask(number=0)
    stage.ask(number=1, thread_id="child")
    stage.turn_over(thread_id="child")
    assert stage.states() == [PENDING, WITHDRAWN]
    assert stage.session().state == "working"


async def test_a_thread_that_cannot_be_resumed_is_asked_about_all_the_same(stage: Stage) -> None:
    stage.ask(thread_id="new")
    stage.answer_call("thread/resume", error="no rollout found")
    assert stage.request().ask.session_id == "new"


async def test_a_request_settled_before_its_session_was_known_is_never_shown(stage: Stage) -> None:
    stage.ask(thread_id="child")
    stage.resolved()
    stage.answer_call("thread/resume", {"thread": described("child", parentThreadId=ROOT)})
    assert stage.states() == []


# --- words with a refusal ------------------------------------------------------------------------


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words wait for their sign for no time at all."""
    monkeypatch.setattr(codex_requests, "EVIDENCE_S", 0.0)


WORDS = Reply(behavior="deny", message="use make")


async def test_words_follow_the_refusal_once_it_took_effect(stage: Stage) -> None:
    stage.ask()
    await stage.answer(WORDS)
    stage.resolved()
    assert stage.link.said("turn/steer") == []
    stage.item_over(status="declined")
    (said,) = stage.link.said("turn/steer")
    assert (said["threadId"], said["expectedTurnId"]) == (ROOT, "turn-1")
    assert said["input"] == [{"type": "text", "text": "use make", "text_elements": []}]
    assert stage.message().state == "taken"
    stage.answer_call("turn/steer", {"turnId": "turn-1"})
    assert stage.message().state == "handed_over"
    assert stage.states() == [CONFIRMED]


async def test_words_are_not_passed_on_where_the_terminal_said_yes(stage: Stage) -> None:
    stage.ask()
    await stage.answer(WORDS)
    stage.resolved()
    stage.item_over()
    assert stage.states() == [OVERRULED]
    assert stage.link.said("turn/steer", "turn/start") == []
    assert stage.notes() == ["Codex was not told what you wrote: the terminal answered first"]


async def test_words_after_a_stop_begin_the_next_turn(stage: Stage) -> None:
    stage.ask()
    await stage.answer(Reply(behavior="deny", interrupt=True, message="use make"))
    stage.resolved()
    stage.item_over(status="declined")
    assert stage.link.said("turn/start") == []
    stage.turn_over("interrupted")
    assert [said["threadId"] for said in stage.link.said("turn/start")] == [ROOT]
    assert stage.link.said("turn/steer") == []


async def test_words_for_what_has_no_item_follow_when_it_is_settled(stage: Stage) -> None:
    stage.ask("permissions")
    await stage.answer(WORDS)
    assert stage.link.said("turn/steer") == []
    stage.resolved()
    assert len(stage.link.said("turn/steer")) == 1


async def test_words_wait_for_their_sign_for_a_short_time(stage: Stage, soon: None) -> None:
    stage.ask()
    await stage.answer(WORDS)
    await stage.rest()
    assert len(stage.link.said("turn/steer")) == 1
    stage.item_over(status="declined")
    assert len(stage.link.said("turn/steer")) == 1


async def test_words_for_a_subagent_go_to_its_thread_and_a_failure_is_told(stage: Stage) -> None:
    stage.link.threads["child"] = {"thread": described("child", parentThreadId=ROOT)}
    stage.turn("child", "turn-2")
    stage.ask(thread_id="child")
    await stage.answer(WORDS)
    stage.item_over(thread_id="child", status="declined")
    (said,) = stage.link.said("turn/steer")
    assert (said["threadId"], said["expectedTurnId"]) == ("child", "turn-2")
    stage.answer_call("turn/steer", error="no active turn to steer")
    assert stage.notes() == ["Codex was told no, and perhaps not what you wrote"]


async def test_words_do_not_take_the_place_of_a_message_that_waits(stage: Stage) -> None:
    stage.queue("later", "stop")
    stage.ask()
    await stage.answer(WORDS)
    stage.item_over(status="declined")
    assert [said["input"][0]["text"] for said in stage.link.said("turn/steer")] == ["use make"]
    stage.answer_call("turn/steer", {"turnId": "turn-1"})
    assert (stage.message().text, stage.message().state) == ("later", "queued")
    assert stage.notes() == []
