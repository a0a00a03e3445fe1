"""Messages and the events that carry them: whose hook takes one, at which pause, how often in a row."""

from __future__ import annotations

import pytest

from sayso.core.bounds import KEEP_SESSION_S, MOST_CONTINUATIONS
from sayso.core.states import MessageState, MessageTrigger, SessionState
from sayso.core.types import EventType, HookEvent, Message, Session
from sayso.errors import NotRunning
from tests.core.stage import (
    AGENT,
    DENY_AND_STOP,
    PROCESS,
    SESSION,
    Stage,
    batch,
    event,
    permission,
    prompt,
    ran,
    stop,
)

QUEUED, TAKEN = MessageState.QUEUED, MessageState.TAKEN
WRITTEN, NOT_WRITTEN = MessageTrigger.WRITTEN, MessageTrigger.NOT_WRITTEN


def working() -> Stage:
    stage = Stage()
    stage.observe(prompt(1.0))
    return stage


def queue(stage: Stage, now: float, when: str = "soon") -> Message:
    message = stage.desk.queue(AGENT, SESSION, "hello", when, now)
    stage.settle()
    return message


def kept(stage: Stage) -> Message:
    return stage.desk.snapshot().messages[AGENT, SESSION]


def test_a_session_that_somebody_wakes_takes_messages_while_it_is_idle() -> None:
    stage = working()
    stage.observe(stop(2.0))
    stage.desk.reach(AGENT, SESSION, PROCESS, True, 2.5)
    assert queue(stage, 3.0, "stop").reason == ""
    for number in range(MOST_CONTINUATIONS + 2):  # each begins a turn, so no bound counts them
        at_s = 4.0 + number
        assert stage.desk.take(AGENT, SESSION, "waker", at_s, process=PROCESS) is not None
        stage.desk.message_receipt("waker", WRITTEN, at_s)
        assert kept(stage).state is MessageState.HANDED_OVER
        assert stage.session_state() is SessionState.WORKING
        stage.observe(stop(at_s + 0.1))
        queue(stage, at_s + 0.2, "stop")
    stage.desk.reach(AGENT, SESSION, PROCESS, False, 90.0)
    with pytest.raises(NotRunning, match="idle"):
        queue(stage, 91.0)


def test_a_turn_that_could_not_be_begun_leaves_the_message_queued_and_the_session_idle() -> None:
    stage = working()
    stage.observe(stop(2.0))
    stage.desk.reach(AGENT, SESSION, PROCESS, True, 2.5)
    queue(stage, 3.0)
    stage.desk.take(AGENT, SESSION, "waker", 4.0, process=PROCESS)
    stage.desk.message_receipt("waker", NOT_WRITTEN, 5.0)
    assert kept(stage).state is QUEUED
    assert kept(stage).reason == ""
    assert stage.session_state() is SessionState.IDLE


def test_an_ended_session_is_woken_by_nobody_and_one_that_is_not_known_not_at_all() -> None:
    stage = working()
    stage.desk.reach(AGENT, "other", PROCESS, True, 2.0)
    stage.desk.reach(AGENT, SESSION, PROCESS, True, 2.0)
    stage.take_effects()
    stage.desk.reach(AGENT, SESSION, PROCESS, True, 2.1)
    assert stage.take_effects() == []
    stage.observe(event(EventType.SESSION_END, 3.0))
    with pytest.raises(NotRunning, match="ended"):
        queue(stage, 4.0)


def states_told(stage: Stage) -> list[SessionState]:
    """The session states that channels were told since the last time."""
    sessions: list[Session | None] = [getattr(effect, "session", None) for effect in stage.take_effects()]
    return [session.state for session in sessions if session]


@pytest.mark.parametrize(
    ("carrier", "when", "taken"),
    [
        (ran(3.0), "soon", True),
        (stop(3.0), "soon", True),
        (ran(3.0), "stop", False),
        (stop(3.0), "stop", True),
        (ran(3.0, agent_id="sub"), "soon", False),
        (stop(3.0, agent_id="sub"), "soon", False),
        (event(EventType.TOOL_FAILED, 3.0), "soon", False),
        (batch(3.0), "soon", False),
        (event(EventType.SUBAGENT_STOP, 3.0, agent_id="sub"), "soon", False),
        (event(EventType.STOP_FAILED, 3.0), "soon", False),
        (ran(3.0, session_id="s2"), "soon", False),
    ],
)
def test_an_event_of_the_main_agent_carries_it(carrier: HookEvent, when: str, taken: bool) -> None:
    stage = working()
    queue(stage, 2.0, when)
    message = stage.observe(carrier, taker="hook")
    assert (message is not None) is taken
    assert (kept(stage).state is TAKEN) is taken


def test_only_if_its_hook_can_hand_it_over() -> None:
    stage = working()
    queue(stage, 2.0)
    assert stage.observe(stop(3.0)) is None
    assert kept(stage).state is QUEUED


