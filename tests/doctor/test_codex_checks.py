"""What the doctor says of Codex: hooks, trust, switches, server and version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sayso.doctor import codex_checks as checks
from sayso.doctor import command, settings_checks
from sayso.doctor.codex_checks import Look
from sayso.doctor.findings import Finding, Level
from sayso.install import codex, codex_places
from sayso.install.codex_places import Home
from sayso.install.codex_trust import Hook
from tests.doctor.scene import PYTHON, Scene
from tests.install.fake_codex import FakeCodex

ON = {"codex_approvals": True, "codex_server": False}


class Codex:
    """A home of Codex with hooks in it, and looks at it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.home = Home(scene.where.home / ".codex")
        self.home.folder.mkdir()
        self.launcher = codex_places.launcher(scene.places.data)

    def install(self) -> None:
        here = self.scene.places
        text = codex.launcher_text(PYTHON, str(Path(__file__)), str(here.socket), str(here.flags))
        codex_places.place_launcher(here.data, text, here.state)
        codex_places.install(self.home, codex.hook_settings(str(self.launcher)), here.state)

    def look(self, settings: dict[str, Any] | None = None, asked: Any = None) -> Look:
        found = Look(self.scene.context())
        found.__dict__["settings"] = ON if settings is None else settings
        if asked is not None:
            found.__dict__["asked"] = asked
        return found

    def hook(self, trust: str = "trusted", *, enabled: bool = True) -> Hook:
        return Hook("k", "stop", "c", trust, enabled, "d")


@pytest.fixture
def here(scene: Scene) -> Codex:
    return Codex(scene)


def is_level(found: Finding, level: Level, *words: str) -> bool:
    return found.level is level and all(word in f"{found.text} {found.todo}" for word in words)


def test_where_codex_is_not_used_nothing_is_checked(here: Codex) -> None:
    assert checks.checks(here.scene.context()) == ()
    assert is_level(settings_checks.installed(here.scene.context()), Level.FAIL)


def test_everything_in_order(here: Codex) -> None:
    here.install()
    look = here.look(asked=([here.hook()], [], ""))
    for check in (checks.hooks, checks.whole, checks.launcher, checks.trusted, checks.ways, checks.server):
        found = check(look)
        assert (found.level, found.text[-1]) == (Level.OK, "."), found
    made = checks.checks(here.scene.context())
    assert [check.name for check in made] == [name for name, _ in checks._CHECKS]
    assert not {check.name for check in made} & {check.name for check in command.CHECKS}
    assert is_level(settings_checks.installed(here.scene.context()), Level.NOTE, "Codex")


def test_case_35_a_file_that_codex_does_not_read(here: Codex) -> None:
    here.home.hooks.write_text('{"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "x"}]}]}}')
    assert is_level(checks.hooks(here.look()), Level.FAIL, "ignores this file as a whole", "Mend")
    here.home.hooks.write_text("{")
    assert is_level(checks.hooks(here.look()), Level.FAIL, "plain JSON")


def test_hooks_that_are_wanted_and_not_there(here: Codex) -> None:
    assert is_level(checks.hooks(here.look()), Level.FAIL, "sayso install codex")
    off = here.look({"codex_approvals": False, "codex_server": True})
    for check in (checks.hooks, checks.whole, checks.launcher, checks.trusted):
        assert check(off).level is Level.OK


def test_case_35_hooks_that_were_thinned(here: Codex) -> None:
    here.install()
    document = json.loads(here.home.hooks.read_text())
    del document["hooks"]["Stop"]
    here.home.hooks.write_text(json.dumps(document))
    assert is_level(checks.whole(here.look()), Level.FAIL, "not what this sayso writes", "trusted anew")


