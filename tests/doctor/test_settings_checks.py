"""Each trap in settings is found, named and explained; settings that are well are called so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.doctor import settings_checks as checks
from sayso.doctor.context import Source
from sayso.doctor.findings import Level
from sayso.install import claude_places
from tests.doctor.scene import Scene

EVERY = (
    checks.installed,
    checks.readable,
    checks.whole,
    checks.one_command,
    checks.entries,
    checks.switched_on,
    checks.managed,
    checks.config_folder,
    checks.paths,
)


def test_what_install_writes_is_well(scene: Scene) -> None:
    scene.install()
    scene.install("local")
    context = scene.context()
    assert [check(context).level for check in EVERY] == [Level.OK] * len(EVERY)
    assert str(scene.user) in checks.installed(context).text


def test_no_hooks_at_all(scene: Scene) -> None:
    found = checks.installed(scene.context())
    assert found.level is Level.FAIL
    assert "sayso install claude-code" in found.todo


def test_case_35_thinned_hooks_are_found(scene: Scene) -> None:
    scene.install()
    hooks = scene.hooks
    del hooks["Stop"], hooks["PostToolBatch"]
    scene.change(hooks=hooks)
    found = checks.whole(scene.context())
    assert found.level is Level.FAIL
    assert "PostToolBatch, Stop" in found.text


def test_case_35_changed_hooks_are_found(scene: Scene) -> None:
    scene.install()
    hooks = scene.hooks
    hooks["Stop"][0]["hooks"][0]["timeout"] = 6
    scene.change(hooks=hooks)
    assert checks.whole(scene.context()).level is Level.FAIL


def test_hooks_of_an_older_form_are_not_whole(scene: Scene) -> None:
    scene.install()
    hooks = scene.hooks
    for groups in hooks.values():
        del groups[0]["hooks"][0]["args"][-2:]  # no flag folder
    scene.change(hooks=hooks)
    assert checks.whole(scene.context()).level is Level.FAIL


def test_two_different_commands_fail(scene: Scene) -> None:
    scene.install()
    scene.hook = "/elsewhere/sayso/intake/hook.py"
    scene.install("project")
    found = checks.one_command(scene.context())
    assert found.level is Level.FAIL
    assert "2 different commands" in found.text


def test_a_plugin_beside_settings_fails_and_alone_it_is_well(scene: Scene) -> None:
    folder = scene.where.home / "plugin"
    claude_places.install_plugin(scene.hooks, scene.where, scene.places.state, folder, "1.2.3")
    context = scene.context()
    assert checks.installed(context).level is Level.OK
    assert checks.whole(context).level is Level.OK
    assert checks.one_command(context).level is Level.OK
    scene.install()
    assert "asks twice" in checks.one_command(scene.context()).text


def test_hooks_in_another_project_are_remembered(scene: Scene) -> None:
    scene.install("project")
    elsewhere = claude_places.Surroundings({}, scene.where.home, scene.where.home, scene.where.managed)
    scene.where = elsewhere
    assert "project/.claude/settings.json" in checks.installed(scene.context()).text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{\n  // a comment\n  "a": 1\n}', "line 2"),
        ('{"a": 1,}', "not plain JSON"),
        ("[]", "not an object"),
        ("{'a': 1}", "not plain JSON"),
    ],
)
def test_a_file_that_the_agent_ignores_is_named(scene: Scene, text: str, why: str) -> None:
    scene.write(scene.user, text)
    found = checks.readable(scene.context())
    assert found.level is Level.FAIL
    assert str(scene.user) in found.text
    assert why in found.text


def test_an_empty_file_is_no_trouble(scene: Scene) -> None:
    scene.write(scene.user, "\n")
    assert checks.readable(scene.context()).level is Level.OK


BAD: list[tuple[dict[str, Any], str]] = [
    ({"type": "command", "command": "x", "timeout": 0}, "timeout 0"),
    ({"type": "command", "command": "x", "timeout": -1}, "timeout -1"),
    ({"type": "command", "command": "x", "timeout": "5"}, "timeout '5'"),
    ({"type": "command", "command": "x", "timeout": True}, "timeout True"),
    ({"type": "command"}, "no command"),
    ({"type": "http", "url": "nonsense"}, "no valid URL"),
    ({"type": "http", "url": "http://[::1"}, "no valid URL"),
    ({"type": "http"}, "no valid URL"),
]


@pytest.mark.parametrize(("handler", "why"), BAD)
def test_one_bad_entry_beside_ours_fails(scene: Scene, handler: dict[str, Any], why: str) -> None:
    scene.install()
    scene.change(hooks={**scene.hooks, "PreToolUse": [{"hooks": [handler]}]})
    found = checks.entries(scene.context())
    assert found.level is Level.FAIL
    assert why in found.text
    assert "PreToolUse" in found.text


def test_a_bad_entry_in_a_file_without_ours_is_a_note(scene: Scene) -> None:
    scene.install()
    scene.write(scene.where.settings_path("project"), {"hooks": {"Stop": [{"hooks": ["x"]}]}})
    found = checks.entries(scene.context())
    assert found.level is Level.NOTE
    assert "not an object" in found.text


@pytest.mark.parametrize("hooks", [None, [], {"Stop": None}, {"Stop": [None, {}, {"hooks": 3}]}])
def test_odd_hooks_are_read_without_trouble(scene: Scene, hooks: Any) -> None:
    assert list(Source(scene.user, "", "", {"hooks": hooks}).handlers()) == []


@pytest.mark.parametrize("scope", claude_places.SCOPES)
def test_hooks_switched_off(scene: Scene, scope: claude_places.Scope) -> None:
    path = scene.write(scene.where.settings_path(scope), {"disableAllHooks": True})
    found = checks.switched_on(scene.context())
    assert found.level is Level.FAIL
    assert str(path) in found.text


@pytest.mark.parametrize(
    ("settings", "level", "word"),
    [
        ({"allowManagedHooksOnly": True}, Level.FAIL, "organisation only"),
        ({"strictPluginOnlyCustomization": True}, Level.FAIL, "plugins only"),
        ({"strictPluginOnlyCustomization": ["skills", "hooks"]}, Level.FAIL, "plugins only"),
        ({"strictPluginOnlyCustomization": ["skills"]}, Level.NOTE, "override"),
        ({}, Level.NOTE, "override"),
    ],
)
def test_settings_of_an_organisation(scene: Scene, settings: dict[str, Any], level: Level, word: str) -> None:
    scene.install()
    scene.write(scene.where.managed / "managed-settings.json", settings)
    found = checks.managed(scene.context())
    assert found.level is level
    assert word in found.text


def test_a_plugin_is_what_an_organisation_may_allow(scene: Scene) -> None:
    folder = scene.where.home / "plugin"
    claude_places.install_plugin(scene.hooks, scene.where, scene.places.state, folder, "1.2.3")
    scene.write(scene.where.managed / "managed-settings.json", {"strictPluginOnlyCustomization": True})
    assert checks.managed(scene.context()).level is Level.NOTE


def test_another_settings_folder_is_told(scene: Scene) -> None:
    scene.environ["CLAUDE_CONFIG_DIR"] = str(scene.where.home / "other")
    found = checks.config_folder(scene.context())
    assert found.level is Level.NOTE
    assert "other" in found.text


def test_another_desks_socket_fails(scene: Scene) -> None:
    scene.install()
    text = scene.user.read_text().replace(str(scene.places.socket), "/run/other/desk.sock")
    scene.user.write_text(text)
    found = checks.paths(scene.context())
    assert found.level is Level.FAIL
    assert "/run/other/desk.sock" in found.text
    assert json.loads(text)
