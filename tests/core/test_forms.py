"""Forms: each field against its type and bounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.forms import FIELD_TYPES, check_form, check_value
from sayso.core.types import Choice, Field
from sayso.errors import BadReply

RED_OR_BLUE = (Choice(value="r", label="Red"), Choice(value="b", label="Blue"))


def field(type_: str = "string", **more: Any) -> Field:
    return Field(**{"name": "it", "type": type_, **more})


@pytest.mark.parametrize(
    ("one", "value"),
    [
        (field(), "words"),
        (field(), ""),
        (field(minimum=2, maximum=3), "ab"),
        (field(minimum=2, maximum=3), "abc"),
        (field("integer"), 0),
        (field("integer"), -(10**30)),
        (field("integer", minimum=1, maximum=3), 1),
        (field("integer", minimum=1, maximum=3), 3),
        (field("number"), 1),
        (field("number", minimum=0.5), 0.5),
        (field("boolean"), True),
        (field("boolean"), False),
        (field("choice", choices=RED_OR_BLUE), "r"),
        (field("choices", choices=RED_OR_BLUE), []),
        (field("choices", choices=RED_OR_BLUE), ["b", "r"]),
        (field("choices", choices=RED_OR_BLUE, maximum=1), ["b"]),
    ],
)
def test_what_fits(one: Field, value: Any) -> None:
    assert check_form((one,), {"it": value}) == {"it": value}


@pytest.mark.parametrize(
    ("one", "value", "why"),
    [
        (field(), 1, "must be text"),
        (field(), ["a"], "must be text"),
        (field(minimum=2), "a", "at least 2 characters"),
        (field(maximum=2), "abc", "at most 2 characters"),
        (field("integer"), 1.0, "whole number"),
        (field("integer"), True, "whole number"),
        (field("integer"), "1", "whole number"),
        (field("integer", minimum=1), 0, "at least 1"),
        (field("integer", maximum=1), 2, "at most 1"),
        (field("number"), True, "must be a number"),
        (field("number"), "1", "must be a number"),
        (field("number"), float("nan"), "finite"),
        (field("number"), float("inf"), "finite"),
        (field("number"), float("-inf"), "finite"),
        (field("number", maximum=0.5), 0.6, "at most 0.5"),
        (field("boolean"), 1, "yes or no"),
        (field("choice", choices=RED_OR_BLUE), "Red", "one of the choices"),
        (field("choice", choices=RED_OR_BLUE), ["r"], "one of the choices"),
        (field("choice", choices=RED_OR_BLUE), 1, "one of the choices"),
        (field("choices", choices=RED_OR_BLUE), "r", "list of choices"),
        (field("choices", choices=RED_OR_BLUE), ["r", "r"], "twice"),
        (field("choices", choices=RED_OR_BLUE), ["x"], "not among"),
        (field("choices", choices=RED_OR_BLUE, minimum=1), [], "at least 1 choices"),
    ],
)
def test_what_does_not(one: Field, value: Any, why: str) -> None:
    with pytest.raises(BadReply, match=why) as caught:
        check_form((one,), {"it": value})
    assert caught.value.field == "content.it"


def test_a_field_is_called_by_its_title() -> None:
    with pytest.raises(BadReply, match="Your city must be text"):
        check_value(field(title="Your city"), 1)


def test_what_is_left_blank_is_left_out_unless_it_is_required() -> None:
    optional, required = Field(name="a"), Field(name="b", required=True)
    assert check_form((optional, required), {"b": "x", "a": None}) == {"b": "x"}
    assert check_form((optional,), {}) == {}
    for content in ({}, {"b": None}):
        with pytest.raises(BadReply, match="b is required") as caught:
            check_form((optional, required), content)  # pyright: ignore[reportArgumentType]
        assert caught.value.field == "content.b"


def test_a_form_has_no_other_fields() -> None:
    with pytest.raises(BadReply, match="no field 'c'") as caught:
        check_form((Field(name="a"),), {"c": "x"})
    assert caught.value.field == "content.c"


VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.lists(st.sampled_from(["r", "b", "x"]), max_size=3)
)


@given(
    types=st.lists(st.sampled_from(sorted(FIELD_TYPES)), max_size=3),
    values=st.lists(VALUES, max_size=3),
    required=st.booleans(),
)
def test_whatever_is_handed_over_was_asked_for(types: list[str], values: list[Any], required: bool) -> None:
    fields = tuple(
        Field(name=str(index), type=type_, choices=RED_OR_BLUE, required=required)
        for index, type_ in enumerate(types)
    )
    content = {str(index): value for index, value in enumerate(values)}
    try:
        filled = check_form(fields, content)
    except BadReply:
        return
    assert filled == {name: value for name, value in content.items() if value is not None}
    assert not required or set(filled) == {one.name for one in fields}
