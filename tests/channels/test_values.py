"""What is typed for the kinds that programs ask themselves, and every refusal on the way."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.channels import values
from sayso.core.types import Choice
from sayso.errors import BadReply
from sayso.wire.views import RequestView
from tests.channels.fake_desk import choice, command, text, yesno

AWKWARD = choice(
    choices=tuple(Choice(value=each, label=each) for each in ("b,c", "3", "d:e", "cancel", "yes", "01"))
)


@pytest.mark.parametrize(
    ("asked", "words", "texts", "reply"),
    [
        (yesno(), ["yes"], [], {"value": "yes"}),
        (yesno(), [" NO "], [], {"value": "no"}),
        (text(), [], [""], {"value": ""}),
        (text(), [], [" as it is\n"], {"value": " as it is\n"}),
        (command(), ["ack"], [], {"step": "ack"}),
        (command(), ["Run"], [], {"step": "run"}),
    ],
)
def test_what_fits(asked: RequestView, words: list[str], texts: list[str], reply: dict[str, Any]) -> None:
    assert values.reply(asked, words, texts) == {"behavior": "allow", **reply}


@pytest.mark.parametrize(
    ("word", "value"),
    [("eu:1", "eu:1"), ("1", "1"), ("2", "1"), (" 3 ", "cancel"), ("cancel", "cancel")],
)
def test_a_choice_by_id_or_number_and_an_id_wins(word: str, value: str) -> None:
    assert values.reply(choice(), [word], []) == {"behavior": "allow", "value": value}


@pytest.mark.parametrize(
    ("word", "value"),
    [("b,c", "b,c"), ("3", "3"), ("01", "01"), ("1", "b,c"), ("4", "cancel"), ("yes", "yes"), ("d:e", "d:e")],
)
def test_ids_that_look_like_something_else(word: str, value: str) -> None:
    assert values.reply(AWKWARD, [word], []) == {"behavior": "allow", "value": value}


@pytest.mark.parametrize(
    ("asked", "words", "texts", "told", "field"),
    [
        (yesno(), ["maybe"], [], "sayso answer ID yes, or no", "value"),
        (yesno(), [], [], "sayso answer ID yes, or no", "value"),
        (yesno(), ["yes", "no"], [], "sayso answer ID yes, or no", "value"),
        (choice(), ["0"], [], "neither the id nor the number", "value"),
        (choice(), ["4"], [], "1 to 3", "value"),
        (choice(), ["²"], [], "neither", "value"),
        (choice(), ["Frank\x1bfurt"], [], "␛", "value"),
        (choice(), [], [], "NUMBER", "value"),
        (text(), [], [], "--text", "value"),
        (text(), [], ["a", "b"], "one text", "value"),
        (command(), ["yes"], [], "ack, and then", "step"),
        (command(), ["ack", "run"], [], "ack, and then", "step"),
        (command(), [], ["run"], "ack, and then", "step"),
    ],
)
def test_case_18_what_does_not_fit_is_told(
    asked: RequestView, words: list[str], texts: list[str], told: str, field: str
) -> None:
    with pytest.raises(BadReply, match=told) as caught:
        values.reply(asked, words, texts)
    assert caught.value.data["field"] == field


def test_only_the_first_step_is_an_acknowledgement() -> None:
    steps = [values.stepped("ack"), values.stepped("run"), values.valued("ack")]
    assert [values.is_ack(each) for each in steps] == [True, False, False]
