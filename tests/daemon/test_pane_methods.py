"""The methods of panes: their words, checked one by one. The panes are pretended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sayso.core.types import Ask, Kind, Settings
from sayso.daemon import processes
from sayso.daemon.devices import Devices
from sayso.daemon.methods import Methods
from sayso.daemon.pane_methods import PaneMethods
from sayso.daemon.pane_names import PaneNames
from sayso.daemon.runtime import Runtime
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, Refused, UnknownMethod
from sayso.wire.protocol import Power


class Pretended:
    """Panes that only write down what they are told."""

    def __init__(self, on_closed: Callable[[str], None]) -> None:
        self.on_closed = on_closed
        self.open: list[str] = []
        self.told: list[tuple[Any, ...]] = []

    async def start(self) -> None:
        self.told.append(("start",))

    async def end(self) -> None:
        self.told.append(("end",))

    def pids(self) -> list[int]:
        return [1, 2**22 + 1]  # one that lives, one that does not

    async def ids(self) -> list[str]:
        return self.open

    async def create(self, program: str, cwd: str) -> str:
        self.told.append(("create", program, cwd))
        self.open.append(f"pane-{len(self.told)}")
        return self.open[-1]

    async def split(self, program: str, down: bool, beside: str, caller: tuple[str, str], cwd: str) -> str:
        self.told.append(("split", program, down, beside, caller, cwd))
        return "pane-9"

    async def close(self, surface_id: str) -> bool:
        self.told.append(("close", surface_id))
        return surface_id in self.open


class Stage:
    def __init__(self) -> None:
        self.runtime = Runtime(Settings(pane_program="agent --now"), lambda _: "", None, now=lambda: 1000.0)
        self.devices = Devices("")
        self.methods = Methods(self.runtime, self.devices, lambda _: None, list)
        made: list[Pretended] = []

        def make(on_closed: Callable[[str], None]) -> Pretended:
            made.append(Pretended(on_closed))
            return made[0]

        self.methods.panes = PaneMethods(self.runtime, make)
        self.panes = made[0]

    async def call(self, method: str, power: Power = Power.ADMIN, **params: Any) -> Any:
        caller = Caller(power=power, channel="cli", name="this computer", credential="uid 1")
        return await self.methods.call(caller, f"agent.{method}", params)

    async def refused(self, method: str, **params: Any) -> str:
        """See that nothing was done; return the field that the error names."""
        before = list(self.panes.told)
        with pytest.raises(BadRequest) as refusal:
            await self.call(method, **params)
        assert self.panes.told == before
        assert refusal.value.field in refusal.value.text
        return refusal.value.field


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage()
    yield made
    made.runtime.end()
    made.devices.close()


async def test_a_window_runs_the_program_of_the_settings(stage: Stage) -> None:
    assert await stage.call("create") == "OK"
    assert await stage.call("create", cwd="/") == "OK"
    assert await stage.call("create", cwd=None) == "OK"
    assert stage.panes.told == [
        ("create", "agent --now", ""),
        ("create", "agent --now", "/"),
        ("create", "agent --now", ""),
    ]


@pytest.mark.parametrize("direction", ["right", "horizontal", "", None, "down", "vertical"])
async def test_a_split_is_to_the_right_or_below(stage: Stage, direction: str | None) -> None:
    assert await stage.call("create_split", direction=direction) == "OK"
    down = direction in ("down", "vertical")
    assert stage.panes.told == [("split", "agent --now", down, "", ("", ""), "")]


async def test_a_split_is_told_where_its_caller_is(stage: Stage) -> None:
    assert await stage.call("create_split", tmux="/run/a,b,%12", surface_id="pane-1", cwd="/") == "OK"
    assert stage.panes.told == [("split", "agent --now", False, "pane-1", ("/run/a,b", "%12"), "/")]


@pytest.mark.parametrize("direction", ["left", "Right", 1, ["right"]])
async def test_another_direction_is_an_error_that_names_it(stage: Stage, direction: Any) -> None:
    assert await stage.refused("create_split", direction=direction) == "direction"


@pytest.mark.parametrize(
    "tmux", ["%1", "/run/a", "a,%1", "/run/a,1", "/run/a,%1;x", "/run/\0,%1", "/run/a,%", 1]
)
async def test_a_place_that_is_none_is_an_error_that_names_it(stage: Stage, tmux: Any) -> None:
    assert await stage.refused("create_split", tmux=tmux) == "tmux"


@pytest.mark.parametrize("cwd", ["relative", "/no/such/folder", "/etc/passwd", "/\0", 1])
async def test_a_folder_that_is_none_is_an_error_that_names_it(stage: Stage, cwd: Any) -> None:
    assert await stage.refused("create", cwd=cwd) == "cwd"
    assert await stage.refused("create_split", cwd=cwd) == "cwd"


@pytest.mark.parametrize("method", ["create", "create_split", "list", "count", "close"])
async def test_nothing_that_is_said_is_overlooked(stage: Stage, method: str) -> None:
    with pytest.raises(BadRequest, match="programme"):
        await stage.call(method, programme="vi")
    assert stage.panes.told == []


async def test_the_open_ones_are_listed_and_counted(stage: Stage) -> None:
    assert (await stage.call("list"), await stage.call("count")) == ([], 0)
    await stage.call("create")
    assert (await stage.call("list"), await stage.call("count")) == (["pane-1"], 1)


@pytest.mark.parametrize(
    "names",
    [
        {"agent_id": "pane-1"},
        {"surface_id": "pane-1"},
        {"agent_id": "pane-1", "surface_id": "pane-1"},
        {"agent_id": "pane-1", "surface_id": ""},
        {"agent_id": None, "surface_id": "pane-1"},
    ],
)
async def test_a_pane_is_closed_by_either_name(stage: Stage, names: dict[str, Any]) -> None:
    await stage.call("create")
    assert await stage.call("close", **names) == "OK"
    assert stage.panes.told[-1] == ("close", "pane-1")


async def test_a_pane_that_is_not_meant_for_sure_is_not_closed(stage: Stage) -> None:
    await stage.call("create")
    assert await stage.refused("close") == "agent_id"
    assert await stage.refused("close", agent_id="", surface_id=None) == "agent_id"
    assert await stage.refused("close", agent_id="pane-1", surface_id="pane-2") == "surface_id"


async def test_a_pane_that_is_not_there_is_told(stage: Stage) -> None:
    with pytest.raises(BadRequest, match="no pane has the id 'pane-7'") as by_surface:
        await stage.call("close", surface_id="pane-7")
    assert by_surface.value.field == "surface_id"
    with pytest.raises(BadRequest, match="no pane"):
        await stage.call("close", agent_id="pane-7")


async def test_what_a_closed_pane_asked_is_withdrawn_and_nothing_else(stage: Stage) -> None:
    for request_id, surface_id in (("a", "pane-1"), ("b", "pane-2"), ("c", "pane-1")):
        ask = Ask(
            agent="program",
            session_id=surface_id,
            surface_id=surface_id,
            kind=Kind.YESNO,
            id=request_id,
            title="May I?",
            started_s=1000.0,
        )
        stage.runtime.desk.ask(ask, f"waiter {request_id}", 1000.0)
    stage.runtime.settle()
    stage.panes.on_closed("pane-1")
    snapshot = stage.runtime.snapshot()
    assert [view.id for view in snapshot.requests] == ["b"]
    assert {(view.id, view.state, view.reason) for view in snapshot.ended} == {
        ("a", "withdrawn", "surface_closed"),
        ("c", "withdrawn", "surface_closed"),
    }


async def test_case_51_panes_are_for_who_may_administer(stage: Stage) -> None:
    for method in ("create", "create_split", "list", "count", "close"):
        for power in (Power.ASK, Power.SEE, Power.ANSWER):
            with pytest.raises(Refused):
                await stage.call(method, power)
    assert stage.panes.told == []


async def test_what_runs_in_a_pane_is_named_while_it_lives(stage: Stage) -> None:
    names = stage.methods.panes.processes()
    assert [name.partition(":")[0] for name in names] == ["1"]


async def test_panes_start_and_end_with_the_desk(stage: Stage) -> None:
    await stage.methods.panes.start()
    await stage.methods.panes.end()
    assert stage.panes.told == [("start",), ("end",)]


class Hanging(Pretended):
    """Panes of a tmux that does not answer until it is let go."""

    def __init__(self, on_closed: Callable[[str], None]) -> None:
        super().__init__(on_closed)
        self.asked, self.goes_on = asyncio.Event(), asyncio.Event()

    async def start(self) -> None:
        self.asked.set()
        await self.goes_on.wait()

    def pids(self) -> list[int]:
        return [1] if self.goes_on.is_set() else []


@asynccontextmanager
async def opening(stage: Stage, names: PaneNames) -> AsyncIterator[tuple[PaneMethods, Hanging]]:
    """Open the panes of a desk whose tmux hangs, and let it go in the end."""
    hanging = Hanging(lambda _: None)
    panes = PaneMethods(stage.runtime, lambda _: hanging, names)
    yield panes, hanging
    hanging.goes_on.set()
    await panes.end()


async def test_a_tmux_that_hangs_holds_up_no_desk_that_knows_its_panes(stage: Stage, tmp_path: Path) -> None:
    known = processes.name_of(os.getpid())
    PaneNames(tmp_path / "panes", is_first=True).keep([known, "1:1"])
    async with opening(stage, PaneNames(tmp_path / "panes", is_first=False)) as (panes, hanging):
        await asyncio.wait_for(panes.start(), 5)
        assert known in panes.processes()
        hanging.goes_on.set()
    first = processes.name_of(1)
    assert panes.processes()[0] == first
    assert PaneNames(tmp_path / "panes", is_first=False).read() == sorted([first, known])


async def test_the_first_desk_of_a_home_has_no_panes_to_know(stage: Stage, tmp_path: Path) -> None:
    async with opening(stage, PaneNames(tmp_path / "panes", is_first=True)) as (panes, _):
        await asyncio.wait_for(panes.start(), 5)
        assert panes.processes() == []


async def test_a_desk_that_does_not_know_its_panes_waits_for_tmux(stage: Stage, tmp_path: Path) -> None:
    async with opening(stage, PaneNames(tmp_path / "panes", is_first=False)) as (panes, hanging):
        opens = asyncio.create_task(panes.start())
        await asyncio.wait_for(hanging.asked.wait(), 5)
        assert not opens.done()
        hanging.goes_on.set()
        await asyncio.wait_for(opens, 5)
        assert panes.processes() == [processes.name_of(1)]


async def test_what_is_opened_is_noted_for_the_next_desk(stage: Stage, tmp_path: Path) -> None:
    names = PaneNames(tmp_path / "panes", is_first=True)
    stage.methods.panes = PaneMethods(stage.runtime, Pretended, names)
    await stage.call("create")
    assert PaneNames(tmp_path / "panes", is_first=False).read() == [processes.name_of(1)]


async def test_a_desk_without_panes_says_so(stage: Stage) -> None:
    stage.methods.panes = PaneMethods(stage.runtime, None)
    await stage.methods.panes.start()
    assert stage.methods.panes.processes() == []
    with pytest.raises(UnknownMethod, match="no panes"):
        await stage.call("create")
    await stage.methods.panes.end()
