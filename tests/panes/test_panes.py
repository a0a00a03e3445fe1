"""Panes on a real tmux: where they open, what they are called, how they are found again, how they end."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from sayso.errors import BadRequest
from sayso.panes import PaneError
from sayso.panes import panes as module
from tests.panes.stage import STAYS, Stage, until

NOWHERE = ("", "")


# --- making ------------------------------------------------------------------------------------


async def test_the_first_pane_makes_the_session_the_next_adds_a_window(stage: Stage) -> None:
    panes = await stage.panes()
    first = await panes.create(STAYS, "")
    second = await panes.create(STAYS, "")
    assert first != second
    assert await panes.ids() == [first, second]
    assert stage.own.windows() == 2
    assert stage.own.ask(stage.own.pane_of(first), "#{window_name}") == "sleep"


async def test_a_window_opens_beside_the_persons_own_session(stage: Stage) -> None:
    stage.own.start("mine")
    panes = await stage.panes()
    await panes.create(STAYS, "")
    assert (stage.own.windows("mine"), stage.own.windows("sayso")) == (1, 1)


async def test_the_keyboard_stays_where_it_is(stage: Stage) -> None:
    panes = await stage.panes()
    first = await panes.create(STAYS, "")
    await panes.create(STAYS, "")
    await panes.split(STAYS, False, first, NOWHERE, "")
    assert stage.own.ask("=sayso:", "#{pane_id}") == stage.own.pane_of(first)


@pytest.mark.parametrize(("down", "where"), [(False, "#{pane_left}"), (True, "#{pane_top}")])
async def test_a_split_is_beside_a_pane_of_ours(stage: Stage, down: bool, where: str) -> None:
    panes = await stage.panes()
    first = await panes.create(STAYS, "")
    await panes.create(STAYS, "")
    split = await panes.split(STAYS, down, first, NOWHERE, "")
    there = stage.own.pane_of(split)
    assert stage.own.ask(there, "#{window_id}") == stage.own.ask(stage.own.pane_of(first), "#{window_id}")
    assert int(stage.own.ask(there, where)) > 0


async def test_a_split_is_beside_the_callers_pane_in_any_tmux(stage: Stage) -> None:
    other = stage.server("other.sock")
    callers = other.start()
    panes = await stage.panes()
    split = await panes.split(STAYS, False, "", (str(other.socket), callers), "")
    assert other.ask(other.pane_of(split), "#{session_name}") == "mine"
    assert await panes.ids() == [split]
    assert not stage.own.socket.exists()


async def test_a_split_from_outside_of_tmux_is_beside_the_newest_pane(stage: Stage) -> None:
    panes = await stage.panes()
    first = await panes.split(STAYS, False, "", NOWHERE, "")
    assert stage.own.windows() == 1  # there was none: a window
    second = await panes.split(STAYS, False, "", NOWHERE, "")
    assert stage.own.windows() == 1
    assert await panes.ids() == [first, second]


async def test_a_split_beside_nothing_is_refused_in_words(stage: Stage) -> None:
    panes = await stage.panes()
    with pytest.raises(BadRequest, match="no pane") as beside:
        await panes.split(STAYS, False, "pane-1", NOWHERE, "")
    assert beside.value.field == "surface_id"
    with pytest.raises(BadRequest, match="tmux") as caller:
        await panes.split(STAYS, False, "", (str(stage.folder), "%0"), "")
    assert caller.value.field == "tmux"
    other = stage.server("other.sock")
    other.start()
    with pytest.raises(PaneError, match="can't find pane"):
        await panes.split(STAYS, False, "", (str(other.socket), "%77"), "")


def folder_of(stage: Stage, surface_id: str) -> Path:
    pid = stage.own.ask(stage.own.pane_of(surface_id), "#{pane_pid}")
    return Path(f"/proc/{pid}/cwd").readlink()


async def test_a_pane_starts_where_it_is_told_or_where_its_neighbour_is(stage: Stage) -> None:
    panes = await stage.panes()
    odd = stage.folder / "a #{pane_id} #(touch gone) %H;"
    odd.mkdir()
    told = await panes.create(STAYS, str(odd))
    beside = await panes.split(STAYS, False, told, NOWHERE, "")
    home = await panes.create(STAYS, "")
    for surface_id, folder in ((told, odd), (beside, odd), (home, Path.home())):
        assert folder_of(stage, surface_id) == folder.resolve()
    assert not (odd / "gone").exists()


async def test_a_window_without_room_is_told(stage: Stage) -> None:
    panes = await stage.panes()
    first = await panes.create(STAYS, "")
    stage.own.run("resize-window", "-t", stage.own.pane_of(first), "-y", "2")
    with pytest.raises(PaneError, match="no space"):
        await panes.split(STAYS, True, first, NOWHERE, "")


# --- what is inside ----------------------------------------------------------------------------


async def test_a_program_knows_its_pane_and_its_desk_and_carries_no_agents_marks(stage: Stage) -> None:
    stage.own.start(CLAUDECODE="1", AI_AGENT="x", SAYSO_HOME="/elsewhere", SAYSO_SURFACE="another")
    panes = await stage.panes()
    surface_id = await panes.create(STAYS, "")
    await until(lambda: "SAYSO_SURFACE" in stage.inside(surface_id), "env became the program")
    found = stage.inside(surface_id)
    await until(lambda: not {"CLAUDECODE", "AI_AGENT"} & set(stage.inside(surface_id)), "the marks stay")
    found = stage.inside(surface_id)
    assert found["SAYSO_SURFACE"] == found["HT_SURFACE"] == surface_id
    assert found["SAYSO_HOME"] == str(stage.folder / "home")
    assert found["TMUX"].startswith(str(stage.own.socket))
    assert found["TMUX_PANE"] == stage.own.pane_of(surface_id)


async def test_what_a_tmux_makes_of_our_calls_counts_as_an_agents(stage: Stage) -> None:
    seen = stage.folder / "seen"
    real = shutil.which("tmux")
    stage.program("bin/tmux", f'echo "$3 $AI_AGENT" >>{seen}; exec {real} "$@"')
    panes = await stage.panes(PATH=f"{stage.folder}/bin:{os.environ['PATH']}")
    await panes.create(STAYS, "")
    surface_id = await panes.create(STAYS, "")
    assert "AI_AGENT" not in stage.own.run("show-environment", "-g")
    await panes.close(surface_id)
    calls = dict(line.split(" ") for line in seen.read_text("utf-8").splitlines())
    assert calls.pop("new-session") == ""
    assert {"has-session", "new-window", "set-option", "list-panes", "kill-pane"} <= set(calls)
    assert set(calls.values()) == {"tmux"}


async def test_the_programs_words_reach_it_as_they_are(stage: Stage) -> None:
    said = stage.folder / "said"
    stage.program("bin/tell", f'printf "%s\\n" "$@" >{said}.part; mv {said}.part {said}; exec sleep 1000')
    words = [
        "-x",
        "a b",
        "#{pane_id}",
        "#(touch gone)",
        "$(touch gone)",
        "`id`",
        "x;",
        ";",
        "\\;",
        "it's",
        "%H",
    ]
    panes = await stage.panes()
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    await panes.create(f"{stage.folder}/bin/tell {quoted}", str(stage.folder))
    await until(said.exists, "the program told what it was given")
    assert said.read_text("utf-8").splitlines() == words
    assert not (stage.folder / "gone").exists()


async def test_one_word_alone_passes_no_shell(stage: Stage) -> None:
    stage.program("odd name;$(touch gone)", "exec sleep 1000")
    panes = await stage.panes()
    program = f"'{stage.folder}/odd name;$(touch gone)'"
    surface_id = await panes.create(program, str(stage.folder))
    assert await panes.ids() == [surface_id]
    assert not (stage.folder / "gone").exists()


# --- ids ---------------------------------------------------------------------------------------


async def test_ids_outlive_the_desk(stage: Stage) -> None:
    panes = await stage.panes()
    first, second = await panes.create(STAYS, ""), await panes.create(STAYS, "")
    panes = await stage.restart(panes)
    assert await panes.ids() == [first, second]
    assert len(panes.pids()) == 2
    os.kill(int(stage.own.ask(stage.own.pane_of(second), "#{pane_pid}")), signal.SIGKILL)
    await stage.was_closed(second)
    assert await panes.close(first)
    await stage.was_closed(first)
    assert await panes.ids() == []


async def test_panes_in_other_tmux_servers_are_found_again(stage: Stage) -> None:
    other = stage.server("other.sock")
    callers = other.start()
    panes = await stage.panes()
    split = await panes.split(STAYS, False, "", (str(other.socket), callers), "")
    panes = await stage.restart(panes)
    assert await panes.ids() == [split]
    other.end()
    await stage.was_closed(split)
    panes = await stage.restart(panes)
    assert await panes.ids() == []
    assert not (stage.run / "tmux-servers").read_text("utf-8")


async def test_panes_of_another_desk_are_not_ours(stage: Stage) -> None:
    theirs_run = stage.folder / "theirs"
    theirs_run.mkdir()
    theirs = await stage.panes(theirs_run)
    ours = await stage.panes()
    pane = await theirs.create(STAYS, "")
    assert await ours.ids() == []
    assert not await ours.close(pane)
    assert await theirs.ids() == [pane]


async def test_a_pane_that_runs_something_else_is_ours_no_more(stage: Stage) -> None:
    panes = await stage.panes()
    surface_id = await panes.create(STAYS, "")
    await panes.create(STAYS, "")
    stage.own.run("set-option", "-g", "remain-on-exit", "on")
    os.kill(panes.pids()[0], signal.SIGKILL)
    await stage.was_closed(surface_id)
    assert surface_id not in await panes.ids()
    stage.own.run("respawn-pane", "-t", stage.own.pane_of(surface_id), "sleep", "1000")
    assert surface_id not in await panes.ids()
    panes = await stage.restart(panes)
    assert surface_id not in await panes.ids()


# --- ends --------------------------------------------------------------------------------------


async def test_a_pane_is_closed_once(stage: Stage) -> None:
    panes = await stage.panes()
    surface_id = await panes.create(STAYS, "")
    assert await panes.close(surface_id)
    assert not await panes.close(surface_id)
    await stage.was_closed(surface_id)
    assert stage.closed.empty()


async def test_the_end_of_the_program_closes_the_pane(stage: Stage) -> None:
    panes = await stage.panes()
    go = stage.folder / "go"
    os.mkfifo(go)
    surface_id = await panes.create(f"cat {go}", "")
    with go.open("w"):
        assert await panes.ids() == [surface_id]
    await stage.was_closed(surface_id)
    assert await panes.ids() == []


@pytest.mark.parametrize("how", ["kill-pane", "kill-window", "kill-session"])
async def test_closing_it_by_hand_in_tmux_is_noticed(stage: Stage, how: str) -> None:
    stage.own.start("mine")
    panes = await stage.panes()
    surface_id = await panes.create(STAYS, "")
    stage.own.run(how, "-t", stage.own.pane_of(surface_id))
    await stage.was_closed(surface_id)


async def test_the_end_of_tmux_closes_all(stage: Stage) -> None:
    panes = await stage.panes()
    both = {await panes.create(STAYS, ""), await panes.create(STAYS, "")}
    stage.own.run("kill-server")
    assert {await stage.closed.get(), await stage.closed.get()} == both
    assert await panes.ids() == []
    again = await panes.create(STAYS, "")
    assert again not in both


async def deaf(stage: Stage) -> str:
    """Return the words of a program that lives on when its terminal goes, until the stage ends."""
    ready = stage.folder / "ready"
    stage.program("deaf", f"trap '' HUP; echo $$ >{ready}; while [ -e {ready} ]; do sleep 0.1; done")
    return str(stage.folder / "deaf")


async def test_a_pane_closed_under_a_program_that_stays_is_noticed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.05)
    panes = await stage.panes()
    surface_id = await panes.create(await deaf(stage), "")
    ready = stage.folder / "ready"
    await until(ready.exists, "the program is deaf")
    stage.own.run("kill-pane", "-t", stage.own.pane_of(surface_id))
    await stage.was_closed(surface_id)
    ready.unlink()


async def test_without_pidfds_an_end_is_noticed_by_looking(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.05)
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    panes = await stage.panes()
    first, second = await panes.create(STAYS, ""), await panes.create(STAYS, "")
    os.kill(panes.pids()[0], signal.SIGKILL)
    await stage.was_closed(first)
    stage.own.run("kill-server")
    await stage.was_closed(second)


async def test_a_lost_socket_loses_no_pane(stage: Stage) -> None:
    panes = await stage.panes()
    surface_id = await panes.create(STAYS, "")
    kept = stage.own.socket.rename(stage.folder / "kept.sock")
    assert await panes.ids() == [surface_id]
    assert stage.closed.empty()
    kept.rename(stage.own.socket)
    assert await panes.close(surface_id)
