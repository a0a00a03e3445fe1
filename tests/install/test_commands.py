"""The commands `install` and `uninstall`, in a home of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso import main
from sayso.install import commands, stable


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder the commands are run in; home and desk are beside it."""
    for name in ("home", "project", "desk"):
        (tmp_path / name).mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path / "desk"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setattr(stable, "interpreter", lambda: stable.Interpreter(commands.sys.executable, ("Hm.",)))
    return tmp_path / "project"


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ([], "../home/.claude/settings.json"),
        (["--scope", "user"], "../home/.claude/settings.json"),
        (["--scope", "project"], ".claude/settings.json"),
        (["--scope", "local"], ".claude/settings.local.json"),
        (["--plugin", "here/plugin"], "here/plugin/hooks/hooks.json"),
    ],
)
def test_case_35_every_place_there_and_back(
    project: Path, capsys: pytest.CaptureFixture[str], options: list[str], path: str
) -> None:
    assert main.main(["install", "claude-code", *options]) == 0
    assert "PermissionRequest" in json.loads((project / path).read_text())["hooks"]
    assert "Note: Hm." in capsys.readouterr().out
    assert main.main(["uninstall", "claude-code", *options]) == 0
    assert not (project / path).exists()


def test_printing_writes_no_settings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["install", "claude-code", "--print"]) == 0
    assert "PermissionRequest" in json.loads(capsys.readouterr().out)["hooks"]
    assert not (project.parent / "home/.claude").exists()


@pytest.mark.parametrize(
    "options", [["--scope", "user", "--plugin", "x"], ["--print", "--plugin", "x"], ["--scope", "all"]]
)
def test_options_that_contradict_each_other(project: Path, options: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(["install", "claude-code", *options])
    assert ended.value.code == 2


@pytest.mark.parametrize("verb", ["install", "uninstall"])
@pytest.mark.parametrize("options", [[], ["--plugin", "file"]])
def test_what_is_refused_is_said(
    project: Path, capsys: pytest.CaptureFixture[str], verb: str, options: list[str]
) -> None:
    path = project.parent / "home/.claude/settings.json"
    path.parent.mkdir()
    path.write_text("{ // no\n}")
    (project / "file").mkdir()
    (project / "file/hooks").mkdir()
    (project / "file/hooks/hooks.json").symlink_to("nowhere")
    assert main.main([verb, "claude-code", *options]) == 1
    assert capsys.readouterr().err.startswith("sayso: ")
    assert path.read_text() == "{ // no\n}"
