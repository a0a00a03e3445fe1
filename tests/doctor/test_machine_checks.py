"""The agent's version and sayso's own place."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.doctor import machine_checks as checks
from sayso.doctor.findings import Level
from tests.doctor.scene import Scene
from tests.lab.claude import VERSION


def test_what_was_measured_is_what_the_tests_run() -> None:
    assert ".".join(map(str, checks.MEASURED)) == VERSION


@pytest.mark.parametrize(
    ("version", "level", "word"),
    [
        (checks.MEASURED, Level.OK, "measured"),
        ((2, 1, 197), Level.NOTE, "older"),
        ((2, 2, 0), Level.NOTE, "newer"),
        ((1, 9, 999), Level.NOTE, "older"),
    ],
)
def test_versions_beside_the_measured_one_are_notes(
    version: tuple[int, ...], level: Level, word: str
) -> None:
    found = checks.compared(version)
    assert found.level is level
    assert word in found.text


def program(scene: Scene, text: str) -> None:
    folder = scene.where.home / "bin"
    folder.mkdir()
    path = folder / "claude"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    scene.environ["PATH"] = f"{folder}:/usr/bin:/bin"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('[ "$DISABLE_AUTOUPDATER" = 1 ] && [ "$1" = --version ] && echo "2.1.197 (Claude Code)"', "2.1.197"),
        ("exit 1", "did not tell"),
        ("sleep 60", "did not tell"),
    ],
)
def test_the_agent_on_the_path_is_asked(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, text: str, word: str
) -> None:
    monkeypatch.setattr(checks, "TIMEOUT_S", 0.5)
    program(scene, text)
    found = checks.claude_version(scene.context())
    assert found.level is Level.NOTE
    assert word in found.text


def test_no_agent_on_the_path(scene: Scene) -> None:
    scene.environ["PATH"] = str(scene.where.home)
    assert "no `claude`" in checks.claude_version(scene.context()).text


def test_two_installations_are_noted(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sayso").write_text("#!/bin/sh\n")
        (tmp_path / name / "sayso").chmod(0o755)
    monkeypatch.setattr(checks.sys, "executable", str(tmp_path / "one/python"))
    scene.environ["PATH"] = str(tmp_path / "two")
    assert checks.package(scene.context()).level is Level.NOTE
    scene.environ["PATH"] = str(tmp_path / "one")
    assert checks.package(scene.context()).level is Level.OK


def test_an_interpreter_under_a_cache_is_told(scene: Scene) -> None:
    refused = "/home/dev/.cache/uv/x/bin/python"
    found = checks.python_finding(scene.context(), refused, refused)
    assert found.level is Level.FAIL
    assert "may be gone" in found.text


def test_a_sayso_that_runs_from_a_cache_is_told(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks.caches, "of_this", lambda _: Path("/home/dev/.cache/uv"))
    found = checks.python(scene.context())
    assert found.level is Level.NOTE
    assert "from a cache (/home/dev/.cache/uv)" in found.text
    assert "uv tool install sayso" in found.todo


def test_variables_that_bend_python_are_noted(scene: Scene) -> None:
    scene.environ["PYTHONPATH"] = "/x"
    found = checks.python_finding(scene.context(), "/usr/bin/python3", "/usr/bin/python3")
    assert found.level is Level.NOTE
    assert "PYTHONPATH" in found.text
