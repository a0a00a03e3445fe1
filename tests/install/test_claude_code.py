"""Hooks in and out of the text of settings: every other byte stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sayso.install import InstallRefused, claude_code
from tests.install.layouts import HOOKS, OTHER_HOOKS, merged, texts


def plain(text: str) -> Any:
    return json.loads(text.removeprefix("\ufeff"))


# --- properties ---------------------------------------------------------------------------------


@given(texts())
def test_removal_after_placement_gives_back_every_byte(text: str) -> None:
    assert claude_code.removal(claude_code.placement(text, HOOKS)) == text


@given(texts())
def test_placement_means_the_old_settings_with_our_groups_behind(text: str) -> None:
    assert plain(claude_code.placement(text, HOOKS)) == merged(plain(text), HOOKS)


@given(texts())
def test_placement_twice_changes_nothing(text: str) -> None:
    once = claude_code.placement(text, HOOKS)
    assert claude_code.placement(once, HOOKS) == once


@given(texts())
def test_other_paths_replace_in_place_and_come_out_as_well(text: str) -> None:
    first = claude_code.placement(text, HOOKS)
    second = claude_code.placement(first, OTHER_HOOKS)
    assert plain(second) == merged(plain(text), OTHER_HOOKS)
    assert claude_code.placement(second, HOOKS) == first
    assert claude_code.removal(second) == text


@given(texts(), st.sampled_from([None, 2, 4, "\t"]))
def test_after_another_program_rewrote_the_file_the_meaning_is_kept(
    text: str, indent: int | str | None
) -> None:
    rewritten = json.dumps(plain(claude_code.placement(text, HOOKS)), indent=indent)
    assert claude_code.placement(rewritten, HOOKS) == rewritten
    before, after = plain(text), plain(claude_code.removal(rewritten))
    full = {event: groups for event, groups in before.pop("hooks", {}).items() if groups}
    kept = after.pop("hooks", {})
    assert {event: groups for event, groups in kept.items() if groups} == full
    assert after == before


@given(texts())
def test_removal_without_hooks_of_ours_changes_nothing(text: str) -> None:
    assert claude_code.removal(text) == text
    assert claude_code.placed(text) == frozenset()
    assert not claude_code.created(text)


@given(st.text(max_size=30))
def test_text_that_is_no_object_is_refused_in_words(text: str) -> None:
    assume(not text.strip().startswith("{"))
    with pytest.raises(InstallRefused, match="JSON"):
        claude_code.placement(text, HOOKS)


# --- examples -----------------------------------------------------------------------------------

SMALL = {"Stop": HOOKS["Stop"]}


def expected(lines: str) -> str:
    return lines.replace("«group»", json.dumps(HOOKS["Stop"][0], indent=2).replace("\n", "\n      "))


def test_a_new_member_follows_the_indentation() -> None:
    text = '{\n  "model": "x"\n}\n'
    wanted = '{\n  "model": "x",\n  "hooks": {\n    "Stop": [\n      «group»\n    ]\n  }\n}\n'
    assert claude_code.placement(text, SMALL) == expected(wanted)


def test_a_group_goes_behind_those_of_others() -> None:
    text = '{\n  "hooks": {\n    "Stop": [\n      {"hooks": []}\n    ]\n  }\n}'
    wanted = '{\n  "hooks": {\n    "Stop": [\n      {"hooks": []},\n      «group»\n    ]\n  }\n}'
    assert claude_code.placement(text, SMALL) == expected(wanted)


def test_minified_text_stays_in_one_line() -> None:
    text = claude_code.placement('{"a":1}', SMALL)
    assert text.startswith('{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command",')
    assert "\n" not in text


def test_empty_containers_that_were_there_are_left_behind() -> None:
    for text in (
        '{"hooks": {}}',
        '{"hooks": {"Stop": []}}',
        '{\n  "hooks": {\n    "Stop": []\n  }\n}',
        "{}",
        "{ }",
    ):
        assert claude_code.removal(claude_code.placement(text, HOOKS)) == text


def test_a_file_that_came_with_the_hooks_is_known_again() -> None:
    fresh = claude_code.placement(None, HOOKS)
    assert plain(fresh) == {"hooks": HOOKS}
    assert fresh.endswith("}\n")
    assert claude_code.created(fresh)
    assert claude_code.placement(fresh, HOOKS) == fresh
    assert claude_code.created(claude_code.placement(fresh, OTHER_HOOKS))
    assert not claude_code.created(claude_code.placement("{}\n", HOOKS))
    assert not claude_code.created(fresh.replace('"hooks"', '"model": "x",\n  "hooks"', 1))


def test_what_a_person_wrote_since_stays() -> None:
    text = claude_code.placement(None, HOOKS)
    theirs = '{"hooks": [{"type": "command", "command": "beep"}]}'
    text = text.replace('"Stop": [', f'"Stop": [\n      {theirs},')
    assert plain(claude_code.removal(text)) == {"hooks": {"Stop": [json.loads(theirs)]}}


def test_our_entry_in_a_group_of_others_moves_to_one_of_its_own() -> None:
    ours = HOOKS["Stop"][0]["hooks"][0]
    theirs = {"type": "command", "command": "beep"}
    text = json.dumps({"hooks": {"Stop": [{"matcher": "", "hooks": [ours, theirs]}]}})
    after = claude_code.placement(text, SMALL)
    assert plain(after)["hooks"]["Stop"] == [{"matcher": "", "hooks": [theirs]}, HOOKS["Stop"][0]]
    assert plain(claude_code.removal(text))["hooks"]["Stop"] == [{"matcher": "", "hooks": [theirs]}]


def test_doubled_entries_and_events_of_another_version_go() -> None:
    group = HOOKS["Stop"][0]
    text = json.dumps(
        {"hooks": {"Stop": [group, {"hooks": []}, group], "PreToolUse": [group]}, "x": 1}, indent=1
    )
    assert plain(claude_code.placement(text, SMALL)) == {"hooks": {"Stop": [group, {"hooks": []}]}, "x": 1}


def test_of_duplicate_members_the_last_is_the_one_that_counts() -> None:
    text = '{"hooks": {"Stop": []}, "hooks": {"Stop": [], "Stop": []}}'
    after = claude_code.placement(text, SMALL)
    assert plain(after) == {"hooks": SMALL}
    assert after.startswith('{"hooks": {"Stop": []}, "hooks": {"Stop": [], "Stop": [ {')
    assert claude_code.removal(after) == text


def test_a_group_with_two_lists_loses_only_ours() -> None:
    ours = json.dumps(HOOKS["Stop"][0]["hooks"])
    text = '{"hooks": {"Stop": [{"hooks": %s, "hooks": [{"command": "beep"}]}]}}'
    assert claude_code.removal(text % ours) == text % "[]"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("nul", "a value expected"),
        ('{"a": 1,}', "line 1, column 9"),
        ('{\n// note\n"a": 1}', "line 2, column 1"),
        ('{"a": NaN}', "not plain JSON"),
        ('{"a": "\t"}', "a broken string"),
        ('{"a": 1} {}', "more text after the end"),
        ("[" * 200, "levels"),
        ("[]", "not an object"),
        ('{"hooks": []}', "hooks is not an object"),
        ('{"hooks": null}', "hooks is not an object"),
        ('{"hooks": {"Stop": {}}}', r"hooks\.Stop is not an array"),
    ],
)
def test_case_35_settings_that_cannot_be_kept_are_refused(text: str, words: str) -> None:
    with pytest.raises(InstallRefused, match=words):
        claude_code.placement(text, HOOKS)


def test_case_35_an_edit_that_loses_a_foreign_hook_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '{"hooks": {"Stop": [{"hooks": [{"command": "beep"}]}]}}'
    monkeypatch.setattr("sayso.install.jsontext.append", lambda *_: json.dumps({"hooks": HOOKS}))
    with pytest.raises(InstallRefused, match="not sayso's"):
        claude_code.placement(text, HOOKS)


# --- what is put in -----------------------------------------------------------------------------


def test_each_event_with_its_time() -> None:
    times = {event: groups[0]["hooks"][0]["timeout"] for event, groups in HOOKS.items()}
    assert times.pop("PermissionRequest") == 3600
    assert times.pop("Elicitation") == 600
    assert set(times.values()) == {5}
    assert sorted(times) == [
        "ElicitationResult", "Notification", "PostToolBatch", "PostToolUse", "PostToolUseFailure",
        "SessionEnd", "SessionStart", "Stop", "StopFailure", "SubagentStop", "UserPromptSubmit",
    ]  # fmt: skip
    assert {event: groups[0]["matcher"] for event, groups in HOOKS.items() if "matcher" in groups[0]} == {
        "Notification": "idle_prompt"
    }


def test_every_entry_is_known_as_ours_by_one_command() -> None:
    assert claude_code.placed(claude_code.placement(None, HOOKS)) == {
        (
            "/usr/bin/python3", "-I", "-S", "/home/dev/.local/share/sayso/hook/current/sayso/intake/hook.py",
            "claude-code", "--socket", "/run/user/1000/sayso/desk.sock",
            "--flags", "/home/dev/.local/state/sayso/flags",
        )
    }  # fmt: skip


@pytest.mark.parametrize(
    "handler",
    [
        None,
        {"type": "command", "command": "/bin/sh"},
        {"command": "/bin/sh", "args": ["claude-code", "--socket", "x"]},
        {"command": "/bin/sh", "args": ["-c", "g", "python", "-I", "-S", "hook", "codex", "--socket"]},
        {"command": "/bin/sh", "args": ["-c", "g", "python", "-S", "-I", "hook", "claude-code", "--socket"]},
        {"command": "/bin/sh", "args": ["-c", 1, None, "-I", "-S", "hook", "claude-code", "--mcp"]},
    ],
)
def test_hooks_of_others_are_not_taken_for_ours(handler: object) -> None:
    assert claude_code.own_command(handler) is None


def test_the_printed_text_is_one_argument() -> None:
    text = claude_code.printed(HOOKS)
    assert json.loads(text) == {"hooks": HOOKS}
    assert "\n" not in text


@pytest.mark.parametrize("path", ["python3", "", "~/x", "/a\nb", "/a\0b", "/a\udcff"])
def test_paths_that_settings_cannot_carry_are_refused(path: str) -> None:
    with pytest.raises(InstallRefused, match="path"):
        claude_code.hook_settings(path, "/h", "/s", "/f")


def test_case_48_the_agent_s_own_question_is_the_gate() -> None:
    blocking = {
        event
        for event, groups in HOOKS.items()
        if any(hook["timeout"] > 5 for group in groups for hook in group["hooks"])
    }
    assert blocking == {"PermissionRequest", "Elicitation"}
    assert "PreToolUse" not in HOOKS
