"""Hooks in and out of the text of Codex's file: every other byte, and every other's place, stays."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given

from sayso.agents.codex_hook import POLICY
from sayso.install import InstallRefused, codex
from tests.install.codex_layouts import HOOKS, LAUNCHER, OTHER_HOOKS, texts
from tests.install.layouts import merged

THEIRS = {"hooks": [{"type": "command", "command": "theirs", "timeout": 7}]}
WAIT_S = 10


def places(text: str) -> dict[tuple[str, int, int], Any]:
    """Return every handler that is not ours under what Codex knows it by."""
    return {
        (event, group, index): handler
        for event, groups in json.loads(text).get("hooks", {}).items()
        for group, each in enumerate(groups)
        for index, handler in enumerate(each.get("hooks", []))
        if codex.own_command(handler) is None
    }


# --- properties ---------------------------------------------------------------------------------


@given(texts())
def test_case_35_removal_after_placement_gives_back_every_byte(text: str) -> None:
    assert codex.removal(codex.placement(text, HOOKS)) == text


@given(texts())
def test_case_35_placement_is_the_old_file_with_our_groups_behind(text: str) -> None:
    after = codex.placement(text, HOOKS)
    assert json.loads(after) == merged(json.loads(text), HOOKS)
    assert places(after) == places(text)
    codex.check(after)


@given(texts())
def test_placement_twice_changes_nothing(text: str) -> None:
    once = codex.placement(text, HOOKS)
    assert codex.placement(once, HOOKS) == once


@given(texts())
def test_another_launcher_replaces_in_place_and_comes_out_as_well(text: str) -> None:
    second = codex.placement(codex.placement(text, HOOKS), OTHER_HOOKS)
    assert json.loads(second) == merged(json.loads(text), OTHER_HOOKS)
    assert codex.removal(second) == text


@given(texts())
def test_what_others_put_behind_ours_keeps_its_place_when_ours_go(text: str) -> None:
    document = json.loads(codex.placement(text, HOOKS))
    for groups in document["hooks"].values():
        groups.append(THEIRS)
    later = json.dumps(document, indent=2)
    after = codex.removal(later)
    assert places(after) == places(later)
    assert codex.placed(after) == frozenset()
    assert codex.placement(codex.removal(codex.placement(after, HOOKS)), HOOKS) == codex.placement(
        after, HOOKS
    )


@given(texts())
def test_removal_without_hooks_of_ours_changes_nothing(text: str) -> None:
    assert codex.removal(text) == text
    assert not codex.created(text)


# --- what is put in ------------------------------------------------------------------------------


def test_the_entries_to_the_letter() -> None:
    (asking,) = HOOKS["PermissionRequest"]
    assert asking == {
        "hooks": [
            {
                "type": "command",
                "command": f'/bin/sh -c \'[ -r "$0" ] || exit 0; . "$0"\' {LAUNCHER}',
                "timeout": 30,
                "statusMessage": "sayso asks elsewhere too, for 25 s at most",
            }
        ]
    }
    (tool,) = HOOKS["PostToolUse"]
    assert tool["matcher"] == "^(Bash|apply_patch|mcp__.+)$"
    assert tool["hooks"][0]["command"].endswith(f"{LAUNCHER} gated")


def test_case_26_installer_and_adapter_agree_in_whole_seconds() -> None:
    said = {**cast("Any", POLICY["asks"]), **cast("Any", POLICY["observes"])}
    assert list(HOOKS) == list(said)
    for name, (group,) in HOOKS.items():
        timeout = group["hooks"][0]["timeout"]
        assert (type(timeout), timeout) == (int, said[name]["timeout_s"])
        assert group.get("matcher") == said[name].get("matcher")
    assert "PreToolUse" not in HOOKS


def test_a_new_file_holds_our_hooks_alone_and_goes_with_them() -> None:
    fresh = codex.placement(None, HOOKS)
    assert json.loads(fresh) == {"hooks": HOOKS}
    assert codex.created(fresh)
    assert not codex.created(codex.placement("{}\n", HOOKS))


@pytest.mark.parametrize("path", ["relative/sayso-hook.sh", "/a\nb/sayso-hook.sh"])
def test_a_path_that_a_command_cannot_carry_is_refused(path: str) -> None:
    with pytest.raises(InstallRefused, match="cannot name this path"):
        codex.hook_settings(path)


@pytest.mark.parametrize(
    "command",
    [
        None,
        7,
        "",
        "/bin/true",
        f"/bin/sh {LAUNCHER}",
        f"/bin/sh -c 'true' /x/{codex.LAUNCHER}.bak",
        f"/bin/sh -c 'unbalanced {LAUNCHER}",
        f"echo /bin/sh -c x {LAUNCHER}",
    ],
)
def test_others_commands_are_not_ours(command: object) -> None:
    assert codex.own_command({"type": "command", "command": command}) is None


# --- what Codex does not read --------------------------------------------------------------------

HANDLER = '{"hooks": {"Stop": [{"hooks": [%s]}]}}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("[]", "not an object"),
        ('{"hooks": {}} // x', "plain JSON"),
        ('{"hooks": {},}', "plain JSON"),
        ('\ufeff{"hooks": {}}', "byte order mark"),
        ('{"a": 1, "hooks": {}}', "knows no 'a'"),
        ('{"hooks": {}, "hooks": {}}', "'hooks' is there twice"),
        ('{"hooks": null}', "no object"),
        ('{"hooks": {"Stop": [], "Stop": []}}', "'Stop' is there twice"),
        ('{"hooks": {"Stop": null}}', "Stop is no list"),
        ('{"hooks": {"Stop": [null]}}', "a group of Stop"),
        ('{"hooks": {"Stop": [{"hooks": 3}]}}', "no list"),
        ('{"hooks": {"Stop": [{"matcher": 3, "hooks": []}]}}', "a matcher of Stop"),
        (HANDLER % '{"command": "x"}', "no type"),
        (HANDLER % '{"type": "http", "url": "x"}', "no type"),
        (HANDLER % '{"type": "command"}', "no command"),
        (HANDLER % '{"type": "command", "command": "x", "command": "y"}', "twice"),
        (HANDLER % '{"type": "command", "command": "x", "timeout": 2.0}', "timeout 2.0"),
        (HANDLER % '{"type": "command", "command": "x", "timeout": -1}', "timeout -1"),
        (HANDLER % '{"type": "command", "command": "x", "timeout": 1e1}', "timeout 1e1"),
        (HANDLER % '{"type": "command", "command": "x", "timeout": "3"}', "timeout"),
        (HANDLER % "null", "a hook of Stop"),
    ],
)
def test_case_35_what_codex_ignores_as_a_whole_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(InstallRefused, match=why):
        codex.placement(text, HOOKS)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"description": "x"}',
        '{"hooks": {"Notification": 3}}',
        '{"hooks": {"Stop": [{}]}}',
        '{"hooks": {"Stop": [{"matcher": null, "hooks": []}]}}',
        HANDLER % '{"type": "command", "command": "x", "timeout": null, "args": ["a"]}',
    ],
)
def test_what_codex_reads_is_taken(text: str) -> None:
    assert codex.removal(codex.placement(text, HOOKS)) == text


# --- the launcher --------------------------------------------------------------------------------


class Launched:
    """A launcher whose interpreter tells how it was started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.flags = folder / "fl ags"
        self.flags.mkdir()
        self.python = folder / "it's python"
        self.python.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        self.python.chmod(0o755)
        self.hook = folder / "hook.py"
        self.hook.touch()
        self.launcher = folder / codex.LAUNCHER
        self.text = codex.launcher_text(str(self.python), str(self.hook), "/run/d.sock", str(self.flags))
        self.launcher.write_text(self.text)

    def run(self, event: str, shell: str = "/bin/bash") -> list[str]:
        (group,) = codex.hook_settings(str(self.launcher))[event]
        done = subprocess.run(
            [shell, "-c", group["hooks"][0]["command"]],
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()


@pytest.fixture
def launched(tmp_path: Path) -> Launched:
    return Launched(tmp_path)


@pytest.mark.parametrize("shell", ["/bin/bash", "/bin/sh"])
def test_a_hook_starts_the_interpreter(launched: Launched, shell: str) -> None:
    words = ["-I", "-S", str(launched.hook), "codex", "--socket", "/run/d.sock", "--flags"]
    assert launched.run("Stop", shell) == [*words, str(launched.flags)]
    assert codex.launched(launched.text) == (str(launched.python), *words, str(launched.flags))


def test_a_tool_calls_hook_starts_nothing_while_nothing_is_open(launched: Launched) -> None:
    assert launched.run("PostToolUse") == []
    (launched.flags / "s1").touch()
    assert launched.run("PostToolUse")[3] == "codex"


@pytest.mark.parametrize("gone", ["launcher", "python", "hook"])
def test_case_36_what_is_gone_is_silence(launched: Launched, gone: str) -> None:
    (launched.flags / "s1").touch()
    getattr(launched, gone).unlink()
    assert launched.run("PermissionRequest") == launched.run("PostToolUse") == []


def test_a_text_that_is_no_launcher() -> None:
    assert codex.launched("echo\n") == codex.launched("exec 'a\n") == ()
