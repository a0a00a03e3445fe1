"""What goes wrong with lines, connections and desks, as the public client of document 001 meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from sayso.wire.protocol import MAX_LINE_BYTES
from tests.desks import Home, Watcher, sample
from tests.ht import Ended, Ht, Wire, call, line
from tests.standin import ROOT, WAIT_S, StandIn

NO_PROCESS = str(2**22 + 1)
GONE_S = 1.0
"""A killed program's question has disappeared within this."""
PENDING = b'{"id":"1","method":"agent.ask_pending","params":{}}\n'
NOTHING_PENDS = b'{"id":"1","result":{"pending":[]}}\n'


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with Home() as home:
        home.up("--agents-only", NO_PROCESS)
        yield home


@pytest.fixture
def wire(home: Home) -> Iterator[Wire]:
    wire = Wire(str(home.places.socket))
    yield wire
    wire.close()


@pytest.fixture
def person(home: Home) -> Iterator[Watcher]:
    with Watcher(home) as person:
        yield person


def ask_line(surface: str, kind: str = "yesno", name: Any = "1", **more: Any) -> bytes:
    return line("agent.ask_user", {"surface_id": surface, "kind": kind, "title": "T", **more}, name)


def told(person: Watcher, surface: str, *states: str) -> dict[str, Any]:
    """Return what was asked from a surface, once it is in one of these states."""
    return person.until(lambda r: r.get("surface_id") == surface and r["state"] in (states or ("pending",)))


