"""What devices are shown of commands and of others' texts: over HTTP, in lists, snapshots and changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from msgspec import structs

from sayso.core.types import Answer, Answerer, Decision, Kind
from sayso.daemon.inside import Inside
from sayso.daemon.service import Caller
from sayso.daemon.shown import HIDDEN, LEAVES, shown_to
from sayso.wire.protocol import Power
from sayso.wire.views import RequestView
from tests.channels.fake_desk import question
from tests.daemon.stage import WAIT_S, Peer, Stage, desk

ID = "ab" * 16
SECRET = "the words of a person"
COMMANDS = {"on_request": "ring --token t0p", "pane_program": "agent --key k3y"}
NO_COMMANDS = dict.fromkeys(COMMANDS, "")


class Device:
    """A device of some power, over HTTP."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"authorization": f"Bearer {token}"}
        self.http = httpx.AsyncClient(base_url=url, headers=headers, timeout=WAIT_S)
        self._streams: list[AsyncGenerator[Any]] = []

    async def close(self) -> None:
        for stream in self._streams:
            await stream.aclose()
        await self.http.aclose()

    async def get(self, path: str) -> Any:
        return (await self.http.get(path)).raise_for_status().json()

    async def put(self, path: str, body: Any) -> Any:
        return (await self.http.put(path, json=body)).raise_for_status().json()

    async def answer(self, value: str) -> None:
        body = {"behavior": "allow", "value": value}
        (await self.http.post(f"/api/agent-requests/{ID}/answer", json=body)).raise_for_status()

    def changes(self, asks: str = "") -> AsyncIterator[Any]:
        """Return what the stream tells, from a snapshot on."""
        self._streams.append(self._changes(asks))
        return self._streams[-1]

    async def _changes(self, asks: str) -> AsyncGenerator[Any]:
        async with self.http.stream("GET", f"/api/events{asks}") as response:
            async for line in response.aiter_lines():
                if line.startswith("data:"):
                    yield json.loads(line.removeprefix("data:"))


class Home:
    """A desk with commands in its settings, and devices."""

    def __init__(self, stage: Stage, person: Peer) -> None:
        self.stage = stage
        self.person = person
        self.devices: list[Device] = []

    async def device(self, power: str) -> Device:
        name = f"{power} {len(self.devices)}"
        made = await self.person.call("desk.devices", {"create": name, "power": power})
        self.devices.append(Device(self.stage.daemon.methods.http, made["token"]))
        return self.devices[-1]

    async def ask(self, **fields: Any) -> int:
        asks = {"surface_id": "s:1", "kind": "text", "title": "Which token?", "id": ID}
        number = self.person.post("agent.ask_user", {**asks, **fields})
        await self.person.push("agent.pending")
        return number


@pytest_asyncio.fixture
async def home() -> AsyncIterator[Home]:
    async with desk(port=0) as stage:
        made = Home(stage, await stage.peer())
        await made.person.call("desk.settings", {"settings": COMMANDS})
        yield made
        for device in made.devices:
            await device.close()


def commands(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: settings[name] for name in COMMANDS}


async def until(changes: AsyncIterator[Any], type_: str, member: str = "type") -> Any:
    """Return the next change of a type."""
    async with asyncio.timeout(WAIT_S):
        async for change in changes:
            if change.get(member) == type_:
                return change
    raise AssertionError(f"the stream ended without {type_}")


# --- commands ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "shown"), [("see", NO_COMMANDS), ("answer", NO_COMMANDS), ("admin", COMMANDS)]
)
async def test_commands_are_shown_to_who_may_administer(
    home: Home, power: str, shown: dict[str, str]
) -> None:
    device = await home.device(power)
    assert commands((await device.get("/api/agent-requests"))["settings"]) == shown
    changes = device.changes()
    snapshot = (await until(changes, "snapshot"))["snapshot"]
    assert commands(snapshot["settings"]) == shown
    await home.person.call("desk.settings", {"settings": {"notice_grace_s": 9}})
    settings = (await until(changes, "settings"))["settings"]
    assert (commands(settings), settings["notice_grace_s"]) == (shown, 9)
    if power != "see":
        assert commands(await device.put("/api/away", {"away": True})) == shown
    assert home.stage.daemon.runtime.settings.on_request == COMMANDS["on_request"]


async def test_programs_of_this_computer_are_shown_all(home: Home) -> None:
    assert commands((await home.person.call("desk.list"))["settings"]) == COMMANDS
    assert commands(await home.person.call("desk.away", {"away": True})) == COMMANDS
    await home.person.call("desk.subscribe")
    first = await home.person.push("desk.change")
    assert commands(first["snapshot"]["settings"]) == COMMANDS


async def test_a_channel_inside_has_the_commands_it_runs(home: Home) -> None:
    inside = Inside(home.stage.daemon.runtime, None, home.stage.daemon.methods)
    feed = inside.listen()
    snapshot = (await feed.__anext__()).snapshot
    assert snapshot is not None
    assert snapshot.settings.on_request == inside.settings.on_request == COMMANDS["on_request"]
    feed.close()


# --- texts -------------------------------------------------------------------------------------


