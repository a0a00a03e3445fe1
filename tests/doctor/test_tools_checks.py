"""The server of the tools and the rules for them: what is there, what is stale, what is somebody else's."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import sayso
from sayso.doctor import tools_checks as checks
from sayso.doctor.findings import Level
from sayso.install import claude_mcp, claude_places
from sayso.install.claude_rules import RULES
from tests.doctor.scene import Scene

OTHER = {"type": "stdio", "command": "/usr/bin/other", "args": []}


def entry(scene: Scene, python: str = sys.executable) -> dict[str, Any]:
    return claude_mcp.server(python, str(scene.places.run.parent))


def know(scene: Scene, server: Any, **more: Any) -> Path:
    return scene.write(claude_mcp.memory(scene.where), {"mcpServers": {"sayso": server}, **more})


def program(scene: Scene, text: str) -> str:
    path = scene.write(scene.where.home / "python", f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def put_in(scene: Scene) -> Scene:
    """Hooks, rules and server, as `--mcp` leaves them."""
    claude_places.install(scene.hooks, scene.where, scene.places.state, "user", rules=True)
    know(scene, entry(scene))
    return scene


def test_what_install_writes_is_well(put_in: Scene) -> None:
    server, allowed = checks.server(put_in.context()), checks.allowed(put_in.context())
    assert (server.level, allowed.level) == (Level.OK, Level.OK)
    assert ".claude.json" in server.text
    assert "each of sayso's tools" in allowed.text


def test_who_did_not_want_the_tools_is_told_how_to(scene: Scene) -> None:
    scene.install()
    found = checks.server(scene.context())
    assert (found.level, "--mcp" in found.text) == (Level.OK, True)
    assert checks.allowed(scene.context()).level is Level.OK


@pytest.mark.parametrize(
    ("says", "level", "words"),
    [
        (f"echo {sayso.__version__} True", Level.OK, "starts"),
        (f"echo {sayso.__version__} False", Level.FAIL, "no MCP SDK"),
        ("echo 0.0.1 True", Level.NOTE, "of sayso 0.0.1"),
        ("exit 1", Level.FAIL, "has no sayso"),
        ("echo", Level.FAIL, "has no sayso"),
    ],
)
def test_what_starts_the_tools_is_tried(scene: Scene, says: str, level: Level, words: str) -> None:
    know(scene, entry(scene, program(scene, says)))
    found = checks.server(scene.context())
    assert (found.level, words in found.text) == (level, True), found
    assert found.level is not Level.FAIL or found.todo


def test_what_starts_the_tools_does_not_run(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_START_S", 0.1)
    know(scene, entry(scene, program(scene, "exec sleep 1000")))
    assert "does not run" in checks.server(scene.context()).text


def test_what_starts_the_tools_is_gone(scene: Scene) -> None:
    know(scene, entry(scene, "/nowhere/python"))
    found = checks.server(scene.context())
    assert (found.level, "/nowhere/python" in found.text) == (Level.FAIL, True)


@pytest.mark.parametrize("change", [{"timeout": 1}, {"args": ["-m", "sayso", "mcp"]}, {"type": None}])
def test_a_server_of_another_version_is_stale(scene: Scene, change: dict[str, Any]) -> None:
    know(scene, {**entry(scene), **change})
    found = checks.server(scene.context())
    assert (found.level, "of another version" in found.text) == (Level.NOTE, True)


@pytest.mark.parametrize("env", [{}, {"SAYSO_HOME": "/another"}, "none"])
def test_tools_of_another_desk(scene: Scene, env: Any) -> None:
    know(scene, {**entry(scene), "env": env})
    found = checks.server(scene.context())
    assert (found.level, "The tools ask another desk" in found.text) == (Level.FAIL, True)


def test_a_server_of_somebody_else_is_told_and_not_tried(scene: Scene) -> None:
    know(scene, OTHER)
    found = checks.server(scene.context())
    assert (found.level, "is not sayso's" in found.text) == (Level.NOTE, True)
    assert checks.allowed(scene.context()).level is Level.OK


def test_rules_for_a_server_of_somebody_else_are_a_failure(put_in: Scene) -> None:
    know(put_in, OTHER)
    found = checks.allowed(put_in.context())
    assert (found.level, "is not sayso's" in found.text) == (Level.FAIL, True)


@pytest.mark.parametrize("is_local", [True, False])
def test_a_folder_that_puts_another_server_under_our_name(put_in: Scene, is_local: bool) -> None:
    folder = put_in.where.cwd
    if is_local:
        know(put_in, entry(put_in), projects={str(folder): {"mcpServers": {"sayso": OTHER}}})
    else:
        put_in.write(folder / ".mcp.json", {"mcpServers": {"sayso": OTHER}})
    found = checks.allowed(put_in.context())
    assert (found.level, "is not sayso's" in found.text) == (Level.FAIL, True)
    put_in.write(folder / ".mcp.json", {"mcpServers": {"sayso": entry(put_in)}})
    know(put_in, entry(put_in), projects=[])
    assert checks.allowed(put_in.context()).level is Level.OK


def test_rules_that_are_left_without_a_server(put_in: Scene) -> None:
    claude_mcp.memory(put_in.where).unlink()
    found = checks.allowed(put_in.context())
    assert (found.level, "knows no server" in found.text) == (Level.NOTE, True)
    assert "uninstall" in found.todo


def test_a_tool_whose_rule_is_missing_is_named(put_in: Scene) -> None:
    put_in.change(permissions={"allow": [rule for rule in RULES if not rule.endswith("ask_wait")]})
    found = checks.allowed(put_in.context())
    assert (found.level, "may call mcp__sayso__ask_wait." in found.text) == (Level.NOTE, True)
    put_in.change(permissions={"allow": ["mcp__sayso"]})
    assert checks.allowed(put_in.context()).level is Level.OK


def test_a_rule_for_a_tool_that_is_gone_is_stale(put_in: Scene) -> None:
    put_in.change(permissions={"allow": [*RULES, "mcp__sayso__shout", "mcp__other__x", "mcp__sayso2__x", 7]})
    found = checks.allowed(put_in.context())
    assert (found.level, "allows mcp__sayso__shout, and" in found.text) == (Level.NOTE, True)


@pytest.mark.parametrize(("name", "words"), [("deny", "may not call"), ("ask", "asks first")])
@pytest.mark.parametrize("rule", [RULES[0], "mcp__sayso", "mcp__sayso__*"])
def test_a_rule_that_stands_against_them(put_in: Scene, name: str, words: str, rule: str) -> None:
    put_in.change(permissions={"allow": list(RULES), name: [rule]})
    found = checks.allowed(put_in.context())
    assert (found.level, f"{words} {rule}:" in found.text or words in found.text) == (Level.NOTE, True)


@pytest.mark.parametrize("permissions", [7, {"allow": 7}, {"allow": {}}])
def test_rules_that_are_none_are_none(put_in: Scene, permissions: Any) -> None:
    put_in.change(permissions=permissions)
    assert "asks first" in checks.allowed(put_in.context()).text


def test_a_memory_that_cannot_be_read_knows_nothing(put_in: Scene) -> None:
    claude_mcp.memory(put_in.where).write_text("{")
    assert checks.server(put_in.context()).level is Level.OK
    assert json.loads(put_in.user.read_text())["permissions"]["allow"] == list(RULES)
    assert checks.allowed(put_in.context()).level is Level.NOTE
