"""Messages of the bot that are taken away again, at the server of tests."""

from __future__ import annotations

import pytest

from tests.channels.telegram.test_outbox import Stage, stage  # noqa: F401 - the fixture
from tests.telegram.bot_api import BotServer
from tests.telegram.limits import Refusal
from tests.telegram.people import Person


async def test_a_message_is_taken_away_and_once_is_enough(stage: Stage) -> None:  # noqa: F811
    (sent,) = await stage.done(stage.soon(stage.box.send(4711, "It waits for you.")))
    await stage.done(stage.soon(stage.box.delete(4711, sent)))
    assert stage.texts() == []
    await stage.done(stage.soon(stage.box.delete(4711, sent)))
    assert stage.texts() == []


async def test_it_takes_the_place_of_an_edit_that_waits(stage: Stage) -> None:  # noqa: F811
    (sent,) = await stage.done(stage.soon(stage.box.send(4711, "a")))
    edit, delete = stage.soon(stage.box.edit(4711, sent, "b")), stage.soon(stage.box.delete(4711, sent))
    await stage.done(edit, delete)
    assert stage.texts() == []
    assert [call.method for call in stage.server.calls].count("editMessageText") == 0


def test_the_server_deletes_what_is_there() -> None:
    server = BotServer()
    Person(server, 4711).write("hello")
    with pytest.raises(Refusal, match="message to delete not found"):
        server.delete_message({"chat_id": 4711, "message_id": 99})
