"""What runs in the desk: on while somebody is there, strangers kept out, and whether anybody is reached."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sayso.channels.telegram.lock import PollLock
from sayso.channels.telegram.ports import Bot, Tap, Text, Undelivered
from sayso.channels.telegram.transport import MOST_STRANGERS, STRANGER, Transport
from sayso.core.types import Settings
from sayso.daemon.chats import Chats
from sayso.daemon.devices import Devices
from sayso.daemon.service import Caller
from sayso.errors import Unavailable
from sayso.wire.protocol import Power
from tests.telegram.bot_api import TOKEN, BotServer, served
from tests.telegram.people import Person, group

WAIT_S = 15.0
HERE = Caller(power=Power.ADMIN, channel="cli", name="you", credential="", pid=7)


class Desk:
    """The desk, as far as this half looks at it."""

    def __init__(self, chats: Chats) -> None:
        self.chats = chats
        self.settings = Settings()
        self.reached: list[bool] = []

    def now(self) -> float:
        return 0.0

    def listen(self) -> Any:
        raise AssertionError("the other half listens")

    async def call(self, device_id: str, channel: str, method: str, params: dict[str, Any]) -> Any:
        raise AssertionError("the other half calls")

    has_pushes = False

    def was_pushed(self, request_id: str) -> bool:
        raise AssertionError("the other half looks")

    def processes(self) -> dict[str, str]:
        raise AssertionError("the other half looks")

    def person_within(self, length_s: float) -> bool:
        raise AssertionError("the other half looks")

    def reaches(self, watcher: str, reached: bool) -> None:
        assert watcher == "telegram"
        self.reached.append(reached)


class Talk:
    """The other half; `over`: the desk's changes have ended."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.updates: list[Text | Tap] = []
        self.over = asyncio.Event()

    async def run(self) -> None:
        await self.over.wait()

    async def on_update(self, update: Text | Tap) -> None:
        self.updates.append(update)

    def troubles(self) -> list[str]:
        return []


class Stage:
    def __init__(self, server: BotServer, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.devices = Devices("")
        self.chats = Chats(self.devices, api=server.url)
        self.desk = Desk(self.chats)
        self.talks: list[Talk] = []
        self.transport = Transport(self.desk, self._talk, folder)
        self.running = asyncio.ensure_future(self.transport.run())
        self.ada = Person(server, 4711, "Ada")

    def _talk(self, _desk: object, bot: Bot) -> Talk:
        self.talks.append(Talk(bot))
        return self.talks[-1]

    async def code(self) -> str:
        """Give the bot's token, if there is none yet; return a code."""
        if not self.chats.call(HERE, {"list": True}).bot:
            bot_id = int(TOKEN.split(":")[0])
            await self.chats.call(HERE, {"token": TOKEN, "bot_id": bot_id, "bot": "sayso_test_bot"})
        return str(self.chats.call(HERE, {"pair": True}).code)

    async def pair(self, person: Person) -> None:
        person.write(await self.code())
        await self.until(lambda: person.id in self.chats.senders())
        await self.until(lambda: any("You are paired" in message.text for message in person.sees()))

    async def until(self, so: Callable[[], Any]) -> None:
        """Wait until something is so, which a call or an answer of the server makes so."""
        async with asyncio.timeout(WAIT_S):
            while not so():  # noqa: ASYNC110 - a server in a thread makes it so
                await asyncio.sleep(0.005)

    async def heard(self, count: int) -> list[Text | Tap]:
        await self.until(lambda: self.talks and len(self.talks[-1].updates) >= count)
        return self.talks[-1].updates

    async def end(self) -> None:
        self.running.cancel()
        await asyncio.wait({self.running})
        self.chats.close()
        self.devices.close()


@pytest_asyncio.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    with served() as server:
        made = Stage(server, tmp_path)
        yield made
        await made.end()


def test_what_is_much_is_not_loaded_while_nobody_is_paired() -> None:
    code = "import sys, sayso.channels.telegram.transport; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=20
    )
    parts = {
        name.rpartition(".")[2] for name in done.stdout.split() if name.startswith("sayso.channels.telegram.")
    }
    assert parts == {"errors", "lock", "pace", "ports", "transport", "updates"}
    assert "httptools" not in done.stdout.split()


