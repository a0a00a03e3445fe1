"""Where the files of service managers are, and how a program that does not answer is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.service import managers, units


def test_the_place_of_a_unit(tmp_path: Path) -> None:
    here = managers.manager({}, tmp_path, tmp_path / "log", "linux")
    assert here.path == tmp_path / ".config/systemd/user" / units.UNIT
    chosen = managers.manager({"XDG_CONFIG_HOME": "/etc/x"}, tmp_path, tmp_path / "log", "linux")
    assert chosen.path == Path("/etc/x/systemd/user") / units.UNIT


def test_on_macos_it_is_an_agent_of_launchd(tmp_path: Path) -> None:
    here = managers.manager({}, tmp_path, tmp_path / "desk.log", "darwin")
    assert here.path == tmp_path / "Library/LaunchAgents/dev.sayso.desk.plist"
    assert here.program == "launchctl"
    text = here.text(["/bin/python", "-m", "sayso"])
    assert str(tmp_path / "desk.log") in text
    assert here.is_own(text)
    assert here.check(text) == ""
    assert any(str(here.path) in words for words in here.start)


def test_a_program_that_is_not_there() -> None:
    assert managers.told(["/nowhere/systemctl"]) == (127, "/nowhere/systemctl: No such file or directory")


def test_a_program_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managers, "TIMEOUT_S", 0.1)
    code, said = managers.told(["/bin/sleep", "60"])
    assert code == 124
    assert "did not answer" in said


def test_where_nothing_can_verify(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert managers.verify("nonsense") == ""
