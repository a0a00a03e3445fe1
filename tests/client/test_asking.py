"""One question to a desk that a test plays: what is sent, and every way in which it ends."""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from sayso import errors
from sayso.client import asking
from sayso.client.asking import HungUp, Outcome, ask, default_surface, parameters
from sayso.wire.protocol import MAX_LINE_BYTES
from tests.channels.asked import WAIT_S, PlayedDesk


@pytest.fixture
def desk() -> Iterator[PlayedDesk]:
    with PlayedDesk() as desk:
        yield desk


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def asked(desk: PlayedDesk, pool: ThreadPoolExecutor, output: int = -1, **more: object) -> Future[Outcome]:
    return pool.submit(ask, desk.path, parameters({}, "yesno", "Deploy?", **more), output)


# --- what is sent ------------------------------------------------------------------------


def test_what_is_absent_is_left_out() -> None:
    params = parameters(
        {"SAYSO_SURFACE": "s"}, "text", "x", body="", default=None, unsafe=False, timeout_ms=0
    )
    assert params.keys() == {"surface_id", "kind", "title", "cwd"}


def test_where_it_is_asked_from() -> None:
    assert default_surface({"SAYSO_SURFACE": "a", "TMUX_PANE": "%1"}) == "a"
    assert default_surface({"TMUX_PANE": "%1"}) == "%1"
    assert default_surface({}) == f"cli:{os.getpid()}"


def test_every_question_has_an_id_of_its_own(desk: PlayedDesk, pool: ThreadPoolExecutor) -> None:
    ids: set[str] = set()
    for _ in range(2):
        outcome = asked(desk, pool)
        peer = desk.accept().pend()
        ids.add(peer.params["id"])
        peer.end("ok", value="yes")
        assert outcome.result(WAIT_S).request_id in ids
    assert len(ids) == 2


def test_the_bound_is_the_desks() -> None:
    assert asking.MAX_LINE_BYTES == MAX_LINE_BYTES


@pytest.mark.parametrize("too_much", [0, 1])
def test_a_line_of_just_the_bound(desk: PlayedDesk, pool: ThreadPoolExecutor, too_much: int) -> None:
    params = parameters({"SAYSO_SURFACE": "s"}, "yesno", "x", cwd="/", body="b")
    frame = len(_line_of(desk, params)) - 1
    params["body"] = "b" * (MAX_LINE_BYTES - frame + too_much)
    if too_much:
        with pytest.raises(errors.TooLarge):
            ask(desk.path, params)
        return
    outcome = pool.submit(ask, desk.path, params)
    desk.accept().end("ok", value="yes")
    assert outcome.result(WAIT_S).value == "yes"


def _line_of(desk: PlayedDesk, params: asking.Params) -> bytes:
    """Return the line that asks this, with its newline."""
    with ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(ask, desk.path, params)
        peer = desk.accept()
        peer.end("ok", value="yes")
        outcome.result(WAIT_S)
    return peer.line


# --- how it ends -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "more", "value", "reason"),
    [
        ("ok", {"value": "yes"}, "yes", ""),
        ("ok", {"value": ""}, "", ""),
        ("ok", {"value": "\ud800"}, "\ufffd", ""),
        ("cancel", {"reason": "why"}, None, "why"),
        ("cancel", {"reason": None}, None, ""),
        ("timeout", {}, None, ""),
    ],
)
def test_how_it_ended(
    desk: PlayedDesk,
    pool: ThreadPoolExecutor,
    action: str,
    more: dict[str, str],
    value: str | None,
    reason: str,
) -> None:
    outcome = asked(desk, pool)
    peer = desk.accept().pend()
    peer.end(action, **more)
    found = outcome.result(WAIT_S)
    assert (found.action, found.value, found.reason) == (action, value, reason)
    assert peer.is_gone()


def test_other_words_of_the_desk_change_nothing(desk: PlayedDesk, pool: ThreadPoolExecutor) -> None:
    outcome = asked(desk, pool)
    peer = desk.accept()
    peer.say(method="news", params={})
    peer.say()
    peer.pend().end("ok", value="no")
    assert outcome.result(WAIT_S).value == "no"


@pytest.mark.parametrize("result", [{}, None, [], "yes", {"action": "ok"}, {"action": "run", "value": "x"}])
def test_case_25_what_is_no_answer_is_never_taken_for_one(
    desk: PlayedDesk, pool: ThreadPoolExecutor, result: object
) -> None:
    outcome = asked(desk, pool)
    desk.accept().pend().give(result)
    with pytest.raises(errors.Unavailable, match="gave the question back"):
        outcome.result(WAIT_S)