async def test_nothing_runs_while_nobody_is_paired(stage: Stage) -> None:
    await asyncio.sleep(0)
    assert (stage.talks, stage.server.calls, stage.desk.reached) == ([], [], [])
    assert stage.transport.troubles() == []


async def test_it_runs_for_a_code_and_reaches_whoever_was_paired(stage: Stage) -> None:
    await stage.pair(stage.ada)
    assert stage.desk.reached == [True]
    assert stage.chats.health.state == "well"
    await stage.until(lambda: stage.server.commands)
    assert [one["command"] for one in stage.server.commands] == [
        "pending",
        "sessions",
        "send",
        "mute",
        "help",
    ]
    stage.chats.call(HERE, {"revoke": "Ada"})
    await stage.until(lambda: stage.chats.health.state == "off")
    assert stage.desk.reached[-1] is False
    polls = len(stage.server.called("getUpdates"))
    stage.ada.write("is anybody there?")
    assert len(stage.server.called("getUpdates")) == polls


async def test_what_the_paired_say_goes_to_the_other_half(stage: Stage) -> None:
    await stage.pair(stage.ada)
    stage.ada.write("/pending")
    stage.ada.send_data(stage.ada.chat, 2, "x")
    text, tap = await stage.heard(2)
    assert isinstance(text, Text)
    assert isinstance(tap, Tap)
    assert (text.text, tap.data) == ("/pending", "x")


async def test_case_53_strangers_are_told_one_line_and_reach_nothing(stage: Stage) -> None:
    await stage.pair(stage.ada)
    eve = Person(stage.server, 666, "Eve")
    for text in ("/start", "hello?", "/pending", "0000-0000", "/start 0000-0000"):
        eve.write(text)
    stage.ada.write("after that")
    (text,) = await stage.heard(1)
    assert text.sender.id == 4711
    await stage.until(eve.sees)
    assert [message.text for message in eve.sees()] == [STRANGER]


async def test_many_strangers_do_not_use_up_what_the_bot_may_say(stage: Stage) -> None:
    await stage.pair(stage.ada)
    people = [Person(stage.server, 10_000 + number) for number in range(MOST_STRANGERS + 5)]
    for one in people:
        one.write("hello?")
    stage.ada.write("after that")
    await stage.heard(1)
    await stage.until(lambda: sum(len(one.sees()) for one in people) == MOST_STRANGERS)


async def test_case_53_in_a_group_the_other_half_learns_who_it_is_and_no_word_pairs(stage: Stage) -> None:
    builders = group(stage.server)
    code = await stage.code()
    stage.ada.write(f"/start {code}", chat=builders)
    stage.ada.write(code)
    await stage.until(stage.chats.senders)
    Person(stage.server, 666, "Eve").send_data(builders, 5, "x")
    in_group, tap = await stage.heard(2)
    assert isinstance(in_group, Text)
    assert (in_group.private, in_group.chat_id, tap.sender.id) == (False, builders.id, 666)
    assert stage.server.shown(builders.id) == []


async def test_who_is_paired_and_opens_a_link_again_is_told_so(stage: Stage) -> None:
    await stage.pair(stage.ada)
    stage.ada.write(f"/start {(await stage.code()).replace('-', '')}")
    await stage.until(lambda: stage.ada.sees()[-1].text == "You are paired already.")
    assert stage.talks[-1].updates == []


async def test_who_blocks_the_bot_is_not_reached_and_it_is_said(stage: Stage) -> None:
    await stage.pair(stage.ada)
    Person(stage.server, 666, "Eve").block()
    stage.ada.block()
    await stage.until(lambda: stage.desk.reached == [True, False])
    assert stage.transport.troubles() == ["Telegram: Ada has blocked the bot"]
    stage.ada.block(False)
    await stage.until(lambda: stage.desk.reached == [True, False, True])
    assert stage.transport.troubles() == []


