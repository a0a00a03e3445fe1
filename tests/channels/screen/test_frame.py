"""The screen as a whole, kept in tests/golden/cli/screen.

Made anew by `python -m tests.channels.screen.test_frame`; read what changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.channels.screen.frame import HELP, frame
from sayso.channels.text import width
from sayso.core.types import Answerer, Choice, Field, Option, Question, Row
from tests.channels.fake_desk import (
    NOW_S,
    choice,
    command,
    elicitation,
    plan,
    question,
    suggested,
    text,
    view,
    yesno,
)
from tests.channels.screen.person import Person

GOLDEN = Path(__file__).parents[2] / "golden" / "cli" / "screen"
SECOND = view("4444" + "0" * 28)


def long() -> Person:
    lines = "\n".join(f"step {number}" for number in range(60))
    return Person(view(input=(Row(label="Command", value=lines, code=True),)), SECOND)


def suggesting() -> Person:
    person = Person(view(suggestions=suggested("Always allow `git push *` in this project")))
    person.press("1")
    return person


def asking() -> Person:
    parts = Question(
        question="Which parts?", multi_select=True, options=(Option(label="A"), Option(label="B"))
    )
    person = Person(question(questions=(question().questions[0], parts)), SECOND)
    person.press("2", "n", *"later", "enter")
    return person


def overruled() -> Person:
    person = Person(view(), SECOND)
    person.press("d", "enter")
    person.takes()
    person.moves(view().id, "overruled", ending="overruled: the terminal answered first")
    person.model.lost_link()
    return person


def denying() -> Person:
    person = Person(view())
    person.press("d", *"not on a Friday")
    return person


def approving() -> Person:
    person = Person(plan())
    person.press("a")
    return person


def filling() -> Person:
    person = Person(elicitation(), rows=40)
    person.press("a", "A", "enter", "enter", "enter")
    return person


def helped() -> Person:
    person = Person(view())
    person.press("?")
    return person


def saying() -> Person:
    person = Person(yesno(default="no"), SECOND)
    person.note(title="Backup done", body="3 GB in 40 s", label="backup")
    return person


def choosing() -> Person:
    person = Person(choice())
    person.press("1")
    return person


def writing() -> Person:
    person = Person(text())
    person.press("t", *", größer")
    return person


def blank() -> Person:
    person = Person(text())
    person.press("t", "ctrl-u", "enter")
    return person


def understanding() -> Person:
    return Person(command())


def running() -> Person:
    person = Person(command())
    person.press("a")
    person.takes()
    person.press("r")
    return person


SCREENS = {
    "empty": Person,
    "long": long,
    "suggesting": suggesting,
    "asking": asking,
    "overruled": overruled,
    "denying": denying,
    "approving": approving,
    "filling": filling,
    "helped": helped,
    "saying": saying,
    "choosing": choosing,
    "writing": writing,
    "blank": blank,
    "understanding": understanding,
    "running": running,
}


@pytest.mark.parametrize("name", SCREENS)
def test_screens_look_as_agreed(name: str) -> None:
    assert SCREENS[name]().look() + "\n" == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_every_golden_screen_is_still_made() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(SCREENS)


@pytest.mark.parametrize("rows", [8, 9, 12, 24, 60])
@pytest.mark.parametrize("columns", [24, 31, 80, 200])
@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_of_any_size_is_exactly_full(name: str, columns: int, rows: int) -> None:
    lines = frame(SCREENS[name]().model, columns, rows, 200.0, NOW_S)
    assert len(lines) == rows
    assert max(width(line.text) for line in lines) <= columns


@pytest.mark.parametrize(("columns", "rows"), [(23, 24), (80, 7), (2, 2), (1, 1)])
def test_a_screen_too_small_says_so_and_shows_nothing_as_seen(columns: int, rows: int) -> None:
    person = Person(view(), columns=columns, rows=rows)
    assert person.look()
    person.press("a")
    assert person.sends == []


def test_every_key_of_the_help_does_something() -> None:
    named = {name for keys, _ in HELP for name in keys.split(", ")}
    assert {"a", "y", "run", "d", "s", "c", "r", "w", "x", "q", "t", "n", "j", "k", "b", "space"} <= named


@given(st.text(max_size=40), st.integers(24, 100), st.integers(8, 30))
def test_no_text_of_an_agent_reaches_the_terminal_as_a_command(said: str, columns: int, rows: int) -> None:
    asked = (Question(question=said, header=said, options=(Option(label=said, description=said),)),)
    fields = (Field(name=said, title=said, description=said, default=said),)
    cards = (
        view(
            id="a1", tool=said, prompt=said, input=(Row(label=said, value=said),), suggestions=suggested(said)
        ),
        question(id="b2", questions=asked),
        elicitation(id="c3", fields=fields),
        view(id="d4", state="withdrawn", ending=said, asked=said, by=Answerer(channel=said)),
        choice(id="e5", title=said, label=said, choices=(Choice(value=said, label=said),), default=said),
        command(id="f6", title=said, label=said, surface_id=said, unsafe=True),
    )
    person = Person(*cards, columns=columns, rows=rows)
    for names in (("d", *said), ("escape", "j"), ("t", *said), ("enter", "j"), ("a", *said), ("escape", "j")):
        person.press(*names)
        person.actions += person.model.refused("a1", said)
        assert person.look().replace("\n", "").isprintable()


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for each, made in SCREENS.items():
        (GOLDEN / f"{each}.txt").write_text(made().look() + "\n", encoding="utf-8")
