"""Messages for a session: one at a time, the newest wins, never handed over twice."""

from __future__ import annotations

import pytest

from sayso.core.bounds import MAX_MESSAGE_CHARS
from sayso.core.messages import REASONS, check_text
from sayso.core.states import MessageState, MessageTrigger, SessionState
from sayso.core.types import EventType, HookEvent, Message
from sayso.errors import BadRequest, NotRunning
from tests.core.stage import AGENT, SESSION, Stage, event, permission, prompt, ran, stop

QUEUED, TAKEN, DROPPED = MessageState.QUEUED, MessageState.TAKEN, MessageState.DROPPED
HANDED_OVER, UNCERTAIN = MessageState.HANDED_OVER, MessageState.UNCERTAIN

RECEIPTS = [MessageTrigger.WRITTEN, MessageTrigger.NOT_WRITTEN, MessageTrigger.TAKER_DIED]


def working() -> Stage:
    stage = Stage()
    stage.observe(prompt(1.0))
    return stage


def queue(stage: Stage, now: float, text: str = "hello", when: str = "soon") -> Message:
    return stage.desk.queue(AGENT, SESSION, text, when, now)


def take(stage: Stage, now: float, taker: str = "hook", at_stop: bool = True) -> str | None:
    message = stage.desk.take(AGENT, SESSION, taker, now, at_stop)
    return message.text if message else None


def told(stage: Stage) -> list[tuple[str, MessageState]]:
    """What channels were told of messages since the last time."""
    published = [getattr(effect, "message", None) for effect in stage.take_effects()]
    return [(message.text, message.state) for message in published if message]


def kept(stage: Stage) -> Message:
    return stage.desk.snapshot().messages[AGENT, SESSION]


def test_one_is_queued_taken_and_handed_over() -> None:
    stage = working()
    assert queue(stage, 2.0).state is QUEUED
    assert take(stage, 3.0) == "hello"
    stage.desk.message_receipt("hook", MessageTrigger.WRITTEN, 3.1)
    assert told(stage) == [("hello", QUEUED), ("hello", TAKEN), ("hello", HANDED_OVER)]
    assert kept(stage).state is HANDED_OVER
    assert take(stage, 4.0) is None


def test_there_may_be_none() -> None:
    stage = working()
    assert take(stage, 2.0) is None
    stage.desk.delete_message(AGENT, SESSION, 2.0)
    stage.desk.message_receipt("hook", MessageTrigger.WRITTEN, 2.0)
    assert told(stage) == []


@pytest.mark.parametrize(
    ("when", "at_stop", "taken"),
    [
        ("soon", False, "hello"),
        ("soon", True, "hello"),
        ("stop", False, None),
        ("stop", True, "hello"),
    ],
)
def test_some_wait_for_the_end_of_the_turn(when: str, at_stop: bool, taken: str | None) -> None:
    stage = working()
    queue(stage, 2.0, when=when)
    assert take(stage, 3.0, at_stop=at_stop) == taken


def test_a_turn_that_is_handed_a_message_goes_on() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(stop(3.0))
    assert stage.session_state() is SessionState.IDLE
    take(stage, 3.1)
    assert stage.session_state() is SessionState.WORKING


def test_also_when_its_stop_is_told_after_the_message_was_taken() -> None:
    stage = working()
    queue(stage, 2.0)
    take(stage, 3.1)
    stage.observe(stop(3.0), 3.2)
    assert stage.session_state() is SessionState.WORKING


# --- the newest wins --------------------------------------------------------------------


def test_a_newer_one_takes_its_place() -> None:
    stage = working()
    queue(stage, 2.0, "first")
    queue(stage, 2.0, "second")
    assert take(stage, 3.0) == "second"
    assert take(stage, 3.0, "another") is None


@pytest.mark.parametrize(
    "receipt", [MessageTrigger.WRITTEN, MessageTrigger.NOT_WRITTEN, MessageTrigger.TAKER_DIED]
)
def test_what_becomes_of_the_older_one_is_told_to_nobody(receipt: MessageTrigger) -> None:
    stage = working()
    queue(stage, 2.0, "first")
    take(stage, 3.0)
    queue(stage, 3.0, "second")
    told(stage)
    stage.desk.message_receipt("hook", receipt, 3.1)
    assert told(stage) == []
    assert (kept(stage).text, kept(stage).state) == ("second", QUEUED)


# --- not written ------------------------------------------------------------------------


def test_one_that_could_not_be_written_is_put_back() -> None:
    stage = working()
    queue(stage, 2.0)
    take(stage, 3.0)
    stage.desk.message_receipt("hook", MessageTrigger.NOT_WRITTEN, 3.1)
    assert kept(stage).state is QUEUED
    assert take(stage, 4.0, "next hook") == "hello"


