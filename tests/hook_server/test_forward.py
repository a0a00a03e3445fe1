"""The command that forwards a hook: what it says when all is well, and that it says nothing else."""

from __future__ import annotations

import ast
import asyncio
import json
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from sayso.hook_server import Ending, HookServer, forward
from tests.hook_server.callers import BASH, NOTHING, WAIT_S, next_event
from tests.rules.test_light import COMPILED
from tests.rules.tree import ROOT

SCRIPT = ROOT / "src/sayso/hook_server/forward.py"
PAYLOAD = json.dumps(BASH).encode()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[HookServer]:
    async with HookServer(url_file=tmp_path / "hooks" / "url") as server:
        yield server


async def start(command: list[str], **more: Any) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    given = {"stdin": pipe, "stdout": pipe, "stderr": pipe, "env": {}, **more}
    return await asyncio.create_subprocess_exec(*command, **given)


async def ended(
    process: asyncio.subprocess.Process, data: bytes | None = None
) -> tuple[int | None, bytes, bytes]:
    async with asyncio.timeout(WAIT_S):
        output, errors = await process.communicate(data)
    return process.returncode, output, errors


async def waiting(server: HookServer, **more: Any) -> tuple[asyncio.subprocess.Process, Any]:
    """Return a hook that waits, and its event."""
    return await waiting_of(server.command(), server, **more)


async def test_it_prints_what_the_program_answers(server: HookServer) -> None:
    process, event = await waiting(server)
    assert event.payload == BASH
    event.deny("Not ünder $HOME.")
    code, output, errors = await ended(process)
    assert (code, errors) == (0, b"")
    assert json.loads(output)["hookSpecificOutput"]["permissionDecisionReason"] == "Not ünder $HOME."


async def test_and_nothing_when_it_does_not(server: HookServer) -> None:
    process, event = await waiting(server)
    event.drop()
    assert await ended(process) == (0, b"", b"")
    process, _ = await waiting(server)
    await server.stop()
    assert await ended(process) == (0, b"", b"")


async def test_megabytes_pass_both_ways(server: HookServer) -> None:
    process = await start(server.command())
    plan = "ü\n" * 1_500_000
    payload = {
        "hook_event_name": "PermissionRequest",
        "tool_name": "ExitPlanMode",
        "tool_input": {"plan": plan},
    }
    running = asyncio.create_task(ended(process, json.dumps(payload).encode()))
    event = await next_event(server)
    assert event.args == {"plan": plan}
    event.allow()
    code, output, _ = await running
    assert json.loads(output)["hookSpecificOutput"]["decision"]["updatedInput"] == {"plan": plan}
    assert code == 0


# --- when it is over -------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_it_ends_when_it_is_told_to(server: HookServer, number: int) -> None:
    process, event = await waiting(server)
    process.send_signal(number)
    assert await ended(process) == (0, b"", b"")
    async with asyncio.timeout(1):
        assert await event.gone() is Ending.GONE


async def test_it_ends_when_the_agent_hangs_up(server: HookServer) -> None:
    ours, theirs = socket.socketpair()
    process, event = await waiting(server, stdout=theirs.fileno())
    theirs.close()
    ours.close()
    async with asyncio.timeout(2):
        assert await event.gone() is Ending.GONE
    assert await ended(process) == (0, None, b"")


async def test_it_ends_with_the_agent(server: HookServer) -> None:
    """Also where somebody else still holds the other end of its output."""
    starts = "import subprocess, sys; subprocess.run(sys.argv[1:])"
    process, event = await waiting_of([sys.executable, "-c", starts, *server.command()], server)
    process.kill()
    async with asyncio.timeout(2):
        assert await event.gone() is Ending.GONE
    await ended(process)


async def waiting_of(
    command: list[str], server: HookServer, **more: Any
) -> tuple[asyncio.subprocess.Process, Any]:
    process = await start(command, **more)
    assert process.stdin is not None
    process.stdin.write(PAYLOAD)
    await process.stdin.drain()
    process.stdin.close()
    return process, await next_event(server)


async def test_the_end_of_its_input_means_nothing(server: HookServer) -> None:
    process, event = await waiting(server)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await event.gone()
    assert event.allow()
    assert (await ended(process))[0] == 0