def test_an_event_that_comes_again_carries_nothing() -> None:
    stage = working()
    stage.observe(ran(1.5))
    queue(stage, 2.0)
    assert stage.observe(ran(1.5), 3.0, taker="hook") is None


def test_a_turn_that_goes_on_with_it_is_never_told_to_be_over() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.take_effects()
    stage.observe(stop(3.0), taker="hook")
    assert states_told(stage) == []
    assert stage.session_state() is SessionState.WORKING


def test_what_waits_at_that_stop_is_withdrawn_all_the_same() -> None:
    stage = working()
    stage.ask(permission(started_s=1.5))
    queue(stage, 2.0)
    stage.observe(stop(3.0), taker="hook")
    assert stage.end()[1] == "stopped"


def test_another_living_process_of_the_same_id_does_not_take_it_or_drop_it() -> None:
    stage = working()
    queue(stage, 2.0)
    assert stage.observe(stop(3.0), process="8:80", taker="hook") is None
    stage.observe(prompt(3.1), process="8:80")
    assert stage.desk.take(AGENT, SESSION, "hook", 3.2, process="8:80") is None
    assert kept(stage).state is QUEUED
    assert stage.observe(stop(4.0), taker="hook") is not None


def test_one_that_was_written_to_an_unconfirmed_process_is_taken_by_the_confirmed_one() -> None:
    stage = Stage()
    stage.observe(prompt(1.0), process="")
    queue(stage, 2.0)
    assert stage.observe(stop(3.0), taker="hook") is not None


# --- a hook that fails at the end of a turn ---------------------------------------------


def test_one_that_could_not_be_written_at_the_end_leaves_an_idle_session() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(stop(3.0), taker="hook")
    stage.desk.message_receipt("hook", NOT_WRITTEN, 3.1)
    assert stage.session_state() is SessionState.IDLE
    assert (kept(stage).state, kept(stage).reason) == (QUEUED, "idle")


def test_but_not_when_the_agent_was_at_work_since() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(stop(3.0), taker="hook")
    stage.observe(ran(3.05))
    stage.desk.message_receipt("hook", NOT_WRITTEN, 3.1)
    assert stage.session_state() is SessionState.WORKING
    assert (kept(stage).state, kept(stage).reason) == (QUEUED, "")


def test_one_that_dies_silently_at_the_end_leaves_one_that_is_presumed_idle() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(stop(3.0), taker="hook")
    stage.desk.waiter_gone("hook", 3.1)
    assert stage.session_state() is SessionState.PRESUMED_IDLE
    assert (kept(stage).state, kept(stage).reason) == (MessageState.UNCERTAIN, "hook_gone")


def test_a_word_that_comes_when_the_session_is_another_processs() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(ran(3.0), taker="hook")
    stage.observe(event(EventType.SESSION_END, 4.0))
    stage.observe(prompt(4.5), process="8:80")  # the id lives on in it
    stage.desk.message_receipt("hook", NOT_WRITTEN, 5.0)
    assert (kept(stage).state, kept(stage).reason) == (MessageState.DROPPED, "session_ended")


def test_also_at_the_end_of_a_turn() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(stop(3.0), taker="hook")
    stage.observe(event(EventType.SESSION_END, 4.0))
    stage.observe(prompt(4.5), process="8:80")
    stage.desk.message_receipt("hook", NOT_WRITTEN, 5.0)
    assert kept(stage).state is MessageState.DROPPED
    assert stage.session_state("8:80") is SessionState.WORKING


# --- why it waits -----------------------------------------------------------------------


def test_why_it_waits_is_told_and_taken_back() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(stop(3.0))
    assert kept(stage).reason == "idle"
    stage.observe(event(EventType.TASK, 4.0))
    assert kept(stage).reason == ""


def test_a_turn_stopped_by_a_person_counts_as_idle() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.ask(permission())
    stage.answer(DENY_AND_STOP, 101.0)
    stage.written(101.1)
    assert (kept(stage).state, kept(stage).reason) == (QUEUED, "idle")


def test_there_is_a_way_out_in_words() -> None:
    with pytest.raises(NotRunning, match="sayso sessions"):
        queue(Stage(), 2.0)
    stage = working()
    stage.observe(stop(2.0))
    with pytest.raises(NotRunning, match=r"idle.*type it in its terminal"):
        queue(stage, 3.0)
    stage.observe(event(EventType.SESSION_END, 4.0))
    with pytest.raises(NotRunning, match="ended"):
        queue(stage, 5.0)


def test_the_desks_end_drops_what_is_queued() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.desk.drop_messages(3.0)
    assert (kept(stage).state, kept(stage).reason) == (MessageState.DROPPED, "shutdown")
    stage.desk.drop_messages(3.1)
    assert kept(stage).state is MessageState.DROPPED


