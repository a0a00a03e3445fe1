"""What is measured: hooks placed as `sayso install` places them, and a desk of their own.

Nothing here takes a time. Imports sayso and the standard library.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import sayso
from sayso.client.blocking import Desk
from sayso.client.places import places
from sayso.errors import Unavailable
from sayso.install import claude_code, stable

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[1]
SESSION = "9bcdc454-1f57-46e3-b87d-8da46d42cb37"
IDLE_SESSION = "00000000-0000-4000-8000-000000000000"
"""A session with nothing pending, so without a flag."""
LIMITS = {"pending_per_agent": 100_000, "pending_in_all": 100_000}
_WAIT_S = 30.0
_LOOK_S = 0.02
_SAMPLES = ROOT / "tests/golden/claude_code_samples"


class CannotMeasure(Exception):
    """A measurement could not be made; says why."""


class Helper:
    """A process of ours that takes an order a line, and gives a report a line."""

    def __init__(self, *words: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        self.pid = self._process.pid

    def send(self, **order: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()

    def report(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise CannotMeasure(f"a helping process ended ({self._process.wait()})")
        report = json.loads(line)
        if isinstance(report, dict) and "failed" in report:
            raise CannotMeasure(report["failed"])
        return report["ok"] if isinstance(report, dict) and "ok" in report else report

    def call(self, **order: object) -> Any:
        self.send(**order)
        return self.report()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class World:
    """A home with a placed hook, and the process that starts hooks; as a context."""

    def __init__(self) -> None:
        self.python = stable.interpreter().path
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        self.home = Path(tempfile.mkdtemp(prefix="sb-")).resolve()
        self._undo.callback(shutil.rmtree, self.home, ignore_errors=True)
        self.places = here = places({"SAYSO_HOME": str(self.home)})
        placed = stable.place(Path(sayso.__file__).parent, here.data, sayso.__version__, self.python)
        settings = claude_code.hook_settings(self.python, str(placed.hook), str(here.socket), str(here.flags))
        self._hooks = {event: groups[0]["hooks"][0] for event, groups in settings.items()}
        here.run.mkdir(mode=0o700)
        here.flags.mkdir(mode=0o700)
        self.spawner = Helper("bench.spawner")
        self._undo.callback(self.spawner.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._undo.close()

    # --- commands for the spawner

    def program(self, *argv: str) -> Json:
        """Return a command with nothing to read."""
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin")}
        return {"argv": argv, "env": env, "stdin": os.devnull, "stdout": os.devnull}

    def hook(self, event: str, payload: Json, name: str) -> Json:
        """Return the command of an event, as it stands in the settings, with its payload."""
        path = self.home / f"{name}.json"
        path.write_text(json.dumps(payload))
        env = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.home),
            "CLAUDECODE": "1",
            "CLAUDE_CODE_SESSION_ID": payload["session_id"],
            "CLAUDE_CODE_SESSION_ATTENDED": "1",
            "CLAUDE_CODE_ENTRYPOINT": "cli",
        }
        argv = [self._hooks[event]["command"], *self._hooks[event]["args"]]
        return {"argv": argv, "env": env, "stdin": str(path), "stdout": str(self.home / f"{name}.out")}

    def desk(self, *options: str) -> RunningDesk:
        return RunningDesk(self, options)


class RunningDesk:
    """A desk that runs while its context lasts; the spawner is its only agent."""

    def __init__(self, world: World, options: tuple[str, ...]) -> None:
        self._world = world
        self._options = options or ("--no-http",)
        self._log = world.home / "desk.log"
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        here = self._world.places
        command = [sys.executable, "-m", "sayso", "up", *self._options]
        command += ["--agents-only", str(self._world.spawner.pid)]
        home = str(self._world.home)  # as the person's home as well: nothing of whoever measures is touched
        env = {**os.environ, "SAYSO_HOME": home, "HOME": home, "CODEX_HOME": f"{home}/codex"}
        log = self._undo.enter_context(self._log.open("ab"))
        self._process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        self._undo.callback(self._end)
        self.pid = self._process.pid
        try:
            self.client = self._connected(str(here.socket))
        except CannotMeasure:
            self._undo.close()
            raise
        self._undo.callback(self.client.close)
        return self

    def _connected(self, path: str) -> Desk:
        end = time.monotonic() + _WAIT_S
        while True:
            try:
                return Desk(path)
            except Unavailable:
                if self._process.poll() is not None or time.monotonic() > end:
                    said = self._log.read_text("utf-8", "replace").strip()
                    raise CannotMeasure(f"the desk did not start: {said}") from None
            time.sleep(_LOOK_S)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._undo.close()

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(_WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def raise_limits(self) -> None:
        self.client.call("desk.settings", {"settings": LIMITS})

    def crowd(self) -> Helper:
        """Return a crowd of clients, which ends with this desk."""
        crowd = Helper("bench.crowd", str(self._world.places.socket))
        self._undo.callback(crowd.close)
        return crowd

    def next_shown(self) -> tuple[str, float]:
        """Return the id of the next request that is shown on the subscribed connection, and when."""
        while (change := self.client.next_change(_WAIT_S)) is not None:
            if change["type"] == "shown":
                return str(change["request"]["id"]), time.monotonic()
        raise CannotMeasure("the ask did not reach the desk")

    def pending(self) -> int:
        return int(self.client.call("desk.health", {})["pending"])

    def until_pending(self, count: int) -> None:
        """Wait until so many requests pend."""
        end = time.monotonic() + 2 * _WAIT_S
        while (found := self.pending()) < count:
            if time.monotonic() > end:
                raise CannotMeasure(f"only {found:,} of {count:,} requests pend")
            time.sleep(_LOOK_S)

    def status(self, name: str) -> int:
        """Return a figure of the process as the kernel counts it, over all its threads where it is one."""
        folder = Path(f"/proc/{self.pid}")
        if not folder.exists():
            raise CannotMeasure("this needs /proc, so Linux")
        if name == "VmRSS":
            return _figure(folder / "status", name) * 1024
        return sum(_figure(task / "status", name) for task in (folder / "task").iterdir())


def _figure(path: Path, name: str) -> int:
    for line in path.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise CannotMeasure(f"the kernel does not tell {name}")


def sample(name: str, **more: object) -> Json:
    """Return a recorded payload of Claude Code."""
    payload: Json = json.loads((_SAMPLES / f"{name}.json").read_text("utf-8"))
    return {**payload, "session_id": SESSION, **more}


def ask() -> Json:
    """Return an ask of about 1 KB as a hook sends it."""
    from sayso.agents import claude_code as adapter

    payload = sample("PermissionRequest.Bash")
    payload["tool_input"]["command"] = "touch " + " ".join(f"src/module_{n}/part.py" for n in range(19))
    parsed = adapter.parse(payload, {"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    assert parsed is not None
    return {**parsed[1], "version": 1, "agent_pid": 0, "started_s": 0.0, "id": ""}
