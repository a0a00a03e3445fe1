"""The commands for Codex, in a home of their own, with a program that answers as Codex does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from sayso import main
from sayso.daemon.settings import Store
from sayso.install import InstallRefused, codex, codex_command, codex_places, codex_trust, commands, stable
from sayso.install.codex_places import Home
from tests.install.fake_codex import FakeCodex, state

THEIRS = '{\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "true"}]}]\n  }\n}\n'


@dataclass
class Place:
    """Where the commands run, and the program they find."""

    root: Path
    program: FakeCodex
    capsys: pytest.CaptureFixture[str]

    @property
    def home(self) -> Home:
        return Home(self.root / "home/.codex")

    @property
    def launcher(self) -> Path:
        return codex_places.launcher(self.root / "desk/data")

    def run(self, *words: str, code: int = 0) -> str:
        assert main.main(list(words)) == code
        said = self.capsys.readouterr()
        return said.out + said.err


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Place:
    for name in ("home", "home/.codex", "project", "desk"):
        (tmp_path / name).mkdir(mode=0o700)
    program = FakeCodex(tmp_path / "bin")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{program.folder}:/usr/bin:/bin")
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path / "desk"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setattr(stable, "interpreter", lambda: stable.Interpreter(commands.sys.executable))
    monkeypatch.setattr(codex_command, "check_person", lambda: None)  # tests may run under an agent
    return Place(tmp_path, program, capsys)


def test_case_35_there_and_back_beside_anothers(place: Place) -> None:
    place.home.hooks.write_text(THEIRS)
    said = place.run("install", "codex")
    assert "Put the hooks into" in said
    assert "/hooks and press t" in said
    assert list(json.loads(place.home.hooks.read_text())["hooks"]) == [
        "Stop",
        *(event.name for event in codex.EVENTS if event.name != "Stop"),
    ]
    assert codex.launched(place.launcher.read_text())[0] == commands.sys.executable
    assert place.program.edits == []  # nothing is trusted unasked
    said = place.run("install", "codex")
    assert "nothing changed" in said
    said = place.run("uninstall", "codex")
    assert "silent from now on" in said
    assert place.home.hooks.read_text() == THEIRS
    assert not place.launcher.exists()
    assert "nothing changed" in place.run("uninstall", "codex")


def test_a_file_that_came_with_the_hooks_goes_with_them(place: Place) -> None:
    assert "was not there before" in place.run("install", "codex")
    assert "Removed" in place.run("uninstall", "codex")
    assert not place.home.hooks.exists()


def test_consent_is_for_our_own_hooks_and_shown(place: Place) -> None:
    place.home.hooks.write_text(THEIRS)
    said = place.run("install", "codex", "--trust")
    assert said.count(str(place.launcher)) == len(codex.EVENTS)
    assert "Codex trusts them" in said
    (edit,) = place.program.edits
    assert (edit["keyPath"], edit["mergeStrategy"]) == ("hooks.state", "upsert")
    assert len(edit["value"]) == len(codex.EVENTS)
    assert f"{place.home.hooks}:Stop:0:0" not in edit["value"]  # another's
    assert all(list(noted) == ["trusted_hash"] for noted in edit["value"].values())
    assert {one["method"] for one in place.program.told} == codex_trust.METHODS
    place.run("install", "codex", "--trust")
    assert len(place.program.edits) == 1  # they are trusted already
    assert "Codex trusts them." in place.run("install", "codex")


def test_a_command_that_only_looks_like_ours_is_not_trusted(place: Place) -> None:
    place.run("install", "codex")
    text = place.home.hooks.read_text()
    alien = f"/bin/sh -c 'evil' /x/{codex.LAUNCHER}"
    document = json.loads(text)
    document["hooks"]["PreToolUse"] = [{"hooks": [{"type": "command", "command": alien}, {"type": "prompt"}]}]
    place.home.hooks.write_text(json.dumps(document))
    place.run("install", "codex", "--trust")
    assert "evil" not in json.dumps(state(place.home.folder))


def test_uninstalling_forgets_what_was_said_of_ours_alone(place: Place) -> None:
    place.home.hooks.write_text(THEIRS)
    place.home.config.write_text(
        f'[hooks.state]\n[hooks.state."{place.home.hooks}:Stop:0:0"]\nenabled = true\n'
    )
    before = place.home.config.read_text()
    place.run("install", "codex", "--trust")
    place.run("uninstall", "codex")
    assert place.home.config.read_text() == before


def test_uninstalling_leaves_no_empty_tables(place: Place) -> None:
    place.run("install", "codex", "--trust")
    place.run("uninstall", "codex")
    assert place.home.config.read_text() == ""


def test_without_the_program_it_is_said_what_is_left(place: Place) -> None:
    place.run("install", "codex", "--trust")
    (place.program.folder / "codex").unlink()
    said = place.run("uninstall", "codex")
    assert "is left there: there is no `codex` on this PATH" in said
    assert not place.home.hooks.exists()
    said = place.run("install", "codex", "--trust", code=1)
    assert "they are not trusted: there is no `codex`" in said
    assert codex.placed(place.home.hooks.read_text())


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("#!/bin/sh\nexit 3\n", "ended"),
        ("#!/bin/sh\nread line; echo nonsense\n", "another language"),
        ('#!/bin/sh\nread line; echo \'{"id":1,"error":{"message":"too old"}}\'\n', "too old"),
        ("#!/nowhere\n", "does not start"),
    ],
)
def test_a_program_that_does_not_do_it(place: Place, script: str, why: str) -> None:
    (place.program.folder / "codex").write_text(script)
    assert why in place.run("install", "codex", "--trust", code=1)


def test_events_that_an_older_codex_does_not_know(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_CODEX_KNOWS_NO", "Interrupt")
    assert "It knows 5 of 6 events" in place.run("install", "codex", "--trust")
    monkeypatch.setenv("FAKE_CODEX_KNOWS_NO", "PermissionRequest")
    assert "it knows 5 hooks, of these untrusted: 0" in place.run("install", "codex", "--trust", code=1)


def test_hooks_that_a_person_switched_off_stay_off(place: Place) -> None:
    place.run("install", "codex", "--trust")
    config = place.home.config.read_text()
    stop = f'[hooks.state."{place.home.hooks}:Stop:0:0"]'
    place.home.config.write_text(config.replace(stop, f"{stop}\nenabled = false"))
    assert "Switched off in Codex: Stop" in place.run("install", "codex", "--trust")
    assert "enabled = false" in place.home.config.read_text()


def test_an_agent_has_nothing_trusted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise InstallRefused("only a person")

    monkeypatch.setattr(codex_command, "check_person", refuse)
    assert "only a person" in place.run("install", "codex", "--trust", code=1)
    assert not place.home.hooks.exists()
    assert "only a person" in place.run("install", "codex")
    assert Store(str(place.root / "desk/state/sayso.db")).load().codex_server is False


def test_the_setting_is_switched_on_for_the_next_desk_unless_told_not_to(place: Place) -> None:
    database = str(place.root / "desk/state/sayso.db")
    place.run("install", "codex", "--no-server")
    assert Store(database).load().codex_server is False
    assert "codex_server is on" in place.run("install", "codex")
    assert Store(database).load().codex_server is True


def test_the_server_alone(place: Place) -> None:
    assert "codex_server is on" in place.run("install", "codex", "--no-hooks")
    assert not place.home.hooks.exists()
    assert not place.launcher.exists()
    for more in ("--trust", "--no-server"):
        assert "--no-hooks leaves" in place.run("install", "codex", "--no-hooks", more, code=1)


def test_two_homes_share_the_launcher(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    other = place.root / "other"
    place.run("install", "codex")
    monkeypatch.setenv("CODEX_HOME", str(other))
    place.run("install", "codex")
    said = place.run("uninstall", "codex")
    assert f"still in {place.home.hooks}" in said
    assert place.launcher.exists()
    monkeypatch.delenv("CODEX_HOME")
    place.run("uninstall", "codex")
    assert not place.launcher.exists()


def test_hooks_of_ours_in_the_configuration_would_run_twice(place: Place) -> None:
    place.run("install", "codex", "--no-server")
    handler = json.loads(place.home.hooks.read_text())["hooks"]["Stop"][0]["hooks"][0]
    place.run("uninstall", "codex")
    command = f"type = 'command'\ncommand = {json.dumps(handler['command'])}\n"
    entry = f"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\n{command}"
    place.home.config.write_text(entry)
    assert "would run both" in place.run("install", "codex", code=1)
    assert not place.home.hooks.exists()
    place.home.config.write_text(entry.replace(codex.LAUNCHER, "theirs.sh") + "[features]\nhooks = false\n")
    said = place.run("install", "codex")
    assert "holds hooks too" in said
    assert "switches hooks off" in said


def test_what_is_printed_is_a_file_that_codex_reads(place: Place) -> None:
    text = place.run("install", "codex", "--print")
    codex.check(text)
    assert json.loads(text)["hooks"] == codex.hook_settings(str(place.launcher))
    assert not place.home.hooks.exists()


@pytest.mark.parametrize("options", [["--scope", "user"], ["--lazy-start"], ["--mcp"], ["--plugin", "x"]])
def test_options_of_the_other_agent_are_refused(place: Place, options: list[str]) -> None:
    assert f"{options[0]} does not go with codex" in place.run("install", "codex", *options, code=1)
    assert "--trust does not go with claude-code" in place.run("install", "claude-code", "--trust", code=1)
