"""What Telegram sends, and whom it does not vouch for."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.channels.telegram.ports import Sender, Tap, Text
from sayso.channels.telegram.updates import Standing, number_of, read
from tests.telegram.bot_api import TOKEN, BotServer
from tests.telegram.people import Person, group

ADA = {"id": 4711, "is_bot": False, "first_name": "Ada", "last_name": "L"}
PRIVATE = {"id": 4711, "type": "private", "first_name": "Ada"}


def message(**changes: Any) -> dict[str, Any]:
    return {
        "update_id": 1,
        "message": {"message_id": 7, "date": 1, "from": ADA, "chat": PRIVATE, "text": "hi", **changes},
    }


def test_a_message() -> None:
    assert read(message()) == Text(chat_id=4711, message_id=7, sender=Sender(4711, "Ada L"), text="hi")


def test_a_reply_names_what_it_is_to() -> None:
    found = read(message(reply_to_message={"message_id": 3, "chat": PRIVATE}))
    assert isinstance(found, Text)
    assert found.reply_to_message_id == 3
    elsewhere = read(message(reply_to_message={"message_id": 3, "chat": {"id": 5, "type": "private"}}))
    assert isinstance(elsewhere, Text)
    assert elsewhere.reply_to_message_id is None


def test_a_reply_without_words_is_an_empty_text_and_a_picture_alone_is_nothing() -> None:
    reply = message(reply_to_message={"message_id": 3, "chat": PRIVATE}, photo=[{}])
    del reply["message"]["text"]
    found = read(reply)
    assert isinstance(found, Text)
    assert found.text == ""
    del reply["message"]["reply_to_message"]
    assert read(reply) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"from": {**ADA, "is_bot": True}},
        {"from": None},
        {"sender_chat": {"id": -100, "type": "channel"}, "from": {**ADA, "id": 1087968824}},
    ],
)
def test_case_53_whom_telegram_does_not_vouch_for_is_nobody(changes: dict[str, Any]) -> None:
    assert read(message(**changes)) is None


@pytest.mark.parametrize("foreign", ["forward_origin", "via_bot"])
def test_what_others_wrote_and_somebody_passed_on_says_nothing(foreign: str) -> None:
    below = {"message_id": 3, "chat": PRIVATE}
    found = read(message(reply_to_message=below, text="/start ABCD-1234", **{foreign: {"type": "user"}}))
    assert found == Text(chat_id=4711, message_id=7, sender=Sender(4711, "Ada L"), text="")


@pytest.mark.parametrize(
    "given", [None, 3, {}, {"update_id": "x"}, {"update_id": 1, "poll": {}}, {"update_id": 1, "message": 3}]
)
def test_what_is_something_else_is_nothing(given: object) -> None:
    assert read(given) is None


def test_numbers() -> None:
    assert number_of({"update_id": 5, "message": 3}) == 5
    assert number_of({"update_id": "5"}) is None


def test_taps_and_blocks_as_the_server_tells_them() -> None:
    server = BotServer()
    ada = Person(server, 4711)
    builders = group(server)
    ada.send_data(builders, 12, "x" * 64)
    ada.block()
    ada.block(False)
    tap, blocked, back = [read(one) for one in server.serve(TOKEN, "getUpdates", {})]
    assert isinstance(tap, Tap)
    assert (tap.chat_id, tap.message_id, tap.sender, tap.data) == (
        builders.id,
        12,
        Sender(4711, "Ada"),
        "x" * 64,
    )
    assert blocked == Standing(sender=Sender(4711, "Ada"), blocked=True)
    assert back == Standing(sender=Sender(4711, "Ada"), blocked=False)


def test_a_tap_on_a_message_that_telegram_no_longer_shows() -> None:
    found = read(
        {"update_id": 1, "callback_query": {"id": "9", "from": ADA, "data": "a", "chat_instance": "1"}}
    )
    assert found == Tap(callback_id="9", chat_id=4711, message_id=0, sender=Sender(4711, "Ada L"), data="a")
