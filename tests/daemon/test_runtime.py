"""The desk with its clock, timer, waiters, watchers and flags."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

import pytest

from sayso.core.types import Answerer, Ask, Decision, EventType, HookEvent, Reply, Settings
from sayso.daemon import runtime as module
from sayso.daemon.flags import Flags
from sayso.daemon.runtime import Runtime
from sayso.wire.views import Change

BY = Answerer(channel="cli")


class Stage:
    """A runtime that is told of asks, and what it told."""

    def __init__(self, folder: Path | None = None, trouble: str = "") -> None:
        self.kept: list[Settings] = []
        self.trouble = trouble
        self.flags = Flags(folder) if folder else None
        self.runtime = Runtime(Settings(), self.persist, self.flags)
        self.told: dict[str, Decision | None] = {}
        self.ready = asyncio.Event()

    def persist(self, settings: Settings) -> str:
        self.kept.append(settings)
        return self.trouble

    def tell(self, request_id: str, decision: Decision | None) -> None:
        self.told[request_id] = decision
        self.ready.set()

    def ask(
        self, request_id: str, session_id: str = "s1", hold_s: float = 3590.0, agent_id: str = ""
    ) -> None:
        runtime = self.runtime
        ask = Ask(
            agent="claude-code",
            session_id=session_id,
            kind="permission",
            id=request_id,
            started_s=runtime.now(),
            hold_s=hold_s,
            agent_id=agent_id,
        )
        runtime.desk.ask(ask, f"waiter {request_id}", runtime.now())
        runtime.wait(request_id, lambda decision: self.tell(request_id, decision))
        runtime.settle()

    def answer(self, request_id: str) -> None:
        self.runtime.desk.answer(request_id, Reply(behavior="allow"), BY, self.runtime.now())
        self.runtime.settle()


async def following(stage: Stage, after: str = "") -> list[Change]:
    """Return what a new watcher gets at once."""
    feed = stage.runtime.subscribe(after)
    found: list[Change] = []
    while True:
        try:
            found.append(await asyncio.wait_for(anext(feed), 0.01))
        except TimeoutError:
            feed.close()
            return found


async def test_a_decision_reaches_its_waiter_once() -> None:
    stage = Stage()
    stage.ask("a")
    stage.ask("b")
    stage.answer("b")
    assert stage.told == {"b": Decision(behavior="allow")}
    stage.runtime.end()


async def test_flags_are_up_while_something_waits(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.ask("a")
    assert (tmp_path / "s1").is_file()
    now = stage.runtime.now()
    stop = HookEvent(agent="claude-code", session_id="s1", type=EventType.STOP, at_s=now)
    stage.runtime.desk.observe(stop, now)
    stage.runtime.settle()
    assert stage.told == {"a": None}
    assert not (tmp_path / "s1").exists()
    stage.runtime.end()


async def test_a_flag_that_cannot_be_written_is_told_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stage = Stage(tmp_path)
    (tmp_path / "s1").mkdir()
    stage.ask("a")
    assert stage.runtime.desk.pending_in_all() == 1
    assert "a flag could not be written" in caplog.text
    stage.runtime.end()


async def test_time_passes_by_itself() -> None:
    stage = Stage()
    stage.ask("long")
    stage.ask("short", hold_s=0.02)
    await asyncio.wait_for(stage.ready.wait(), 5)
    assert stage.told == {"short": None}
    stage.ready.clear()
    stage.ask("shorter than long", hold_s=0.02)
    await asyncio.wait_for(stage.ready.wait(), 5)
    assert "long" not in stage.told
    stage.runtime.end()


async def test_settings_are_kept(caplog: pytest.LogCaptureFixture) -> None:
    stage = Stage(trouble="the disk is full")
    stage.runtime.desk.change({"away": True}, stage.runtime.now())
    stage.runtime.settle()
    assert stage.kept == [Settings(away=True)]
    assert stage.runtime.settings == Settings(away=True)
    assert "the disk is full" in caplog.text
    stage.runtime.end()


async def test_one_failed_effect_does_not_lose_the_others(caplog: pytest.LogCaptureFixture) -> None:
    stage = Stage()
    stage.ask("a")
    stage.ask("b")

    def fail(decision: Decision | None) -> None:
        raise ValueError("ls -l /secret")

    stage.runtime.wait("a", fail)
    stage.runtime.release_all()
    assert stage.told == {"b": None}
    assert "Resolve failed: ValueError" in caplog.text
    assert "secret" not in caplog.text
    stage.runtime.end()


# --- channels ----------------------------------------------------------------------------------


async def test_case_09_a_watcher_catches_up_or_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.daemon.changes.KEPT_CHANGES", 4)
    stage = Stage()
    boot = stage.runtime.boot
    stage.ask("a")
    first = (await following(stage))[0]
    assert first.snapshot is not None
    assert (first.type, [request.id for request in first.snapshot.requests]) == ("snapshot", ["a"])
    stage.answer("a")
    missed = await following(stage, f"{boot}-{first.seq}")
    assert [change.seq for change in missed] == list(range(first.seq + 1, stage.runtime.seq + 1))
    assert await following(stage, f"{boot}-{stage.runtime.seq}") == []
    for request_id in "bcdefg":
        stage.ask(request_id, session_id=f"s{request_id}")
    for after in (f"{boot}-{first.seq}", f"{boot}-{stage.runtime.seq + 1}", f"other-{stage.runtime.seq}"):
        assert [change.type for change in await following(stage, after)] == ["snapshot"]
    stage.runtime.end()


async def test_every_watcher_gets_every_change() -> None:
    stage = Stage()
    feeds = [stage.runtime.subscribe("") for _ in range(3)]
    assert stage.runtime.watchers == 3
    stage.ask("a")
    for feed in feeds:
        change = await asyncio.wait_for(anext(feed), 5)
        assert change.type == "snapshot"
        while change.type != "shown":
            change = await asyncio.wait_for(anext(feed), 5)
        assert change.request is not None
        assert change.request.id == "a"
    stage.runtime.close_feeds()
    assert stage.runtime.watchers == 0
    stage.runtime.end()


async def test_what_ended_is_told_apart_from_what_waits() -> None:
    stage = Stage()
    stage.ask("a")
    stage.ask("b")
    stage.answer("a")
    snapshot = stage.runtime.snapshot()
    assert [request.id for request in snapshot.requests] == ["b"]
    assert [(request.id, request.state) for request in snapshot.ended] == [("a", "answered")]
    assert snapshot.sessions[0].pending == 1
    assert stage.runtime.totals == {"asked": 2, "answered": 1}
    stage.ask("c")
    stage.runtime.waiter_gone("waiter c", "closed_in_terminal")
    assert stage.runtime.answered_from == {"cli": 1, "the agent's terminal": 1}
    stage.runtime.end()


# --- the end -----------------------------------------------------------------------------------


async def test_released_at_the_end_and_no_flag_stays(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.ask("a")
    stage.ask("b", session_id="s2")
    stage.answer("b")
    stage.runtime.release_all()
    assert stage.told["a"] is None
    assert not (tmp_path / "s1").exists()
    assert not (tmp_path / "s2").exists()
    stage.runtime.end()


async def test_ended_without_a_word_everything_stays_for_the_next_desk(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.ask("a", agent_id="in the background")
    feed = stage.runtime.subscribe("")
    stage.runtime.end()
    stage.runtime.waiter_gone("waiter a")
    assert stage.told == {}
    assert (tmp_path / "s1").is_file()
    assert [change async for change in feed] == []


async def test_what_an_earlier_desk_left_is_cleared_away_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Flags(tmp_path).raise_("old")
    monkeypatch.setattr(module, "UNCLAIMED_S", 0.0)
    stage = Stage(tmp_path)
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(0.0, done.set)
    await asyncio.wait_for(done.wait(), 5)
    assert not (tmp_path / "old").exists()
    stage.runtime.end()


async def test_clocks_agree(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    runtime = Runtime(Settings(), lambda _: "", None, now=lambda: 100.0)
    assert abs(runtime.clock.offset_s + 100.0 - time.time()) < 5
    runtime.end()


async def test_after_the_machine_slept_the_wall_clock_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    wall_s = 1_000_000.0
    monkeypatch.setattr(time, "time", lambda: wall_s)
    runtime = Runtime(Settings(), lambda _: "", None, now=lambda: 100.0)
    before = runtime.clock
    wall_s += 0.5
    assert runtime.clock is before
    wall_s += 3600  # our clock stood still meanwhile
    assert runtime.clock.at(100.0) == "1970-01-12T14:46:40.500Z"
    runtime.end()


async def test_views_tell_the_repository(tmp_path: Path) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/fix\n")
    stage = Stage()
    runtime = stage.runtime
    cwd = str(tmp_path / "shop" / "src")
    ask = Ask(agent="claude-code", session_id="s1", kind="permission", id="1", cwd=cwd, hold_s=60.0)
    runtime.desk.ask(ask, "waiter", runtime.now())
    shown = runtime.snapshot()
    assert [(view.project, view.branch, view.cwd) for view in shown.requests] == [("shop", "fix", cwd)]
    assert [(view.project, view.branch) for view in shown.sessions] == [("shop", "fix")]