@pytest.mark.parametrize(("code", "kind"), [("bad_request", errors.BadRequest), ("refused", errors.Refused)])
def test_what_the_desk_refuses(
    desk: PlayedDesk, pool: ThreadPoolExecutor, code: str, kind: type[errors.SaysoError]
) -> None:
    outcome = asked(desk, pool)
    desk.accept().refuse("so not", code, field="title")
    with pytest.raises(kind, match="so not"):
        outcome.result(WAIT_S)


def test_what_is_not_a_desk(desk: PlayedDesk, pool: ThreadPoolExecutor) -> None:
    outcome = asked(desk, pool)
    peer = desk.accept()
    peer.write(b"HTTP/1.1 400 Bad Request\r\n")
    with pytest.raises(errors.Unavailable, match="is not a desk"):
        outcome.result(WAIT_S)


def test_no_desk(desk: PlayedDesk) -> None:
    desk.close()
    with pytest.raises(errors.Unavailable, match="no desk is running"):
        ask(desk.path, parameters({}, "yesno", "x"))


def test_a_desk_that_does_not_take_it(
    desk: PlayedDesk, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "TAKEN_S", 0.2)
    outcome = asked(desk, pool)
    peer = desk.accept()
    with pytest.raises(errors.Unavailable, match="did not take the question"):
        outcome.result(WAIT_S)
    assert peer.is_gone()


def test_case_22_a_desk_that_forgets_the_time(
    desk: PlayedDesk, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller's own bound holds although the desk never says that it is over."""
    monkeypatch.setattr(asking, "LATE_S", 0.1)
    outcome = asked(desk, pool, timeout_ms=100)
    peer = desk.accept().pend()
    assert outcome.result(WAIT_S).action == "timeout"
    assert peer.is_gone()


def test_nobody_reads_the_output(desk: PlayedDesk, pool: ThreadPoolExecutor) -> None:
    reading, writing = os.pipe()
    outcome = asked(desk, pool, writing)
    peer = desk.accept().pend()
    os.close(reading)
    with pytest.raises(HungUp):
        outcome.result(WAIT_S)
    assert peer.is_gone()
    os.close(writing)


# --- a desk that goes away ---------------------------------------------------------------


def test_case_09_it_is_asked_again_until_the_desk_is_back(desk: PlayedDesk, pool: ThreadPoolExecutor) -> None:
    outcome = asked(desk, pool)
    peer = desk.accept().pend()
    first = peer.params
    for _ in range(2):
        desk.close()
        desk.open()
        peer = desk.accept().pend()
        assert peer.params == first | {"resumed": True}
    peer.end("ok", value="yes")
    assert outcome.result(WAIT_S).value == "yes"


def test_one_that_stays_away(
    desk: PlayedDesk, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "BACK_S", 0.35)
    outcome = asked(desk, pool)
    desk.accept().pend()
    desk.close()
    begun_s = time.monotonic()
    with pytest.raises(errors.Unavailable, match="did not come back"):
        outcome.result(WAIT_S)
    assert time.monotonic() - begun_s >= 0.3


def test_one_that_only_hangs_up_is_not_back(
    desk: PlayedDesk, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "BACK_S", 0.5)
    outcome = asked(desk, pool)
    desk.accept().pend().hang_up()
    count = 0
    while not outcome.done():
        if select.select([desk], [], [], 0.05)[0]:
            desk.accept().hang_up()
            count += 1
    with pytest.raises(errors.Unavailable, match="did not come back"):
        outcome.result(WAIT_S)
    assert count >= 2


def test_what_is_left_of_a_timeout_is_asked_for(desk: PlayedDesk, pool: ThreadPoolExecutor) -> None:
    outcome = asked(desk, pool, timeout_ms=60_000)
    desk.accept().pend().hang_up()
    again = desk.accept()
    left_ms = again.params["timeout_ms"]
    assert isinstance(left_ms, int)
    assert 40_000 < left_ms < 60_000
    again.pend().end("timeout")
    assert outcome.result(WAIT_S).action == "timeout"


def test_case_25_a_timeout_that_ends_while_the_desk_is_away_is_a_timeout(
    desk: PlayedDesk, pool: ThreadPoolExecutor
) -> None:
    outcome = asked(desk, pool, timeout_ms=300)
    desk.accept().pend()
    desk.close()
    assert outcome.result(WAIT_S).action == "timeout"


def test_nobody_reads_the_output_while_the_desk_is_away(desk: PlayedDesk, pool: ThreadPoolExecutor) -> None:
    ours, theirs = socket.socketpair()
    outcome = asked(desk, pool, ours.fileno())
    desk.accept().pend()
    desk.close()
    theirs.close()
    with pytest.raises(HungUp):
        outcome.result(WAIT_S)
    ours.close()
