"""Whatever is sent to the interaction bridge: an ask or an error that names its field, a reply or the same.

And nothing of a payload is lost on the way to the person.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sayso.core.fit import fit
from sayso.core.states import State
from sayso.core.types import Ask, Choice, Field, Kind, Option, Question, Request, Row
from sayso.errors import BadRequest
from sayso.wire.interaction import TYPES, interaction
from sayso.wire.interaction_answers import Response, reply_of, response_of
from sayso.wire.interaction_asks import KINDS, ask_of
from sayso.wire.views import Clock, request_view

T = TypeVar("T")
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    [
        "question",
        "questions",
        "options",
        "label",
        "header",
        "multiSelect",
        "toolName",
        "input",
        "plan",
        "modes",
        "prompt",
        "default",
        "cwd",
    ]
)
PAYLOADS = st.dictionaries(NAMES | st.text(max_size=8), JSON, max_size=6)
QUESTIONS = st.fixed_dictionaries(
    {"question": st.text(max_size=12)},
    optional={"options": st.lists(st.text(max_size=6) | PAYLOADS, max_size=4), "multiSelect": st.booleans()},
)
ASKED = PAYLOADS | st.fixed_dictionaries({"questions": st.lists(QUESTIONS, min_size=1, max_size=3)})


def attempt(do: Callable[[], T]) -> T | BadRequest:
    try:
        return do()
    except BadRequest as error:
        return error


@given(st.sampled_from(sorted(KINDS)), ASKED, st.text(max_size=30))
@settings(max_examples=300)
def test_an_ask_or_an_error_that_names_its_field(type_: str, payload: Any, summary: str) -> None:
    ask = attempt(lambda: ask_of("s", type_, payload, summary))
    if isinstance(ask, BadRequest):
        assert ask.field.startswith(("payload", "summary"))
        return
    view = request_view(Request(id="r", ask=ask, state=State.PENDING, created_s=0.0), "", None, "", Clock())
    assert interaction(view, None, None).type == type_
    assert msgspec.json.decode(msgspec.json.encode(interaction(view, payload, None)))["payload"] == payload
    shown = msgspec.json.encode(ask).decode()
    for word in words_of(payload):
        assert msgspec.json.encode(word).decode()[1:-1] in shown or word in str(ask), word


def words_of(payload: dict[str, Any]) -> list[str]:
    """Return the texts right inside a payload: each is somewhere on the card."""
    return [value for value in payload.values() if isinstance(value, str) and value.strip()]


SELECTIONS = (
    st.none()
    | st.integers(-1, 3)
    | st.text(max_size=4)
    | st.lists(st.sampled_from(["a", "b", "x"]), max_size=3)
    | st.dictionaries(
        st.sampled_from(["q", "r", "n"]),
        st.sampled_from(["a", "b", 1, True, None]) | st.lists(st.sampled_from(["a", "b"]), max_size=2),
        max_size=3,
    )
)
WORDS = st.none() | st.text(max_size=5)
DECISIONS = st.none() | st.sampled_from(["allow", "allow_always", "deny", "cancel", "ack", "run", "", "x"])
RESPONSES = st.builds(Response, decision=DECISIONS, selection=SELECTIONS, text=WORDS, reason=WORDS)
OPTIONS = (Option(label="a"), Option(label="b"))
ASK = Ask(
    agent="program",
    session_id="s",
    kind=Kind.PERMISSION,
    title="Well?",
    input=(Row(label="Plan", value="p"),),
    suggestions=("one",),
    questions=(Question(question="q", options=OPTIONS), Question(question="r", multi_select=True)),
    fields=(Field(name="n", type="string"),),
    choices=(Choice(value="a", label="A"), Choice(value="b", label="B")),
    modes=("default",),
)


@given(st.sampled_from(list(Kind)), RESPONSES, st.integers(1, 2))
@settings(max_examples=500)
def test_a_reply_that_fits_or_an_error_and_what_fits_is_told_again(
    kind: Kind, response: Response, count: int
) -> None:
    ask = replace(ASK, kind=kind, questions=ASK.questions[:count])
    view = request_view(Request(id="r", ask=ask, state=State.PENDING, created_s=0.0), "", None, "", Clock())
    decision = attempt(lambda: fit(ask, reply_of(view, response)))
    if isinstance(decision, BadRequest):
        assert decision.field
        return
    told = response_of(kind, decision, ask.questions, ask.suggestions)
    assert told.decision in ("allow", "allow_once", "deny", "cancel")
    # What is told is what was decided: said once more, it decides the same.
    if kind is not Kind.CONFIRM:
        assert fit(ask, reply_of(view, told)) == decision


def test_every_kind_has_a_type() -> None:
    assert set(TYPES) == set(Kind)
    assert {TYPES[kind] for kind in KINDS.values()} == set(KINDS)