@pytest.mark.parametrize("over", [prompt(3.05), event(EventType.SESSION_END, 3.05)])
def test_unless_its_turn_is_over(over: HookEvent) -> None:
    stage = working()
    queue(stage, 2.0)
    take(stage, 3.0)
    stage.observe(over)
    assert (kept(stage).state, bool(kept(stage).stale)) == (TAKEN, True)
    stage.desk.message_receipt("hook", MessageTrigger.NOT_WRITTEN, 3.1)
    assert told(stage)[-1] == ("hello", DROPPED)
    assert kept(stage).reason == kept(stage).stale


def test_one_whose_turn_is_over_may_have_been_written_all_the_same() -> None:
    stage = working()
    queue(stage, 2.0)
    take(stage, 3.0)
    stage.observe(prompt(3.05))
    stage.desk.message_receipt("hook", MessageTrigger.WRITTEN, 3.1)
    assert kept(stage).state is HANDED_OVER


def test_a_taker_that_dies_without_a_word_leaves_it_uncertain() -> None:
    stage = working()
    queue(stage, 2.0)
    take(stage, 3.0)
    stage.desk.waiter_gone("hook", 3.1)
    assert kept(stage).state is UNCERTAIN
    assert take(stage, 4.0) is None  # never twice
    stage.observe(prompt(5.0))
    assert kept(stage).state is UNCERTAIN  # still not known
    stage.desk.delete_message(AGENT, SESSION, 6.0)
    assert kept(stage).state is DROPPED


def test_one_that_is_on_its_way_is_not_taken_back() -> None:
    stage = working()
    queue(stage, 2.0)
    take(stage, 3.0)
    stage.desk.delete_message(AGENT, SESSION, 3.05)
    assert kept(stage).state is TAKEN
    stage.desk.message_receipt("hook", MessageTrigger.NOT_WRITTEN, 3.1)
    assert kept(stage).state is DROPPED


# --- dropped ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("happened", "state", "reason"),
    [
        (prompt(3.0), DROPPED, "new_prompt"),
        (event(EventType.SESSION_END, 3.0), DROPPED, "session_ended"),
        (prompt(2.0), QUEUED, ""),
        (prompt(1.5), QUEUED, ""),
        (stop(3.0), QUEUED, "idle"),
        (event(EventType.STOP_FAILED, 3.0), QUEUED, "idle"),
        (event(EventType.TASK, 3.0), QUEUED, ""),
        (ran(3.0), QUEUED, ""),
        (event(EventType.SESSION_START, 3.0, reason="compact"), QUEUED, ""),
        (prompt(3.0, session_id="s2"), QUEUED, ""),
    ],
)
def test_a_prompt_typed_later_drops_it(happened: HookEvent, state: MessageState, reason: str) -> None:
    stage = working()
    queue(stage, 2.0)
    told(stage)
    stage.observe(happened, 3.0)
    assert kept(stage).state is state
    assert told(stage) == ([("hello", state)] if reason else [])
    assert kept(stage).reason == reason
    assert reason in {"", *REASONS}


def test_a_person_may_take_it_back() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.desk.delete_message(AGENT, SESSION, 3.0)
    assert kept(stage).state is DROPPED
    told(stage)
    stage.desk.delete_message(AGENT, SESSION, 3.1)
    assert told(stage) == []


# --- where none can be queued -----------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n\t", "x" * (MAX_MESSAGE_CHARS + 1)])
def test_what_is_no_message(text: str) -> None:
    stage = working()
    with pytest.raises(BadRequest) as caught:
        queue(stage, 2.0, text)
    assert caught.value.field == "text"
    assert stage.desk.snapshot().messages == {}


def test_the_longest_message() -> None:
    check_text("x" * MAX_MESSAGE_CHARS)
    assert queue(working(), 2.0, "x" * MAX_MESSAGE_CHARS).state is QUEUED


def test_there_are_two_times_to_send_it() -> None:
    with pytest.raises(BadRequest) as caught:
        queue(working(), 2.0, when="never")
    assert caught.value.field == "when"


def test_a_session_that_is_unknown_idle_presumed_so_or_over_takes_none() -> None:
    with pytest.raises(NotRunning):
        queue(Stage(), 2.0)
    for end in (stop(2.0), event(EventType.SESSION_END, 2.0)):
        stage = working()
        stage.observe(end)
        with pytest.raises(NotRunning):
            queue(stage, 3.0)
    stage = working()
    stage.ask(permission())
    stage.gone(101.0, "term")
    with pytest.raises(NotRunning):
        queue(stage, 102.0)


def test_one_that_is_queued_when_the_turn_ends_waits_for_the_next() -> None:
    stage = working()
    queue(stage, 2.0)
    stage.observe(stop(3.0))
    stage.observe(event(EventType.TASK, 4.0))
    assert take(stage, 5.0) == "hello"
