"""The commands, with a stand-in for the service manager's program that notes what it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso import main
from sayso.install import stable
from sayso.service import command, units


class Machine:
    """A home, and a `systemctl` that writes down its words; `fails` makes it end with 1 for some."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = root / "home"
        self.home.mkdir()
        self.calls = root / "calls"
        self._fails = root / "fails"
        program = root / "bin/systemctl"
        program.parent.mkdir()
        program.write_text(
            f'#!/bin/sh\necho "$*" >>"{self.calls}"\n'
            f'[ -f "{self._fails}" ] && grep -qx -- "$2" "{self._fails}" || exit 0\necho "no bus"\nexit 1\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
        monkeypatch.delenv("SAYSO_HOME", raising=False)
        monkeypatch.setattr(command.sys, "platform", "linux")
        # The real places are those of whoever runs the tests: no desk of theirs may matter.
        monkeypatch.setattr(command, "_answers", lambda _here: False)
        monkeypatch.setattr(stable, "is_volatile", lambda *_: False)
        monkeypatch.setattr(command, "places", lambda: _Places(root / "state"))
        self.unit = self.home / ".config/systemd/user" / units.UNIT

    def fail(self, *verbs: str) -> None:
        self._fails.write_text("".join(f"{verb}\n" for verb in verbs))

    def told(self) -> list[str]:
        said = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return said


class _Places:
    private = False

    def __init__(self, state: Path) -> None:
        self.state = state
        self.log = state / "desk.log"
        self.socket = state / "none.sock"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def run(*words: str) -> int:
    return main.main(["service", *words])


def test_there_and_back(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("status") == 1
    assert "not installed" in capsys.readouterr().out
    assert run("install", "--port", "7300") == 0
    assert units.is_own_unit(machine.unit.read_text())
    assert "up --port 7300\n" in machine.unit.read_text()
    assert machine.told() == [
        "--user daemon-reload",
        f"--user enable {units.UNIT}",
        f"--user start {units.UNIT}",
    ]
    assert run("status") == 0
    assert run("install", "--port", "7300") == 0
    assert "nothing changed" in capsys.readouterr().out
    machine.told()
    assert run("uninstall") == 0
    assert machine.told() == [f"--user disable --now {units.UNIT}", "--user daemon-reload"]
    assert not machine.unit.exists()
    assert run("uninstall") == 0
    assert "nothing changed" in capsys.readouterr().out


def test_printing_changes_nothing(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("install", "--print", "--no-http", "--public-url", "https://a.example") == 0
    assert "up --no-http --public-url https://a.example\n" in capsys.readouterr().out
    assert not machine.unit.exists()
    assert machine.told() == []


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_unit_of_somebody_else_stays(
    machine: Machine, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    machine.unit.parent.mkdir(parents=True)
    machine.unit.write_text("[Service]\nExecStart=/bin/true\n")
    assert run(verb) == 1
    assert "not written by sayso" in capsys.readouterr().err
    assert machine.unit.read_text() == "[Service]\nExecStart=/bin/true\n"
    assert machine.told() == []
    assert run("status") == 0
    assert "not written by sayso" in capsys.readouterr().out


def test_what_the_manager_refuses_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.fail("enable", "is-active")
    assert run("install") == 1
    assert "no bus" in capsys.readouterr().err
    assert machine.unit.exists()
    assert run("status") == 1
    machine.fail("disable")
    assert run("uninstall") == 1
    assert not machine.unit.exists()


def test_a_desk_that_runs_is_not_ended(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "_answers", lambda _here: True)
    assert run("install") == 0
    assert not any("start" in call.split() for call in machine.told())
    assert f"systemctl --user start {units.UNIT}" in capsys.readouterr().out


def test_a_private_desk_is_no_service(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Places, "private", True)
    assert run("install") == 1
    assert run("uninstall") == 1
    assert not machine.unit.exists()


def test_without_the_program_it_says_so(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run("install") == 1
    assert "systemctl: No such file" in capsys.readouterr().err


def test_a_sayso_that_may_be_gone_tomorrow_is_no_service(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stable, "is_volatile", lambda *_: True)
    assert run("install") == 1
    assert "gone tomorrow" in capsys.readouterr().err
    assert not machine.unit.exists()


def test_a_restart_is_left_to_the_manager_of_a_running_service(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not command.restarted()
    assert run("install") == 0
    machine.told()
    assert main.main(["restart"]) == 0
    assert f"--user restart {units.UNIT}" in machine.told()
    machine.fail("is-active")
    assert not command.restarted()
    machine.fail("restart")
    assert not command.restarted()
    machine.fail()
    monkeypatch.setattr(_Places, "private", True)
    assert not command.restarted()
