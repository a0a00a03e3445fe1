"""`sayso ask` before a real desk: asked, seen, answered, withdrawn, and asked again."""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sayso.client import line
from tests.desks import SAYSO, Home, Watcher
from tests.standin import WAIT_S, StandIn

YESNO = ("yesno", "--title", "Deploy?")
GONE_S = 1.0


@pytest.fixture(scope="module")
def agent() -> Iterator[StandIn]:
    with StandIn() as agent:
        yield agent


@pytest.fixture
def home(agent: StandIn) -> Iterator[Home]:
    """A desk for which the stand-in is the only agent, whoever runs this test."""
    with Home() as home:
        home.up("--agents-only", str(agent.pid))
        yield home


Asking = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def ask(home: Home) -> Iterator[Asking]:
    begun: list[subprocess.Popen[str]] = []

    def start(*words: str, **env: str) -> subprocess.Popen[str]:
        command = [*SAYSO, "ask", *words]
        asking = subprocess.Popen(
            command,
            env=home.env | env,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        begun.append(asking)
        return asking

    yield start
    for asking in begun:
        if asking.poll() is None:
            asking.kill()
        asking.communicate(timeout=WAIT_S)


def pending(watcher: Watcher, title: str = "Deploy?") -> dict[str, Any]:
    return watcher.until(lambda r: r["title"] == title and r["state"] == "pending")


def ended(asking: subprocess.Popen[str]) -> tuple[int, str, str]:
    output, said = asking.communicate(timeout=WAIT_S)
    return asking.returncode, output, said


# --- asked and answered ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (YESNO, ["no"]),
        (("choice", "--title", "Deploy?", "--choice", "b=to: A, or B", "--choices", "c"), ["b"]),
        (("text", "--title", "Deploy?"), ["--all of it"]),
        (("text", "--title", "Deploy?"), [""]),
        (("text", "--title", "Deploy?"), ["-5"]),
        (("confirm-command", "--title", "Deploy?", "--body", "make deploy", "--unsafe"), ["ack", "run"]),
    ],
)
def test_a_question_is_answered_by_command(
    home: Home, ask: Asking, words: tuple[str, ...], values: list[str]
) -> None:
    with Watcher(home) as watcher:
        asking = ask(*words)
        asked = pending(watcher)
        *steps, last = values
        for step in steps:
            acknowledged = home.sayso("ask", "answer", asked["id"][:8], step)
            assert (acknowledged.returncode, acknowledged.stderr) == (5, "")
            assert "make deploy" in acknowledged.stdout
        answered = home.sayso("ask", "answer", asked["id"][:8], last)
        assert (answered.returncode, answered.stderr) == (0, "")
        assert answered.stdout.startswith("Deploy?\n")
        assert ended(asking) == (0, f"{last}\n", "")
        assert watcher.state(asked["id"], "delivered")
    again = home.sayso("ask", "answer", asked["id"][:8], last)
    assert again.returncode == 6
    assert "settled before" in again.stderr


LONG = "echo " + "x" * 5000 + "; rm -rf build"


def test_what_was_only_listed_was_not_seen(home: Home, ask: Asking) -> None:
    with Watcher(home) as watcher:
        ask("confirm-command", "--title", "Deploy?", "--body", LONG)
        asked = pending(watcher)
        assert home.sayso("ask", "pending").returncode == 0
        tab = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(home.path / "tab")}
        line = "sayso ask answer "
        env = {**home.env, **tab, "COMP_LINE": line, "COMP_POINT": str(len(line))}
        subprocess.run(SAYSO, env=env, check=True, timeout=WAIT_S)
        assert asked["id"][:8] in (home.path / "tab").read_text()
        unread = home.sayso("ask", "answer", asked["id"], "ack", "--json")
        assert (unread.returncode, "not shown to its end" in unread.stdout) == (2, True)
        shown = home.sayso("ask", "answer", asked["id"], "ack")
        assert (shown.returncode, "rm -rf build" in shown.stdout) == (5, True)


def test_what_destroys_is_called_so(home: Home, ask: Asking) -> None:
    with Watcher(home) as watcher:
        ask("confirm-command", "--title", "Deploy?", "--body", "rm -rf build", "--unsafe")
        asked = pending(watcher)
        for words in (("pending",), ("answer", asked["id"], "ack")):
            assert "DESTRUCTIVE" in home.sayso("ask", *words).stdout


def test_case_18_an_answer_that_does_not_fit_is_told_and_the_question_waits(home: Home, ask: Asking) -> None:
    with Watcher(home) as watcher:
        asking = ask("choice", "--title", "Deploy?", "--choices", "a,b", "--json")
        asked = pending(watcher)
        wrong = home.sayso("ask", "answer", asked["id"], "c")
        assert wrong.returncode == 2
        assert "a, b" in wrong.stderr
        as_json = home.sayso("ask", "answer", asked["id"], "c", "--json")
        assert json.loads(as_json.stdout)["resolved"] is False
        assert home.sayso("ask", "answer", asked["id"], "b", "--json").stdout == '{"resolved": true}\n'
        code, output, _ = ended(asking)
        said = {"request_id": asked["id"], "action": "ok", "value": "b"}
        assert (code, json.loads(output)) == (0, said)