def test_hooks_in_two_places(here: Codex) -> None:
    here.install()
    handler = json.loads(here.home.hooks.read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    here.home.config.write_text(
        f"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = {json.dumps(handler)}\n"
    )
    assert is_level(checks.whole(here.look()), Level.FAIL, "would run both")


def test_a_launcher_that_leads_nowhere(here: Codex) -> None:
    here.install()
    text = here.launcher.read_text()
    here.launcher.write_text(text.replace(PYTHON, "/nowhere/python"))
    assert is_level(checks.launcher(here.look()), Level.FAIL, "/nowhere/python")
    here.launcher.write_text(text.replace(str(here.scene.places.socket), "/other.sock"))
    assert is_level(checks.launcher(here.look()), Level.FAIL, "another desk")
    here.launcher.write_text(text)
    here.launcher.parent.chmod(0o777)
    assert is_level(checks.launcher(here.look()), Level.FAIL, "chmod 700")
    here.launcher.unlink()
    assert is_level(checks.launcher(here.look()), Level.FAIL, "gone or empty")


@pytest.mark.parametrize(
    ("trust", "enabled", "word"),
    [
        ("modified", True, "were changed"),
        ("untrusted", True, "not trusted"),
        ("trusted", False, "switched off"),
    ],
)
def test_hooks_that_codex_skips(here: Codex, trust: str, enabled: bool, word: str) -> None:
    here.install()
    look = here.look(asked=([here.hook(), here.hook(trust, enabled=enabled)], [], ""))
    assert is_level(checks.trusted(look), Level.FAIL, word, "/hooks")


def test_hooks_that_are_to_ask_nothing_need_no_trust(here: Codex) -> None:
    here.install()
    look = here.look({"codex_approvals": False, "codex_server": True}, ([here.hook("untrusted")], [], ""))
    assert is_level(checks.trusted(look), Level.NOTE, "not trusted")


def test_what_codex_itself_says(here: Codex) -> None:
    here.install()
    assert is_level(checks.trusted(here.look(asked=([], ["failed to parse"], ""))), Level.FAIL, "failed to")
    assert is_level(checks.trusted(here.look(asked=([], [], ""))), Level.FAIL, "does not know")
    assert is_level(checks.trusted(here.look()), Level.NOTE, "no `codex` on this PATH")


def test_a_program_is_asked(here: Codex, tmp_path: Path) -> None:
    here.install()
    program = FakeCodex(tmp_path / "bin", "0.170.9")
    here.scene.environ |= {"PATH": f"{program.folder}:/usr/bin:/bin", "CODEX_HOME": str(here.home.folder)}
    assert is_level(
        checks.trusted(here.look()), Level.FAIL, "not trusted by Codex, so it skips them: PermissionRequest"
    )
    assert is_level(checks.version(here.look()), Level.FAIL, "older than 0.171.0", "Update")


@pytest.mark.parametrize(
    ("approvals", "server", "level", "word"),
    [
        (True, True, Level.NOTE, "Both ways"),
        (True, False, Level.OK, "by its hook"),
        (False, True, Level.OK, "by the server"),
        (False, False, Level.NOTE, "both off"),
    ],
)
def test_which_way_it_asks(here: Codex, approvals: bool, server: bool, level: Level, word: str) -> None:
    look = here.look({"codex_approvals": approvals, "codex_server": server})
    assert is_level(checks.ways(look), level, word)


def test_hooks_switched_off_as_a_whole(here: Codex) -> None:
    here.home.config.write_text("[features]\nhooks = false\n")
    assert is_level(checks.ways(here.look()), Level.FAIL, "features.hooks")
    assert is_level(checks.ways(here.look({})), Level.NOTE, "not told")


def test_a_server_that_is_not_there(here: Codex) -> None:
    on = {"codex_approvals": False, "codex_server": True}
    assert is_level(checks.server(here.look(on)), Level.NOTE, "share no server")
    socket = here.home.folder / checks.SOCKET
    socket.parent.mkdir()
    socket.touch()
    assert checks.server(here.look(on)).level is Level.OK


def test_settings_without_a_desk_are_those_of_the_next(here: Codex) -> None:
    assert Look(here.scene.context()).settings == {"codex_approvals": False, "codex_server": False}
    assert not here.scene.places.database.exists()


@pytest.mark.parametrize(
    ("version", "level"), [((0, 171, 0), Level.OK), ((0, 170, 9), Level.FAIL), ((1, 0, 0), Level.NOTE)]
)
def test_versions(version: tuple[int, ...], level: Level) -> None:
    assert checks.compared(version).level is level


@pytest.mark.parametrize("script", ["#!/bin/sh\necho hello\n", "#!/nowhere\n"])
def test_a_version_that_is_not_told(here: Codex, tmp_path: Path, script: str) -> None:
    assert checks.version(here.look()).level is Level.NOTE
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/codex").write_text(script)
    (tmp_path / "bin/codex").chmod(0o755)
    here.scene.environ["PATH"] = str(tmp_path / "bin")
    assert is_level(checks.version(here.look()), Level.NOTE, "did not tell")
