"""The doctor starts what stands in the settings: silent hooks pass, all others are told apart."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sayso.doctor import hook_checks as checks
from sayso.doctor import probes
from sayso.doctor.findings import Level
from sayso.wire.protocol import PROTOCOL
from tests.doctor.scene import Scene


@contextmanager
def desk(scene: Scene, answers: bytes = b'{"id":1,"result":{}}\n') -> Iterator[list[bytes]]:
    """Listen at the socket in a thread, say the same to every line, and give the lines that came."""
    lines: list[bytes] = []
    scene.places.run.mkdir(mode=0o700, exist_ok=True)
    loop = asyncio.new_event_loop()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines.append(await reader.readline())
        writer.write(answers)
        await writer.drain()
        await reader.read()
        writer.close()

    server = loop.run_until_complete(asyncio.start_unix_server(serve, scene.places.socket))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield lines
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        for task in asyncio.all_tasks(loop):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                loop.run_until_complete(task)
        loop.close()


@pytest.fixture
def placed(scene: Scene) -> Scene:
    """With the real hook in place, and in the settings."""
    scene.copy_hook()
    scene.install()
    scene.places.run.mkdir(mode=0o700, parents=True)
    scene.places.flags.mkdir(mode=0o700)
    return scene


def script(scene: Scene, text: str) -> None:
    """Have the settings name a hook of another kind, run by a shell."""
    path = scene.places.state / "hook.sh"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    runner = scene.places.state / "runner"
    runner.write_text('#!/bin/sh\nexec /bin/sh "$3"\n')
    runner.chmod(0o755)
    scene.python, scene.hook = str(runner), str(path)
    scene.install()
    scene.places.run.mkdir(mode=0o700, parents=True)
    scene.places.flags.mkdir(mode=0o700)


def test_what_install_places_is_well(placed: Scene) -> None:
    context = placed.context()
    for check in (checks.hook, checks.version, checks.silent):
        assert check(context).level is Level.OK, check
    assert "runs" in checks.interpreter(context).text or "emptied" in checks.interpreter(context).text


def test_case_35_a_moved_interpreter_is_named(placed: Scene) -> None:
    placed.python = "/nowhere/python"
    placed.install()
    found = checks.interpreter(placed.context())
    assert found.level is Level.FAIL
    assert "/nowhere/python" in found.text
    assert checks.silent(placed.context()).level is Level.OK  # the guard keeps quiet


def test_an_interpreter_that_does_not_run_is_named(scene: Scene) -> None:
    script(scene, "exit 0")
    Path(scene.python).write_text("#!/bin/sh\nexit 3\n")
    found = checks.interpreter(scene.context())
    assert found.level is Level.FAIL
    assert "does not run" in found.text


def test_a_missing_hook_is_named(placed: Scene) -> None:
    shutil.rmtree(placed.places.data)
    found = checks.hook(placed.context())
    assert found.level is Level.FAIL
    assert "not there" in found.text


def test_a_hook_that_is_not_compiled_is_noted(placed: Scene) -> None:
    package = Path(placed.hook).parent.parent
    shutil.rmtree(package / "agents/__pycache__")
    found = checks.hook(placed.context())
    assert found.level is Level.NOTE
    assert "not compiled" in found.text


def test_a_copy_of_another_version_is_noted(placed: Scene) -> None:
    current = placed.places.data / "hook/current"
    old = current.parent / "0.0.1-abcdefabcdef"
    current.resolve().rename(old)
    current.unlink()
    current.symlink_to(old.name)
    found = checks.version(placed.context())
    assert found.level is Level.NOTE
    assert "0.0.1-abcdefabcdef" in found.text


@pytest.mark.parametrize(("spoken", "level"), [(0, Level.FAIL), (1, Level.OK), (2, Level.OK)])
def test_a_hook_that_the_desk_does_not_understand_fails(placed: Scene, spoken: int, level: Level) -> None:
    health = {"protocol": PROTOCOL - 1 + spoken, "version": "0.0.1"}
    found = checks.version(placed.context(health))
    assert found.level is level
    assert ("newer than the desk (0.0.1)" in found.text) is (level is Level.FAIL)


@pytest.mark.parametrize(
    ("text", "why"),
    [("echo hello", "wrote 'hello'"), ("echo bad >&2", "wrote 'bad'"), ("exit 4", "code 4")],
)
def test_case_36_a_hook_that_is_not_silent_fails(scene: Scene, text: str, why: str) -> None:
    script(scene, text)
    found = checks.silent(scene.context())
    assert found.level is Level.FAIL
    assert why in found.text
    assert "SessionStart" in found.text


def test_case_36_a_hook_that_hangs_fails(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "TIMEOUT_S", 0.2)
    script(scene, "sleep 60")
    found = checks.silent(scene.context())
    assert found.level is Level.FAIL
    assert "did not end" in found.text


def test_a_slow_hook_is_noted(placed: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "SLOW_S", 0.0)
    found = checks.silent(placed.context())
    assert found.level is Level.NOTE
    assert "delays the agent" in found.text


def test_an_event_reaches_the_desk(placed: Scene) -> None:
    context = placed.context(runs=True)
    with desk(placed) as lines:
        found = checks.reach(context)
    assert found.level is Level.OK
    assert context.session.encode() in lines[0]
    assert list(placed.places.flags.iterdir()) == []


def test_a_desk_that_does_not_hear_hooks_is_a_failure(placed: Scene) -> None:
    found = checks.reach(placed.context(runs=True))
    assert found.level is Level.FAIL
    assert "did not reach" in found.text
    assert list(placed.places.flags.iterdir()) == []


def test_without_a_desk_the_event_is_noted_in_the_flag(placed: Scene) -> None:
    found = checks.reach(placed.context())
    assert found.level is Level.NOTE
    assert "noted its event" in found.text


def test_a_hook_that_speaks_only_with_a_flag_is_caught(scene: Scene) -> None:
    script(scene, 'cat | grep -q PostToolUse && echo "Traceback"; exit 0')
    assert checks.silent(scene.context()).level is Level.OK  # the gate keeps it from starting
    assert "Traceback" in checks.reach(scene.context()).text


def test_without_the_flag_folder_it_depends_on_the_desk(placed: Scene) -> None:
    placed.places.flags.rmdir()
    assert checks.reach(placed.context()).level is Level.NOTE
    assert checks.reach(placed.context(runs=True)).level is Level.FAIL


def test_without_hooks_nothing_is_tried(scene: Scene) -> None:
    assert checks.silent(scene.context()).level is Level.NOTE
    assert checks.reach(scene.context()).level is Level.NOTE


def test_the_agents_part_is_played_by_a_shell(tmp_path: Path) -> None:
    out = tmp_path / "out"
    argv = ["/bin/sh", "-c", 'echo "$CLAUDE_PID $PPID $CLAUDE_CODE_SESSION_ID" >"$0"', str(out)]
    environ = probes.environment({"PATH": "/bin"}, "s1", str(tmp_path))
    assert probes.run(argv, {}, environ, tmp_path).trouble == ""
    said, parent, session = out.read_text().split()
    assert said == parent
    assert session == "s1"
