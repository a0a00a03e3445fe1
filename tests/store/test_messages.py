"""Messages through a store: queued, taken by a Stop hook, put back, dropped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sayso import AGENT_CODEX, MAX_MESSAGE, BadRequest, EventType, NotRunning
from tests.store.stage import AGENT, BEGAN_S, SESSION, Stage, staged


@pytest.fixture
def stage() -> Iterator[Stage]:
    """A session that works."""
    with staged() as stage:
        stage.observe(EventType.PROMPT, BEGAN_S)
        yield stage


class Known:
    """Sessions as a program knows them."""

    def __init__(self, **states: str) -> None:
        self.states = states

    def lookup(self, agent: str, session_id: str, /) -> str | None:
        return self.states.get(session_id) if agent == AGENT else None


def test_the_stop_hook_takes_it_once(stage: Stage) -> None:
    stage.store.queue(AGENT, SESSION, "hello")
    stage.now_s += 5
    taken = stage.store.take_message(AGENT, SESSION)
    assert taken is not None
    assert (taken.agent, taken.session_id, taken.text) == (AGENT, SESSION, "hello")
    assert taken.queued_at.endswith("Z")
    assert stage.store.take_message(AGENT, SESSION) is None
    assert stage.texts() == []
    assert stage.told == [("resumed", AGENT, SESSION, BEGAN_S + 5)]


def test_a_newer_one_takes_its_place(stage: Stage) -> None:
    stage.store.queue(AGENT, SESSION, "one")
    stage.store.queue(AGENT, SESSION, "two")
    assert stage.texts() == ["two"]


@pytest.mark.parametrize("text", ["", " \n", "x" * (MAX_MESSAGE + 1)])
def test_what_is_no_message(stage: Stage, text: str) -> None:
    with pytest.raises(BadRequest):
        stage.store.queue(AGENT, SESSION, text)
    stage.store.queue(AGENT, SESSION, "x" * MAX_MESSAGE)


def test_a_session_that_does_not_work_takes_none(stage: Stage) -> None:
    stage.observe(EventType.STOP, BEGAN_S + 1)
    with pytest.raises(NotRunning):
        stage.store.queue(AGENT, SESSION, "hello")
    with pytest.raises(NotRunning):
        stage.store.queue(AGENT, "unknown", "hello")


@pytest.mark.parametrize("kind", [EventType.PROMPT, EventType.SESSION_END])
def test_a_new_prompt_and_the_sessions_end_drop_what_was_queued_before(stage: Stage, kind: EventType) -> None:
    stage.now_s = BEGAN_S + 2
    stage.store.queue(AGENT, SESSION, "hello")
    stage.observe(kind, BEGAN_S + 1)  # a late word of an earlier one
    stage.observe(EventType.PROMPT, BEGAN_S + 2)
    if kind is EventType.PROMPT:
        assert stage.texts() == ["hello"]
    stage.observe(kind, BEGAN_S + 3)
    assert stage.texts() == []


def test_a_stop_leaves_it_for_its_hook(stage: Stage) -> None:
    stage.store.queue(AGENT, SESSION, "hello")
    stage.observe(EventType.STOP, BEGAN_S + 1)
    assert stage.texts() == ["hello"]
    taken = stage.store.take_message(AGENT, SESSION)
    assert taken is not None
    stage.store.queue(AGENT, SESSION, "its turn goes on")


def test_it_is_taken_back(stage: Stage) -> None:
    stage.store.queue(AGENT, SESSION, "hello")
    stage.store.delete_message(AGENT, SESSION)
    stage.store.delete_message(AGENT, "unknown")
    assert stage.texts() == []
    assert stage.store.take_message(AGENT, SESSION) is None


def test_what_was_not_delivered_is_put_back(stage: Stage) -> None:
    stage.store.queue(AGENT, SESSION, "hello")
    taken = stage.store.take_message(AGENT, SESSION)
    assert taken is not None
    stage.store.requeue(taken)
    assert stage.texts() == ["hello"]
    stage.store.requeue(taken)  # said twice
    assert stage.store.take_message(AGENT, SESSION) == taken


def test_unless_a_newer_one_was_queued(stage: Stage) -> None:
    stage.store.queue(AGENT, SESSION, "old")
    old = stage.store.take_message(AGENT, SESSION)
    assert old is not None
    stage.store.queue(AGENT, SESSION, "new")
    stage.store.requeue(old)
    assert stage.texts() == ["new"]
    new = stage.store.take_message(AGENT, SESSION)
    stage.store.requeue(old)
    assert stage.texts() == []
    assert new is not None
    stage.store.requeue(new)
    assert stage.texts() == ["new"]


@pytest.mark.parametrize("kind", [EventType.PROMPT, EventType.SESSION_END])
def test_or_its_turn_is_over(stage: Stage, kind: EventType) -> None:
    stage.store.queue(AGENT, SESSION, "hello")
    taken = stage.store.take_message(AGENT, SESSION)
    assert taken is not None
    stage.observe(kind, BEGAN_S + 3)
    stage.store.requeue(taken)
    assert stage.texts() == []
    assert [what for what, *_ in stage.told] == ["resumed"]


def test_it_is_listed_masked_and_delivered_as_written(stage: Stage) -> None:
    stage.store.mask = lambda text: text.replace("secret", "***")
    stage.store.queue(AGENT, SESSION, "the secret")
    assert stage.texts() == ["the ***"]
    taken = stage.store.take_message(AGENT, SESSION)
    assert taken is not None
    assert taken.text == "the secret"


def test_the_program_decides_which_sessions_take_one() -> None:
    with staged(sessions=Known(s1="working", s2="waiting", s3="idle")) as stage:
        stage.observe(EventType.PROMPT, BEGAN_S, session_id="s3")
        stage.store.queue(AGENT, "s1", "one")
        stage.store.queue(AGENT, "s2", "two")
        for agent, session_id in ((AGENT, "s3"), (AGENT, "s4"), (AGENT_CODEX, "s1")):
            with pytest.raises(NotRunning):
                stage.store.queue(agent, session_id, "never")
        assert stage.texts() == ["one", "two"]
        taken = stage.store.take_message(AGENT, "s2")
        assert taken is not None


def test_a_session_that_is_not_listed_any_more_has_no_message_in_the_list() -> None:
    known = Known(s1="working")
    with staged(sessions=known) as stage:
        stage.store.queue(AGENT, SESSION, "hello")
        known.states.clear()
        assert stage.texts() == []


def test_what_is_no_message_moves_no_session() -> None:
    with staged(sessions=Known(s1="working")) as stage:
        with pytest.raises(BadRequest):
            stage.store.queue(AGENT, SESSION, " ")
        stage.store.sessions = None
        with pytest.raises(NotRunning):
            stage.store.queue(AGENT, SESSION, "hello")
