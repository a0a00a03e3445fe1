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

# Upper case: the next state. Lower case: what happens instead, "-" for nothing.
REQUESTS = """
            REPLY    DEADLINE WAITER_GONE MOOT      RELEASE  WRITTEN   NOT_WRITTEN AGREES    CONTRADICTS LAPSE
PENDING     ANSWERED EXPIRED  WITHDRAWN   WITHDRAWN RELEASED refused   refused     WITHDRAWN WITHDRAWN   -
ANSWERED    gone     -        LOST        -         gone     DELIVERED LOST        CONFIRMED OVERRULED   LOST
DELIVERED   gone     -        -           -         gone     -         refused     CONFIRMED OVERRULED   UNCONFIRMED
LOST        gone     -        -           -         gone     DELIVERED -           CONFIRMED OVERRULED   -
UNCONFIRMED gone     -        -           -         gone     -         -           CONFIRMED OVERRULED   -
CONFIRMED   gone     -        -           -         gone     -         -           -         -           -
OVERRULED   gone     -        -           -         gone     -         -           -         -           -
EXPIRED     gone     -        -           -         gone     -         -           -         -           -
WITHDRAWN   gone     -        -           -         gone     -         -           -         -           -
RELEASED    gone     -        -           -         gone     -         -           -         -           -
DEFERRED    gone     -        -           -         gone     -         -           -         -           -
"""  # noqa: E501  a table is best read whole
MESSAGES = """
            TAKE  WRITTEN     NOT_WRITTEN TAKER_DIED DROP
QUEUED      TAKEN refused     refused     -          DROPPED
TAKEN       -     HANDED_OVER QUEUED      UNCERTAIN  DROPPED
UNCERTAIN   -     HANDED_OVER -           -          DROPPED
HANDED_OVER -     -           -           -          -
DROPPED     -     -           -           -          -
"""
SESSIONS = """
              STARTED PROMPTED ACTIVE  ANSWERED STOPPED CONTINUED FAILED INTERRUPTED   ENDED
IDLE          -       WORKING  WORKING WORKING  -       WORKING   -      -             ENDED
PRESUMED_IDLE IDLE    WORKING  WORKING WORKING  IDLE    WORKING   IDLE   -             ENDED
WORKING       IDLE    -        -       -        IDLE    -         IDLE   PRESUMED_IDLE ENDED
ENDED         IDLE    WORKING  WORKING WORKING  -       WORKING   -      -             -
"""
MACHINES: list[tuple[str, Any, type[Enum], type[Enum]]] = [
    (REQUESTS, REQUEST, State, Trigger),
    (MESSAGES, MESSAGE, MessageState, MessageTrigger),
    (SESSIONS, SESSION, SessionState, SessionTrigger),
]


def cells(drawn: str) -> list[tuple[str, str, str]]:
    """The (state, trigger, cell) names of a drawn table."""
    head, *rows = [line.split() for line in drawn.strip().splitlines()]
    return [(name, trigger, cell) for name, *line in rows for trigger, cell in zip(head, line, strict=True)]


def cell_of(name: str, members: type[Enum]) -> Enum:
    return Outcome[name.upper()] if name.islower() else members[name] if name != "-" else Outcome.IGNORED


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
    assert set(State) == LIVE | UNPROVEN | ENDED
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
