"""The three tables, cell by cell, against a table of their own."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

from sayso.core import states
from sayso.core.states import (
    ENDED,
    LIVE,
    MESSAGE,
    REQUEST,
    SESSION,
    UNPROVEN,
    MessageState,
    MessageTrigger,
    Outcome,
    SessionState,
    SessionTrigger,
    State,
    Trigger,
    step,
)

# Lower case: the outcome. Upper case: the next state.
REQUESTS = """
             REPLY    DEADLINE WAITER_GONE MOOT      RELEASE  WRITTEN   NOT_WRITTEN AGREES    CONTRADICTS LAPSE
PENDING      ANSWERED EXPIRED  WITHDRAWN   WITHDRAWN RELEASED refused   refused     WITHDRAWN WITHDRAWN   ignored
ANSWERED     gone     ignored  LOST        ignored   gone     DELIVERED LOST        CONFIRMED OVERRULED   LOST
DELIVERED    gone     ignored  ignored     ignored   gone     ignored   refused     CONFIRMED OVERRULED   UNCONFIRMED
LOST         gone     ignored  ignored     ignored   gone     DELIVERED ignored     CONFIRMED OVERRULED   ignored
UNCONFIRMED  gone     ignored  ignored     ignored   gone     ignored   ignored     CONFIRMED OVERRULED   ignored
CONFIRMED    gone     ignored  ignored     ignored   gone     ignored   ignored     ignored   ignored     ignored
OVERRULED    gone     ignored  ignored     ignored   gone     ignored   ignored     ignored   ignored     ignored
EXPIRED      gone     ignored  ignored     ignored   gone     ignored   ignored     ignored   ignored     ignored
WITHDRAWN    gone     ignored  ignored     ignored   gone     ignored   ignored     ignored   ignored     ignored
RELEASED     gone     ignored  ignored     ignored   gone     ignored   ignored     ignored   ignored     ignored
DEFERRED     gone     ignored  ignored     ignored   gone     ignored   ignored     ignored   ignored     ignored
"""
MESSAGES = """
             TAKE    WRITTEN     NOT_WRITTEN TAKER_DIED DROP
QUEUED       TAKEN   refused     refused     ignored    DROPPED
TAKEN        ignored HANDED_OVER QUEUED      UNCERTAIN  DROPPED
UNCERTAIN    ignored HANDED_OVER ignored     ignored    DROPPED
HANDED_OVER  ignored ignored     ignored     ignored    ignored
DROPPED      ignored ignored     ignored     ignored    ignored
"""
SESSIONS = """
              STARTED PROMPTED ACTIVE  ANSWERED STOPPED CONTINUED FAILED  INTERRUPTED   ENDED
IDLE          ignored WORKING  WORKING WORKING  ignored WORKING   ignored ignored       ENDED
PRESUMED_IDLE IDLE    WORKING  WORKING WORKING  IDLE    WORKING   IDLE    ignored       ENDED
WORKING       IDLE    ignored  ignored ignored  IDLE    ignored   IDLE    PRESUMED_IDLE ENDED
ENDED         IDLE    WORKING  WORKING WORKING  ignored WORKING   ignored ignored       ignored
"""
MACHINES: list[tuple[str, Any, type[Enum], type[Enum]]] = [
    (REQUESTS, REQUEST, State, Trigger),
    (MESSAGES, MESSAGE, MessageState, MessageTrigger),
    (SESSIONS, SESSION, SessionState, SessionTrigger),
]


def cells(drawn: str) -> list[tuple[str, str, str]]:
    """The (state, trigger, cell) names of a drawn table."""
    head, *rows = [line.split() for line in drawn.strip().splitlines()]
    return [
        (name, trigger, cell) for name, *line in rows for trigger, cell in zip(head, line, strict=True)
    ]


def cell_of(name: str, members: type[Enum]) -> Enum:
    return Outcome[name.upper()] if name.islower() else members[name]


@pytest.mark.parametrize(("drawn", "table", "members", "triggers"), MACHINES)
def test_each_cell_is_as_drawn(drawn: str, table: Any, members: type[Enum], triggers: type[Enum]) -> None:
    expected = {(s, t): cell_of(cell, members) for s, t, cell in cells(drawn)}
    found = {(s.name, t.name): step(table, s, t) for s in members for t in triggers}
    assert found == expected


@pytest.mark.parametrize(("drawn", "table", "members", "triggers"), MACHINES)
def test_each_table_is_total(drawn: str, table: Any, members: type[Enum], triggers: type[Enum]) -> None:
    assert set(table) == set(members)
    assert {frozenset(row) for row in table.values()} == {frozenset(triggers)}
    assert {name for name, _, _ in cells(drawn)} == {state.name for state in members}


def test_the_sets_part_the_states() -> None:
    assert LIVE | UNPROVEN | ENDED == set(State)
    assert len(LIVE) + len(UNPROVEN) + len(ENDED) == len(State)


@pytest.mark.parametrize("state", sorted(ENDED))
def test_what_ended_never_changes(state: State) -> None:
    assert not any(isinstance(step(REQUEST, state, trigger), State) for trigger in Trigger)


@pytest.mark.parametrize("state", sorted(UNPROVEN))
def test_only_a_receipt_or_evidence_corrects_a_belief(state: State) -> None:
    movers = {trigger for trigger in Trigger if isinstance(step(REQUEST, state, trigger), State)}
    assert movers <= {Trigger.AGREES, Trigger.CONTRADICTS, Trigger.WRITTEN}


def test_nothing_comes_back_to_pending() -> None:
    assert State.PENDING not in {step(states.REQUEST, s, t) for s in State for t in Trigger}
