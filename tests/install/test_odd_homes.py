"""Homes with odd names: what install writes there, and the very commands that agents then run.

The Windows half of the case is not here: sayso does not run there.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from sayso.client.places import places
from sayso.install import claude_code, codex
from tests.agents.codex_schema import INPUTS, outcome
from tests.desks import SAYSO, Home, Watcher, sample
from tests.odd_homes import NAMES, REFUSED
from tests.standin import WAIT_S, Hook, StandIn


class OddHome(Home):
    """A person's home with such a name, and sayso's below it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.top = self.path
        self.person = self.top / name
        self.path = self.person / ".sayso"
        self.path.mkdir(mode=0o700, parents=True)
        (self.person / ".codex").mkdir()
        odd = {"HOME": str(self.person), "SAYSO_HOME": str(self.path), "PATH": "/usr/bin:/bin"}
        self.env = {**self.env, **odd}
        self.env.pop("CODEX_HOME", None)
        self.env.pop("CLAUDE_CONFIG_DIR", None)
        self.places = places(self.env)

    def __exit__(self, *error: Any) -> None:
        try:
            super().__exit__(*error)
        finally:
            shutil.rmtree(self.top)

    def run(self, *words: str, code: int = 0) -> str:
        """Run a command in this home, as its person would."""
        done = subprocess.run(
            [*SAYSO, *words],
            env=self.env,
            cwd=self.person,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=WAIT_S,
        )
        assert done.returncode == code, done.stdout
        return done.stdout

    def hooks(self, path: str) -> dict[str, Any]:
        """Return the hooks in a settings file of this home."""
        hooks: dict[str, Any] = json.loads((self.person / path).read_text("utf-8"))["hooks"]
        return hooks


@pytest.fixture(params=NAMES.values(), ids=[*NAMES])
def home(request: pytest.FixtureRequest) -> Iterator[OddHome]:
    with OddHome(request.param) as home:
        yield home


def allowed(home: OddHome, session_id: str, hook: Hook) -> bytes:
    """Allow the one request of a session; return what the hook wrote."""
    with Watcher(home) as watcher:
        card = watcher.pending(session_id)
        watcher.answer(card["id"], behavior="allow")
        code, output, errors = hook.result()
        assert (code, errors) == (0, b"")
        watcher.state(card["id"], "delivered")
    return output


def troubles(home: OddHome) -> list[str]:
    """Return what the doctor, who starts the hooks as well, says is wrong with what was installed."""
    doctor = subprocess.run(
        [*SAYSO, "doctor", "--json"],
        env=home.env,
        cwd=home.person,
        capture_output=True,
        check=False,
        timeout=WAIT_S,
    )
    found = {each["name"]: each for each in json.loads(doctor.stdout)["findings"]}
    looked = (
        "installed",
        "hooks_whole",
        "interpreter",
        "hook",
        "hooks_silent",
        "paths_agree",
        "hooks_reach_desk",
    )
    return [found[name]["text"] for name in looked if found[name]["level"] == "fail"]


def test_case_38_claude_codes_hook_asks_from_any_home(home: OddHome) -> None:
    home.run("install", "claude-code", "--lazy-start")
    hooks = home.hooks(".claude/settings.json")
    with StandIn(hooks) as agent:
        home.up("--agents-only", str(agent.pid))
        session_id = str(uuid.uuid4())
        hook = agent.hook(sample("PermissionRequest.Bash", session_id=session_id))
        said = json.loads(allowed(home, session_id, hook))
        assert said["hookSpecificOutput"]["decision"]["behavior"] == "allow"
        after = sample("PostToolUse.Bash", session_id=session_id)
        assert agent.hook(after).result() == (0, b"", b"")  # its flag is looked for by a shell
        assert troubles(home) == []
    home.run("uninstall", "claude-code")
    assert not (home.person / ".claude/settings.json").exists()
    assert not list(home.top.rglob("gone"))


def test_case_38_codexs_hook_asks_from_any_home(home: OddHome) -> None:
    home.run("install", "codex", "--no-server")
    (group,) = home.hooks(".codex/hooks.json")["PermissionRequest"]
    (after,) = home.hooks(".codex/hooks.json")["PostToolUse"]
    with StandIn() as agent:
        home.up("--agents-only", str(agent.pid))
        with Watcher(home) as watcher:
            watcher.call("desk.settings", settings={"codex_approvals": True})
            watcher.be_there()
            session_id = str(uuid.uuid4())

            def start(name: str, command: str) -> Hook:
                hook = agent.start(["/bin/sh", "-c", command], {"PATH": "/usr/bin:/bin"})
                hook.write(json.dumps({**INPUTS[name], "session_id": session_id}).encode())
                return hook

            hook = start("PermissionRequest.Bash", group["hooks"][0]["command"])
            output = allowed(home, session_id, hook)
            assert outcome(output.decode()) == "allow"
            assert start("PostToolUse.Bash", after["hooks"][0]["command"]).result() == (0, b"", b"")
    assert "Removed" in home.run("uninstall", "codex")
    assert not (home.person / ".codex/hooks.json").exists()
    assert not list(home.top.rglob("gone"))


def test_case_38_a_session_starts_a_desk_in_any_home(home: OddHome) -> None:
    home.run("install", "claude-code", "--lazy-start")
    with StandIn(home.hooks(".claude/settings.json")) as agent:
        started = agent.hook(sample("SessionStart", session_id=str(uuid.uuid4()), source="startup"))
        assert started.result() == (0, b"", b"")
        until_s = time.monotonic() + WAIT_S
        while not home.places.socket.is_socket():
            assert time.monotonic() < until_s, "no desk was started"
            time.sleep(0.01)
    assert "desk" in home.run("stop")


@pytest.mark.parametrize("name", REFUSED.values(), ids=[*REFUSED])
@pytest.mark.parametrize(("agent", "path"), [("claude-code", ".claude"), ("codex", ".codex/hooks.json")])
def test_case_38_a_home_that_settings_cannot_name_is_refused(name: str, agent: str, path: str) -> None:
    with OddHome(name) as home:
        said = home.run("install", agent, code=1)
        assert "path" in said
        assert repr(name)[1:-1] in said
        assert not (home.person / path).exists()


@pytest.mark.parametrize("name", REFUSED.values(), ids=[*REFUSED])
def test_case_38_no_path_of_ours_may_hold_it(name: str) -> None:
    odd, plain = f"/home/{name}/x", "/home/x"
    for at in range(4):
        paths = [odd if each == at else plain for each in range(4)]
        with pytest.raises(claude_code.InstallRefused):
            claude_code.hook_settings(*paths)
    with pytest.raises(codex.InstallRefused):
        codex.hook_settings(odd)