def test_a_command_is_not_run_before_it_was_acknowledged(home: Home, ask: Asking) -> None:
    with Watcher(home) as watcher:
        ask("confirm-command", "--title", "Deploy?", "--body", "make deploy")
        asked = pending(watcher)
        early = home.sayso("ask", "answer", asked["id"], "run")
        assert (early.returncode, "acknowledge" in early.stderr) == (2, True)
        assert pending(watcher)["id"] == asked["id"]


def test_cancelled_by_a_person(home: Home, ask: Asking) -> None:
    with Watcher(home) as watcher:
        asking = ask(*YESNO)
        asked = pending(watcher)
        done = home.sayso("ask", "cancel", asked["id"][:6], "--reason", "--not today")
        assert (done.returncode, done.stdout) == (0, "Cancelled.\n")
        assert ended(asking) == (3, "", "sayso ask: cancelled: --not today\n")
    assert home.sayso("ask", "cancel", asked["id"]).returncode == 6


def test_case_25_a_timeout_is_a_timeout(home: Home, ask: Asking) -> None:
    with Watcher(home) as watcher:
        asking = ask(*YESNO, "--timeout", "300")
        code, output, said = ended(asking)
        assert (code, output) == (2, "")
        assert "timed out" in said
        watcher.until(lambda r: r["title"] == "Deploy?" and r["state"] == "expired")


def test_what_the_desk_refuses_is_told_with_its_field(ask: Asking) -> None:
    code, output, said = ended(ask("yesno", "--title", "two\nlines", "--json"))
    told = json.loads(output)
    assert (code, told["code"], told["field"]) == (1, "bad_request", "title")
    assert "one line" in said


def test_a_list_of_what_programs_ask(home: Home, ask: Asking) -> None:
    assert home.sayso("ask", "pending").stdout == "No program waits for an answer.\n"
    with Watcher(home) as watcher:
        ask(*YESNO, "--surface", "here", "--agent", "claude:1", "--body", "all")
        ask("text", "--title", "Name?", "--surface", "there")
        pending(watcher)
        pending(watcher, "Name?")
    both = home.sayso("ask", "pending").stdout
    assert "Deploy?" in both
    assert "Name?" in both
    assert "claude:1" in both
    there = json.loads(home.sayso("ask", "pending", "--surface", "there", "--json").stdout)
    assert [(one["surface_id"], one["title"]) for one in there] == [("there", "Name?")]


def test_case_12_a_short_id_is_enough_and_an_ambiguous_one_is_refused(home: Home) -> None:
    """A connection may have several asks, with ids of its own making."""
    ids = ["aa" + "0" * 30, "ab" + "0" * 30]
    with home.desk() as desk:
        for number, name in enumerate(ids):
            params = {"surface_id": "s", "kind": "yesno", "title": str(number), "id": name}
            call = {"id": number, "method": "agent.ask_user", "params": params}
            os.write(desk.fileno(), json.dumps(call).encode() + b"\n")
        with Watcher(home) as watcher:
            pending(watcher, "0")
            pending(watcher, "1")
        for words in (("answer", "a", "yes"), ("cancel", "a"), ("answer", "", "yes"), ("cancel", "")):
            refused = home.sayso("ask", *words)
            assert (refused.returncode, refused.stdout) == (2, ""), words
        assert "2 questions" in home.sayso("ask", "cancel", "a").stderr
        assert home.sayso("ask", "answer", "aa", "yes").returncode == 0
        assert home.sayso("ask", "answer", "a", "no").returncode == 0  # only one is left
    assert home.sayso("ask", "answer", "cc", "yes").returncode == 6


def test_case_51_an_agent_does_not_answer_what_it_asked(home: Home, ask: Asking, agent: StandIn) -> None:
    env = agent.env("s", SAYSO_HOME=str(home.path), HOME=str(home.path))
    with Watcher(home) as watcher:
        ask(*YESNO)
        asked = pending(watcher)
        for words in (["answer", asked["id"], "yes"], ["cancel", asked["id"]], ["pending"]):
            code, output, said = agent.start([*SAYSO, "ask", *words], env).result()
            assert (code, output) == (3, b""), words
            assert b"open a fresh terminal" in said
        assert pending(watcher)["id"] == asked["id"]


def test_without_a_desk_nothing_is_answered() -> None:
    with Home() as home:
        home.places.run.mkdir(parents=True, mode=0o700)
        for words in (["pending"], ["answer", "a", "yes"], ["cancel", "a"]):
            done = home.sayso("ask", *words)
            assert (done.returncode, done.stdout) == (1, ""), words
            assert "no desk is running" in done.stderr


