"""A call allowed for a while: what it answers, what it never does, and how it ends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.bounds import MAX_VALUE_CHARS, MOST_GRANTS
from sayso.core.effects import Publish
from sayso.core.states import State
from sayso.core.types import Ask, Decision, EventType, Hold, Kind, Presence, Reply, Row
from sayso.errors import BadReply, Gone, NotSeen
from tests.core.stage import (
    ADA,
    ALLOW,
    BOB,
    PROCESS,
    SESSION,
    Stage,
    asked,
    event,
    form,
    permission,
    plan,
    prompt,
    question,
    ran,
)

WHILE = Reply(behavior="allow", for_s=300.0)
YES = Decision(behavior="allow")


def granted(**more: Any) -> Stage:
    """Asked at 100, allowed for 300 s at 101, and run."""
    stage = Stage()
    stage.delivered(permission(**more), WHILE)
    stage.observe(ran(101.5, agent_id=more.get("agent_id", "")))
    assert [grant.until_s for grant in stage.desk.snapshot().grants] == [401.0]
    stage.take_effects()
    return stage


def told(stage: Stage) -> list[list[str]]:
    """The ids of the open grants, each time that channels were told of them."""
    told = [e.grants for e in stage.take_effects() if isinstance(e, Publish) and e.type == "grants"]
    return [[grant.id for grant in grants] for grants in told if grants is not None]


def again(stage: Stage, now: float = 200.0, *, process: str = PROCESS, **changes: Any) -> State:
    """Ask once more, and return where that stands in the same call."""
    return stage.ask(permission("r2", started_s=now, **changes), process=process).state


# --- what it answers -------------------------------------------------------------------


def test_case_59_the_same_call_is_allowed_by_the_grant_of_that_person() -> None:
    stage = granted()
    assert again(stage) is State.ANSWERED
    request = stage.request("r2")
    assert (request.by, request.decision, request.answered_s) == (ADA, YES, 200.0)
    assert request.granted_until_s == 401.0
    assert stage.resolutions("r2") == [YES]


def test_case_59_nobody_is_called_to_what_a_grant_has_answered() -> None:
    stage = granted()
    again(stage)
    about = [e for e in stage.take_effects() if isinstance(e, Publish) and e.request is not None]
    assert [(e.type, e.request.state) for e in about if e.request] == [("resolved", State.ANSWERED)]


def test_case_59_its_answer_goes_the_way_of_every_answer() -> None:
    stage = granted()
    again(stage)
    stage.written(200.1, name="r2")
    stage.observe(ran(201.0))
    assert stage.state("r2") is State.CONFIRMED


def test_case_59_the_grant_tells_what_it_is_for_and_no_more_than_its_beginning() -> None:
    stage = Stage()
    stage.ask(permission(input=(Row(label="Command", value="x" * 300), Row(label="Why", value="y"))))
    stage.answer(WHILE, 101.0)
    (grant,) = stage.desk.snapshot().grants
    assert (grant.id, grant.by, grant.tool, grant.session_id) == ("r1", ADA, "Bash", SESSION)
    assert grant.what == "x" * 199 + "…"


def test_case_59_a_subagent_has_grants_of_its_own() -> None:
    stage = granted(agent_id="sub")
    assert again(stage, agent_id="sub") is State.ANSWERED
    assert stage.ask(permission("r3", started_s=202.0)).state is State.PENDING


def test_case_59_two_same_calls_at_once_each_have_their_answer_and_their_evidence() -> None:
    stage = granted()
    for name in ("r2", "r3"):
        assert stage.ask(permission(name, started_s=200.0)).state is State.ANSWERED
        stage.written(200.1, name=name)
    stage.observe(ran(201.0))
    stage.observe(ran(201.1))
    assert [stage.state("r2"), stage.state("r3")] == [State.CONFIRMED, State.CONFIRMED]


def test_case_59_what_waited_before_the_grant_still_waits() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.ask(permission("r2"))
    stage.answer(WHILE, 101.0)
    assert stage.state("r2") is State.PENDING


# --- what it never answers ---------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "d2"},
        {"digest": ""},
        {"tool": "Write"},
        {"session_id": "s2"},
        {"agent": "codex", "hold": Hold.PARALLEL},
        {"agent_id": "sub"},
        {"cwd": "/elsewhere"},
        {"kind": Kind.ELICITATION, "hold": Hold.PARALLEL},
        {"kind": Kind.PLAN, "modes": ("default",)},
    ],
)
def test_case_59_what_is_not_the_same_call_waits(change: dict[str, Any]) -> None:
    stage = granted()
    stage.desk.change({"codex_server": True}, 102.0)
    assert again(stage, **change) is State.PENDING
    assert stage.resolutions("r2") == []


@pytest.mark.parametrize("process", ["8:80", ""])
def test_case_59_another_process_or_an_unconfirmed_one_waits(process: str) -> None:
    assert again(granted(), process=process) is State.PENDING


@given(digest=st.text(max_size=3), tool=st.sampled_from(["Bash", "Write"]), cwd=st.sampled_from(["", "/a"]))
def test_case_59_a_grant_never_answers_a_call_whose_digest_differs(digest: str, tool: str, cwd: str) -> None:
    stage = granted()
    state = again(stage, digest=digest, tool=tool, cwd=cwd)
    assert (state is State.ANSWERED) == ((digest, tool, cwd) == ("d1", "Bash", ""))


def test_case_59_where_a_digest_says_less_or_more_the_content_is_what_must_be_the_same() -> None:
    stage = Stage()
    stage.delivered(permission(content="c1"), WHILE)
    stage.observe(ran(101.5))
    assert again(stage, digest="d2", content="c1") is State.ANSWERED
    for name, changes in {"r3": {"content": "c2"}, "r4": {}, "r5": {"digest": "c1", "content": "c2"}}.items():
        assert stage.ask(permission(name, started_s=201.0, **changes)).state is State.PENDING


@pytest.mark.parametrize("changes", [{"mode": "bypassPermissions"}, {"unshowable": "odd"}])
def test_case_59_what_may_not_pend_is_not_answered(changes: dict[str, Any]) -> None:
    assert again(granted(), **changes) is State.DEFERRED


def test_case_59_an_event_that_overtook_its_ask_says_that_it_ran_already() -> None:
    stage = granted()
    stage.observe(ran(200.5))
    request = stage.ask(permission("r2", started_s=200.0), 200.6)
    assert (request.state, request.reason) == (State.WITHDRAWN, "tool_ran")
    assert stage.resolutions("r2") == [None]


def test_case_59_after_a_restart_nothing_is_granted() -> None:
    before = granted()
    assert len(before.desk.snapshot().grants) == 1
    after = Stage()
    assert again(after, resumed=True) is State.PENDING


def test_case_59_a_hook_that_comes_back_is_answered_by_what_is_open_as_it_comes() -> None:
    stage = Stage()
    stage.ask(permission(resumed=True), 500.0)
    stage.answer(WHILE, 501.0, by=BOB)
    assert stage.ask(permission("r2", resumed=True), 502.0).by == BOB
    assert stage.ask(permission("r3", resumed=True), 801.0).state is State.PENDING


# --- who may give one ----------------------------------------------------------------------


@pytest.mark.parametrize("for_s", [0.0, 59.9, 3600.1, -60.0, float("inf"), float("nan")])
def test_case_59_a_while_has_bounds(for_s: float) -> None:
    refuses(permission(), Reply(behavior="allow", for_s=for_s), "for_s")


@pytest.mark.parametrize("for_s", [60.0, 3600.0])
def test_case_59_the_bounds_themselves_are_good(for_s: float) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(Reply(behavior="allow", for_s=for_s), 101.0)
    assert [grant.until_s for grant in stage.desk.snapshot().grants] == [101.0 + for_s]


@pytest.mark.parametrize(
    ("ask", "reply"),
    [
        (permission(suggestions=("Always",)), Reply(behavior="allow", suggestion="0", for_s=300.0)),
        (permission(), Reply(behavior="allow", unseen=True, for_s=300.0)),
        (permission(), Reply(behavior="deny", for_s=300.0)),
        (permission(), Reply(behavior="deny", interrupt=True, for_s=300.0)),
        (permission(digest=""), WHILE),
        (question(), Reply(behavior="allow", answers={"Which colour?": "Red"}, for_s=300.0)),
        (plan(), Reply(behavior="allow", mode="default", for_s=300.0)),
        (form(hold=Hold.PARALLEL), Reply(behavior="allow", content={}, for_s=300.0)),
        (asked(Kind.YESNO), Reply(behavior="allow", value="yes", for_s=300.0)),
        (asked(Kind.YESNO), Reply(behavior="cancel", for_s=300.0)),
    ],
)
def test_case_59_only_a_permission_by_itself_is_allowed_for_a_while(ask: Ask, reply: Reply) -> None:
    refuses(ask, reply, "for_s")


def refuses(ask: Ask, reply: Reply, field: str) -> None:
    stage = Stage()
    stage.ask(ask)
    with pytest.raises(BadReply) as caught:
        stage.answer(reply, 101.0)
    assert caught.value.field == field
    assert stage.state() is State.PENDING
    assert stage.desk.snapshot().grants == ()


def test_case_59_an_unconfirmed_process_is_allowed_once_only() -> None:
    stage = Stage()
    stage.ask(permission(), process="")
    with pytest.raises(BadReply) as caught:
        stage.answer(WHILE, 101.0)
    assert (caught.value.field, stage.state()) == ("for_s", State.PENDING)
    assert stage.answer(ALLOW, 101.0).state is State.ANSWERED


def test_case_59_what_was_cut_is_read_before_it_is_allowed_for_a_while() -> None:
    stage = Stage()
    stage.ask(permission(input=(Row(label="Command", value="x" * (MAX_VALUE_CHARS + 1)),)))
    with pytest.raises(NotSeen):
        stage.answer(WHILE, 101.0)
    assert stage.desk.snapshot().grants == ()
    stage.desk.row("r1", 0, "c1")
    assert stage.answer(WHILE, 102.0).state is State.ANSWERED
    assert len(stage.desk.snapshot().grants) == 1


def test_case_59_what_is_lost_is_never_allowed_for_a_while() -> None:
    stage = Stage()
    stage.ask(permission(input=(Row(label="Command", value="x", lost=True),)))
    with pytest.raises(NotSeen):
        stage.answer(WHILE, 101.0)
    assert (stage.state(), stage.desk.snapshot().grants) == (State.PENDING, ())


def test_case_59_so_many_are_open_at_once_and_no_more() -> None:
    stage = Stage(pending_per_agent=1000)
    for number in range(MOST_GRANTS + 1):
        stage.ask(permission(f"r{number}", digest=f"d{number}"))
    for number in range(MOST_GRANTS):
        stage.answer(WHILE, 101.0, name=f"r{number}")
    with pytest.raises(BadReply):
        stage.answer(WHILE, 101.0, name=f"r{MOST_GRANTS}")
    assert stage.state(f"r{MOST_GRANTS}") is State.PENDING


def test_case_59_an_answer_that_is_sent_twice_grants_once() -> None:
    stage = Stage()
    stage.ask(permission())
    once = Reply(behavior="allow", for_s=300.0, key="k")
    stage.answer(once, 101.0)
    stage.desk.end_grant("r1", 102.0)
    stage.answer(once, 103.0)
    assert stage.desk.snapshot().grants == ()


def test_case_59_an_answer_that_comes_with_the_deadline_grants_nothing() -> None:
    stage = Stage()
    stage.ask(permission(hold_s=10.0))
    due_s = stage.desk.next_deadline()
    assert due_s is not None
    with pytest.raises(Gone):
        stage.answer(WHILE, due_s)
    assert stage.desk.snapshot().grants == ()


# --- how it ends ---------------------------------------------------------------------------


def test_case_59_it_ends_by_time_and_the_timer_knows() -> None:
    stage = granted()
    assert again(stage, 400.9) is State.ANSWERED
    assert stage.ask(permission("r3", started_s=400.95), 401.0).state is State.PENDING
    assert told(stage) == [[]]


def test_case_59_its_end_is_told_when_it_comes() -> None:
    stage = granted()
    stage.desk.tick(401.5 - 0.5 - 1e-6)
    assert told(stage) == []
    assert (stage.desk.next_deadline() or 0.0) <= 401.0
    stage.desk.tick(401.0)
    assert told(stage) == [[]]


def test_case_59_a_call_that_comes_just_after_the_end_by_hand_waits() -> None:
    stage = granted()
    stage.desk.end_grant("r1", 200.0)
    assert told(stage) == [[]]
    assert again(stage, 200.0) is State.PENDING
    stage.desk.end_grant("r1", 201.0)
    stage.desk.end_grant("never", 201.0)
    assert told(stage) == []


def test_case_59_of_two_the_later_end_counts_and_each_ends_by_itself() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.ask(permission("r2"))
    stage.answer(WHILE, 101.0)
    stage.answer(Reply(behavior="allow", for_s=600.0), 101.0, name="r2", by=BOB)
    assert told(stage) == [["r1"], ["r1", "r2"]]
    assert stage.ask(permission("r3", started_s=200.0)).by == BOB
    stage.desk.end_grant("r2", 201.0)
    assert stage.ask(permission("r4", started_s=202.0)).by == ADA
    assert told(stage) == [["r1"]]
    assert stage.ask(permission("r5", started_s=401.0)).state is State.PENDING


def test_case_59_it_ends_with_its_session() -> None:
    stage = granted()
    stage.observe(event(EventType.SESSION_END, 200.0, reason="other"))
    assert told(stage) == [[]]
    stage.observe(event(EventType.SESSION_START, 201.0, reason="resume"))
    assert again(stage, 202.0) is State.PENDING


def test_case_59_it_ends_with_its_process_and_with_no_other() -> None:
    stage = granted()
    stage.desk.process_gone("8:80", 200.0)
    assert told(stage) == []
    stage.desk.process_gone(PROCESS, 201.0)
    assert told(stage) == [[]]


def test_case_59_a_turns_end_or_a_prompt_ends_it_not() -> None:
    stage = granted()
    stage.observe(event(EventType.STOP, 150.0))
    stage.observe(prompt(160.0))
    assert again(stage) is State.ANSWERED


def test_case_59_it_ends_when_others_may_answer() -> None:
    stage = granted()
    stage.desk.change({"away": True}, 199.0)
    assert told(stage) == []
    stage.desk.change({"answers_from": "paired"}, 200.0)
    assert told(stage) == [[]]
    assert again(stage, 201.0) is State.PENDING


def test_case_59_it_ends_with_the_device_that_gave_it() -> None:
    stage = granted()
    stage.desk.end_grants_of("c2", 200.0)
    assert told(stage) == []
    stage.desk.end_grants_of("c1", 200.0)
    assert told(stage) == [[]]


def test_case_59_it_ends_with_the_desk() -> None:
    stage = granted()
    stage.desk.shutdown(200.0)
    assert told(stage) == [[]]


def test_case_59_where_the_terminal_is_held_back_it_answers_only_what_would_wait_here() -> None:
    held: dict[str, Any] = {"agent": "codex", "hold": Hold.EXCLUSIVE}
    stage = Stage(watched_at=100.0, codex_approvals=True)
    stage.ask(permission(**held))
    stage.answer(WHILE, 101.0)
    stage.desk.watch("page", Presence(present_s=None), 102.0)
    assert stage.ask(permission("r2", started_s=103.0, **held)).state is State.DEFERRED
    stage.watch(104.0)
    assert stage.ask(permission("r3", started_s=105.0, **held)).state is State.ANSWERED