async def told(device: Device, changes: AsyncIterator[Any]) -> tuple[Any, ...]:
    """Return what a device is told of the answer: in a change, and in the snapshot of a new stream."""
    change = (await until(changes, "resolved"))["request"]
    (ended,) = (await until(device.changes(), "snapshot"))["snapshot"]["ended"]
    return tuple(view.get(name, "") for view in (change, ended) for name in ("value", "asked"))


@pytest.mark.parametrize("value", [SECRET, ""])
async def test_a_text_is_shown_where_it_was_given_and_to_who_asked(home: Home, value: str) -> None:
    phone, tablet, wall = [await home.device(power) for power in ("answer", "admin", "see")]
    streams = [(each, each.changes()) for each in (phone, tablet, wall)]
    for _, changes in streams:
        await until(changes, "snapshot")
    call = await home.ask()
    await phone.answer(value)
    assert (await home.person.answer_to(call))["result"]["value"] == value
    mine, *others = [await told(each, changes) for each, changes in streams]
    assert mine == (value,) * 4
    assert others == [(HIDDEN,) * 4] * 2


async def test_the_words_of_the_ask_protocol_hide_it_as_well(home: Home) -> None:
    wall = await home.device("see")
    changes = wall.changes("?ask_user=1")
    await until(changes, "snapshot")
    await home.ask()
    await home.person.call("agent.ask_answer", {"request_id": ID, "value": SECRET})
    change = await until(changes, "resolved", "kind")
    assert change["response"] == {"request_id": ID, "action": "ok", "value": HIDDEN}


async def test_channels_inside_tell_it_nowhere_and_programs_of_this_computer_are_shown_it(home: Home) -> None:
    inside = Inside(home.stage.daemon.runtime, None, home.stage.daemon.methods)
    phone, other = await home.device("answer"), await home.stage.peer()
    await home.ask()
    await phone.answer(SECRET)
    await other.call("desk.subscribe")
    (ended,) = (await other.push("desk.change"))["snapshot"]["ended"]
    assert (ended["value"], ended["asked"]) == (SECRET, SECRET)
    feed = inside.listen()
    snapshot = (await feed.__anext__()).snapshot
    assert snapshot is not None
    assert [view.value for view in snapshot.ended] == [HIDDEN]
    feed.close()


WALL = Caller(power=Power.SEE, channel="web", name="wall", credential="d2")
PHONE = Answerer(channel="web", name="phone", credential="d1")


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("SQLite", "SQLite"),
        ("SQLite, Postgres, 17", "SQLite, Postgres, 17"),
        ("SQLite; ", "SQLite; "),
        ("deny", "deny"),
        (SECRET, HIDDEN),
        (f"SQLite; {SECRET}", HIDDEN),
        (f"SQLite, {SECRET}", HIDDEN),
        (f"deny and stop: {SECRET}", f"deny and stop: {HIDDEN}"),
    ],
)
def test_words_that_answer_an_agents_question_are_shown_where_they_were_written(
    asked: str, shown: str
) -> None:
    view = question(state="answered", asked=asked, by=PHONE)
    assert shown_to(WALL).request(view) == structs.replace(view, asked=shown)
    assert LEAVES.request(view).asked == shown
    for caller in (structs.replace(WALL, credential="d1"), structs.replace(WALL, pid=7)):
        assert shown_to(caller).request(view) is view


def test_nor_are_they_in_the_answer_that_the_bridge_tells() -> None:
    view = question(state="answered", asked=SECRET, by=PHONE)
    given = Decision(behavior="allow", answers=(Answer(text=SECRET, notes=SECRET), Answer(picked=(1,))))
    for seen in (view, shown_to(WALL).request(view)):
        told = shown_to(WALL).decision(given, seen)
        assert told.answers == (Answer(text=HIDDEN, notes=HIDDEN), Answer(picked=(1,)))
    assert shown_to(structs.replace(WALL, credential="d1")).decision(given, view) is given


@pytest.mark.parametrize(
    ("kind", "value", "answered"),
    [
        (Kind.YESNO, "yes", "yes"),
        (Kind.CHOICE, "a", "a"),
        (Kind.CONFIRM, "run", "run"),
        (Kind.TEXT, None, None),
    ],
)
def test_what_was_chosen_is_shown_to_all(kind: Kind, value: str | None, answered: str | None) -> None:
    view = RequestView(
        id=ID,
        agent="program",
        session_id="s",
        kind=kind,
        tool="",
        created_at="",
        input=(),
        suggestions=(),
        questions=(),
        state="answered",
        value=value,
        asked="deny: no" if value is None else value,
        by=PHONE,
    )
    shown = shown_to(WALL).request(view)
    assert (shown.value, shown) == (answered, view)


def test_what_was_filled_in_and_a_plan_that_was_edited_are_shown_where_they_were_written() -> None:
    given = Decision(behavior="allow", content={"pin": "1234", "n": 3}, plan=SECRET)
    view = structs.replace(question(), kind=Kind.ELICITATION, asked="allow", by=Answerer(channel="web"))
    told = shown_to(WALL).decision(given, view)
    assert (told.content, told.plan) == ({"pin": HIDDEN, "n": HIDDEN}, HIDDEN)
    assert shown_to(structs.replace(WALL, pid=1)).decision(given, view) is given
