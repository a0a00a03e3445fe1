"""Who may answer from a chat: codes, senders, and how little of that can be forged."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sayso.daemon.chat_codes import MOST_WRONG_OF_ONE
from sayso.daemon.chats import Chats
from sayso.daemon.devices import Devices
from sayso.daemon.pairing import OPEN_S
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, Refused, Unavailable
from sayso.wire.chats import KeptCard
from sayso.wire.protocol import Power
from tests.telegram.bot_api import TOKEN

HERE = Caller(power=Power.ADMIN, channel="cli", name="you", credential="", pid=7)
GIVEN: dict[str, Any] = {"token": TOKEN, "bot_id": int(TOKEN.split(":")[0]), "bot": "sayso_test_bot"}


class Stage:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = str(folder / "sayso.db")
        self.devices = Devices(self.database)
        self.now_s = 1000.0
        self.chats = self.opened()
        self.told = 0
        self.chats.watch(self._count)

    def _count(self) -> None:
        self.told += 1

    def opened(self) -> Chats:
        return Chats(self.devices, self.database, str(self.folder), clock=lambda: self.now_s)

    def call(self, **params: Any) -> Any:
        return self.chats.call(HERE, params)

    async def ready(self) -> str:
        """Give the bot's token; return a code."""
        await self.call(**GIVEN)
        return str(self.call(pair=True).code)

    def rows(self, statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.database)) as connection:
            found = connection.execute(statement, values).fetchall()
            connection.commit()
        return found


@pytest_asyncio.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.chats.close()
    made.devices.close()


# --- pairing -----------------------------------------------------------------------------------


async def test_whoever_has_the_code_is_paired_and_is_a_device_that_may_answer(stage: Stage) -> None:
    code = await stage.ready()
    assert stage.chats.wanted
    assert stage.chats.offer(4711, "Ada", code) == "paired"
    (device,) = stage.devices.list()
    assert (device.name, device.power) == ("Ada", Power.ANSWER)
    assert stage.chats.senders() == {4711: device.id}
    assert stage.chats.name_of(4711) == "Ada"
    assert stage.told >= 3


async def test_a_code_is_good_once_and_for_two_minutes(stage: Stage) -> None:
    code = await stage.ready()
    assert stage.chats.offer(4711, "Ada", code) == "paired"
    assert stage.chats.offer(4712, "Bob", code) == "no"
    later = stage.call(pair=True).code
    stage.now_s += OPEN_S + 1
    assert stage.chats.offer(4712, "Bob", later) == "no"
    assert list(stage.chats.senders()) == [4711]


async def test_a_code_is_typed_as_thumbs_type(stage: Stage) -> None:
    code = await stage.ready()
    assert len(code) == len("XXXX-XXXX")
    typed = code.replace("-", " ").lower().replace("0", "o").replace("1", "l")
    assert stage.chats.offer(4711, "Ada", typed) == "paired"


async def test_who_waits_learns_who_it_was(stage: Stage) -> None:
    await stage.call(**GIVEN)
    opened = stage.call(pair=True, name="Ada's phone")
    waiting = asyncio.ensure_future(stage.call(wait=opened.id))
    await asyncio.sleep(0)
    stage.chats.offer(4711, "Ada", opened.code)
    became = await waiting
    assert (became.state, became.name, became.sender) == ("used", "Ada's phone", 4711)


async def test_a_code_that_is_closed_ends_the_wait(stage: Stage) -> None:
    await stage.call(**GIVEN)
    opened = stage.call(pair=True)
    waiting = asyncio.ensure_future(stage.call(wait=opened.id))
    await asyncio.sleep(0)
    stage.call(cancel=opened.id)
    assert (await waiting).state == "closed"
    assert not stage.chats.wanted
    assert stage.chats.offer(4711, "Ada", opened.code) == "no"
    assert (await stage.call(wait="no such code")).state == "closed"


