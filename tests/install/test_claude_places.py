"""Hooks in and out of settings files, and what a person is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from sayso.install import InstallRefused, claude_code, claude_places
from sayso.install.claude_places import Surroundings, install, uninstall
from tests.install.layouts import HOOKS, OTHER_HOOKS, texts


@pytest.fixture
def where(tmp_path: Path) -> Surroundings:
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    return Surroundings({}, tmp_path / "home", tmp_path / "project", tmp_path / "managed")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
    return path


# --- where --------------------------------------------------------------------------------------


def test_the_settings_of_each_scope(where: Surroundings) -> None:
    assert where.settings_path("user") == where.home / ".claude/settings.json"
    assert where.settings_path("project") == where.cwd / ".claude/settings.json"
    assert where.settings_path("local") == where.cwd / ".claude/settings.local.json"


def test_the_folder_that_the_environment_names_is_honoured(where: Surroundings, state: Path) -> None:
    for chosen in (str(where.home / "elsewhere"), "relative", ""):
        here = Surroundings({"CLAUDE_CONFIG_DIR": chosen}, where.home, where.cwd, where.managed)
        path = where.cwd / chosen / "settings.json" if chosen else where.home / ".claude/settings.json"
        assert install(HOOKS, here, state).path == path.resolve()
        assert path.exists()


# --- there and back -----------------------------------------------------------------------------


def test_case_35_a_file_that_was_not_there_is_gone_again(where: Surroundings, state: Path) -> None:
    assert install(HOOKS, where, state).action == "created"
    assert install(HOOKS, where, state).action == "unchanged"
    assert install(OTHER_HOOKS, where, state).action == "changed"
    done = uninstall(where, state)
    assert (done.action, done.backup, done.warnings) == ("deleted", None, ())
    assert not done.path.exists()
    assert uninstall(where, state).action == "absent"


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts())
def test_case_35_every_byte_is_back_after_uninstall(where: Surroundings, state: Path, text: str) -> None:
    path = where.settings_path("user")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    done = install(HOOKS, where, state)
    assert done.action == "changed"
    assert done.backup is not None
    assert done.backup.read_bytes() == text.encode()
    assert install(HOOKS, where, state).action == "unchanged"
    assert uninstall(where, state).action == "removed"
    assert path.read_bytes() == text.encode()
    assert list((state / "backups").iterdir()) == []


def test_case_35_foreign_hooks_added_since_survive(where: Surroundings, state: Path) -> None:
    path = write(where.settings_path("user"), {"hooks": {"Stop": [{"hooks": [{"command": "a"}]}]}})
    install(HOOKS, where, state)
    changed = json.loads(path.read_text())
    changed["hooks"]["Stop"].append({"hooks": [{"command": "b"}]})
    changed["hooks"]["PreToolUse"] = [{"hooks": [{"command": "c"}]}]
    write(path, changed)
    done = uninstall(where, state)
    assert done.backup is not None
    assert json.loads(path.read_text()) == {
        "hooks": {
            "Stop": [{"hooks": [{"command": "a"}]}, {"hooks": [{"command": "b"}]}],
            "PreToolUse": [{"hooks": [{"command": "c"}]}],
        }
    }


def test_a_link_outlives_a_file_that_came_with_the_hooks(where: Surroundings, state: Path) -> None:
    real = where.home / "dotfiles.json"
    install(HOOKS, where, state)
    path = where.settings_path("user")
    path.rename(real)
    path.symlink_to(real)
    assert uninstall(where, state).action == "removed"
    assert path.read_text() == "{}\n"
    assert path.is_symlink()


@pytest.mark.parametrize("text", ["{", "// x\n{}", "[]"])
def test_case_35_a_broken_file_is_named_and_left_alone(where: Surroundings, state: Path, text: str) -> None:
    path = where.settings_path("user")
    path.parent.mkdir()
    path.write_text(text)
    for attempt in (lambda: install(HOOKS, where, state), lambda: uninstall(where, state)):
        with pytest.raises(InstallRefused, match=r"settings\.json.* JSON"):
            attempt()
    assert path.read_text() == text


@pytest.mark.parametrize("text", ["", "\ufeff\r\n "])
def test_an_empty_file_is_no_json_and_holds_no_hooks(where: Surroundings, state: Path, text: str) -> None:
    path = where.settings_path("user")
    path.parent.mkdir()
    path.write_bytes(text.encode())
    with pytest.raises(InstallRefused, match="empty"):
        install(HOOKS, where, state)
    assert uninstall(where, state).action == "absent"
    assert path.read_bytes() == text.encode()


def test_the_project_is_a_scope_of_its_own(where: Surroundings, state: Path) -> None:
    install(HOOKS, where, state, "project")
    assert claude_code.placed(where.settings_path("project").read_text())
    assert "of this computer" in install(HOOKS, where, state, "project").notes[0]
    assert not where.settings_path("user").exists()
    assert uninstall(where, state, "project").action == "deleted"


# --- what is told -------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", claude_places.SCOPES)
def test_hooks_that_are_switched_off_stay_so_and_are_told(
    where: Surroundings, state: Path, scope: claude_places.Scope
) -> None:
    path = write(where.settings_path(scope), {"disableAllHooks": True})
    (warning,) = install(HOOKS, where, state).warnings
    assert str(path) in warning
    assert "disableAllHooks" in warning
    assert json.loads(path.read_text())["disableAllHooks"] is True


def test_settings_of_the_organisation_are_told(where: Surroundings, state: Path) -> None:
    write(where.managed / "managed-settings.json", {})
    write(where.managed / "managed-settings.d/hooks.json", {"allowManagedHooksOnly": True})
    first, second = install(HOOKS, where, state).warnings
    assert "override yours" in first
    assert "will not run" in second


def test_another_placement_with_another_command_is_told(where: Surroundings, state: Path) -> None:
    install(OTHER_HOOKS, where, state, "local")
    (warning,) = install(HOOKS, where, state).warnings
    assert "settings.local.json" in warning
    assert "would run both" in warning
    assert install(HOOKS, where, state, "local").warnings == ()
    assert install(HOOKS, where, state).warnings == ()
    assert "still in" in uninstall(where, state).warnings[0]


def test_the_same_command_elsewhere_is_named(where: Surroundings, state: Path) -> None:
    install(HOOKS, where, state, "local")
    done = install(HOOKS, where, state)
    assert done.warnings == ()
    (note,) = done.notes
    assert "settings.local.json as well" in note
    assert done.lines()[-1] == note


def test_hooks_in_a_project_elsewhere_are_remembered_until_they_go(where: Surroundings, state: Path) -> None:
    install(OTHER_HOOKS, where, state, "project")
    elsewhere = Surroundings({}, where.home, where.home, where.managed)
    (warning,) = install(HOOKS, elsewhere, state).warnings
    assert str(where.settings_path("project")) in warning
    uninstall(where, state, "project")
    assert install(HOOKS, elsewhere, state).warnings == ()


def test_hooks_from_plugins_only_are_told(where: Surroundings, state: Path) -> None:
    for value in (True, ["hooks"]):
        write(where.managed / "managed-settings.json", {"strictPluginOnlyCustomization": value})
        (warning,) = install(HOOKS, where, state).warnings
        assert "plugins only" in warning


def test_the_home_folder_as_the_project_is_one_placement(where: Surroundings, state: Path) -> None:
    at_home = Surroundings({}, where.home, where.home, where.managed)
    install(OTHER_HOOKS, at_home, state)
    assert install(HOOKS, at_home, state).warnings == ()
    assert uninstall(at_home, state).warnings == ()


@pytest.mark.parametrize("text", ["{", "[]", '{"a":' * 5000, '"' + "\udcff" + '"'])
def test_other_settings_that_cannot_be_read_are_no_obstacle(
    where: Surroundings, state: Path, text: str
) -> None:
    path = where.settings_path("project")
    path.parent.mkdir()
    path.write_bytes(text.encode(errors="surrogateescape"))
    assert install(HOOKS, where, state).warnings == ()


def test_the_outcome_in_lines(where: Surroundings, state: Path) -> None:
    path = write(where.settings_path("user"), {"disableAllHooks": True})
    done = install(HOOKS, where, state)
    first, second, third = done.lines()
    assert str(path) in first
    assert str(done.backup) in second
    assert third.startswith("Warning: ")
