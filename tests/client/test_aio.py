"""The desk for programs that do several things at once."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sayso import errors
from sayso.client import aio
from sayso.client.aio import Desk, Outcome, new_id
from sayso.wire.protocol import MAX_LINE_BYTES
from tests.client.fake_desk import fake_desk
from tests.desks import Home

ASK: dict[str, Any] = {"surface_id": "cli:1", "kind": "yesno", "title": "Deploy?"}


async def test_calls_of_a_real_desk() -> None:
    with Home() as home:
        home.up("--agents-only", "1")
        async with Desk.connect(str(home.places.socket)) as desk:
            health, sessions = await asyncio.gather(
                desk.call("desk.health", {}), desk.call("desk.sessions", {})
            )
            assert health["pid"] == home.pid
            assert sessions == {"sessions": []}
            with pytest.raises(errors.UnknownMethod):
                await desk.call("desk.dance", {})
            with pytest.raises(errors.BadRequest) as bad:
                await desk.call("desk.presence", {"present": 1})
            assert bad.value.field == "present"


async def test_no_desk(tmp_path: Path) -> None:
    with pytest.raises(errors.Unavailable, match="sayso start"):
        async with Desk.connect(str(tmp_path / "nothing")):
            pass
    with pytest.raises(errors.Unavailable, match="sayso start"):
        await Desk(str(tmp_path / "nothing")).ask(ASK)


async def test_answers_come_in_any_order(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        tasks = [asyncio.create_task(desk.ask({**ASK, "title": f"{n}?"})) for n in range(20)]
        asked = {params["title"]: params["id"] for params in await fake.asked(20)}
        assert await desk.call("agent.notify", {"title": "meanwhile"}) == {}
        for n in reversed(range(20)):
            await fake.answer(asked[f"{n}?"], action="ok", value=str(n))
        outcomes = await asyncio.gather(*tasks)
        assert [outcome.value for outcome in outcomes] == [str(n) for n in range(20)]
        assert len(set(asked.values())) == 20


async def test_the_three_ends_of_a_question(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        for end in (
            {"action": "ok", "value": ""},
            {"action": "cancel", "reason": "not now"},
            {"action": "timeout"},
        ):
            name = new_id()
            pending = asyncio.Event()
            task = asyncio.create_task(desk.ask({**ASK, "id": name}, pending.set))
            await asyncio.wait_for(pending.wait(), 10)
            await fake.answer(name, **end)
            assert await task == msgspec.convert({"request_id": name, **end}, Outcome)


async def test_what_the_desk_refuses(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        fake.refuses["agent.ask_user"] = {
            "message": "no title",
            "data": {"code": "bad_request", "field": "title"},
        }
        with pytest.raises(errors.BadRequest, match="no title") as bad:
            await desk.ask(ASK)
        assert bad.value.field == "title"


async def test_a_cancelled_task_withdraws_its_question(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        stays = asyncio.create_task(desk.ask({**ASK, "id": "stays"}))
        goes = asyncio.create_task(desk.ask({**ASK, "id": "goes"}))
        await fake.asked(2)
        goes.cancel()
        with pytest.raises(asyncio.CancelledError):
            await goes
        await fake.until(lambda: fake.waiting == ["stays"])
        assert fake.heard("agent.ask_cancel") == [{"request_id": "goes", "reason": aio.WITHDRAWN}]
        await fake.answer("stays", action="ok", value="yes")
        assert (await stays).value == "yes"


async def test_closing_withdraws_everything(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake:
        async with Desk.connect(fake.path) as desk:
            task = asyncio.create_task(desk.ask(ASK))
            await fake.asked()
        with pytest.raises(errors.Unavailable, match="closed here"):
            await asyncio.wait_for(task, 10)
        await fake.until(lambda: not fake.waiting)
        assert len(fake.heard("agent.ask_user")) == 1  # it is no desk that went away: nothing is asked anew


async def test_a_desk_that_restarts_is_asked_again_under_the_same_id(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        taken: list[str] = []
        tasks = [
            asyncio.create_task(desk.ask({**ASK, "id": name, "timeout_ms": 60_000}, lambda: taken.append("")))
            for name in ("a", "b")
        ]
        await fake.asked(2)
        await fake.close()
        await fake.open()
        again = (await fake.asked(4))[2:]
        assert sorted(params["id"] for params in again) == ["a", "b"]
        assert all(params["resumed"] and 0 < params["timeout_ms"] < 60_000 for params in again)
        await fake.answer("a", action="ok", value="yes")
        await fake.answer("b", action="ok", value="no")
        assert [outcome.value for outcome in await asyncio.gather(*tasks)] == ["yes", "no"]
        assert len(taken) == 4
        assert await desk.call("agent.notify", {"title": "still here"}) == {}


async def test_a_desk_that_stays_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aio, "BACK_S", 0.3)
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        task = asyncio.create_task(desk.ask(ASK))
        call = asyncio.create_task(desk.call("agent.ask_user", {**ASK, "id": "c"}))
        await fake.asked(2)
        await fake.close()
        with pytest.raises(errors.Unavailable, match="went away"):
            await call  # it may have arrived: only questions are asked again
        with pytest.raises(errors.Unavailable, match="went away"):
            await task


def test_what_hangs_up_each_time_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aio, "BACK_S", 0.3)
    tries = 0

    def hang_up(connection: socket.socket) -> None:
        nonlocal tries
        tries += 1

    with listening(tmp_path, hang_up) as path, pytest.raises(errors.Unavailable, match="went away"):
        asyncio.run(Desk(path).ask(ASK))
    assert 1 < tries < 20


@pytest.mark.parametrize("garbage", [b"hello\n", b"[]\n", b"\xff\n"])
def test_what_is_no_desk(tmp_path: Path, garbage: bytes) -> None:
    def babble(connection: socket.socket) -> None:
        connection.sendall(garbage)
        while connection.recv(1 << 16):
            pass

    with listening(tmp_path, babble) as path, pytest.raises(errors.Unavailable, match="is not a desk"):
        asyncio.run(Desk(path).ask(ASK))


@contextmanager
def listening(folder: Path, serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """Let something that is no desk listen at a path."""
    folder.chmod(0o700)
    path = str(folder / "s")
    with socket.create_server(path, family=socket.AF_UNIX) as server:

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    serve(connection)

        thread = threading.Thread(target=accept)
        thread.start()
        yield path
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)
        assert not thread.is_alive()


async def test_text_that_no_encoding_carries_is_shown_as_such(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        params = {"title": "caf\udce9", "choices": ({"id": "\ud800"},), "unsafe": True, "\udcff": None}
        assert await desk.call("agent.notify", params) == {}
        (heard,) = fake.heard("agent.notify")
        assert heard == {
            "title": "caf\ufffd",
            "choices": [{"id": "\ufffd"}],
            "unsafe": True,
            "\ufffd": None,
        }


async def test_an_answer_of_another_version(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        task = asyncio.create_task(desk.ask({**ASK, "id": "x"}))
        await fake.asked()
        await fake.answer("x", action="perhaps")
        with pytest.raises(errors.Unavailable, match="another version"):
            await task


async def test_a_call_that_takes_too_long_or_is_too_long(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as fake, Desk.connect(fake.path) as desk:
        with pytest.raises(errors.Unavailable, match="did not answer"):
            await desk.call("agent.ask_user", {**ASK, "id": "x"}, timeout_s=0.05)
        with pytest.raises(errors.TooLarge):
            await desk.ask({**ASK, "body": "x" * MAX_LINE_BYTES})
        assert await desk.call("agent.notify", {}) == {}


async def test_a_real_desk_that_crashes_asks_on() -> None:
    with Home() as home:
        home.up("--agents-only", "1")
        async with Desk.connect(str(home.places.socket)) as desk:
            pending = asyncio.Event()
            question = {**ASK, "id": new_id(), "timeout_ms": 600_000}
            task = asyncio.create_task(desk.ask(question, pending.set))
            await asyncio.wait_for(pending.wait(), 10)
            pending.clear()
            await asyncio.to_thread(home.kill)
            await asyncio.to_thread(home.up, "--agents-only", "1")
            await asyncio.wait_for(pending.wait(), 10)
            async with Desk.connect(str(home.places.socket)) as person:
                reply = {"behavior": "allow", "value": "yes"}
                await person.call("desk.answer", {"id": question["id"], "reply": reply})
            assert await task == Outcome(request_id=question["id"], action="ok", value="yes")


async def test_a_real_desk_withdraws_what_is_cancelled() -> None:
    with Home() as home:
        home.up("--agents-only", "1")
        async with Desk.connect(str(home.places.socket)) as desk:
            pending = asyncio.Event()
            task = asyncio.create_task(desk.ask(ASK, pending.set))
            await asyncio.wait_for(pending.wait(), 10)
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            # Calls of one connection are carried out in their order: it is taken back by now.
            assert await desk.call("agent.ask_pending", {}) == {"pending": []}
