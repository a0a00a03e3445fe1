"""A desk and its panes, whole: `sayso panes`, a program that asks inside, and what closing it withdraws."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Iterator

import pytest

from tests.desks import SAYSO
from tests.panes.desk import ASKS, NOBODY, Panes, panes
from tests.panes.stage import WAIT_S
from tests.standin import StandIn


@pytest.fixture
def desk() -> Iterator[Panes]:
    with panes() as made:
        made.programs(*ASKS)
        yield made


def pid_of(desk: Panes, surface_id: str) -> int:
    return int(desk.tmux.ask(desk.tmux.pane_of(surface_id), "#{pane_pid}"))


# --- asking inside -----------------------------------------------------------------------------


def test_what_is_asked_in_a_pane_knows_its_pane_and_is_answered(desk: Panes) -> None:
    assert desk.run("create").splitlines()[0] == "OK"
    [surface_id] = desk.ids()
    request = desk.asked(surface_id)
    assert request["title"] == "May I go on?"
    desk.watcher.answer(request["id"], behavior="allow", value="yes")
    desk.watcher.state(request["id"], "delivered")


def test_closing_a_pane_withdraws_what_was_asked_in_its_name(desk: Panes) -> None:
    desk.run("create")
    [surface_id] = desk.ids()
    inside = desk.asked(surface_id)
    desk.run("create")
    [other] = [each for each in desk.ids() if each != surface_id]
    elsewhere = desk.asked(other)
    # A program need not be in the pane to ask in its name, and is not ended with it.
    with socket.socket(socket.AF_UNIX) as held:
        held.connect(str(desk.home.places.socket))
        params = {"surface_id": surface_id, "kind": "yesno", "title": "And I?"}
        held.sendall(json.dumps({"id": 7, "method": "agent.ask_user", "params": params}).encode() + b"\n")
        outside = desk.watcher.until(lambda r: r["title"] == "And I?" and r["state"] == "pending")
        assert desk.run("close", surface_id.removeprefix("pane-")[:6]) == "OK\n"
        assert desk.watcher.state(outside["id"], "withdrawn")["reason"] == "surface_closed"
        held.settimeout(WAIT_S)
        result = json.loads(held.recv(1 << 16).partition(b"\n")[0])["result"]
        assert result["action"] == "cancel"
    desk.watcher.state(inside["id"], "withdrawn")
    assert desk.watcher.requests[elsewhere["id"]]["state"] == "pending"
    assert desk.ids() == [other]


@pytest.mark.parametrize("how", ["kill-pane", "kill-window", "kill-server"])
def test_closing_a_pane_by_hand_withdraws_what_it_asked(desk: Panes, how: str) -> None:
    desk.run("create")
    [surface_id] = desk.ids()
    request = desk.asked(surface_id)
    target = () if how == "kill-server" else ("-t", desk.tmux.pane_of(surface_id))
    desk.tmux.run(how, *target)
    desk.watcher.state(request["id"], "withdrawn")
    assert desk.ids() == []


def test_the_end_of_its_program_withdraws_what_a_pane_asked(desk: Panes) -> None:
    desk.programs("sh", "-c", 'setsid -f "$@"; exec sleep 1000', "sh", *ASKS)
    desk.run("create")
    [surface_id] = desk.ids()
    request = desk.asked(surface_id)
    os.kill(pid_of(desk, surface_id), signal.SIGKILL)
    ended = desk.watcher.state(request["id"], "withdrawn")
    assert ended["reason"] == "surface_closed"  # the program that asked lives on


# --- across desks ------------------------------------------------------------------------------


def test_a_restart_keeps_the_panes_and_goes_on_watching_them(desk: Panes) -> None:
    desk.run("create")
    desk.run("create")
    before = desk.ids()
    desk.home.kill()
    desk.home.up("--agents-only", NOBODY)
    desk.watch_again()
    assert desk.ids() == before
    first, second = (desk.asked(surface_id) for surface_id in before)
    desk.tmux.run("kill-pane", "-t", desk.tmux.pane_of(before[0]))
    desk.watcher.state(first["id"], "withdrawn")
    assert desk.run("close", before[1]) == "OK\n"
    desk.watcher.state(second["id"], "withdrawn")
    assert desk.ids() == []


def test_the_end_of_the_desk_leaves_the_panes_alone(desk: Panes) -> None:
    desk.programs("sleep", "1000")
    desk.run("create")
    [surface_id] = desk.ids()
    assert desk.home.sayso("stop").returncode == 0
    desk.home.wait()
    assert desk.tmux.pane_of(surface_id)


# --- the command line --------------------------------------------------------------------------


def test_a_split_is_beside_the_pane_the_command_is_typed_in(desk: Panes) -> None:
    pane = desk.tmux.start("mine", **{**desk.home.env, "SHELL": "/bin/sh"})
    done = desk.home.path / "done"
    typed = f"{sys.executable} -m sayso panes split down >{done}.part 2>&1; mv {done}.part {done}"
    desk.tmux.run("respawn-pane", "-k", "-t", pane, "sh", "-c", f"{typed}; exec sleep 1000")
    request = desk.watcher.until(lambda r: r["state"] == "pending")
    [surface_id] = desk.ids()
    assert request["surface_id"] == surface_id
    there = desk.tmux.pane_of(surface_id)
    assert desk.tmux.ask(there, "#{window_id}") == desk.tmux.ask(pane, "#{window_id}")
    assert int(desk.tmux.ask(there, "#{pane_top}")) > 0


def test_a_pane_starts_in_the_folder_the_command_is_typed_in(desk: Panes) -> None:
    desk.programs("sleep", "1000")
    desk.run("create", "--cwd", str(desk.home.path))
    [surface_id] = desk.ids()
    desk.run("split", "--beside", surface_id[:9])
    assert len(desk.ids()) == 2
    here = desk.tmux.ask(desk.tmux.pane_of(surface_id), "#{pane_current_path}")
    assert here == str(desk.home.path.resolve())
    assert "cwd must be" in desk.run("create", "--cwd", "/no/such/folder", code=2)


def test_for_programs_there_is_json(desk: Panes) -> None:
    desk.programs("sleep", "1000")
    assert json.loads(desk.run("list", "--json")) == []
    assert json.loads(desk.run("create", "--json")) == "OK"
    assert json.loads(desk.run("split", "--json")) == "OK"
    ids = json.loads(desk.run("list", "--json"))
    assert json.loads(desk.run("count", "--json")) == len(ids) == 2
    assert json.loads(desk.run("close", ids[0], "--json")) == "OK"


def test_a_person_is_told_where_to_look(desk: Panes) -> None:
    assert desk.run("list") == "No pane is open.\n"
    desk.programs("sleep", "1000")
    assert f"tmux -S {desk.tmux.socket} attach -t sayso" in desk.run("create")


def test_a_close_that_means_no_pane_or_several_closes_none(desk: Panes) -> None:
    desk.programs("sleep", "1000")
    assert "no pane's id begins with" in desk.run("close", "x", code=2)
    desk.run("create")
    desk.run("create")
    assert "of 2 panes" in desk.run("close", "pane-", code=2)
    assert len(desk.ids()) == 2


def test_a_missing_program_is_told_with_what_to_do(desk: Panes) -> None:
    desk.programs("no-such-agent")
    for words in (("create",), ("split",)):
        said = desk.run(*words, code=1)
        assert "no-such-agent is not installed" in said
        assert "sayso settings pane_program claude" in said
    assert desk.run("count") == "0\n"


def test_case_51_an_agent_opens_and_closes_no_panes() -> None:
    with StandIn() as agent, panes("--agents-only", str(agent.pid)) as desk:
        desk.programs("sleep", "1000")
        desk.run("create")
        [surface_id] = desk.ids()
        for words in (["create"], ["split"], ["list"], ["count"], ["close", surface_id]):
            hook = agent.start([*SAYSO, "panes", *words], desk.home.env)
            hook.stdin.close()
            code, output, errors = hook.result()
            assert (code, output) == (3, b""), words
            assert b"started from inside an agent" in errors
        assert desk.ids() == [surface_id]