# --- silence -------------------------------------------------------------------------------------


def closed(path: Path) -> None:
    """Nobody listens, and the file and a lock lie about it."""
    path.write_text("http://127.0.0.1:1/hook?t=00\n")


def garbage(path: Path) -> None:
    path.write_bytes(b"\xff\x00")


def elsewhere(path: Path) -> None:
    path.write_text(path.read_text().replace("127.0.0.1", "localhost"))


def shared(path: Path) -> None:
    path.chmod(0o644)


def linked(path: Path) -> None:
    path.rename(path.with_name("other"))
    path.symlink_to(path.with_name("other"))


def wrong_token(path: Path) -> None:
    path.write_text(path.read_text()[:-5] + "\n")


def gone(path: Path) -> None:
    path.unlink()


def no_lock(path: Path) -> None:
    path.with_name("url.lock").unlink()


@pytest.mark.parametrize("spoil", [closed, garbage, elsewhere, shared, linked, wrong_token, gone, no_lock])
async def test_it_is_silent_when_something_is_wrong(
    server: HookServer, spoil: Callable[[Path], None]
) -> None:
    spoil(Path(server.command()[-1]))
    assert await ended(await start(server.command()), PAYLOAD) == (0, b"", b"")
    assert server.pending == 0


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff"])
async def test_it_is_silent_about_what_is_no_hook(server: HookServer, data: bytes) -> None:
    assert await ended(await start(server.command()), data) == (0, b"", b"")


async def test_it_is_silent_where_it_or_its_interpreter_is_gone(server: HookServer) -> None:
    command = server.command()
    for index in (3, 6):
        moved = [*command]
        moved[index] += ".gone"
        assert await ended(await start(moved), PAYLOAD) == (0, b"", b"")


async def test_it_is_silent_without_an_argument() -> None:
    process = await start([sys.executable, "-I", "-S", str(SCRIPT)])
    assert await ended(process, PAYLOAD) == (0, b"", b"")


def left_behind(path: Path, port: int) -> None:
    path.write_text(f"http://127.0.0.1:{port}/hook?t=00\n")
    path.chmod(0o600)


async def test_where_the_server_is_counts_once_all_was_read(server: HookServer) -> None:
    process = await start(server.command())
    assert process.stdin is not None
    process.stdin.write(PAYLOAD[:9])
    await process.stdin.drain()
    await server.stop()
    await server.start()
    process.stdin.write(PAYLOAD[9:])
    process.stdin.close()
    event = await next_event(server)
    event.deny("No.")
    assert b"No." in (await ended(process))[1]


async def test_a_port_of_a_server_that_ended_is_not_spoken_to(server: HookServer) -> None:
    """Somebody else may listen there by now, and would be shown what the agent does, and answer."""
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        await server.stop()
        left_behind(Path(server.command()[-1]), stranger.getsockname()[1])
        assert await ended(await start(server.command()), PAYLOAD) == (0, b"", b"")
        stranger.settimeout(0)
        with pytest.raises(BlockingIOError):
            stranger.accept()


@pytest.mark.parametrize(
    "response",
    [
        b"",
        b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\n\r\nno length",
        b"HTTP/1.1 500 Oh\r\ncontent-length: 5\r\n\r\nwords",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        b"\x00\xff",
    ],
)
def test_what_is_no_whole_and_good_response_is_nothing(response: bytes) -> None:
    try:
        assert forward.answer(response) == b""
    except forward.Over:
        assert NOTHING not in response


def test_it_loads_nothing_heavy_and_nothing_of_ours() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 11))
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert found <= COMPILED | {"sys", "fcntl", "signal"}
    assert [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)] == []


async def test_while_it_waits_it_sleeps(server: HookServer) -> None:
    process, event = await waiting(server)
    before = cpu_s(process.pid)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1.2):
            await event.gone()
    assert cpu_s(process.pid) - before <= 0.05
    event.drop()
    await ended(process)


def cpu_s(pid: int) -> float:
    done = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], capture_output=True, text=True, check=True)
    parts = [float(part) for part in done.stdout.strip().replace("-", ":").split(":")]
    return sum(part * 60**place for place, part in enumerate(reversed(parts)))