async def test_case_41_another_consumer_is_a_trouble_and_nobody_is_reached(stage: Stage) -> None:
    await stage.pair(stage.ada)
    polls = len(stage.server.called("getUpdates"))
    await stage.until(lambda: len(stage.server.called("getUpdates")) > polls - 1)
    other = asyncio.create_task(
        asyncio.to_thread(lambda: stage.server.serve(TOKEN, "getUpdates", {"timeout": 2}))
    )
    await stage.until(lambda: stage.desk.reached == [True, False])
    (said,) = stage.transport.troubles()
    assert said.startswith("Telegram: another program takes what people write to this bot")
    assert await other == []


async def test_a_token_that_telegram_takes_back_ends_it_at_once(stage: Stage) -> None:
    await stage.pair(stage.ada)
    stage.server.token = "1:another"
    stage.ada.block(False)  # the poll that is open ends with this
    await stage.until(lambda: stage.desk.reached == [True, False])
    (said,) = stage.transport.troubles()
    assert "does not know this bot's token any more" in said


async def test_another_token_is_taken_up_at_once(stage: Stage) -> None:
    await stage.pair(stage.ada)
    stage.server.token = TOKEN[:-3] + "abc"
    bot_id = int(TOKEN.split(":")[0])
    await stage.chats.call(HERE, {"token": stage.server.token, "bot_id": bot_id, "bot": "sayso_test_bot"})
    stage.ada.write("still there?")
    await stage.until(lambda: len(stage.talks) == 2)
    (text,) = await stage.heard(1)
    assert isinstance(text, Text)
    assert text.text == "still there?"


async def test_a_token_that_is_not_to_be_had_is_said(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked() -> str:
        raise Unavailable("the system's keyring does not give the bot's token: unlock it, or pair anew")

    monkeypatch.setattr(stage.chats, "token", locked)
    await stage.code()
    await stage.until(stage.transport.troubles)
    assert stage.transport.troubles() == [
        "Telegram: the system's keyring does not give the bot's token: unlock it, or pair anew"
    ]
    assert stage.server.calls == []


async def test_a_keyring_that_hangs_is_asked_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    opened = threading.Event()

    def hangs() -> str:
        asked.append(1)
        opened.wait(WAIT_S)
        return TOKEN

    monkeypatch.setattr("sayso.channels.telegram.transport.KEYRING_S", 0.01)
    monkeypatch.setattr("sayso.channels.telegram.transport.AGAIN_S", 0.01)
    monkeypatch.setattr(stage.chats, "token", hangs)
    await stage.code()
    await stage.until(
        lambda: stage.transport.troubles() == ["Telegram: the system's keyring does not answer"]
    )
    await asyncio.sleep(0.1)  # many times `AGAIN_S`
    assert len(asked) == 1
    opened.set()
    await stage.until(lambda: stage.server.called("getUpdates"))


async def test_what_waits_for_who_is_taken_back_is_not_sent(stage: Stage) -> None:
    await stage.pair(stage.ada)
    bob = Person(stage.server, 4712, "Bob")
    await stage.pair(bob)
    stage.server.offline(True)
    waiting = asyncio.ensure_future(stage.talks[-1].bot.send(4711, "rm -r /"))
    await asyncio.sleep(0)
    stage.chats.call(HERE, {"revoke": "4711"})
    with pytest.raises(Undelivered):
        async with asyncio.timeout(WAIT_S):
            await waiting


async def test_case_41_a_lock_that_another_desk_has_is_said_and_nothing_polls(stage: Stage) -> None:
    lock = PollLock(stage.folder, TOKEN)
    assert lock.take()
    await stage.code()
    await stage.until(stage.transport.troubles)
    (said,) = stage.transport.troubles()
    assert said.startswith("Telegram: another desk on this computer polls this bot (process ")
    assert stage.server.calls == []
    lock.leave()


async def test_a_stream_of_changes_that_was_given_up_is_followed_anew(stage: Stage) -> None:
    await stage.pair(stage.ada)
    stage.talks[-1].over.set()
    await stage.until(lambda: len(stage.talks) == 2)
    stage.ada.write("still there?")
    assert len(await stage.heard(1)) == 1
