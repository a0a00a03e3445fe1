"""What a Python program asks, and what it is told: blocking and with asyncio, the same."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

import sayso
from sayso import ask
from sayso.client import asking
from sayso.errors import BadRequest, SaysoError
from tests.channels.asked import WAIT_S, PlayedDesk

FUNCTIONS = ("yesno", "choice", "text", "confirm_command")
PROBE = """
import sys
from sayso import ask
assert not {"asyncio", "msgspec", "sayso.store", "sayso.ask.aio"} & set(sys.modules)
import sayso
assert sayso.ask is ask and ask.aio.yesno and "asyncio" in sys.modules
"""


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[PlayedDesk]:
    with PlayedDesk() as desk:
        monkeypatch.setenv("SAYSO_HOME", str(desk.home))
        monkeypatch.setenv("SAYSO_SURFACE", "s")
        yield desk


class Way:
    """Calls a function of `ask` while the test plays the desk."""

    def __init__(self, pool: ThreadPoolExecutor, is_async: bool) -> None:
        self._pool = pool
        self._is_async = is_async

    def __call__(self, name: str, *words: Any, **more: Any) -> Future[Any]:
        if not self._is_async:
            return self._pool.submit(getattr(ask, name), *words, **more)
        return self._pool.submit(lambda: asyncio.run(getattr(ask.aio, name)(*words, **more)))


@pytest.fixture(params=[False, True], ids=["blocking", "asyncio"])
def way(request: pytest.FixtureRequest) -> Iterator[Way]:
    with ThreadPoolExecutor(2) as pool:
        yield Way(pool, request.param)


ASKED: list[tuple[str, tuple[Any, ...], dict[str, Any], dict[str, Any]]] = [
    ("yesno", ("Deploy?",), {}, {"kind": "yesno", "title": "Deploy?"}),
    ("yesno", ("x",), {"default": False}, {"kind": "yesno", "title": "x", "default": "no"}),
    ("text", ("--x",), {"default": ""}, {"kind": "text", "title": "--x"}),
    (
        "text",
        ("x",),
        {"body": "a\nb", "timeout_s": 1.5, "unsafe": True, "surface": "here", "label": "me"},
        {
            "kind": "text",
            "title": "x",
            "body": "a\nb",
            "timeout_ms": 1500,
            "unsafe": True,
            "surface_id": "here",
            "agent_id": "me",
        },
    ),
    (
        "choice",
        ("x", ["a", ("b:c", "label, with: all")]),
        {"default": "a"},
        {
            "kind": "choice",
            "title": "x",
            "default": "a",
            "choices": [{"id": "a", "label": ""}, {"id": "b:c", "label": "label, with: all"}],
        },
    ),
    (
        "choice",
        ("x", {"a": "A"}),
        {},
        {"kind": "choice", "title": "x", "choices": [{"id": "a", "label": "A"}]},
    ),
    (
        "confirm_command",
        ("rm -rf build",),
        {"unsafe": True},
        {"kind": "confirm-command", "title": ask.RUN_IT, "body": "rm -rf build", "unsafe": True},
    ),
    (
        "confirm_command",
        ("make",),
        {"title": "Build?"},
        {"kind": "confirm-command", "title": "Build?", "body": "make"},
    ),
]


@pytest.mark.parametrize(("name", "words", "more", "expected"), ASKED)
def test_what_is_asked(
    desk: PlayedDesk,
    way: Way,
    name: str,
    words: tuple[Any, ...],
    more: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    asked = way(name, *words, **more)
    peer = desk.accept().pend()
    params = {name: value for name, value in peer.params.items() if name not in ("id", "cwd")}
    assert params == {"surface_id": "s"} | expected
    peer.end("cancel")
    if more.get("default") is None:
        with pytest.raises(ask.Cancelled):
            asked.result(WAIT_S)
    else:
        assert asked.result(WAIT_S) == more["default"]


@pytest.mark.parametrize(
    ("name", "words", "value", "expected"),
    [
        ("yesno", ("x",), "yes", True),
        ("yesno", ("x",), "no", False),
        ("choice", ("x", ["a", "b"]), "b", "b"),
        ("text", ("x",), "", ""),
        ("text", ("x",), "one\ntwo", "one\ntwo"),
        ("confirm_command", ("ls",), "run", True),
    ],
)
def test_an_answer(
    desk: PlayedDesk, way: Way, name: str, words: tuple[Any, ...], value: str, expected: object
) -> None:
    asked = way(name, *words)
    desk.accept().pend().end("ok", value=value)
    assert asked.result(WAIT_S) is expected or asked.result(WAIT_S) == expected


def test_case_25_no_answer_raises(desk: PlayedDesk, way: Way) -> None:
    asked = way("yesno", "x")
    desk.accept().pend().end("timeout")
    with pytest.raises(ask.TimedOut):
        asked.result(WAIT_S)
    asked = way("yesno", "x")
    desk.accept().pend().end("cancel", reason="not today")
    with pytest.raises(ask.Cancelled, match="cancelled: not today") as cancelled:
        asked.result(WAIT_S)
    assert cancelled.value.reason == "not today"
    assert isinstance(cancelled.value, ask.NotAnswered)


def test_case_25_a_command_is_not_run_without_an_answer(desk: PlayedDesk, way: Way) -> None:
    for action, more in (("timeout", {}), ("cancel", {}), ("ok", {"value": "ack"}), ("ok", {"value": "yes"})):
        asked = way("confirm_command", "rm -rf /")
        desk.accept().pend().end(action, **more)
        with pytest.raises(ask.NotAnswered):
            asked.result(WAIT_S)


@pytest.mark.parametrize("default", [True, False])
def test_a_default_stands_in(desk: PlayedDesk, way: Way, default: bool) -> None:
    asked = way("yesno", "x", default=default, timeout_s=60)
    desk.accept().pend().end("timeout")
    assert asked.result(WAIT_S) is default


def test_no_desk(desk: PlayedDesk, way: Way) -> None:
    desk.close()
    with pytest.raises(ask.NoDesk, match="sayso start"):
        way("yesno", "x", default=True).result(WAIT_S)  # nobody was asked, so no default either


@pytest.mark.parametrize(
    ("name", "words", "more", "field"),
    [
        ("text", ("x",), {"timeout_s": 0}, "timeout_s"),
        ("text", ("x",), {"timeout_s": -1.0}, "timeout_s"),
        ("text", ("x",), {"timeout_s": float("nan")}, "timeout_s"),
        ("choice", ("x", "abc"), {}, "choices"),
    ],
)
def test_what_cannot_be_meant(
    desk: PlayedDesk, way: Way, name: str, words: tuple[Any, ...], more: dict[str, Any], field: str
) -> None:
    with pytest.raises(ask.BadRequest) as bad:
        way(name, *words, **more).result(WAIT_S)
    assert bad.value.field == field


def test_what_the_desk_refuses(desk: PlayedDesk, way: Way) -> None:
    asked = way("text", "one\ntwo")
    desk.accept().refuse("title must be one line", "bad_request", field="title")
    with pytest.raises(ask.BadRequest, match="one line") as bad:
        asked.result(WAIT_S)
    assert bad.value.field == "title"


def test_case_09_a_desk_that_comes_back_is_asked_again(desk: PlayedDesk, way: Way) -> None:
    asked = way("yesno", "x")
    first = desk.accept().pend().params["id"]
    desk.close()
    desk.open()
    again = desk.accept()
    assert (again.params["id"], again.params["resumed"]) == (first, True)
    again.pend().end("ok", value="yes")
    assert asked.result(WAIT_S) is True


def test_case_22_a_desk_that_forgets_the_time(
    desk: PlayedDesk, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LATE_S", 0.1)
    monkeypatch.setattr(ask.aio, "LATE_S", 0.1)
    asked = way("text", "x", timeout_s=0.1)
    peer = desk.accept().pend()
    with pytest.raises(ask.TimedOut):
        asked.result(WAIT_S)
    assert peer.is_gone()


def test_a_desk_that_does_not_take_it(desk: PlayedDesk, way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "TAKEN_S", 0.2)
    monkeypatch.setattr(ask.aio, "TAKEN_S", 0.2)
    asked = way("text", "x", default="y")
    peer = desk.accept()
    with pytest.raises(ask.NoDesk, match="did not take the question"):
        asked.result(WAIT_S)
    assert peer.is_gone()


# --- withdrawn -----------------------------------------------------------------------------


def test_an_interrupted_program_has_withdrawn_its_question(desk: PlayedDesk) -> None:
    program = "import signal, sys\nfrom sayso import ask\nask.yesno('x')"
    asking = subprocess.Popen([sys.executable, "-c", program], env=desk.env | {}, stderr=subprocess.DEVNULL)
    peer = desk.accept().pend()
    asking.terminate()
    assert peer.is_gone()
    asking.wait(WAIT_S)


async def test_a_cancelled_task_has_withdrawn_its_question(desk: PlayedDesk) -> None:
    task = asyncio.create_task(ask.aio.yesno("x"))
    peer = await asyncio.to_thread(desk.accept)
    peer.pend()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    said = await asyncio.to_thread(peer.next_call)
    assert (said["method"], said["params"]["request_id"]) == (
        "agent.ask_cancel",
        said["params"]["request_id"],
    )
    assert await asyncio.to_thread(peer.is_gone)


async def test_a_timeout_of_asyncio_has_withdrawn_it_too(desk: PlayedDesk) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await ask.aio.yesno("x", default=True)
    peer = await asyncio.to_thread(desk.accept)
    assert await asyncio.to_thread(peer.is_gone)


async def test_several_at_once(desk: PlayedDesk) -> None:
    tasks = [asyncio.create_task(ask.aio.text(str(number))) for number in range(5)]
    peers = [await asyncio.to_thread(desk.accept) for _ in tasks]
    for peer in reversed(peers):
        peer.pend().end("ok", value=f"to {peer.params['title']}")
    assert await asyncio.gather(*tasks) == [f"to {number}" for number in range(5)]


def test_threads_ask_at_once(desk: PlayedDesk) -> None:
    found: list[str] = []
    threads = [threading.Thread(target=lambda n=n: found.append(ask.text(str(n)))) for n in range(3)]
    for thread in threads:
        thread.start()
    for peer in [desk.accept().pend() for _ in threads]:
        peer.end("ok", value=peer.params["title"])
    for thread in threads:
        thread.join(WAIT_S)
    assert sorted(found) == ["0", "1", "2"]


# --- the module --------------------------------------------------------------------------------


def test_nothing_heavy_is_loaded_before_it_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_every_public_name_is_there() -> None:
    assert sayso.ask is importlib.import_module("sayso.ask")
    for name in ask.__all__:
        assert getattr(ask, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ask.nothing  # noqa: B018


@pytest.mark.parametrize("name", FUNCTIONS)
def test_both_ways_take_the_same(name: str) -> None:
    blocking: Callable[..., Any] = getattr(ask, name)
    waiting: Callable[..., Any] = getattr(ask.aio, name)
    assert inspect.signature(blocking) == inspect.signature(waiting)
    assert inspect.iscoroutinefunction(waiting)


def test_one_tree_of_errors() -> None:
    assert all(issubclass(kind, SaysoError) for kind in (ask.NotAnswered, ask.NoDesk, ask.BadRequest))
    assert {ask.TimedOut.code, ask.Cancelled.code, ask.NoDesk.code} == {
        "timed_out",
        "cancelled",
        "unavailable",
    }


def test_what_destroys_something_is_not_agreed_to_by_default() -> None:
    with pytest.raises(BadRequest) as refused:
        ask.yesno("Delete it?", default=True, unsafe=True)
    assert refused.value.field == "default"
