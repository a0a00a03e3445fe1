"""The page of states, drawn from the tables of the core."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from sayso.core import requests, states
from sayso.core.states import ENDED, LIVE, MESSAGE, REQUEST, SESSION, UNPROVEN, Outcome
from sayso.core.types import EventType
from tests.docs.markdown import code, constants, fence, joined, prose, table

Table = Mapping[Any, Mapping[Any, Any]]
_OUTCOMES = {Outcome.IGNORED: "–", Outcome.GONE: "*gone*", Outcome.REFUSED: "*refused*"}
_ENTRIES = {"request": ("pending", "deferred"), "message": ("queued",), "session": ("idle",)}


def page() -> str:
    """Return the page."""
    theory = prose(states.__doc__).split("The theory. ")[1].split("\n\nThe rules")[0]
    return joined(
        "# States",
        theory,
        """In the tables `–` means that nothing happens, *gone* that the caller is told how the request
        ended, *refused* that the caller made a mistake. A row stands for all states that it names.""",
        section("request", REQUEST, "What happened to a request"),
        _endings(),
        section("message", MESSAGE, "What happened to a message that waits for a session"),
        section("session", SESSION, "What the events of a session's main agent tell"),
        """People see *waiting* for a session that is working while a request of its main agent is pending,
        and *idle* for one that is presumed idle.""",
        f"The events are {', '.join(code(str(each)) for each in EventType)}.",
    )


def section(name: str, machine: Table, about: str) -> str:
    """Return one machine: its table and its diagram."""
    return joined(
        f"## The {name}", f"{about}, and what becomes of it.", grid(machine), diagram(name, machine)
    )


def grid(machine: Table) -> str:
    """Return a machine as a table: a row for each different row, triggers as columns."""
    triggers = list(next(iter(machine.values())))
    rows: dict[tuple[str, ...], list[str]] = {}
    for state, cells in machine.items():
        rows.setdefault(tuple(_cell(cells[trigger]) for trigger in triggers), []).append(f"**{state}**")
    head = ("from", *(word(trigger) for trigger in triggers))
    return table(head, [(", ".join(names), *cells) for cells, names in rows.items()])


def word(trigger: Enum) -> str:
    return trigger.name.lower().replace("_", " ")


def _cell(outcome: object) -> str:
    return _OUTCOMES[outcome] if isinstance(outcome, Outcome) else str(outcome)


def diagram(name: str, machine: Table) -> str:
    """Return a machine as a Mermaid diagram."""
    lines = ["stateDiagram-v2", *(f"    [*] --> {entry}" for entry in _ENTRIES[name])]
    for state, cells in machine.items():
        ways: dict[str, list[str]] = {}
        for trigger, outcome in cells.items():
            if not isinstance(outcome, Outcome):
                ways.setdefault(str(outcome), []).append(word(trigger))
        lines += [f"    {state} --> {to}: {', '.join(triggers)}" for to, triggers in ways.items()]
        if not ways:
            lines.append(f"    {state} --> [*]")
    return fence("\n".join(lines), "mermaid")


def _endings() -> str:
    rows = [(code(str(state)), said) for state, said in requests.ENDINGS.items()]
    reasons = [(code(name), said) for name, said in requests.REASONS.items()]
    return joined(
        "### In words",
        table(("state", "what people are told"), rows),
        "A request that was withdrawn, released, deferred or lost says why, in `reason`:",
        table(("reason", "what people are told"), reasons),
        _groups(),
    )


def _groups() -> str:
    said = {name.lower(): words for name, _value, words in constants(states)}
    lines = [
        f"- {name}: {', '.join(sorted(map(str, group)))}" + (f". {said[name]}" if said[name] else "")
        for name, group in {"live": LIVE, "unproven": UNPROVEN, "ended": ENDED}.items()
    ]
    return joined("How the states are grouped:", "\n".join(lines))
