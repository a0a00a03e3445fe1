"""The client of app servers on real sockets: attached while it is wanted, and again when it was cut off."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.core.states import State
from sayso.core.types import Answerer, Reply, Request, Settings
from sayso.daemon.agents import AgentProcesses
from sayso.daemon.inside_asks import InsideAsks
from sayso.daemon.lifecycle import masked
from sayso.daemon.runtime import Runtime
from sayso.intake import codex_server
from sayso.intake.codex_link import CALLS, NOTIFICATIONS, Link, Lost
from sayso.intake.codex_server import CodexServer, homes
from tests.agents.codex_samples import CAPTURED
from tests.intake.codex_stage import ROOT, described, plain
from tests.intake.played_codex import WAIT_S, PlayedServer, frame

Json = dict[str, Any]
ADA = Answerer(channel="web", name="Ada's phone", credential="c1")
THREADS: dict[str, Json] = {ROOT: {"thread": described()}}


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder with a short path: those of sockets are."""
    with tempfile.TemporaryDirectory(prefix="sayso-") as folder:
        yield Path(folder).resolve()


class Stage:
    """A desk with the client inside, and homes of Codex."""

    def __init__(self, root: Path, is_on: bool = True) -> None:
        self.root = root
        self.runtime = Runtime(Settings(codex_server=is_on), lambda _settings: "", None)
        self.desk = InsideAsks(self.runtime, AgentProcesses(lambda _name: None), masked)
        self.server = CodexServer(self.desk, {"CODEX_HOME": str(root / "one")})
        self.task = asyncio.create_task(self.server.run())

    async def close(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        self.runtime.end()

    def change(self, **settings: Any) -> None:
        self.runtime.desk.change(settings, self.runtime.now())
        self.runtime.settle()

    async def until(self, look: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            async for _ in self.runtime.listen():
                if look():
                    return

    async def trouble(self, words: str) -> None:
        """Wait until it says what is wrong."""
        async with asyncio.timeout(WAIT_S):
            while not any(words in trouble for trouble in self.server.troubles()):  # noqa: ASYNC110 - told to nobody
                await asyncio.sleep(0.005)

    def requests(self) -> list[Request]:
        kept = self.runtime.desk.snapshot().requests.values()
        return sorted(kept, key=lambda request: request.created_s)

    async def pending(self, nth: int = 1) -> Request:
        await self.until(lambda: len(self.requests()) >= nth)
        return self.requests()[nth - 1]

    async def ended(self, request: Request) -> Request:
        await self.until(lambda: self.runtime.desk.request(request.id).state is not State.PENDING)
        return self.runtime.desk.request(request.id)

    def answer(self, request: Request) -> None:
        self.runtime.desk.answer(request.id, Reply(behavior="allow"), ADA, self.runtime.now())
        self.runtime.settle()


@pytest.fixture
async def stage(root: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    monkeypatch.setenv("HOME", str(root / "home"))  # never the one of whoever runs the tests
    monkeypatch.setattr(codex_server, "LOOK_S", 0.05)
    monkeypatch.setattr(codex_server, "FIRST_RETRY_S", 0.01)
    stage = Stage(root)
    yield stage
    await stage.close()


@pytest.fixture
async def played(root: Path) -> AsyncIterator[PlayedServer]:
    played = PlayedServer(root / "one")
    await played.start()
    yield played
    await played.end()


def asked(number: int = 3) -> Json:
    one = CAPTURED["command"]
    params = {**plain(one["params"]), "threadId": ROOT}
    return {"method": one["method"], "id": number, "params": params}


# --- attached ------------------------------------------------------------------------------------


async def test_a_request_comes_over_the_socket_and_its_answer_goes_back(
    stage: Stage, played: PlayedServer
) -> None:
    client = await played.client()
    await client.begin(THREADS)
    client.send(asked())
    request = await stage.pending()
    stage.answer(request)
    assert await client.next() == {"id": 3, "result": {"decision": "accept"}}
    assert stage.runtime.desk.request(request.id).state is State.DELIVERED
    assert stage.server.troubles() == []


async def test_it_says_who_it_is_and_spares_itself_what_it_does_not_use(
    stage: Stage, played: PlayedServer
) -> None:
    hello = await (await played.client()).next("initialize")
    assert hello["params"]["clientInfo"]["name"] == "sayso"
    assert hello["params"]["capabilities"]["experimentalApi"] is True
    spared = hello["params"]["capabilities"]["optOutNotificationMethods"]
    assert "item/agentMessage/delta" in spared
    assert not {"serverRequest/resolved", "item/completed", "turn/completed"} & set(spared)


async def test_what_the_terminal_settled_is_withdrawn(stage: Stage, played: PlayedServer) -> None:
    client = await played.client()
    await client.begin(THREADS)
    client.send(asked())
    request = await stage.pending()
    client.tell("serverRequest/resolved", threadId=ROOT, requestId=3)
    assert (await stage.ended(request)).reason == "answered_in_terminal"


async def test_messages_go_over_the_socket(stage: Stage, played: PlayedServer) -> None:
    client = await played.client()
    await client.begin(THREADS)
    await stage.until(lambda: bool(stage.runtime.desk.snapshot().sessions))
    stage.runtime.desk.queue("codex", ROOT, "hello", "soon", stage.runtime.now())
    stage.runtime.settle()
    said = await client.next("turn/start")
    assert said["params"]["input"][0]["text"] == "hello"
    client.send({"id": said["id"], "result": {"turn": {"id": "t"}}})
    messages = stage.runtime.desk.snapshot
    await stage.until(lambda: messages().messages["codex", ROOT].state == "handed_over")


async def test_a_message_among_more_changes_than_are_read_in_time_is_not_missed(
    stage: Stage, played: PlayedServer
) -> None:
    client = await played.client()
    await client.begin(THREADS)
    await stage.until(lambda: bool(stage.runtime.desk.snapshot().sessions))
    stage.runtime.desk.queue("codex", ROOT, "hello", "soon", stage.runtime.now())
    for number in range(1100):
        stage.change(away=number % 2 == 0, notice_grace_s=1.0 + number)
    await client.next("turn/start")


# --- cut off, and back ---------------------------------------------------------------------------


async def test_a_server_that_starts_later_is_found(stage: Stage, root: Path) -> None:
    played = PlayedServer(root / "one")
    await played.start()
    await (await played.client()).begin({})
    await played.end()


async def test_case_27_a_server_that_starts_anew_is_subscribed_to_anew(
    stage: Stage, played: PlayedServer
) -> None:
    client = await played.client()
    await client.begin(THREADS)
    client.send(asked())
    request = await stage.pending()
    await played.end()
    assert (await stage.ended(request)).reason == "cut_off"
    await played.start()
    client = await played.client()
    await client.begin(THREADS)
    client.send(asked())
    again = await stage.pending(2)
    stage.answer(again)
    assert await client.next() == {"id": 3, "result": {"decision": "accept"}}


@pytest.mark.parametrize("data", [frame(0x82, b"x"), frame(0x81, b"not json"), frame(0x88, b"\x03\xe8")])
async def test_a_connection_that_goes_wrong_or_is_closed_is_followed_by_another(
    stage: Stage, played: PlayedServer, data: bytes
) -> None:
    client = await played.client()
    await client.begin({})
    client.raw(data)
    await asyncio.wait_for(client.is_gone.wait(), WAIT_S)
    await (await played.client()).begin({})


async def test_pings_are_answered_and_texts_in_pieces_read(stage: Stage, played: PlayedServer) -> None:
    client = await played.client()
    await client.begin(THREADS)
    data = json.dumps(asked()).encode()
    client.raw(frame(0x01, data[:50]) + frame(0x89, b"there?") + frame(0x80, data[50:]))
    async with asyncio.timeout(WAIT_S):
        assert await client.frames.get() == (10, b"there?")
    assert (await stage.pending()).state is State.PENDING


# --- wanted or not -------------------------------------------------------------------------------


async def test_off_means_that_no_socket_is_touched(
    root: Path, played: PlayedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root / "home"))
    stage = Stage(root, is_on=False)
    looked: list[Path] = []
    monkeypatch.setattr("sayso.intake.codex_link.checked", looked.append)
    stage.change(away=True)
    await asyncio.sleep(0)
    await stage.close()
    assert looked == []
    assert played.clients.empty()


async def test_switched_off_it_leaves_at_once_and_gives_back_what_waits(
    stage: Stage, played: PlayedServer
) -> None:
    client = await played.client()
    await client.begin(THREADS)
    client.send(asked())
    request = await stage.pending()
    stage.change(codex_server=False)
    await asyncio.wait_for(client.is_gone.wait(), WAIT_S)
    assert stage.runtime.desk.request(request.id).reason == "setting_off"
    assert not stage.runtime.covers("codex", ROOT)
    stage.change(codex_server=True)
    await (await played.client()).begin(THREADS)


async def test_a_home_that_is_named_is_attached_and_one_that_no_longer_is_is_left(
    stage: Stage, played: PlayedServer, root: Path
) -> None:
    await (await played.client()).begin({})
    other = PlayedServer(root / "two")
    await other.start()
    stage.change(codex_homes=str(root / "two"))
    client = await other.client()
    await client.begin({})
    stage.change(codex_homes="")
    await asyncio.wait_for(client.is_gone.wait(), WAIT_S)
    await other.end()


async def test_it_ends_with_the_desk(stage: Stage, played: PlayedServer) -> None:
    client = await played.client()
    await client.begin(THREADS)
    stage.runtime.close_feeds()
    await asyncio.wait_for(asyncio.shield(stage.task), WAIT_S)
    await asyncio.wait_for(client.is_gone.wait(), WAIT_S)


def test_each_home_is_one_whatever_leads_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(root))
    (root / ".codex").mkdir()
    (root / "link").symlink_to(".codex")
    settings = Settings(codex_homes=f"~/other:{root}/link::{root}/other")
    assert homes(settings, {"CODEX_HOME": str(root / "link")}) == [root / ".codex", root / "other"]
    assert homes(Settings(), {}) == [root / ".codex"]


# --- what is not trusted -------------------------------------------------------------------------


async def test_a_socket_that_others_can_use_is_not_used_and_told_of(stage: Stage, root: Path) -> None:
    played = PlayedServer(root / "one")
    await played.start()
    played.path.chmod(0o666)
    await stage.trouble("no socket of this user alone")
    played.path.chmod(0o600)
    await (await played.client()).begin({})
    assert stage.server.troubles() == []
    await played.end()


async def test_a_server_that_speaks_otherwise_is_told_of(stage: Stage, root: Path) -> None:
    played = PlayedServer(root / "one")
    played.status = "404 Not Found"
    await played.start()
    await stage.trouble("does not speak WebSocket")
    await played.end()


async def test_a_server_that_takes_no_client_is_told_of(stage: Stage, played: PlayedServer) -> None:
    client = await played.client()
    hello = await client.next("initialize")
    client.send({"id": hello["id"], "error": {"code": -32600, "message": "too old"}})
    await stage.trouble("takes no client: too old")


async def test_a_server_of_another_user_is_not_spoken_to(played: PlayedServer) -> None:
    def peer(_connection: object) -> str:
        raise PermissionError("another user listens there")

    with pytest.raises(Lost, match="another user"):
        await Link.open(played.path, lambda *_: None, peer)
    assert played.said == []


async def test_a_server_that_says_nothing_is_not_waited_for(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.intake.codex_link.OPEN_S", 0.05)
    path = root / "sock"
    before = os.umask(0o177)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        os.umask(before)
        server.listen()
        with pytest.raises(Lost, match="does not answer"):
            await Link.open(path, lambda *_: None, lambda _: "")


@pytest.mark.parametrize("kind", ["file", "nothing"])
async def test_what_is_no_socket_is_not_connected_to(root: Path, kind: str) -> None:
    path = root / "sock"
    if kind == "file":
        path.touch(0o600)
    with pytest.raises(Lost) as lost:
        await Link.open(path, lambda *_: None, lambda _: "")
    assert lost.value.is_absent is (kind == "nothing")


# --- what may ever be said -----------------------------------------------------------------------


async def test_nothing_but_six_methods_can_ever_be_sent(played: PlayedServer) -> None:
    named = ("initialize", "initialized", "thread/loaded/list", "thread/resume", "turn/steer", "turn/start")
    assert set(named) == CALLS | NOTIFICATIONS
    link = await Link.open(played.path, lambda *_: None, lambda _: "")
    for method in ("thread/shellCommand", "process/spawn", "config/batchWrite", "initialized", ""):
        with pytest.raises(ValueError, match="never"):
            link.call(method, {}, lambda _: None)
    with pytest.raises(ValueError, match="never"):
        link.notify("initialize")
    assert not hasattr(link, "error")
    link.close()
    assert not link.reply(1, {})
    results: list[Any] = []
    link.call("turn/start", {}, results.append)
    assert [result.error for result in results] == ["there is no connection"]


async def test_calls_that_a_lost_connection_swallowed_are_neither_done_nor_refused(
    played: PlayedServer,
) -> None:
    link = await Link.open(played.path, lambda *_: None, lambda _: "")
    results: list[Any] = []
    link.call("turn/start", {}, results.append)
    link.call("turn/steer", {}, results.append)
    client = await played.client()
    steer = await client.next("turn/steer")
    client.send({"id": 99, "result": {}})
    client.send({"id": "1", "result": {}})
    client.send({"id": steer["id"], "error": {}})
    client.writer.close()
    assert await asyncio.wait_for(link.wait_ended(), WAIT_S)
    assert [(result.result, result.error) for result in results] == [(None, "refused"), (None, "")]


async def test_what_is_no_message_is_passed_over(played: PlayedServer) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    link = await Link.open(played.path, lambda method, *_: heard.put_nowait(method), lambda _: "")
    client = await played.client()
    client.raw(frame(0x81, b"[1, 2]") + frame(0x8A, b"pong"))
    client.tell("there")
    assert await asyncio.wait_for(heard.get(), WAIT_S) == "there"
    link.close()
