"""Two versions of sayso in environments of their own, one home: wheels, hooks and desks as people have."""

from __future__ import annotations

import json
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import sayso
from tests.desks import Home, Watcher, sample
from tests.install.environments import Tree, clean, environment, run
from tests.standin import Hook, StandIn

OLD = sayso.__version__
NEW = "77.7.0"
ALLOWED = b'{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}\n'
UNDECIDED = (0, b"", b"")
MINE = '{\n\t"model" : "opus",  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\n}\n'


class Pair(NamedTuple):
    """The commands of both. The newer one's hook speaks a newer protocol."""

    old: Path
    new: Path


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = tmp_path_factory.mktemp("versions")
    (folder / "home").mkdir()
    env = clean(folder / "home")
    old = environment(folder / "old", Tree(folder / "old tree").wheel(), env)
    tree = Tree(folder / "new tree")
    tree.change("src/sayso/__init__.py", r'(?m)^__version__ = ".*"$', f'__version__ = "{NEW}"')
    tree.change("src/sayso/intake/hook_run.py", r"(?m)^VERSION = \d+$", "VERSION = 1000")
    tree.change("src/sayso/wire/protocol.py", r"(?m)^PROTOCOL = \d+$", "PROTOCOL = 1000")
    return Pair(old, environment(folder / "new", tree.wheel(), env))


class Shared(Home):
    """A home that both use, with settings of a person, and an agent that is started with them."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        (folder / "home").mkdir()
        self.env = clean(folder / "home", SAYSO_HOME=str(self.path))
        self.settings = folder / "home/.claude/settings.json"
        self.settings.parent.mkdir()
        self.settings.write_text(MINE)
        self.agent = StandIn()

    def close(self) -> None:
        self.agent.close()

    def run(self, program: Path, *words: str, code: int = 0) -> str:
        return run([program, *words], self.env, self.settings.parent, code)

    def open(self, program: Path) -> None:
        """Start a desk of a version; whichever ran before dies without a word."""
        self.kill()
        command = [program, "up", "--no-http", "--agents-only", str(self.agent.pid)]
        self._process = subprocess.Popen(
            command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("sayso: the desk is open")

    def hooks(self) -> dict[str, Any]:
        hooks: dict[str, Any] = json.loads(self.settings.read_text())["hooks"]
        return {event: [g for g in groups if "args" in g["hooks"][0]] for event, groups in hooks.items()}

    def ask(self) -> tuple[Hook, str]:
        """Have the agent ask as its settings say now; return the hook and its session."""
        self.agent.handlers = self.hooks()
        session_id = str(uuid.uuid4())
        return self.agent.hook(sample("PermissionRequest.Bash", session_id=session_id)), session_id

    def versions(self) -> list[str]:
        """Return the versions of the hook that are there, and that which the settings lead to."""
        folders = [path.name.partition("-")[0] for path in (self.places.data / "hook").iterdir()]
        current = (self.places.data / "hook/current").resolve().name.partition("-")[0]
        return [*sorted(name for name in folders if name != "current"), current]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Shared]:
    with Shared(tmp_path) as home:
        yield home
        home.close()


def allow(home: Shared, hook: Hook, session_id: str) -> None:
    """See that a hook's ask is shown, and its answer written."""
    with Watcher(home) as watcher:
        watcher.answer(watcher.pending(session_id)["id"], behavior="allow")
        assert hook.result() == (0, ALLOWED, b"")


def test_the_last_one_installed_is_in_the_settings_alone(pair: Pair, home: Shared) -> None:
    for program, version in ((pair.old, OLD), (pair.new, NEW), (pair.old, OLD)):
        home.run(program, "install", "claude-code")
        commands = {
            tuple(handler["args"][handler["args"].index("-S") - 2 :])
            for groups in home.hooks().values()
            for group in groups
            for handler in group["hooks"]
        }
        assert len(commands) == 1
        assert home.versions()[-1] == version
    assert home.versions() == [OLD, NEW, OLD]


@pytest.mark.parametrize("last", [0, 1])
def test_either_gives_back_every_byte(pair: Pair, home: Shared, last: int) -> None:
    home.run(pair.old, "install", "claude-code")
    home.run(pair.new, "install", "claude-code")
    assert home.settings.read_text() != MINE
    home.run(pair[last], "uninstall", "claude-code")
    assert home.settings.read_text() == MINE
    assert list((home.places.state / "backups").iterdir()) == []


def test_what_waits_is_answered_while_another_version_is_installed_and_takes_over(
    pair: Pair, home: Shared
) -> None:
    home.run(pair.old, "install", "claude-code")
    home.open(pair.old)
    first, second = home.ask(), home.ask()
    with Watcher(home) as watcher:
        for _, session_id in (first, second):
            watcher.pending(session_id)
    home.run(pair.new, "install", "claude-code")
    allow(home, *first)
    home.open(pair.new)
    allow(home, *second)
    allow(home, *home.ask())


def test_a_newer_hook_decides_nothing_until_its_desk_is_there(pair: Pair, home: Shared) -> None:
    home.open(pair.old)
    home.run(pair.new, "install", "claude-code")
    hook, _ = home.ask()
    assert hook.result() == UNDECIDED
    with Watcher(home) as watcher:
        assert watcher.call("desk.health")["totals"] == {}
    home.open(pair.new)
    allow(home, *home.ask())


def test_doctor_of_either_names_the_other_and_what_to_do(pair: Pair, home: Shared) -> None:
    home.open(pair.old)
    home.run(pair.new, "install", "claude-code")
    said = home.run(pair.old, "doctor", code=1)
    assert f"The hook is of {NEW}-" in said
    assert f"newer than the desk ({OLD})" in said
    said = home.run(pair.new, "doctor", code=1)
    assert f"The desk is of version {OLD}, this is {NEW}" in said
    assert "Run `sayso restart`" in said
    home.open(pair.new)
    assert f"The desk is of this version ({NEW})" in home.run(pair.new, "doctor")
    home.run(pair.old, "install", "claude-code")
    assert f"The hook is of {OLD}-" in home.run(pair.new, "doctor")
