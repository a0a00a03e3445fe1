"""The demo from its first line to its last: who speaks when, and how it ends.

Not here: the person (`person`), what is set up (`stage`), what the agent does (`scenes`).
Imports those, `channels.base` and `channels.output`.
"""

from __future__ import annotations

import signal
import sys

import msgspec

from sayso.channels.base import Line, lined, quoted, short, state_words, what
from sayso.channels.output import INTERRUPTED, Output
from sayso.demo.person import Absent, CommandLine, Person, Screen
from sayso.demo.scenes import SCENES
from sayso.demo.stage import Interrupted, Signals, Stage, staged
from sayso.wire.views import RequestView

_ABOUT = (
    "A private desk with a home of its own under {home}, real hooks, and an agent that is only "
    "played: nothing it asks for is ever run. Your own desk and settings are not touched, and "
    "nothing of this is left at the end."
)
_NEXT = (
    "That was the demo; nothing is left of it. Next: `sayso install claude-code`, `sayso start`, "
    "and `sayso watch` in a terminal of its own."
)


def run() -> int:
    """Play the demo and return the exit code. Raises SaysoError where it cannot be played."""
    out = Output()
    try:
        with Signals() as signals, staged(signals) as stage, signals.heard():
            person = _person(stage, out)
            _begin(stage, out)
            _play(stage, person, out)
            _summary(stage, out)
    except Interrupted as interrupted:
        if interrupted.number == signal.SIGINT:
            out.lines(lined("The demo was interrupted; nothing is left of it.", out.columns))
        return INTERRUPTED if interrupted.number == signal.SIGINT else 128 + interrupted.number
    except Absent as absent:
        out.lines(lined(str(absent), out.columns))
        return absent.code
    out.lines(lined(_NEXT, out.columns))
    return 0


def _person(stage: Stage, out: Output) -> Person:
    there = sys.stdin.isatty() and sys.stdout.isatty()
    return Screen(stage, out) if there else CommandLine(stage, out)


def _begin(stage: Stage, out: Output) -> None:
    out.lines(lined(_ABOUT.format(home=stage.home), out.columns))
    out.say("")


def _play(stage: Stage, person: Person, out: Output) -> None:
    """Play all scenes. Raises Absent when nobody answers any more."""
    person.come()
    try:
        for number, scene in enumerate(SCENES, 1):
            person.scene(f"{number} of {len(SCENES)}: {scene.title}")
            stage.order(name=scene.name, prompt=scene.prompt)
            person.answer(scene)
            report = stage.reported()
            person.tell(_report(report["output"], report["words"], out.columns))
    finally:
        person.leave()


def _report(output: str, words: str, columns: int) -> list[Line]:
    """Return what happened on the agent's side."""
    lines = lined("Its hook wrote:" if output else "Its hook wrote nothing.", columns)
    lines += quoted(output.strip(), columns) if output else []
    first, *rest = words.split("\n")
    lines += lined(first, columns, style="strong")
    return lines + [line for row in rest for line in lined(row, columns, "  ", "strong")]


def _summary(stage: Stage, out: Output) -> None:
    """Say what became of every answer, as the desk knows it."""
    with stage.connect() as desk:
        ended = msgspec.convert(desk.snapshot()["ended"], list[RequestView])
    out.say("What the desk knows of each in the end:", "strong")
    for view in ended:
        out.lines(lined(f"{short(view.id)} {what(view)}: {state_words(view)}", out.columns, "  "))
    out.say("")