# --- the agent's bound ------------------------------------------------------------------


class Row:
    """A session whose turn is made to go on at each end, a second later."""

    def __init__(self) -> None:
        self.stage = working()
        self.now = 2.0

    def handed_over(self, continued: bool = True) -> bool:
        """One more message at the next end of the turn; whether it was handed over."""
        state = self.stage.session_state()
        if state is not SessionState.WORKING:
            self.stage.observe(event(EventType.TASK, self.now))
        queue(self.stage, self.now)
        return self.ends(continued, taker="hook")

    def ends(self, continued: bool = True, taker: str = "") -> bool:
        self.now += 1
        message = self.stage.observe(stop(self.now, continued=continued), taker=taker)
        if message is not None:
            self.stage.desk.message_receipt(taker, WRITTEN, self.now)
        return message is not None

    def fill(self, continued: bool = True) -> None:
        assert self.handed_over(continued=False)
        assert all(self.handed_over(continued) for _ in range(MOST_CONTINUATIONS - 1))


@pytest.mark.parametrize("continued", [True, False])
def test_case_54_seven_in_a_row_and_no_more(continued: bool) -> None:
    row = Row()
    row.fill(continued)
    assert not row.handed_over(continued)
    assert (kept(row.stage).state, kept(row.stage).reason) == (QUEUED, "continuations")
    assert row.stage.session_state() is SessionState.IDLE


@pytest.mark.parametrize(
    "called", [ran(100.0), batch(100.0), event(EventType.TOOL_FAILED, 100.0)], ids=lambda one: one.type
)
def test_case_54_a_tool_call_ends_the_row(called: HookEvent) -> None:
    row = Row()
    row.fill()
    row.stage.observe(called)
    row.now = 101.0
    row.fill()


def test_not_that_of_a_subagent_nor_one_from_before() -> None:
    row = Row()
    row.fill()
    row.stage.observe(ran(100.0, agent_id="sub"))
    row.stage.observe(ran(row.now - 0.5), 100.0)
    row.now = 101.0
    assert not row.handed_over()


def test_what_waits_is_taken_by_the_tool_call_itself() -> None:
    row = Row()
    row.fill()
    assert not row.handed_over()
    row.stage.observe(event(EventType.TASK, 100.0))
    assert row.stage.observe(ran(101.0), taker="hook") is not None


def test_a_new_turn_ends_the_row() -> None:
    row = Row()
    row.fill()
    row.stage.observe(prompt(100.0))
    row.now = 101.0
    assert row.handed_over(continued=False)


def test_a_prompt_typed_into_the_turn_does_not() -> None:
    row = Row()
    row.fill()
    row.stage.observe(prompt(row.now + 0.5))
    row.now += 1
    assert not row.handed_over(continued=True)


def test_an_old_stop_changes_nothing() -> None:
    row = Row()
    row.fill()
    row.stage.observe(stop(1.5), row.now)
    assert not row.handed_over()


def test_what_other_hooks_did_counts() -> None:
    row = Row()
    row.ends(continued=False)
    for _ in range(MOST_CONTINUATIONS):
        row.ends()
    assert not row.handed_over()
    row.ends(continued=False)
    assert row.handed_over(continued=False)


def test_what_could_not_be_written_does_not() -> None:
    stage = working()
    queue(stage, 2.0)
    for second in range(3, 30):
        stage.observe(stop(float(second)), taker="hook")
        stage.desk.message_receipt("hook", NOT_WRITTEN, second + 0.1)
    assert (kept(stage).state, kept(stage).reason) == (QUEUED, "idle")
    assert stage.desk.take(AGENT, SESSION, "hook", 31.0) is not None


def test_a_second_word_of_the_same_hook_counts_for_nothing() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(stop(3.0), taker="hook")
    stage.observe(ran(3.05))
    stage.desk.message_receipt("hook", NOT_WRITTEN, 3.1)
    assert stage.observe(stop(4.0, continued=True), taker="hook") is not None


def test_the_row_is_forgotten_with_its_session() -> None:
    row = Row()
    row.fill()
    row.stage.observe(event(EventType.SESSION_END, 100.0))
    row.stage.desk.tick(100.0 + KEEP_SESSION_S)
    assert row.stage.desk.snapshot().sessions == {}
    row.stage.observe(prompt(200.0 + KEEP_SESSION_S))
    row.now = 201.0 + KEEP_SESSION_S
    row.fill()


def test_the_end_of_another_process_of_its_id_does_not_end_the_row() -> None:
    row = Row()
    row.fill()
    other = "8:80"
    row.stage.observe(event(EventType.SESSION_START, row.now), process=other)
    row.stage.observe(event(EventType.SESSION_END, row.now + 0.5), process=other)
    assert not row.handed_over()
    assert kept(row.stage).reason == "continuations"