async def test_a_sender_has_few_tries_and_all_together_have_few(stage: Stage) -> None:
    code = await stage.ready()
    for _ in range(MOST_WRONG_OF_ONE):
        stage.now_s += 2
        assert stage.chats.offer(666, "Eve", "0000-0000") == "no"
    stage.now_s += 2
    assert stage.chats.offer(666, "Eve", code) == "no"
    waiting = asyncio.ensure_future(stage.call(wait=next(iter(stage.chats._codes._waiting))))  # pyright: ignore[reportPrivateUsage]
    await asyncio.sleep(0)
    for number in range(7):
        stage.now_s += 2
        assert stage.chats.offer(700 + number, "Mallory", "0000-0000") == "no"
    assert stage.chats.offer(4711, "Ada", code) == "no"
    assert (await waiting).state == "closed"


async def test_after_wrong_codes_of_others_a_right_one_has_to_wait_its_turn(stage: Stage) -> None:
    code = await stage.ready()
    for number in range(3):
        assert stage.chats.offer(700 + number, "Mallory", "0000-0000") == "no"
    assert stage.chats.offer(4711, "Ada", code) == "later"
    stage.now_s += 1.1
    assert stage.chats.offer(4711, "Ada", code) == "paired"


async def test_who_is_paired_is_not_paired_twice(stage: Stage) -> None:
    code = await stage.ready()
    stage.chats.offer(4711, "Ada", code)
    assert stage.chats.offer(4711, "Ada", stage.call(pair=True).code) == "known"
    assert len(stage.devices.list()) == 1


@pytest.mark.parametrize(
    ("proposed", "name"),
    [("Ada", "Ada 2"), ("", "somebody on Telegram"), ("A\u202eda\n", "A da"), ("x" * 300, "x" * 58)],
)
async def test_a_name_is_made_fit_and_not_used_twice(stage: Stage, proposed: str, name: str) -> None:
    stage.devices.create("Ada", Power.SEE)
    stage.chats.offer(4711, proposed, await stage.ready())
    assert stage.chats.name_of(4711) == name


async def test_without_a_bot_there_is_no_code(stage: Stage) -> None:
    with pytest.raises(Unavailable, match="no bot"):
        stage.call(pair=True)
    with pytest.raises(BadRequest, match="one of"):
        stage.call()


async def test_only_this_computer_gives_a_token_or_opens_a_code(stage: Stage) -> None:
    phone = Caller(power=Power.ADMIN, channel="web", name="phone", credential="d1")
    for params in (GIVEN, {"pair": True}):
        with pytest.raises(Refused, match="on this computer"):
            stage.chats.call(phone, params)
    assert stage.chats.call(phone, {"list": True}).bot == ""


# --- ends --------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["Ada", "4711", "device"])
async def test_a_sender_is_taken_back_by_name_id_or_device(stage: Stage, which: str) -> None:
    stage.chats.offer(4711, "Ada", await stage.ready())
    stage.call(revoke=stage.chats.senders()[4711] if which == "device" else which)
    assert stage.chats.senders() == {}
    assert stage.devices.list() == []
    assert not stage.chats.wanted
    with pytest.raises(BadRequest, match="nobody named"):
        stage.call(revoke=which)


async def test_a_sender_ends_with_the_device(stage: Stage) -> None:
    stage.chats.offer(4711, "Ada", await stage.ready())
    told = stage.told
    stage.devices.revoke("Ada")
    assert (stage.chats.senders(), stage.told) == ({}, told + 1)
    assert stage.rows("SELECT * FROM telegram_senders") == []


async def test_another_bot_has_other_people_and_a_renewed_token_the_same(stage: Stage) -> None:
    stage.chats.offer(4711, "Ada", await stage.ready())
    stage.chats.done(5)
    revision = stage.chats.revision
    await stage.call(**{**GIVEN, "token": TOKEN[:-3] + "abc"})
    assert (list(stage.chats.senders()), stage.chats.revision) == ([4711], revision + 1)
    assert stage.chats.is_done(5)
    await stage.call(token=f"9{TOKEN}", bot_id=int(f"9{TOKEN.split(':')[0]}"), bot="another_bot")
    assert stage.chats.senders() == {}
    assert not stage.chats.is_done(5)
    assert stage.call(list=True).bot == "another_bot"


