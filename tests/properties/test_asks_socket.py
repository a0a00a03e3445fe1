"""Whatever comes to the socket in the words of document 001: one answer each, in one shape, and no hang."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.desks import Home
from tests.ht import Wire
from tests.properties.ask_params import PARAMS, TEXT, TREES
from tests.standin import WAIT_S

NO_PROCESS = str(2**22 + 1)
OWN_ID = "0" * 32
IDS = st.sampled_from([OWN_ID, "", "nobody"]) | TEXT
VALUES = st.sampled_from(["yes", "no", "ack", "run", ""]) | TEXT
ANYTHING = st.dictionaries(st.sampled_from(["request_id", "value", "reason", "surface_id"]) | TEXT, TREES)
CALLS = st.one_of(
    st.tuples(st.just("agent.ask_user"), PARAMS | TREES),
    st.tuples(st.just("agent.ask_user"), PARAMS.map(lambda given: {**given, "id": OWN_ID, "resumed": False})),
    st.tuples(st.just("agent.ask_pending"), st.fixed_dictionaries({}, optional={"surface_id": TEXT}) | TREES),
    st.tuples(
        st.just("agent.ask_answer"), st.fixed_dictionaries({"request_id": IDS, "value": VALUES}) | ANYTHING
    ),
    st.tuples(
        st.just("agent.ask_cancel"),
        st.fixed_dictionaries({"request_id": IDS}, optional={"reason": TEXT | st.none()}) | ANYTHING,
    ),
    st.tuples(st.just("agent.notify"), PARAMS | ANYTHING),
    st.tuples(st.just("askUserRequestSnapshot"), ANYTHING),
)
PLAIN, STRICT = {}, {"jsonrpc": "2.0"}
FORMS = st.sampled_from([PLAIN, PLAIN, STRICT])
PUSHES = {"agent.pending", "askUserEvent"}


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with Home() as home:
        home.up("--agents-only", NO_PROCESS)
        yield home


class Peer:
    """A connection whose answers are counted, each by the id of its call."""

    def __init__(self, home: Home) -> None:
        self.wire = Wire(str(home.places.socket))
        self.forms: dict[int, dict[str, str]] = {}
        self.answers: dict[int, dict[str, Any]] = {}

    def send(self, method: str, params: Any, form: dict[str, str]) -> int:
        number = len(self.forms)
        self.forms[number] = form
        call = {"id": number, "method": method, "params": params, **form}
        self.wire.send(json.dumps(call).encode() + b"\n")
        return number

    def read(self) -> None:
        """Read one line, which is a push that is known, or the first answer to a call."""
        line = self.wire.next(WAIT_S)
        assert line, "the desk closed the connection"
        said = json.loads(line)
        if "method" in said:
            assert said["method"] in PUSHES
            return
        number = said.pop("id")
        assert number in self.forms
        assert number not in self.answers
        self.answers[number] = said

    def result(self, method: str, params: Any) -> Any:
        number = self.send(method, params, PLAIN)
        while number not in self.answers:
            self.read()
        return self.answers[number]["result"]

    def end_what_waits(self) -> None:
        """Cancel until every call is answered: what is still open must be in the list."""
        while True:
            pending = self.result("agent.ask_pending", {})["pending"]
            if not pending:
                break
            for one in pending:
                self.result("agent.ask_cancel", {"request_id": one["request_id"]})
        while len(self.answers) < len(self.forms):
            self.read()


def check(said: dict[str, Any], form: dict[str, str]) -> None:
    """An answer has one of two shapes, and that of an error is the one its caller reads."""
    assert said.pop("jsonrpc", None) == form.get("jsonrpc")
    ((name, body),) = said.items()
    assert name in ("result", "error")
    if name == "result":
        return
    if form is PLAIN:
        assert isinstance(body, str)
        assert body
        assert "mistake" not in body
        return
    assert sorted(body) == ["code", "data", "message"]
    assert type(body["code"]) is int
    assert body["message"]
    assert body["data"]["code"] != "error"
    assert type(body["data"]["status"]) is int


@settings(max_examples=200)
@given(calls=st.lists(st.tuples(CALLS, FORMS), min_size=1, max_size=6))
def test_every_call_is_answered_once(home: Home, calls: list[Any]) -> None:
    peer = Peer(home)
    for (method, params), form in calls:
        peer.send(method, params, form)
    peer.end_what_waits()
    for number, said in peer.answers.items():
        check(said, peer.forms[number])
    peer.wire.close()


@given(st.binary(min_size=1, max_size=60).filter(lambda line: line.strip() and b"\n" not in line))
def test_bytes_of_any_sort_get_one_error(home: Home, line: bytes) -> None:
    wire = Wire(str(home.places.socket))
    wire.send(line + b'\n{"id":"after","method":"agent.ask_pending","params":{}}\n')
    said = json.loads(wire.next(WAIT_S))
    assert sorted(said) == ["error", "id"]
    assert isinstance(said["error"], str)
    assert wire.next(WAIT_S) == b'{"id":"after","result":{"pending":[]}}\n'
    wire.close()


def test_the_desk_is_well_after_all_that(home: Home) -> None:
    with home.desk() as desk:
        health = desk.call("desk.health", {})
    assert (health["ok"], health["pending"]) == (True, 0)
    assert "failed" not in home.log()
