"""`sayso install claude-code --mcp`, with a stand-in for Claude Code's own commands."""

from __future__ import annotations

import importlib.util
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from sayso import main
from sayso.install import claude_mcp, commands, stable
from sayso.install.claude_rules import RULES

CLAUDE = f"""#!{sys.executable}
import json, os, pathlib, sys
folder = os.environ.get("CLAUDE_CONFIG_DIR") or os.environ["HOME"]
memory = pathlib.Path(folder) / ".claude.json"
value = json.loads(memory.read_text()) if memory.exists() else {{"machineID": "m"}}
servers = value.setdefault("mcpServers", {{}})
with open(os.environ["HOME"] + "/calls", "a") as calls:
    print(json.dumps(sys.argv[1:]), file=calls)
match sys.argv[1:]:
    case ["mcp", "add-json", "--scope", "user", name, text] if name not in servers:
        servers[name] = json.loads(text)
    case ["mcp", "remove", "--scope", "user", name] if name in servers:
        del servers[name]
    case _:
        sys.exit(1)
memory.write_text(json.dumps(value))
"""


class Person:
    """A home, with or without Claude Code, and the commands that are run in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.program = folder / "bin/claude"
        self.settings = self.home / ".claude/settings.json"
        self.memory = self.home / ".claude.json"

    def sayso(self, *words: str) -> int:
        return main.main([words[0], "claude-code", *words[1:]])

    def servers(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.memory.read_text()) if self.memory.exists() else {}
        return value.get("mcpServers", {})

    def calls(self) -> list[list[str]]:
        path = self.home / "calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    for name in ("home", "project", "desk", "bin"):
        (tmp_path / name).mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path / "desk"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setattr(stable, "interpreter", lambda: stable.Interpreter(commands.sys.executable, ()))
    person = Person(tmp_path)
    person.program.write_text(CLAUDE)
    person.program.chmod(0o755)
    return person


def test_there_and_back(person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person.settings.parent.mkdir()
    before = '{\n  "permissions": {"allow": ["Bash(ls:*)"], "deny": []}\n}'
    person.settings.write_text(before)
    assert person.sayso("install", "--mcp") == 0
    said = capsys.readouterr().out
    assert "without asking first" in said
    assert all(rule in said for rule in RULES)
    assert "Made the server sayso known" in said
    assert json.loads(person.settings.read_text())["permissions"]["allow"] == ["Bash(ls:*)", *RULES]
    server = person.servers()["sayso"]
    assert [server["command"], *server["args"]][:5] == [sys.executable, "-P", "-m", "sayso", "mcp"]
    assert server["env"]["SAYSO_HOME"] == str(person.home.parent / "desk")
    assert float(server["args"][-1]) < server["timeout"] / 1000

    assert person.sayso("install", "--mcp") == 0
    assert "knew the server sayso already" in capsys.readouterr().out
    assert len(person.calls()) == 1

    assert person.sayso("uninstall") == 0
    assert "no longer knows the server" in capsys.readouterr().out
    assert person.settings.read_text() == before
    assert person.servers() == {}


def test_a_file_that_came_with_it_goes_with_it(person: Person) -> None:
    assert person.sayso("install", "--mcp") == 0
    assert person.sayso("uninstall") == 0
    assert not person.settings.exists()


def test_without_the_flag_nothing_is_allowed_and_nobody_is_told(person: Person) -> None:
    assert person.sayso("install") == 0
    assert "permissions" not in json.loads(person.settings.read_text())
    assert person.sayso("uninstall") == 0
    assert person.calls() == []


def test_installing_again_without_the_flag_takes_nothing_back(person: Person) -> None:
    assert person.sayso("install", "--mcp") == 0
    assert person.sayso("install") == 0
    assert json.loads(person.settings.read_text())["permissions"]["allow"] == list(RULES)


def test_an_older_server_of_ours_is_replaced(person: Person) -> None:
    old = {"command": "/old/python", "args": ["-m", "sayso", "mcp"]}
    person.memory.write_text(json.dumps({"mcpServers": {"sayso": old, "other": {}}}))
    assert person.sayso("install", "--mcp") == 0
    assert person.servers()["sayso"]["command"] == sys.executable
    assert person.servers()["other"] == {}


def test_another_server_with_our_name_is_left_alone(
    person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = {"command": "theirs", "args": []}
    person.memory.write_text(json.dumps({"mcpServers": {"sayso": theirs}}))
    assert person.sayso("install", "--mcp") == 1
    assert "another server named sayso" in capsys.readouterr().err
    assert not person.settings.exists()
    assert person.sayso("uninstall") == 0
    assert person.servers() == {"sayso": theirs}
    assert person.calls() == []


@pytest.mark.parametrize("how", ["missing", "failing", "broken"])
def test_where_it_cannot_be_done_the_person_is_told_how(
    person: Person, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    if how == "missing":
        person.program.unlink()
    else:
        person.program.write_text("#!/bin/sh\nexit 1\n" if how == "failing" else "no program")
    assert person.sayso("install", "--mcp") == 0
    line = capsys.readouterr().out.splitlines()[-1]
    words = shlex.split(line)
    assert words[:6] == ["claude", "mcp", "add-json", "--scope", "user", "sayso"]
    person.memory.write_text(json.dumps({"mcpServers": {"sayso": json.loads(words[6])}}))
    assert person.sayso("uninstall") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "  claude mcp remove --scope user sayso"


def test_another_folder_of_settings(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = person.home / "other"
    folder.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))
    assert person.sayso("install", "--mcp") == 0
    assert "sayso" in json.loads((folder / ".claude.json").read_text())["mcpServers"]
    assert not person.memory.exists()
    assert person.sayso("uninstall") == 0
    assert json.loads((folder / ".claude.json").read_text())["mcpServers"] == {}


@pytest.mark.parametrize("options", [["--plugin", "x"], ["--scope", "project"], ["--scope", "local"]])
def test_it_goes_with_ones_own_settings_alone(
    person: Person, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert person.sayso("install", "--mcp", *options) == 1
    assert "--mcp goes with your own settings" in capsys.readouterr().err
    assert not list(person.home.iterdir())


def test_without_the_sdk_nothing_is_changed(
    person: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert person.sayso("install", "--mcp") == 1
    assert "sayso[mcp]" in capsys.readouterr().err
    assert not list(person.home.iterdir())


def test_printing_changes_nothing(person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    assert person.sayso("install", "--mcp", "--print") == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["permissions"] == {"allow": list(RULES)}
    assert json.loads(said.out)["hooks"]
    words = shlex.split(said.err.splitlines()[-1])
    assert "sayso" in json.loads(words[-1])["mcpServers"]
    assert not list(person.home.iterdir())


@pytest.mark.parametrize(
    ("entry", "own"),
    [
        (claude_mcp.server("/python"), True),
        ({"args": ["-m", "sayso", "mcp"]}, True),
        ({"args": ["-m", "sayso"]}, False),
        ({"args": "-m sayso mcp"}, False),
        ({}, False),
        (None, False),
        ("sayso", False),
    ],
)
def test_which_servers_are_ours(entry: object, own: bool) -> None:
    assert claude_mcp.is_own(entry) == own