# --- lines -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "start"),
    [
        (b"hello\n", b'{"id":null,"error":"'),
        (b'{"id":"1","method":"agent.ask_pe\n', b'{"id":null,"error":"'),
        (b'{"id":"1"}\n', b'{"id":"1","error":"'),
        (b'{"id":"1","method":"agent.ask_pending","params":[]}\n', b'{"id":"1","error":"'),
        (b'{"id":"1","method":"agent.ask_user","params":"T"}\n', b'{"id":"1","error":"'),
        (
            b'{"id":7,"method":"agent.dance","params":{}}\n',
            b'{"id":7,"error":"there is no method agent.dance"}\n',
        ),
        (b'{"method":"agent.ask_pending","params":{}}\n', b'{"id":null,"result":{"pending":[]}}\n'),
        (b'{"id":"1","method":"agent.ask_pending"}\n', NOTHING_PENDS),
        (b' \n\r\n{"id":"1","method":"agent.ask_pending","params":{}}\r\n', NOTHING_PENDS),
        (b'{"id":1,"method":"agent.ask_pending","params":{}}\n', b'{"id":1,"result":{"pending":[]}}\n'),
    ],
)
def test_one_line_back_for_each_and_the_connection_goes_on(wire: Wire, sent: bytes, start: bytes) -> None:
    wire.send(sent)
    said = wire.next(WAIT_S)
    assert said.startswith(start)
    assert (said == start) is start.endswith(b"\n")
    assert "jsonrpc" not in json.loads(said)
    wire.send(PENDING)
    assert wire.next(WAIT_S) == NOTHING_PENDS


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"surface_id": None}, "surface_id"),
        ({"surface_id": ""}, "surface_id"),
        ({"surface_id": 3}, "surface_id"),
        ({"kind": "maybe"}, "kind"),
        ({"kind": None}, "kind"),
        ({"title": ""}, "title"),
        ({"title": ["T"]}, "title"),
        ({"title": "a\nb"}, "title"),
        ({"body": 1}, "body"),
        ({"agent_id": {}}, "agent_id"),
        ({"kind": "choice"}, "choices"),
        ({"kind": "choice", "choices": []}, "choices"),
        ({"kind": "choice", "choices": "a,b"}, "choices"),
        ({"kind": "choice", "choices": [{"label": "a"}]}, "choices[0].id"),
        ({"kind": "choice", "choices": [{"id": "a"}, {"id": ""}]}, "choices[1].id"),
        ({"kind": "choice", "choices": [{"id": "a"}, {"id": "a", "label": "b"}]}, "choices[1].id"),
        ({"kind": "choice", "choices": ["a"]}, "choices[0]"),
        ({"kind": "choice", "choices": [{"id": "a", "icon": "x"}]}, "choices[0] has no 'icon'"),
        ({"default": 1}, "default"),
        ({"timeout_ms": -1}, "timeout_ms"),
        ({"timeout_ms": "5"}, "timeout_ms"),
        ({"timeout_ms": True}, "timeout_ms"),
        ({"unsafe": "true"}, "unsafe"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_case_17_what_is_malformed_is_named(wire: Wire, changes: dict[str, Any], field: str) -> None:
    wire.send(ask_line("surface:0", **changes))
    said = wire.next(WAIT_S)
    assert said.startswith(b'{"id":"1","error":"')
    assert said.endswith(b'"}\n')
    assert field in json.loads(said)["error"]
    wire.send(PENDING)
    assert wire.next(WAIT_S) == NOTHING_PENDS


@pytest.mark.parametrize(
    "more",
    [
        {"body": "", "agent_id": "", "default": "", "choices": None, "timeout_ms": None, "unsafe": None},
        {"body": None, "agent_id": None, "default": None, "timeout_ms": 0, "unsafe": False},
        {"choices": []},
        {"choices": [{"surprise": 1}, "a", None]},  # of another kind: whatever it is, nobody reads it
        {"timeout_ms": 60_000.5},
    ],
)
def test_what_counts_as_absent_is_let_through(
    home: Home, wire: Wire, person: Watcher, more: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    surface = request.node.name
    wire.send(ask_line(surface, **more))
    request_id = told(person, surface)["id"]
    answering = Ht(str(home.places.socket), "ask", "answer", request_id, "yes")
    assert answering.line(WAIT_S) == b'{"id":"1","result":{"resolved":true}}\n'
    said = f'{{"id":"1","result":{{"request_id":"{request_id}","action":"ok","value":"yes"}}}}\n'
    assert wire.next(WAIT_S) == said.encode()


EXTENSION = b'{"id":1,"method":"agent.ask_user","params":{"surface_id":"%s","agent_id":"pi:surface:3","kind":'
"""How each line of its extension of an agent begins: the id is a number."""


@pytest.mark.parametrize(
    ("rest", "value"),
    [
        (
            b'"choice","title":"T","body":"a\\nb","choices":[{"id":"talk","label":"L"}],"default":"talk"}}\n',
            "talk",
        ),
        (b'"text","title":"Why?","body":"a\\nb","default":"","timeout_ms":0}}\n', "the second step"),
        (b'"yesno","title":"T","choices":[],"timeout_ms":300000.5}}\n', "no"),
        (b'"text","title":"half a \\ud83d character","default":"true"}}\n', ""),
    ],
    ids=["choice", "text", "yesno", "half a character"],
)
def test_the_lines_of_its_extension_of_an_agent(wire: Wire, person: Watcher, rest: bytes, value: str) -> None:
    surface = f"extension:{value}"
    wire.send(EXTENSION % surface.encode() + rest)
    asked = told(person, surface)
    assert asked["label"] == "pi:surface:3"
    person.answer(asked["id"], behavior="allow", value=value)
    said = {"request_id": asked["id"], "action": "ok", "value": value}
    assert wire.next(WAIT_S) == json.dumps({"id": 1, "result": said}, separators=(",", ":")).encode() + b"\n"


def test_a_full_desk_cancels_for_who_would_go_on_after_an_error() -> None:
    with Home() as home:
        home.up("--agents-only", NO_PROCESS)
        with home.desk() as desk:
            desk.call("desk.settings", {"settings": {"pending_per_agent": 1}})
        path = str(home.places.socket)
        first = Ht(path, "ask", "yesno", "T", surface="s")
        with Watcher(home) as watcher:
            told(watcher, "s")
        second = Ht(path, "ask", "confirm-command", "T", "--body", "rm x", surface="s")
        result = json.loads(second.line(WAIT_S))["result"]
        assert (result["action"], "value" in result, bool(result["reason"])) == ("cancel", False, True)
        assert second.ended(WAIT_S).code == 3
        first.hang_up()


# --- how long a line is ------------------------------------------------------------------


def long_line(surface: str, size_bytes: int) -> bytes:
    """Return an ask whose line has this many bytes, its end left out."""
    wide, narrow = divmod(size_bytes + 1 - len(ask_line(surface, body="")), 4)
    return ask_line(surface, body="\U0001f600" * wide + "x" * narrow)


@pytest.mark.parametrize("size_bytes", [MAX_LINE_BYTES - 1, MAX_LINE_BYTES])
def test_case_12_a_line_of_a_mebibyte_is_asked_whole(wire: Wire, person: Watcher, size_bytes: int) -> None:
    surface = f"long:{size_bytes}"
    wire.send(long_line(surface, size_bytes))
    shown = told(person, surface)
    assert shown["input"][0]["length"] > size_bytes // 4 - 100
    wire.send(line("agent.ask_cancel", {"request_id": shown["id"]}, "2"))
    ends = {wire.next(WAIT_S), wire.next(WAIT_S)}
    cancelled = f'{{"id":"1","result":{{"request_id":"{shown["id"]}","action":"cancel"}}}}\n'
    assert ends == {cancelled.encode(), b'{"id":"2","result":{"resolved":true}}\n'}


@pytest.mark.parametrize("end", [b"\n", b""])
def test_case_12_a_longer_one_is_an_error_and_the_end(home: Home, wire: Wire, end: bytes) -> None:
    wire.send(long_line("long", MAX_LINE_BYTES + 1).rstrip(b"\n") + end)
    said = wire.next(WAIT_S)
    assert said == f'{{"id":null,"error":"a line has at most {MAX_LINE_BYTES} bytes"}}\n'.encode()
    assert wire.next(WAIT_S) == b""
    assert Ht(str(home.places.socket), "ask", "pending").line(WAIT_S) == NOTHING_PENDS


# --- many at once ------------------------------------------------------------------------


def test_what_comes_behind_an_ask_on_its_connection_does_not_wait(wire: Wire, person: Watcher) -> None:
    wire.send(
        ask_line("pipe", name=1)
        + line("agent.ask_pending", {"surface_id": "elsewhere"}, 2)
        + line("agent.ask_answer", {"request_id": "nobody", "value": "yes"}, 3)
        + line("agent.dance", {}, 4)
        + ask_line("pipe too", name=5)
    )
    behind = {wire.next(WAIT_S) for _ in range(3)}
    assert behind == {
        b'{"id":2,"result":{"pending":[]}}\n',
        b'{"id":3,"result":{"resolved":false}}\n',
        b'{"id":4,"error":"there is no method agent.dance"}\n',
    }
    second, first = told(person, "pipe too")["id"], told(person, "pipe")["id"]
    for name, request_id, number in (("late", second, 5), ("early", first, 1)):
        wire.send(line("agent.ask_answer", {"request_id": request_id, "value": "no"}, name))
        said = f'{{"id":{number},"result":{{"request_id":"{request_id}","action":"ok","value":"no"}}}}\n'
        answered = f'{{"id":"{name}","result":{{"resolved":true}}}}\n'
        assert {wire.next(WAIT_S), wire.next(WAIT_S)} == {said.encode(), answered.encode()}


# --- ends --------------------------------------------------------------------------------


def program(home: Home, surface: str, *words: str) -> subprocess.Popen[bytes]:
    env = {**os.environ, "HT_SOCKET_PATH": str(home.places.socket), "HT_SURFACE": surface}
    command = [sys.executable, "-m", "tests.ht", *words]
    return subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("number", [9, 2], ids=["killed", "interrupted"])
def test_the_question_of_a_program_that_ends_disappears(home: Home, person: Watcher, number: int) -> None:
    surface = f"killed:{number}"
    with program(home, surface, "ask", "yesno", "T") as running:
        request_id = told(person, surface)["id"]
        os.kill(running.pid, number)
        at_s = time.monotonic()
        ended = told(person, surface, "withdrawn")
        took_s = time.monotonic() - at_s
        assert running.wait(WAIT_S) != 0
        assert running.stdout is not None
        assert running.stdout.read() == b""
    assert (ended["id"], ended["reason"]) == (request_id, "caller_gone")
    assert took_s < GONE_S
    assert Ht(str(home.places.socket), "ask", "pending").line(WAIT_S) == NOTHING_PENDS


def test_case_19_a_program_prints_the_answer_and_nothing_else(home: Home, person: Watcher) -> None:
    with program(home, "printed", "ask", "text", "T") as running:
        person.answer(told(person, "printed")["id"], behavior="allow", value="-n\ttwo")
        assert running.communicate(timeout=WAIT_S) == (b"-n\ttwo\n", None)
    assert running.returncode == 0


@pytest.mark.parametrize("command", [("stop",), ("restart", "--no-http", "--agents-only", NO_PROCESS)])
def test_a_desk_that_ends_says_so_before_it_does(command: tuple[str, ...]) -> None:
    # A connection that just ends looks like an answer to this client's caller.
    with Home() as home:
        home.up("--agents-only", NO_PROCESS)
        run = Ht(str(home.places.socket), "ask", "confirm-command", "T", "--body", "rm x", surface="s")
        with Watcher(home) as person:
            request_id = told(person, "s")["id"]
        assert home.sayso(*command).returncode == 0
        result = json.loads(run.line(WAIT_S))["result"]
        assert (result["request_id"], result["action"], "value" in result) == (request_id, "cancel", False)
        assert result["reason"]
        assert run.ended(WAIT_S) == Ended(3, "", f"cancelled: {result['reason']}\n")
        home.wait()


def test_a_desk_that_crashes_ends_the_connection_without_a_word() -> None:
    with Home() as home:
        home.up("--agents-only", NO_PROCESS)
        run = Ht(str(home.places.socket), "ask", "yesno", "T", surface="s")
        with Watcher(home) as person:
            told(person, "s")
        home.kill()
        assert run.line(WAIT_S) == b""


# --- from inside an agent ----------------------------------------------------------------


def test_an_agent_asks_and_takes_back_and_does_not_answer() -> None:
    with Home() as home, StandIn(home.handlers()) as agent:
        home.up("--agents-only", str(agent.pid))
        assert agent.hook(sample("SessionStart")).result() == (0, b"", b"")  # from now on it is known
        env = {"PATH": "/usr/bin:/bin", "HT_SOCKET_PATH": str(home.places.socket), "HT_SURFACE": "s"}

        def start(*words: str) -> Any:
            return agent.start([sys.executable, "-I", "-S", str(ROOT / "tests" / "ht.py"), *words], env)

        asking = start("ask", "yesno", "T")
        with Watcher(home) as person:
            request_id = told(person, "s")["id"]
            for words in (("ask", "answer", request_id, "yes"), ("ask", "pending"), ("agent", "list")):
                code, out, err = start(*words).result()
                assert (code, out) == (1, b"")
                assert b"from inside an agent" in err
            assert start("ask", "cancel", request_id, "--reason", "never mind").result() == (0, b"ok\n", b"")
            assert told(person, "s", "withdrawn")["id"] == request_id
        assert asking.result() == (3, b"", b"cancelled: never mind\n")


def test_the_words_of_the_lines_sent_here_are_its_own() -> None:
    assert line(*call(["ask", "yesno", "T"], "surface:0")) == ask_line("surface:0")
    assert line(*call(["ask", "pending"])) == PENDING
