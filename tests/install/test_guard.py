"""The commands behind the hooks, run by real shells as Claude Code runs them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from sayso.install import claude_code

STUB = "import json, sys; print(json.dumps([sys.argv[1:], sys.flags.isolated, sys.flags.no_site]))"
SESSION = "2b0f8b64-4c1e-4f62-9d0c-0a5f3c1d9e11"


def shells() -> list[str]:
    """Give the shells that are /bin/sh somewhere; /bin/sh itself is there everywhere."""
    return [
        "/bin/sh",
        *(path for name in ("dash", "bash", "zsh", "ksh", "busybox") if (path := shutil.which(name))),
    ]


@dataclass
class Stage:
    """A hook in folders whose names hold what shells trip over."""

    shell: str
    root: Path

    def __post_init__(self) -> None:
        for name in ("flags", "bin"):
            (self.root / name).mkdir(parents=True)
        self.python.symlink_to(sys.executable)
        self.hook.write_text(STUB)

    @property
    def python(self) -> Path:
        return self.root / "bin" / "python"

    @property
    def hook(self) -> Path:
        return self.root / "hook.py"

    def raise_flag(self, session: str = SESSION) -> None:
        (self.root / "flags" / session).touch()

    def paths(self) -> tuple[str, str, str, str]:
        return str(self.python), str(self.hook), str(self.root / "desk.sock"), str(self.root / "flags")

    def run(self, event: str, session: str | None = SESSION) -> str:
        """Run the hook of an event as Claude Code would, and return what it printed; all else is silence."""
        handler = claude_code.hook_settings(*self.paths())[event][0]["hooks"][0]
        assert handler["command"] == "/bin/sh"
        shell = [self.shell, "sh"] if self.shell.endswith("busybox") else [self.shell]
        env = {} if session is None else {"CLAUDE_CODE_SESSION_ID": session}
        done = subprocess.run(
            [*shell, *handler["args"]], env=env, input=b"{}", capture_output=True, check=False, timeout=20
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()


@pytest.fixture(params=shells())
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Stage:
    return Stage(request.param, tmp_path / """Ünï "côde" $HOME `id` it's\\ 日本""")


GUARDED = ["PermissionRequest", "Elicitation", "Stop", "SessionEnd", "Notification"]
GATED = ["PostToolUse", "PostToolUseFailure", "PostToolBatch"]


@pytest.mark.parametrize("event", [*GUARDED, *GATED])
def test_the_hook_runs_isolated_with_its_arguments(stage: Stage, event: str) -> None:
    stage.raise_flag()
    _, _, socket, flags = stage.paths()
    assert json.loads(stage.run(event)) == [["claude-code", "--socket", socket, "--flags", flags], 1, 1]


@pytest.mark.parametrize("event", ["PermissionRequest", "PostToolUse"])
def test_case_36_a_hook_whose_interpreter_or_script_is_gone_says_nothing(stage: Stage, event: str) -> None:
    stage.raise_flag()
    assert stage.run(event) != ""
    stage.python.rename(stage.root / "bin" / "python-moved")
    assert stage.run(event) == ""
    (stage.root / "bin" / "python-moved").rename(stage.python)
    stage.hook.unlink()
    assert stage.run(event) == ""
    shutil.rmtree(stage.root)
    assert stage.run(event) == ""


def test_an_interpreter_that_may_not_run_counts_as_gone(stage: Stage) -> None:
    stage.python.unlink()
    stage.python.write_text("not a program")
    assert stage.run("Stop") == ""


@pytest.mark.parametrize("event", GATED)
def test_without_its_flag_a_tool_call_starts_no_interpreter(stage: Stage, event: str) -> None:
    assert stage.run(event) == ""
    stage.raise_flag("another-session")
    assert stage.run(event) == ""
    stage.raise_flag()
    assert stage.run(event) != ""


@pytest.mark.parametrize("session", [None, "", ".", "..", "../flags"])
def test_folders_are_no_flags(stage: Stage, session: str | None) -> None:
    stage.raise_flag()
    assert stage.run("PostToolUse", session) == ""
