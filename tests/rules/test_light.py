"""What a hook loads: it runs at every tool call, so each module it imports has to be here by name."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sayso.install import stable
from tests.agents.codex_schema import INPUTS
from tests.desks import Home, Watcher, sample
from tests.rules.tree import ROOT
from tests.standin import StandIn

if TYPE_CHECKING:
    from collections.abc import Iterator

# What an interpreter has loaded before its first line, and what a script could import for nothing.
OURS = {
    "sayso",
    "sayso.agents",
    "sayso.agents.claude_code",
    "sayso.client",
    "sayso.client.line",
    "sayso.core",
    "sayso.core.digest",
    "sayso.intake",
    "sayso.intake.hook_run",
}
ASKERS = {
    "sayso.agents.claude_answers",
    "sayso.agents.claude_asks",
    "sayso.intake.hook_ask",
}
FORMS = {"sayso.agents.claude_forms"}
CODEX = {"sayso.agents.codex_hook"}
"""In place of Claude Code's."""
COMPILED = {"_socket", "select", "_json", "_sha256", "_sha2", "errno", "_signal", "posix", "time"}
"""Written in C: they cost next to nothing."""

# A hook that says what it loaded. It stops where it would end itself.
PROBE = """
import sys, posix
before = set(sys.modules)
script = sys.argv[1]
sys.argv = sys.argv[1:]
def report(code):
    posix.write(2, " ".join(sorted(set(sys.modules) - before)).encode())
    real(code)
real, posix._exit = posix._exit, report
source = open(script).read()
exec(compile(source, script, "exec"), {"__name__": "__main__", "__file__": script})
"""


class Loaded:
    """A desk, an agent, and hooks that say what they loaded."""

    def __init__(self, home: Home, agent: StandIn) -> None:
        self.home = home
        self.agent = agent

    def command(self, event: str) -> list[str]:
        words = self.agent.command(event)
        python = words[words.index("-I") - 1]
        return [python, "-I", "-S", "-c", PROBE, *words[words.index("-S") + 1 :]]

    def by(self, name: str, watcher: Watcher | None = None) -> set[str]:
        payload = sample(name)
        return self._told(self.command(payload["hook_event_name"]), payload, watcher)

    def by_codex(self, name: str, watcher: Watcher | None = None) -> set[str]:
        command = [{"claude-code": "codex"}.get(word, word) for word in self.command("Stop")]
        return self._told(command, INPUTS[name], watcher)

    def _told(self, command: list[str], payload: dict[str, Any], watcher: Watcher | None) -> set[str]:
        hook = self.agent.start(command, self.agent.env(payload["session_id"]))
        hook.write(json.dumps(payload).encode())
        if watcher is not None:
            watcher.answer(watcher.pending(payload["session_id"])["id"], behavior="deny")
        code, output, errors = hook.result()
        assert (code, bool(output)) == (0, watcher is not None)
        return set(errors.decode().split())


@pytest.fixture(scope="module")
def loaded() -> Iterator[Loaded]:
    with Home() as home, StandIn(home.handlers()) as agent:
        home.up("--agents-only", str(agent.pid))
        yield Loaded(home, agent)


@pytest.mark.parametrize("name", ["Stop", "PostToolUse.Bash", "UserPromptSubmit", "PostToolBatch.denied"])
def test_what_an_observer_loads(loaded: Loaded, name: str) -> None:
    found = loaded.by(name)
    assert found - COMPILED == OURS


def test_what_an_observer_with_a_message_loads(loaded: Loaded) -> None:
    loaded.by("UserPromptSubmit")  # it works now
    payload = sample("Stop", session_id=sample("UserPromptSubmit")["session_id"])
    with loaded.home.desk() as desk:
        told = {"agent": "claude-code", "session_id": payload["session_id"], "text": "hello"}
        desk.call("desk.queue", told)
    hook = loaded.agent.start(loaded.command("Stop"), loaded.agent.env(payload["session_id"]))
    hook.write(json.dumps(payload).encode())
    _, output, errors = hook.result()
    assert b"hello" in output
    assert set(errors.decode().split()) - COMPILED == OURS | ASKERS | {"sayso.intake.hook_message"}


def test_what_an_asker_loads(loaded: Loaded) -> None:
    with Watcher(loaded.home) as watcher:
        watcher.be_there()
        assert loaded.by("PermissionRequest.Bash", watcher) - COMPILED == OURS | ASKERS
        assert loaded.by("Elicitation.form", watcher) - COMPILED == OURS | ASKERS | FORMS


def test_what_a_hook_of_codex_loads(loaded: Loaded) -> None:
    ours = OURS - {"sayso.agents.claude_code"} | CODEX
    with Watcher(loaded.home) as watcher:
        watcher.be_there()
        watcher.call("desk.settings", settings={"codex_approvals": True})
        assert loaded.by_codex("Stop") - COMPILED == ours
        assert loaded.by_codex("PermissionRequest.Bash", watcher) - COMPILED == ours | {
            "sayso.intake.hook_ask"
        }


def test_what_it_loads_is_what_is_installed(loaded: Loaded) -> None:
    installed = {
        path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        for path in stable.collect(ROOT / "src" / "sayso")
    }
    names = {f"sayso.{name}".removesuffix(".__init__") for name in installed}
    assert names >= OURS | ASKERS | FORMS | CODEX


@pytest.mark.parametrize("path", sorted(stable.collect(ROOT / "src" / "sayso")))
def test_no_module_of_it_imports_anything_heavy(path: str) -> None:
    """Not even where the probe does not come by. What only a checker reads does not count."""
    tree = ast.parse((ROOT / "src" / "sayso" / path).read_text(encoding="utf-8"))
    allowed = (
        COMPILED | {"sys"} | ({"json", "json.encoder", "hashlib"} if path == "core/digest.py" else set())
    )
    found: set[str] = set()
    for node in _run_time(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    assert {name for name in found if not name.startswith("sayso")} <= allowed


def _run_time(tree: ast.Module) -> Iterator[ast.AST]:
    """Give what runs, without the bodies of `if TYPE_CHECKING`."""
    for node in tree.body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            yield from (inner for one in node.orelse for inner in ast.walk(one))
        else:
            yield from ast.walk(node)


def test_the_oldest_python_reads_it() -> None:
    for path, source in stable.collect(ROOT / "src" / "sayso").items():
        ast.parse(source, path, feature_version=(3, 11))


def test_the_interpreter_itself_loads_none_of_it() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; print(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    assert OURS.isdisjoint(done.stdout.split())
    assert {"json", "re", "enum", "typing", "socket", "dataclasses"}.isdisjoint(done.stdout.split())