# --- withdrawn ---------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_case_08_the_question_of_an_ended_caller_is_gone_within_a_second(
    home: Home, ask: Asking, number: signal.Signals
) -> None:
    with Watcher(home) as watcher:
        asking = ask(*YESNO)
        asked = pending(watcher)
        begun_s = time.monotonic()
        asking.send_signal(number)
        gone = watcher.state(asked["id"], "withdrawn")
        assert time.monotonic() - begun_s < GONE_S
        assert gone["reason"] == "caller_gone"
        assert ended(asking)[0] == (130 if number == signal.SIGINT else -number)


def test_case_08_the_question_of_a_script_that_was_killed_is_gone(home: Home) -> None:
    """The shell dies; the command lives on, and notices that nobody reads its output."""
    command = 'answer=$("$@"); echo "$answer"'
    words = [*SAYSO, "ask", *YESNO]
    script = subprocess.Popen(
        ["/bin/sh", "-c", command, "sh", *words], env=home.env, stdin=subprocess.DEVNULL
    )
    with Watcher(home) as watcher:
        asked = pending(watcher)
        script.kill()
        script.wait(WAIT_S)
        watcher.state(asked["id"], "withdrawn")


# --- asked again -------------------------------------------------------------------------


def test_case_09_a_desk_that_is_killed_and_comes_back_shows_the_question_again(
    home: Home, ask: Asking, agent: StandIn
) -> None:
    asking = ask(*YESNO)
    with Watcher(home) as watcher:
        asked = pending(watcher)
    home.kill()
    home.up("--agents-only", str(agent.pid))
    with Watcher(home) as watcher:
        assert pending(watcher)["id"] == asked["id"]
        assert home.sayso("ask", "answer", asked["id"][:4], "yes").returncode == 0
    assert ended(asking) == (0, "yes\n", "")


def test_case_09_a_restart_keeps_the_question(home: Home, ask: Asking) -> None:
    asking = ask(*YESNO)
    with Watcher(home) as watcher:
        asked = pending(watcher)
    assert home.sayso("restart").returncode == 0
    home.wait()
    with Watcher(home) as watcher:
        assert pending(watcher)["id"] == asked["id"]
    assert home.sayso("ask", "answer", asked["id"], "no").returncode == 0
    assert ended(asking) == (0, "no\n", "")


def test_a_desk_that_is_stopped_ends_it(home: Home, ask: Asking) -> None:
    asking = ask(*YESNO)
    with Watcher(home) as watcher:
        pending(watcher)
    assert home.sayso("stop").returncode == 0
    code, output, said = ended(asking)
    assert (code, output) == (3, "")
    assert "nothing was decided" in said


def test_a_desk_that_stays_away_ends_it(home: Home, ask: Asking) -> None:
    asking = ask(*YESNO)
    with Watcher(home) as watcher:
        pending(watcher)
    begun_s = time.monotonic()
    home.kill()
    code, output, said = ended(asking)
    assert (code, output) == (1, "")
    assert "did not come back" in said
    assert 9 < time.monotonic() - begun_s < 15


# --- a thousand --------------------------------------------------------------------------

MANY = 1000


@pytest.mark.timeout(180)
async def test_a_thousand_at_once_answered_in_random_order_without_loss(home: Home) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with home.desk() as desk:
        desk.call("desk.settings", {"settings": {"pending_per_agent": MANY, "pending_in_all": MANY}})
        path = str(home.places.socket)
        callers = [await asyncio.open_unix_connection(sock=connected(path)) for _ in range(MANY)]
        for number, (_, writer) in enumerate(callers):
            params = {"surface_id": f"s{number}", "kind": "text", "title": f"q{number}"}
            call = {"id": number, "method": "agent.ask_user", "params": params}
            writer.write(json.dumps(call).encode() + b"\n")
        waiting = await asyncio.to_thread(_until_pending, desk, MANY)
        random.Random(7).shuffle(waiting)
        for one in waiting:
            answer = {"request_id": one["request_id"], "value": f"to {one['title']}"}
            assert desk.call("agent.ask_answer", answer) == {"resolved": True}
        for number, (reader, writer) in enumerate(callers):
            said = json.loads(await asyncio.wait_for(reader.readline(), WAIT_S))
            assert (said["id"], said["result"]["value"]) == (number, f"to q{number}")
            writer.close()
            await writer.wait_closed()
        assert desk.call("agent.ask_pending", {}) == {"pending": []}
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connected(path: str) -> socket.socket:
    """Return a connection; asyncio would take one that nobody accepted yet for one."""
    made = socket.socket(fileno=line.connect(path, WAIT_S).socket.detach())
    made.setblocking(False)
    return made


def _until_pending(desk: Any, count: int) -> list[dict[str, Any]]:
    until_s = time.monotonic() + 60
    while True:
        found: list[dict[str, Any]] = desk.call("agent.ask_pending", {})["pending"]
        if len(found) == count:
            return found
        assert time.monotonic() < until_s, f"only {len(found)} pend"
        time.sleep(0.05)
