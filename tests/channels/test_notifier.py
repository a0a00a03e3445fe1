"""The channel of notices inside the desk: it follows, looks who is there, and sends."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from sayso.channels import notices, notifier, programs
from sayso.channels.notifier import Notifier
from sayso.channels.programs import Done, Program
from sayso.core.types import Settings
from sayso.wire.views import Change, NoteView, RequestView, SessionView
from tests.channels.fake_desk import view

WAIT_S = 10.0


class Stream:
    """Changes as the test makes them; None ends them."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Change | None] = asyncio.Queue()
        self.closed = False

    async def __anext__(self) -> Change:
        change = await self.queue.get()
        if change is None:
            raise StopAsyncIteration
        return change

    def close(self) -> None:
        self.closed = True


class Scene:
    """A desk that says what the test wants, and the notices that come of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> None:
        given = {"desktop_notices": False, "on_request": "ring", "notice_grace_s": 0.0, **settings}
        self.settings = Settings(**given)
        self.stream = Stream()
        self.asking: dict[str, str] = {}
        self.there = False
        self.looked_at: set[str] = set()
        self.visits: asyncio.Queue[bool] = asyncio.Queue()
        self.looks: asyncio.Queue[Collection[str]] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()
        self.sent: asyncio.Queue[Program] = asyncio.Queue()
        monkeypatch.setattr(programs, "run", self._run)
        monkeypatch.setattr(notices, "GAP_S", 0.0)
        monkeypatch.setattr(notices, "LOOK_S", 0.01)
        self.notifier = Notifier(self, {"PATH": ""}, "linux", self.focused)

    def now(self) -> float:
        return time.monotonic()

    def listen(self) -> Stream:
        return self.stream

    def processes(self) -> dict[str, str]:
        return self.asking

    def person_within(self, length_s: float) -> bool:
        assert length_s > 30  # who is there says so every 30 s
        self.visits.put_nowait(self.there)
        return self.there

    def focused(self, processes: Collection[str]) -> Collection[str]:
        self.loop.call_soon_threadsafe(self.looks.put_nowait, processes)
        return self.looked_at

    async def _run(self, program: Program) -> Done:
        self.sent.put_nowait(program)
        return Done()

    def show(self, one: RequestView, process: str = "") -> None:
        if process:
            self.asking[one.id] = process
        self.stream.queue.put_nowait(Change(type="shown", boot="b", seq=1, request=one))

    async def told(self) -> str:
        """Return whose notice is sent next."""
        program = await asyncio.wait_for(self.sent.get(), WAIT_S)
        return program.env.get("SAYSO_REQUEST_ID", program.stdin)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[asyncio.Task[None]]:
        task = asyncio.create_task(self.notifier.run())
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def scene(monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(monkeypatch)


ONE, OTHER = view("1" * 32), view("2" * 32)


async def test_what_waits_is_told(scene: Scene) -> None:
    async with scene.running():
        scene.show(ONE)
        assert await scene.told() == ONE.id
        scene.show(OTHER)
        assert await scene.told() == OTHER.id


async def test_notes_are_told(scene: Scene) -> None:
    async with scene.running():
        note = NoteView(agent="codex", title="Tests pass", at="")
        scene.stream.queue.put_nowait(Change(type="note", boot="b", seq=1, note=note))
        assert "Tests pass" in await scene.told()


async def test_case_45_nobody_is_called_who_looks_at_the_agents_pane(scene: Scene) -> None:
    scene.looked_at = {"7:1"}
    async with scene.running():
        scene.show(ONE, "7:1")
        for _ in range(2):
            assert await asyncio.wait_for(scene.looks.get(), WAIT_S) == {"7:1"}
        scene.show(OTHER, "8:1")
        assert await scene.told() == OTHER.id
        scene.looked_at = set()
        assert await scene.told() == ONE.id


async def test_case_45_nobody_is_called_who_sees_the_turn_end(scene: Scene) -> None:
    scene.settings = replace(scene.settings, notice_turn_ends=True)
    scene.notifier = Notifier(scene, {"PATH": ""}, "linux", scene.focused)
    scene.looked_at = {"7:1"}
    async with scene.running():
        for process in ("7:1", "8:1"):
            for state in ("working", "idle"):
                session = SessionView(
                    agent="codex", session_id=process, state=state, since="", process=process, project=process
                )
                scene.stream.queue.put_nowait(Change(type="session", boot="b", seq=1, session=session))
        told = await scene.told()
    assert "Its turn has ended" in told
    assert "8:1" in told
    assert scene.sent.empty()


async def test_an_answer_while_it_is_looked_counts(scene: Scene) -> None:
    looking, go_on = threading.Event(), threading.Event()

    def slow(processes: Collection[str]) -> Collection[str]:
        looking.set()
        go_on.wait(WAIT_S)
        return ()

    scene.notifier = Notifier(scene, {"PATH": ""}, "linux", slow)
    async with scene.running():
        scene.show(ONE, "7:1")
        assert await asyncio.to_thread(looking.wait, WAIT_S)
        scene.show(replace(ONE, state="answered"))
        scene.show(OTHER)
        go_on.set()
        assert await scene.told() == OTHER.id


async def test_what_the_terminal_does_not_show_is_told_also_there(scene: Scene) -> None:
    scene.looked_at = {"7:1"}
    async with scene.running():
        hidden = replace(ONE, hold="exclusive")
        scene.show(hidden, "7:1")
        assert await scene.told() == hidden.id
    assert scene.looks.empty()


async def test_nobody_is_called_who_is_at_a_screen(scene: Scene) -> None:
    scene.there = True
    async with scene.running():
        scene.show(ONE)
        assert await asyncio.wait_for(scene.visits.get(), WAIT_S)
        assert scene.sent.empty()
        scene.there = False
        assert await scene.told() == ONE.id


async def test_looking_that_hangs_holds_nothing_up(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "FOCUS_S", 0.01)
    end = threading.Event()

    def hang(_processes: Collection[str]) -> Collection[str]:
        end.wait(WAIT_S)
        return ()

    scene.notifier = Notifier(scene, {"PATH": ""}, "linux", hang)
    async with scene.running():
        scene.show(ONE, "7:1")
        assert await scene.told() == ONE.id
    end.set()


async def test_while_a_look_hangs_no_other_begins(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "FOCUS_S", 0.01)
    end, looks = threading.Event(), list[Collection[str]]()

    def hang(processes: Collection[str]) -> Collection[str]:
        looks.append(processes)
        end.wait(WAIT_S)
        return ()

    scene.notifier = Notifier(scene, {"PATH": ""}, "linux", hang)
    async with scene.running():
        for nth in range(4):
            one = replace(ONE, id=f"{nth}" * 32)
            scene.show(one, f"{nth}:1")
            assert await scene.told() == one.id
            scene.show(replace(one, state="answered"))
        assert looks == [{"0:1"}]
        end.set()
        await asyncio.to_thread(_has_ended, "focus")
        scene.show(replace(ONE, id="7" * 32), "7:1")
        assert await scene.told() == "7" * 32
    assert looks == [{"0:1"}, {"7:1"}]


def _has_ended(name: str) -> None:
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(WAIT_S)


async def test_a_look_that_fails_sees_nobody(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)

    def fails(_processes: Collection[str]) -> Collection[str]:
        raise OSError

    scene.notifier = Notifier(scene, {"PATH": ""}, "linux", fails)
    async with scene.running():
        for nth in range(2):
            one = replace(ONE, id=f"{nth}" * 32)
            scene.show(one, f"{nth}:1")
            assert await scene.told() == one.id
            scene.show(replace(one, state="answered"))
    await asyncio.to_thread(_has_ended, "focus")
    assert len(failed) == 2


async def test_settings_hold_from_when_they_change(scene: Scene) -> None:
    async with scene.running():
        settings = replace(scene.settings, on_request="bell", notice_content="nothing")
        scene.stream.queue.put_nowait(Change(type="settings", boot="b", seq=1, settings=settings))
        scene.show(ONE)
        program = await asyncio.wait_for(scene.sent.get(), WAIT_S)
        assert program.argv == ["bell"]
        assert "shop" not in program.stdin


async def test_it_ends_with_the_desk(scene: Scene) -> None:
    async with scene.running() as task:
        scene.stream.queue.put_nowait(None)
        await asyncio.wait_for(task, WAIT_S)
    assert scene.stream.closed


async def test_it_leaves_the_stream_when_it_is_ended(scene: Scene) -> None:
    async with scene.running():
        scene.show(ONE)
        assert await scene.told() == ONE.id
    assert scene.stream.closed
    assert scene.notifier.troubles() == []
