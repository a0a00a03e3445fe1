"""The command line that starts and ends desks, as a person types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator

import httpx
import pytest

from sayso import __version__
from sayso.daemon import processes
from sayso.main import main, parser
from tests.desks import SAYSO, Home, sample
from tests.standin import WAIT_S, StandIn


@pytest.fixture
def home() -> Iterator[Home]:
    with Home() as home:
        yield home


@pytest.fixture
def agent() -> Iterator[StandIn]:
    with StandIn() as agent:
        yield agent


def start(home: Home, agent: StandIn, *more: str) -> int:
    """Start a desk in the background; return its pid."""
    started = home.sayso("start", "--agents-only", str(agent.pid), *(more or ("--no-http",)))
    assert (started.returncode, started.stderr) == (0, "")
    match = re.match(r"The desk is open \(process (\d+)\)", started.stdout)
    assert match is not None
    return int(match[1])


# --- one desk ----------------------------------------------------------------------------------


def test_start_status_stop(home: Home, agent: StandIn) -> None:
    assert home.sayso("status").returncode == 1
    pid = start(home, agent)
    status = home.sayso("status")
    assert status.returncode == 0
    assert f"process {pid}" in status.stdout
    assert "HTTP: off" in status.stdout
    again = home.sayso("start")
    assert (again.returncode, again.stdout) == (0, f"A desk runs already (process {pid}).\n")
    stopped = home.sayso("stop")
    assert (stopped.returncode, stopped.stderr) == (0, "")
    assert "agents ask in their own terminals" in stopped.stdout
    assert home.sayso("stop").stdout == "No desk runs.\n"
    assert not home.places.socket.exists()


def test_status_for_programs(home: Home, agent: StandIn) -> None:
    none = home.sayso("status", "--json")
    assert (none.returncode, json.loads(none.stdout)) == (1, {"ok": False})
    pid = start(home, agent)
    status = home.sayso("status", "--json")
    health = json.loads(status.stdout)
    assert (status.returncode, health["ok"], health["pid"], health["version"]) == (0, True, pid, __version__)


def test_status_tells_what_is_wrong_and_what_there_was(home: Home, agent: StandIn) -> None:
    home.places.state.mkdir(parents=True, mode=0o700)
    home.places.database.write_bytes(b"no database at all" * 100)
    start(home, agent)
    said = home.sayso("status").stdout
    assert "Trouble: " in said
    assert "nothing was asked" in said
    assert "Watching: nobody" in said


def test_restart(home: Home, agent: StandIn) -> None:
    before = start(home, agent)
    restarted = home.sayso("restart", "--no-http", "--agents-only", str(agent.pid))
    assert (restarted.returncode, restarted.stderr) == (0, "")
    after = json.loads(home.sayso("status", "--json").stdout)["pid"]
    assert after != before
    with pytest.raises(OSError, match=str(before)):
        processes.name_of(before)
    home.sayso("stop")
    assert home.sayso("restart", "--no-http").returncode == 0  # with none running it is a start


def test_a_restart_keeps_how_the_desk_was_started(home: Home, agent: StandIn) -> None:
    start(home, agent)
    words = json.loads(home.sayso("status", "--json").stdout)["options"]
    assert words == ["--no-http", "--agents-only", str(agent.pid)]
    assert home.sayso("restart").returncode == 0
    health = json.loads(home.sayso("status", "--json").stdout)
    assert (health["options"], health["http"]) == (words, "off")


def test_up_in_the_foreground_ends_with_ctrl_c(home: Home) -> None:
    home.up()
    os.kill(home.pid, signal.SIGINT)
    assert home.wait() == 0


def test_a_second_desk_says_why_it_does_not_start(home: Home) -> None:
    home.up()
    second = home.sayso("up", "--no-http")
    assert second.returncode == 1
    assert second.stderr.strip().endswith(f"sayso: a desk runs here already (process {home.pid})")


def test_what_is_in_the_way_is_told(home: Home) -> None:
    home.places.run.mkdir(parents=True)
    home.places.run.chmod(0o755)
    failed = home.sayso("start", "--no-http")
    assert failed.returncode == 1
    assert "chmod 700" in failed.stderr
    assert str(home.places.log) in failed.stderr


def test_case_51_agents_are_named_for_private_desks_only(home: Home) -> None:
    env = {name: value for name, value in home.env.items() if name != "SAYSO_HOME"}
    command = [*SAYSO, "up", "--no-http", "--agents-only", "1"]
    failed = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=WAIT_S)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "SAYSO_HOME" in failed.stderr


def test_case_51_an_agent_cannot_answer_itself_by_command(home: Home, agent: StandIn) -> None:
    start(home, agent)
    env = agent.env("s", SAYSO_HOME=str(home.path), HOME=str(home.path))
    for words in (
        ["list"],
        ["status"],
        ["stop"],
        ["allow", "a"],
        ["token", "create", "x"],
        ["set", "away=on"],
    ):
        code, output, errors = agent.start([*SAYSO, *words], env).result()
        assert (code != 0, output) == (True, b""), words
        assert b"open a fresh terminal" in errors or words[0] == "set", words
    assert home.sayso("status").returncode == 0


def test_a_desk_that_runs_in_an_agents_terminal_is_nobodys_desk_less(home: Home, agent: StandIn) -> None:
    """Whoever starts it: it holds what is asked, and shows it to people."""
    env = agent.env("s", SAYSO_HOME=str(home.path), HOME=str(home.path))
    words = [*SAYSO, "start", "--no-http", "--agents-only", str(agent.pid)]
    code, output, _ = agent.start(words, env).result()
    assert code == 0
    assert output.startswith(b"The desk is open. It answers nothing here: ")
    assert b"started from inside an agent" in output
    assert home.sayso("status").returncode == 0


# --- devices -----------------------------------------------------------------------------------


def test_tokens(home: Home, agent: StandIn) -> None:
    start(home, agent)
    made = home.sayso("token", "create", "phone", "--power", "answer")
    assert (made.returncode, made.stdout.count("\n")) == (0, 1)
    assert "not shown again" in made.stderr
    token = made.stdout.strip()
    listed = home.sayso("token", "list")
    assert "phone" in listed.stdout
    assert "answer" in listed.stdout
    assert token not in listed.stdout
    (device,) = json.loads(home.sayso("token", "list", "--json").stdout)
    assert device["name"] == "phone"
    assert home.sayso("token", "revoke", "phone").returncode == 0
    assert "No devices" in home.sayso("token", "list").stdout
    again = home.sayso("token", "revoke", "phone")
    assert (again.returncode, again.stdout) == (1, "")
    whole = json.loads(home.sayso("token", "create", "watch", "--json").stdout)
    assert whole["device"]["name"] == "watch"
    assert json.loads(home.sayso("token", "revoke", "watch", "--json").stdout)["name"] == "watch"
    home.sayso("stop")
    assert home.sayso("token", "list").returncode == 1


def test_the_token_opens_http(home: Home, agent: StandIn) -> None:
    start(home, agent, "--port", "0")
    url = json.loads(home.sayso("status", "--json").stdout)["http"]
    token = home.sayso("token", "create", "phone", "--power", "see").stdout.strip()
    with httpx.Client(base_url=url, trust_env=False) as client:
        assert client.get("/api/health").status_code == 401
        found = client.get("/api/health", headers={"Authorization": f"Bearer {token}"})
        assert (found.status_code, found.json()["ok"]) == (200, True)


# --- words -------------------------------------------------------------------------------------


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "sayso" in capsys.readouterr().out


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"sayso {__version__}\n"


def test_every_command_has_a_line_of_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    for command in ("up", "start", "stop", "restart", "status", "token", "list", "allow", "install"):
        assert re.search(rf"^ +{command} +\S", said, re.MULTILINE), command


@pytest.mark.parametrize("words", [["dance"], ["start", "--port", "x"], ["token"], ["install", "emacs"]])
def test_words_that_make_no_sense(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parser().parse_args(words)
    assert end.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_who_reads_no_further_ends_it_quietly(home: Home, agent: StandIn) -> None:
    start(home, agent)
    reading, writing = os.pipe()
    os.close(reading)
    command = [*SAYSO, "status"]
    done = subprocess.run(
        command, env=home.env, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=WAIT_S
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_the_hooks_it_prints_are_whole(home: Home) -> None:
    hooks = home.handlers()
    assert sample("PermissionRequest.Bash")["hook_event_name"] in hooks
    assert str(home.places.socket) in json.dumps(hooks)
