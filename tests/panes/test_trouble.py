"""What goes wrong with panes, and what a person is told."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping

import pytest

from sayso.panes import PaneError, Panes, Tmux
from sayso.panes import tmux as module
from tests.panes.stage import STAYS, WAIT_S, Server, Stage, until


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("no-such-agent --now", "no-such-agent is not installed"),
        ("/no/such/agent", "/no/such/agent is not installed"),
        ("'open", "cannot be read"),
        ("", "names no program"),
        ("  ", "names no program"),
        ("sleep\0", "names no program"),
    ],
)
async def test_a_program_that_is_not_there_is_told_with_what_to_do(
    stage: Stage, program: str, why: str
) -> None:
    panes = await stage.panes()
    with pytest.raises(PaneError, match=why) as told:
        await panes.create(program, "")
    assert "sayso settings pane_program claude" in told.value.text
    assert not stage.own.socket.exists()


async def test_a_program_that_only_tmux_can_find_is_found(stage: Stage) -> None:
    folder = stage.program("their/bin/agent", "exec sleep 1000").parent
    stage.own.start(PATH=f"{folder}:{os.environ['PATH']}")
    panes = await stage.panes()
    surface_id = await panes.create("agent", "")
    assert stage.own.ask(stage.own.pane_of(surface_id), "#{window_name}") == "agent"
    await until(
        lambda: stage.inside(surface_id)["PATH"].startswith(str(folder)), "it finds what is beside it"
    )


async def test_a_program_in_the_persons_home_is_found(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(stage.folder))
    stage.program("bin/agent", "exec sleep 1000")
    panes = await stage.panes()
    assert await panes.ids() == [] != await panes.create("~/bin/agent", "")


async def test_a_pane_that_closed_before_it_had_an_id_is_an_error(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = Tmux.tag

    async def late(tmux: Tmux, pane: str, text: str) -> None:
        await until(lambda: not stage.own.socket.exists() or pane not in _panes(stage.own), "the pane closed")
        await tag(tmux, pane, text)

    monkeypatch.setattr(Tmux, "tag", late)
    panes = await stage.panes()
    stage.own.start()
    with pytest.raises(PaneError, match="closed at once"):
        await panes.create("true", "")
    assert await panes.ids() == []


def _panes(server: Server) -> list[str]:
    return server.run("list-panes", "-a", "-F", "#{pane_id}").splitlines()


async def test_without_tmux_the_person_is_told(stage: Stage) -> None:
    panes = await stage.panes(PATH=str(stage.folder))
    assert await panes.ids() == []
    with pytest.raises(PaneError, match="tmux is not installed"):
        await panes.create("/bin/sleep 1000", "")


async def test_a_tmux_that_does_not_answer_is_given_up(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ANSWER_S", 0.1)
    stage.program("bin/tmux", "exec sleep 1000")
    panes = await stage.panes(PATH=f"{stage.folder}/bin:{os.environ['PATH']}")
    with pytest.raises(PaneError, match="does not answer"):
        await panes.create(STAYS, "")


async def test_a_desk_starts_although_tmux_does_not_answer(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "_ANSWER_S", 0.1)
    stage.program("bin/tmux", "exec sleep 1000")
    stage.own.start()
    panes = await stage.panes(PATH=f"{stage.folder}/bin:{os.environ['PATH']}")
    assert panes.pids() == []
    assert "does not answer" in caplog.text


async def test_a_server_that_hangs_holds_up_nobody(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    panes = await stage.panes()
    await panes.create(STAYS, "")
    monkeypatch.setattr(module, "_ANSWER_S", 0.3)
    server = int(stage.own.run("display-message", "-p", "#{pid}"))
    os.kill(server, signal.SIGSTOP)
    try:
        with pytest.raises(PaneError, match="does not answer"):
            await asyncio.wait_for(panes.ids(), WAIT_S)
        await asyncio.wait_for(stage.restart(panes), WAIT_S)
    finally:
        os.kill(server, signal.SIGCONT)


async def test_a_tmux_that_cannot_be_started_is_told(stage: Stage) -> None:
    stage.folder.joinpath("bin").mkdir()
    broken = stage.folder / "bin" / "tmux"
    broken.write_bytes(b"\x7fELF")
    broken.chmod(0o755)
    panes = await stage.panes(PATH=f"{stage.folder}/bin")
    with pytest.raises(PaneError, match="cannot be started"):
        await panes.create("/bin/sleep 1000", "")


async def test_what_a_program_writes_into_its_options_names_no_pane(stage: Stage) -> None:
    panes = await stage.panes()
    surface_id = await panes.create(STAYS, "")
    there = stage.own.pane_of(surface_id)
    tag = stage.own.run("show-options", "-p", "-v", "-t", there, "@sayso")
    forged = tag.replace(surface_id, "pane-000000000000")
    other = stage.own.run("new-window", "-d", "-P", "-F", "#{pane_id}", "sleep", "1000")
    for text in (f"x\n{there} 1 1 0 {forged}", "x", "\n", "x y z", "#(touch gone)", f"{forged} "):
        stage.own.run("set-option", "-p", "-t", other, "@sayso", text)
        assert await panes.ids() == [surface_id]


@pytest.mark.parametrize("code", [0, 1])
async def test_of_a_service_tmux_is_started_by_systemd_where_that_works(
    stage: Stage, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    seen = stage.folder / "seen"
    start = 'while [ "$1" != -- ]; do shift; done; shift; "$@"' if code == 0 else "echo no bus >&2; exit 1"
    stage.program("bin/systemd-run", f'echo "$@" >>{seen}; {start}')
    panes = await stage.panes(apart=True, PATH=f"{stage.folder}/bin:{os.environ['PATH']}")
    first = await panes.create("sh -c 'exec sleep 100$0' 0", str(stage.folder))
    second = await panes.create(STAYS, "")
    assert await panes.ids() == [first, second]
    [line] = seen.read_text("utf-8").splitlines()  # the second had a server
    assert f"--user --quiet --collect --property=Type=forking --working-directory={stage.folder} -- " in line
    assert line.endswith("sleep 100$$0 0")
    assert ("no bus" in caplog.text) is bool(code)
    assert stage.own.ask(stage.own.pane_of(first), "#{window_name}") == "sh"


async def test_a_server_that_runs_needs_no_systemd(stage: Stage) -> None:
    stage.program("bin/systemd-run", "exit 1")
    stage.own.start()
    panes = await stage.panes(apart=True, PATH=f"{stage.folder}/bin:{os.environ['PATH']}")
    assert await panes.create(STAYS, "") in await panes.ids()


@pytest.mark.parametrize("tmpdir", [{}, {"TMUX_TMPDIR": "/var/tmp"}])
def test_the_usual_server_does_not_depend_on_where_the_desk_was_started(tmpdir: Mapping[str, str]) -> None:
    tmux = Tmux("", {"TMUX": "/somewhere/else,1,0", "TMUX_PANE": "%3", "SAYSO_SURFACE": "pane-1", **tmpdir})
    assert tmux.environment == tmpdir
    assert tmux.socket == f"{tmpdir.get('TMUX_TMPDIR', '/tmp')}/tmux-{os.getuid()}/default"


async def test_an_unreadable_list_of_servers_is_no_trouble(stage: Stage) -> None:
    (stage.run / "tmux-servers").write_bytes(b"\xff/nowhere\n")
    panes = await stage.panes()
    assert isinstance(panes, Panes)
    assert await panes.ids() == []