async def test_forgetting_takes_token_and_people_back(stage: Stage) -> None:
    stage.chats.offer(4711, "Ada", await stage.ready())
    await stage.call(forget=True)
    assert (stage.chats.senders(), stage.chats.token(), stage.chats.wanted) == ({}, "", False)
    assert stage.devices.list() == []
    with closing(stage.opened()) as again:
        assert again.call(HERE, {"list": True}).bot == ""


@pytest.mark.parametrize(
    "changes", [{"token": "hello"}, {"bot_id": 5}, {"bot": "a bot"}, {"token": f"{TOKEN}\nX-Header: 1"}]
)
async def test_what_is_no_token_is_not_kept(stage: Stage, changes: dict[str, Any]) -> None:
    with pytest.raises(BadRequest, match="not the token"):
        await stage.call(**{**GIVEN, **changes})
    assert stage.chats.token() == ""


# --- what is kept ------------------------------------------------------------------------------


async def test_all_of_it_outlives_the_desk(stage: Stage) -> None:
    stage.chats.offer(4711, "Ada", await stage.ready())
    card = KeptCard(chat_id=4711, message_id=3, request_id="r", asked="d", text="Run ls?")
    stage.chats.keep(card)
    stage.chats.keep(KeptCard(chat_id=4711, message_id=4, request_id="q", asked="d", text="…"))
    stage.chats.forget(4711, 4)
    stage.chats.mute(4711, 4e9)
    stage.chats.done(17)
    stage.chats.done(18)
    with closing(stage.opened()) as again:
        assert again.senders() == stage.chats.senders()
        assert again.cards() == (card,)
        assert again.muted_until(4711) == 4e9
        assert (again.is_done(17), again.is_done(19)) == (True, False)
        last = again.last_update()
        assert last is not None
        assert last[0] == 18
        assert again.token() == TOKEN
        assert again.call(HERE, {"list": True}).bot == "sayso_test_bot"


async def test_only_so_much_is_kept(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.daemon.chat_memory.MOST_CARDS", 3)
    monkeypatch.setattr("sayso.daemon.chat_memory.MOST_UPDATES", 3)
    for number in range(6):
        stage.chats.done(number)
        stage.chats.keep(KeptCard(chat_id=1, message_id=number, request_id="r", asked="d", text=""))
    for chats in (stage.chats, again := stage.opened()):
        assert [card.message_id for card in chats.cards()] == [3, 4, 5]
        assert [number for number in range(6) if chats.is_done(number)] == [3, 4, 5]
    again.close()


async def test_case_51_a_row_that_somebody_else_wrote_is_not_taken_up(stage: Stage) -> None:
    stage.chats.offer(4711, "Ada", await stage.ready())
    device = stage.chats.senders()[4711]
    seal = stage.rows("SELECT seal FROM telegram_senders")[0][0]
    for row in ((666, device, "Ada", seal), (667, device, "Eve", ""), ("x", device, "Ada", seal)):
        with closing(sqlite3.connect(stage.database)) as connection:
            try:
                connection.execute("INSERT INTO telegram_senders VALUES (?, ?, ?, ?)", row)
            except sqlite3.IntegrityError:
                continue  # no number is no sender
            connection.commit()
    with closing(stage.opened()) as again:
        assert again.senders() == {4711: device}


async def test_a_row_that_was_taken_back_is_not_copied_back(stage: Stage) -> None:
    stage.chats.offer(4711, "Ada", await stage.ready())
    row = stage.rows("SELECT * FROM telegram_senders")[0]
    stage.call(revoke="Ada")
    stage.rows("INSERT INTO telegram_senders VALUES (?, ?, ?, ?)", *row)
    with closing(stage.opened()) as again:
        assert again.senders() == {}


async def test_where_a_sender_cannot_be_kept_nobody_is_paired(stage: Stage) -> None:
    code = await stage.ready()
    stage.rows("DROP TABLE telegram_senders")
    with pytest.raises(Unavailable, match="cannot be kept"):
        stage.chats.offer(4711, "Ada", code)
    assert stage.chats.senders() == {}
    assert stage.devices.list() == []
