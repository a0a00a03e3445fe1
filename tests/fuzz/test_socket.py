"""Whatever comes to the control socket, in whatever pieces: an answer in shape, and others are served."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any, cast

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from sayso.client.blocking import Desk
from sayso.wire.protocol import MAX_LINE_BYTES, METHODS
from tests.fuzz import lines
from tests.fuzz.victim import BOUND_S, Victim, examples, running

PUSHES = {"agent.pending", "askUserEvent", "desk.change"}
MOST_PEERS = 5
FLOOD = 60
CHUNKS = st.lists(st.integers(1, 40), max_size=6)


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    with running() as victim:
        yield victim


def waits(method: str) -> bool:
    """Whether a call of this method may be without an answer for as long as a person likes."""
    row = METHODS.get(method)
    return row is not None and (row.holds or row.notifies)


class Peer:
    """A connection, and what came back on it."""

    def __init__(self, path: str) -> None:
        self.wire = socket.socket(socket.AF_UNIX)
        self.wire.settimeout(BOUND_S)
        self.wire.connect(path)
        self.unsent = b""
        self.forms: dict[int, dict[str, Any]] = {}
        self.expected: set[int] = set()
        """The calls that are answered whatever people do."""
        self.answered: set[Any] = set()
        self._rest = b""

    def send(self, data: bytes) -> None:
        """Send, as far as the desk still listens."""
        try:
            self.wire.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return

    def read(self) -> bool:
        """Take in what comes next, waiting for it; False at the end of the connection."""
        try:
            data = self.wire.recv(1 << 18)
        except ConnectionResetError:
            data = b""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            self._check(json.loads(line))
        return bool(data)

    def _check(self, said: dict[str, Any]) -> None:
        """Every line is a known push, or an answer in the shape that its caller reads."""
        if "method" in said:
            assert set(said) == {"method", "params"}
            assert said["method"] in PUSHES
            return
        name = said["id"]
        form = self.forms.get(name, {}) if isinstance(name, int) else {}
        if name in self.forms:
            assert name not in self.answered
            self.answered.add(name)
        body = said.get("error")
        if body is None:
            assert set(said) - {"jsonrpc"} == {"id", "result"}
        elif said.get("jsonrpc") == "2.0":
            assert sorted(body) == ["code", "data", "message"]
            assert body["data"]["code"] != "error"
        else:
            assert isinstance(body, str)
            assert body
            assert "mistake" not in body
        if name in self.forms:
            assert said.get("jsonrpc") == ("2.0" if form.get("jsonrpc") == "2.0" else None)


class SocketMachine(RuleBasedStateMachine):
    """Connections that say anything, in turns, while somebody looks on."""

    def __init__(self, victim: Victim, onlooker: Desk) -> None:
        super().__init__()
        self._path = str(victim.home.places.socket)
        self._onlooker = onlooker
        self.peers: list[Peer] = []
        self._number = 1000  # what is no call has lower ones

    @initialize()
    def somebody_connects(self) -> None:
        self.connects()

    @precondition(lambda self: len(self.peers) < MOST_PEERS)
    @rule()
    def connects(self) -> None:
        self.peers.append(Peer(self._path))

    @rule(who=st.integers(0, 9), said=lines.CALLS, form=lines.FORMS)
    def calls(self, who: int, said: tuple[str, Any], form: dict[str, Any]) -> None:
        peer = self._peer(who)
        self._number += 1
        peer.forms[self._number] = form
        if not waits(said[0]):
            peer.expected.add(self._number)
        peer.unsent += lines.call(self._number, *said, form) + b"\n"

    @rule(who=st.integers(0, 9), line=st.sampled_from(lines.NOT_CALLS) | st.binary(max_size=80))
    def says_what_is_no_call(self, who: int, line: bytes) -> None:
        self._peer(who).unsent += line + b"\n"

    @rule(who=st.integers(0, 9), size_bytes=st.sampled_from(lines.SIZES), has_end=st.booleans())
    def says_much(self, who: int, size_bytes: int, has_end: bool) -> None:
        """A line that is too long is answered, and the end of its connection."""
        peer = self._peer(who)
        peer.send(peer.unsent + b"\n" + lines.of_size(size_bytes) + (b"\n" if has_end else b""))
        if size_bytes > MAX_LINE_BYTES:
            while peer.read():
                pass
        self._leave(peer)

    @rule(who=st.integers(0, 9), sizes=CHUNKS)
    def sends(self, who: int, sizes: list[int]) -> None:
        """What was said goes out, torn anywhere, the rest of it at once."""
        peer = self._peer(who)
        for size in sizes:
            peer.send(peer.unsent[:size])
            peer.unsent = peer.unsent[size:]
        peer.send(peer.unsent)
        peer.unsent = b""

    @rule(who=st.integers(0, 9))
    def half_closes(self, who: int) -> None:
        """Who will say nothing more is gone."""
        peer = self._peer(who)
        peer.send(peer.unsent)
        with suppress(OSError):
            peer.wire.shutdown(socket.SHUT_WR)
        while peer.read():
            pass
        self._leave(peer)

    @rule(who=st.integers(0, 9))
    def leaves(self, who: int) -> None:
        self._leave(self._peer(who))

    @rule()
    def many_come_and_go(self) -> None:
        with ExitStack() as flood:
            for number in range(FLOOD):
                peer = Peer(self._path)
                flood.callback(peer.wire.close)
                peer.send(b'{"id":1,"method":"desk.subscribe"}\n' if number % 2 else b"{")

    @rule(who=st.integers(0, 9))
    def is_answered(self, who: int) -> None:
        """Every call that waits for nobody is answered, within the bound."""
        peer = self._peer(who)
        peer.send(peer.unsent)
        peer.unsent = b""
        until_s = time.monotonic() + BOUND_S
        while peer.expected - peer.answered and peer.read():
            assert time.monotonic() < until_s

    @invariant()
    def others_are_served(self) -> None:
        begun_s = time.monotonic()
        assert self._onlooker.call("desk.health", {})["ok"]
        assert time.monotonic() - begun_s < BOUND_S

    def teardown(self) -> None:
        for peer in self.peers:
            peer.wire.close()

    def _peer(self, number: int) -> Peer:
        if not self.peers:
            self.connects()
        return self.peers[number % len(self.peers)]

    def _leave(self, peer: Peer) -> None:
        peer.wire.close()
        self.peers.remove(peer)


def test_connections_that_say_anything(victim: Victim) -> None:
    with victim.bounded(), victim.home.desk() as onlooker:
        machine = cast("Any", lambda: SocketMachine(victim, onlooker))
        run_state_machine_as_test(machine, settings=examples(25, stateful_step_count=30))


def test_every_line_that_is_no_call_is_answered(victim: Victim) -> None:
    with victim.bounded():
        for line in lines.NOT_CALLS:
            peer = Peer(str(victim.home.places.socket))
            peer.forms[0] = {}
            peer.send(line + b"\n" + lines.call(0, "desk.health", {}, {}) + b"\n")
            while 0 not in peer.answered:
                assert peer.read(), line[:40]
            peer.wire.close()
