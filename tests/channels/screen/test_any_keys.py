"""Whatever is pressed and whatever happens: the screen stands, and nothing is allowed by the wrong key."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.states import State
from sayso.core.types import Row
from sayso.wire.views import RequestView
from tests.channels.fake_desk import (
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

LOST = view("11" + "0" * 30, input=(Row(label="Content", value="x", length=9, lost=True),))
ASKED = (yesno(), choice(), text(), command())
CARDS = (view(suggestions=suggested("Always", "Edits")), question(), plan(), elicitation(), LOST, *ASKED)
KEYS = [
    *"adscrtnjkwxy?qmeu0123 bé",
    "enter",
    "escape",
    "backspace",
    "left",
    "right",
    "up",
    "down",
    "page-down",
    "tab",
]
HARMLESS = [key for key in KEYS if key not in ("a", "enter", "m", "e", "u", "y", "n")]

keys = st.tuples(st.just("key"), st.sampled_from(KEYS), st.sampled_from([0.01, 0.5, 5.0]))
harmless = st.tuples(st.just("key"), st.sampled_from(HARMLESS), st.sampled_from([0.01, 0.5, 5.0]))
pastes = st.tuples(st.just("paste"), st.sampled_from(["a\r", "m", "1\r"]), st.just(0.0))
moves = st.tuples(st.just("move"), st.sampled_from(CARDS), st.sampled_from(list(State)))
links = st.tuples(st.just("link"), st.sampled_from(["away", "b1", "b2"]), st.just(0.0))
Happening = tuple[str, str | RequestView, float | State]


def live(person: Person, happenings: list[Happening]) -> None:
    for kind, what, how in happenings:
        match kind, what, how:
            case "key", str(), float():
                before = len(person.sends)
                person.press(what, after_s=how)
                if len(person.sends) > before and person.sends[-1].request_id in person.model.deck.pending():
                    person.takes()
            case "paste", str(), _:
                person.paste(what)
            case "move", RequestView(), State():
                person.moves(what.id, how.value)
            case "link", "away", _:
                person.model.lost_link()
            case _:
                person.snapshot(*CARDS, boot=str(what))
        person.look()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(keys, keys, keys, pastes, moves, links), max_size=25))
def test_the_screen_stands(happenings: list[Happening]) -> None:
    person = Person(*CARDS)
    live(person, happenings)
    for reply in person.replies:
        assert reply["behavior"] in ("allow", "deny", "cancel")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(harmless, harmless, harmless, pastes, moves, links), max_size=25))
def test_nothing_is_allowed_without_the_keys_that_allow(happenings: list[Happening]) -> None:
    person = Person(*CARDS)
    live(person, happenings)
    assert "allow" not in [reply["behavior"] for reply in person.replies]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(keys, pastes), max_size=25))
def test_case_17_a_question_is_never_allowed_without_an_answer(happenings: list[Happening]) -> None:
    person = Person(question())
    live(person, happenings)
    for reply in person.replies:
        if reply["behavior"] == "allow":
            assert all(answer.get("picked") or answer.get("text") for answer in reply["answers"])


wordless = st.tuples(
    st.just("key"), st.sampled_from([key for key in KEYS if key != "u"]), st.sampled_from([0.01, 0.5, 5.0])
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(wordless, wordless, st.just(("key", "a", 0.5)), pastes), max_size=25))
def test_a_command_never_runs_without_its_word(happenings: list[Happening]) -> None:
    person = Person(command())
    live(person, happenings)
    assert "run" not in [reply.get("step") for reply in person.replies]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(keys, keys, pastes, moves, links), max_size=25))
def test_a_command_is_understood_before_it_runs(happenings: list[Happening]) -> None:
    person = Person(*reversed(CARDS))
    live(person, [*happenings, *(("key", key, 0.5) for key in ("escape", *"arun"))])
    steps = [reply["step"] for reply in person.replies if "step" in reply]
    assert all(before == "ack" for before, step in zip(["", *steps], steps, strict=False) if step == "run")
