"""All that a bot says: within the rates, in order, and nothing of it lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from itertools import pairwise
from typing import Any

import pytest
import pytest_asyncio

from sayso.channels.telegram.outbox import MOST_BACKOFF_S, Outbox
from sayso.channels.telegram.ports import Button, Entity, Undelivered
from tests.telegram.bot_api import BotServer
from tests.telegram.http import Dropped
from tests.telegram.limits import Refusal
from tests.telegram.people import Person, group
from tests.telegram.played import PlayedApi, PlayedClock

KEYBOARD = ((Button("Allow", "a1"), Button("Deny", "d1")),)


class Stage:
    def __init__(self) -> None:
        self.clock = PlayedClock()
        self.server = BotServer(self.clock.now)
        self.api = PlayedApi(self.server)
        self.box = Outbox(self.api, self.clock)
        self.ada = Person(self.server, 4711)
        self.running = asyncio.ensure_future(self.box.run())

    def soon(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(work)

    async def done(self, *tasks: asyncio.Task[Any]) -> list[Any]:
        """Return what tasks give, however long it takes."""
        await self.clock.pass_until(lambda: all(task.done() for task in tasks))
        return [task.result() for task in tasks]

    def texts(self, chat_id: int = 4711) -> list[str]:
        return [message.text for message in self.server.shown(chat_id)]

    async def end(self) -> None:
        self.running.cancel()
        await asyncio.wait({self.running})


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage()
    yield made
    await made.end()


async def test_a_message_goes_at_once_with_all_that_belongs_to_it(stage: Stage) -> None:
    first, second = await stage.done(
        stage.soon(stage.box.send(4711, "Run ls?", [Entity("code", 4, 2)], KEYBOARD, silent=True)),
        stage.soon(stage.box.send(4711, "Why?", reply_to=1, force_reply=True)),
    )
    assert stage.clock.now_s == 1_000_000.0
    card, question = stage.server.shown(4711)
    assert (card.id, question.id) == (first, second)
    assert card.entities == [{"type": "code", "offset": 4, "length": 2}]
    assert card.buttons == {"Allow": "a1", "Deny": "d1"}
    assert (card.is_silent, question.is_silent) == (True, False)
    assert question.reply_to is card
    assert question.markup == {"force_reply": True, "selective": True}
    assert stage.server.calls[0].params["link_preview_options"] == {"is_disabled": True}


async def test_a_reply_to_a_message_that_is_gone_is_sent_all_the_same(stage: Stage) -> None:
    await stage.done(stage.soon(stage.box.send(4711, "Why?", reply_to=99)))
    assert stage.texts() == ["Why?"]


async def test_a_file_goes_with_its_caption(stage: Stage) -> None:
    await stage.done(stage.soon(stage.box.send_file(4711, "call.txt", b"rm -rf /", "All of it", None, True)))
    (sent,) = stage.server.shown(4711)
    assert (sent.document, sent.caption, getattr(sent.document, "name", "")) == (
        b"rm -rf /",
        "All of it",
        "call.txt",
    )


async def test_a_hundred_at_once_stay_within_the_rates_in_order_and_nothing_is_lost(stage: Stage) -> None:
    tasks = [stage.soon(stage.box.send(4711, f"{number}")) for number in range(100)]
    ids = await stage.done(*tasks)
    assert stage.texts() == [str(number) for number in range(100)]
    assert ids == sorted(ids)
    assert stage.server.rates.refused == 0
    assert stage.clock.now_s - 1_000_000.0 == pytest.approx(97 * 1.05, abs=0.1)


async def test_many_chats_together_stay_within_what_is_allowed_overall(stage: Stage) -> None:
    people = [Person(stage.server, 5000 + number) for number in range(60)]
    tasks = [stage.soon(stage.box.send(one.id, text)) for one in people for text in ("a", "b")]
    await stage.done(*tasks)
    assert stage.server.rates.refused == 0
    assert all([message.text for message in one.sees()] == ["a", "b"] for one in people)
    assert stage.clock.now_s - 1_000_000.0 < 6


async def test_a_group_gets_no_more_than_it_may(stage: Stage) -> None:
    builders = group(stage.server)
    await stage.done(*(stage.soon(stage.box.send(builders.id, f"{number}")) for number in range(50)))
    assert stage.server.rates.refused == 0
    assert stage.texts(builders.id) == [str(number) for number in range(50)]


async def test_a_pause_that_telegram_wants_is_kept_and_the_refused_one_goes_first(stage: Stage) -> None:
    bob = Person(stage.server, 4712)
    stage.server.rates.hold(4711, stage.clock.now_s + 34.5)
    tasks = [stage.soon(stage.box.send(4711, text)) for text in ("a", "b", "c")]
    (sent,) = await stage.done(stage.soon(stage.box.send(4712, "meanwhile")))
    assert (sent, stage.clock.now_s, len(bob.sees())) == (1, 1_000_000.0, 1)
    assert stage.box.troubles() == ["Telegram takes messages again in 35 s"]
    await stage.done(*tasks)
    assert stage.texts() == ["a", "b", "c"]
    assert stage.server.rates.refused == 1
    assert stage.clock.now_s >= 1_000_034.5
    assert stage.box.troubles() == []


@pytest.mark.parametrize("error", [Dropped(), Refusal(502, "Bad Gateway"), Refusal(500, "Internal")])
async def test_a_network_or_server_that_is_gone_is_waited_for(stage: Stage, error: Exception) -> None:
    for _ in range(10):
        stage.server.fail_next("sendMessage", error)
    tasks = [stage.soon(stage.box.send(4711, text)) for text in ("a", "b")]
    await stage.done(*tasks)
    assert stage.texts() == ["a", "b"]
    times = [call.at_s for call in stage.server.called("sendMessage")]
    pauses = [round(later - earlier) for earlier, later in pairwise(times)]
    assert pauses[:10] == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]
    assert max(pauses) == MOST_BACKOFF_S


async def test_it_is_tried_at_once_when_the_network_is_there_again(stage: Stage) -> None:
    stage.server.offline(True)
    task = stage.soon(stage.box.send(4711, "a"))
    await stage.clock.advance(120)
    stage.server.offline(False)
    stage.box.wake()
    await stage.clock.settle()
    assert task.done()
    assert stage.texts() == ["a"]


async def test_what_was_sent_and_not_acknowledged_is_sent_again_rather_than_lost(stage: Stage) -> None:
    stage.server.fail_next("sendMessage", done=True)
    (message_id,) = await stage.done(stage.soon(stage.box.send(4711, "a")))
    assert stage.texts() == ["a", "a"]
    assert message_id == 2


async def test_of_several_edits_the_newest_goes(stage: Stage) -> None:
    (message_id,) = await stage.done(stage.soon(stage.box.send(4711, "asks", keyboard=KEYBOARD)))
    tasks = [stage.soon(stage.box.edit(4711, message_id, f"state {number}")) for number in range(20)]
    await stage.done(*tasks)
    assert stage.texts() == ["state 19"]
    assert len(stage.server.called("editMessageText")) <= 2
    assert stage.server.shown(4711)[0].markup is None


async def test_a_newer_edit_takes_the_place_of_one_that_was_refused_for_a_time(stage: Stage) -> None:
    (message_id,) = await stage.done(stage.soon(stage.box.send(4711, "asks")))
    stage.server.fail_next("editMessageText")
    older = stage.soon(stage.box.edit(4711, message_id, "older"))
    stage.api.gate = asyncio.Event()
    await stage.clock.settle()
    newer = stage.soon(stage.box.edit(4711, message_id, "newer"))
    stage.api.gate.set()
    await stage.done(older, newer)
    assert [call.params["text"] for call in stage.server.called("editMessageText")] == ["older", "newer"]
    assert stage.texts() == ["newer"]


async def test_an_edit_that_changes_nothing_is_as_good(stage: Stage) -> None:
    (message_id,) = await stage.done(stage.soon(stage.box.send(4711, "same")))
    await stage.done(stage.soon(stage.box.edit(4711, message_id, "same")))
    assert stage.texts() == ["same"]


async def test_an_edit_has_its_turn_with_messages_that_wait(stage: Stage) -> None:
    (message_id,) = await stage.done(stage.soon(stage.box.send(4711, "asks")))
    await stage.clock.advance(10)
    sends = [stage.soon(stage.box.send(4711, f"{number}")) for number in range(30)]
    await stage.clock.settle()
    edit = stage.soon(stage.box.edit(4711, message_id, "answered"))
    await stage.clock.pass_until(edit.done)
    assert len([task for task in sends if task.done()]) <= 8
    await stage.done(*sends)


async def test_a_new_card_waits_for_no_edit(stage: Stage) -> None:
    ids = await stage.done(*(stage.soon(stage.box.send(4711, f"{number}")) for number in range(9)))
    await stage.clock.advance(10)
    edits = [stage.soon(stage.box.edit(4711, one, f"{one} answered")) for one in ids]
    for _ in range(3):
        await stage.clock.advance(1.2)
        now_s = stage.clock.now_s
        await stage.done(stage.soon(stage.box.send(4711, "new")))
        assert stage.clock.now_s == now_s
    await stage.done(*edits)
    assert stage.clock.now_s < 1_000_000 + 40
    assert stage.server.rates.refused == 0


async def test_edits_do_not_wait_without_end_for_what_may_come(stage: Stage) -> None:
    (message_id,) = await stage.done(stage.soon(stage.box.send(4711, "asks")))
    sends = [stage.soon(stage.box.send(4711, f"{number}")) for number in range(2)]
    await stage.done(*sends)
    edit = stage.soon(stage.box.edit(4711, message_id, "answered"))
    at = stage.clock.now_s
    while not edit.done():
        await stage.clock.advance(1.06)
        stage.soon(stage.box.send(4711, "another"))
        await stage.clock.settle()
    assert stage.clock.now_s - at <= 7


async def test_who_was_taken_back_gets_nothing_that_was_on_its_way(stage: Stage) -> None:
    seen = await stage.box.send(4711, "seen")
    stage.server.fail_next("sendMessage")
    first, second = stage.soon(stage.box.send(4711, "first")), stage.soon(stage.box.send(4711, "second"))
    edit = stage.soon(stage.box.edit(4711, seen, "over"))
    await stage.clock.settle()
    stage.box.drop(4711)
    await stage.clock.pass_until(edit.done)
    for one in (first, second):
        with pytest.raises(Undelivered, match="taken back"):
            await one
    assert stage.texts() == ["over"]


async def test_who_is_taken_back_while_a_call_fails_gets_it_no_more(stage: Stage) -> None:
    stage.api.gate = asyncio.Event()
    stage.server.fail_next("sendMessage")
    first = stage.soon(stage.box.send(4711, "first"))
    await stage.clock.settle()
    stage.box.drop(4711)
    stage.api.gate.set()
    with pytest.raises(Undelivered, match="taken back"):
        await first
    await stage.clock.advance(MOST_BACKOFF_S)
    assert stage.texts() == []


async def test_what_nobody_waits_for_any_more_is_not_sent(stage: Stage) -> None:
    tasks = [stage.soon(stage.box.send(4711, f"{number}")) for number in range(5)]
    await stage.clock.settle()
    tasks[4].cancel()
    await stage.clock.advance(20)
    assert stage.texts() == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (
            Refusal(403, "Forbidden: bot was blocked by the user"),
            "the bot was blocked in Telegram: unblock it there",
        ),
        (Refusal(400, "Bad Request: chat not found"), "only to those who wrote to it first"),
        (Refusal(401, "Unauthorized"), "sayso telegram pair --new-token"),
        (
            Refusal(400, "Bad Request: BUTTON_DATA_INVALID"),
            "Telegram refused it: Bad Request: BUTTON_DATA_INVALID",
        ),
    ],
)
async def test_case_42_what_can_never_be_sent_is_said_in_words(
    stage: Stage, refusal: Refusal, words: str
) -> None:
    stage.server.fail_next("sendMessage", refusal)
    task = stage.soon(stage.box.send(4711, "a"))
    await stage.clock.pass_until(task.done)
    with pytest.raises(Undelivered, match=words):
        task.result()
    await stage.done(stage.soon(stage.box.send(4711, "b")))
    assert stage.texts() == ["b"]


async def test_an_edit_of_a_message_that_is_gone_is_told(stage: Stage) -> None:
    task = stage.soon(stage.box.edit(4711, 99, "answered"))
    await stage.clock.pass_until(task.done)
    with pytest.raises(Undelivered, match="message to edit not found"):
        task.result()


async def test_a_tap_is_answered_before_all_that_waits(stage: Stage) -> None:
    (message_id,) = await stage.done(stage.soon(stage.box.send(4711, "asks", keyboard=KEYBOARD)))
    sends = [stage.soon(stage.box.send(4711, f"{number}")) for number in range(20)]
    await stage.clock.settle()
    query = stage.ada.tap(stage.ada.sees()[0], "Allow")
    assert message_id == 1
    now_s = stage.clock.now_s
    await stage.box.toast(query.id, "Allowed. " * 40, alert=True)
    assert (stage.clock.now_s, query.is_alert) == (now_s, True)
    assert query.answer is not None
    assert len(query.answer) <= 200
    assert query.answer.endswith("…")
    for task in sends:
        task.cancel()


async def test_a_tap_that_is_too_old_is_let_be(stage: Stage) -> None:
    await stage.box.toast("no such tap", "Allowed")
    assert len(stage.server.called("answerCallbackQuery")) == 1


async def test_a_tap_is_answered_a_little_later_and_not_much_later(stage: Stage) -> None:
    await stage.done(stage.soon(stage.box.send(4711, "asks", keyboard=KEYBOARD)))
    query = stage.ada.tap(stage.ada.sees()[0], "Deny")
    stage.server.fail_next("answerCallbackQuery")
    await stage.done(stage.soon(stage.box.toast(query.id)))
    assert query.answer == ""
    stage.server.offline(True)
    await stage.done(stage.soon(stage.box.toast(query.id)))
    assert stage.clock.now_s < 1_000_000 + 15


async def test_at_its_end_nobody_is_left_waiting(stage: Stage) -> None:
    stage.server.offline(True)
    task = stage.soon(stage.box.send(4711, "a"))
    await stage.clock.settle()
    await stage.end()
    await asyncio.wait({task})
    with pytest.raises(Undelivered, match="Telegram is off"):
        task.result()
    with pytest.raises(Undelivered, match="Telegram is off"):
        await stage.box.send(4711, "b")


async def test_nor_is_who_waits_for_what_is_on_its_way(stage: Stage) -> None:
    stage.api.gate = asyncio.Event()
    task = stage.soon(stage.box.send(4711, "a"))
    await stage.clock.settle()
    await stage.end()
    await asyncio.wait({task})
    with pytest.raises(Undelivered, match="Telegram is off"):
        task.result()
