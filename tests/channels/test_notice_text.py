"""What a notice says, with as much content as the person wants."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sayso.channels.notice_senders import apple_script, markup, notify_send
from sayso.channels.notice_text import MOST_LISTED, Words, shape, words
from sayso.channels.notices import Batch
from sayso.core.types import Row
from sayso.wire.views import NoteView
from tests.channels.fake_desk import NOW_S, question, view
from tests.rules.tree import ROOT


def batch(*views: Any) -> Batch:
    return Batch(requests=views, waiting=len(views))


def notes(*titles: str, **changes: Any) -> Batch:
    shaped = tuple(
        NoteView(
            **{
                "agent": "claude-code",
                "title": title,
                "body": "All 312 passed.",
                "at": "2026-11-30T12:00:00.000Z",
                "project": "shop",
                **changes,
            }
        )
        for title in titles
    )
    return Batch(notes=shaped, note_count=len(shaped))


@pytest.mark.parametrize(
    ("content", "title", "body"),
    [
        ("nothing", "An agent waits for you", ""),
        ("who", "Claude Code in shop on main", "asks for permission, for 12 s"),
        (
            "what",
            "Claude Code in shop on main",
            "wants to use Bash, for 12 s\ngit push origin main\nYou had asked: publish the fix",
        ),
    ],
)
def test_case_60_a_notice_says_who_asks_as_far_as_it_may(content: str, title: str, body: str) -> None:
    assert words(batch(view(branch="main")), content, NOW_S) == Words(title, body)


def test_case_60_a_subagent_is_named() -> None:
    said = words(batch(view(agent_type="Explore", branch="main", worktree="fix")), "who", NOW_S)
    assert said.title == "Claude Code (Explore) in shop on main in worktree fix"


def test_what_waits_in_a_terminal_says_so() -> None:
    elsewhere = view(state="deferred", notice=True, reason="not_showable")
    assert words(batch(elsewhere), "nothing", NOW_S).title == "An agent waits in its terminal"
    assert words(batch(elsewhere), "who", NOW_S).body.startswith("waits in its terminal: asks for permission")
    assert words(batch(elsewhere, elsewhere), "nothing", NOW_S).title == "2 requests wait in terminals"


def test_what_a_program_asks_says_what_it_calls_itself() -> None:
    asked = view(agent="program", kind="confirm-command", label="deploy.sh", unsafe=True, title="Deploy?")
    said = words(batch(asked), "who", NOW_S)
    assert said.title == "A program (calls itself “deploy.sh”) in shop"
    assert said.body.startswith("wants a command confirmed (DESTRUCTIVE")
    assert "Deploy?" not in said.body
    assert "Deploy?" in words(batch(asked), "what", NOW_S).body


def test_several_are_counted_and_the_first_kinds_named() -> None:
    views = [view(f"{number:032x}") for number in range(4)]
    views += [question("a" * 32), view("b" * 32, project="bank"), view("c" * 32, project="farm")]
    said = words(batch(*views), "who", NOW_S)
    assert said.title == "7 requests wait for you, the oldest for 12 s"
    assert said.body.splitlines() == [
        "Claude Code in shop: asks for permission (4 times)",
        "Claude Code in shop: asks a question",
        "Claude Code in bank: asks for permission",
        "and 1 more",
    ]
    assert words(batch(*views), "nothing", NOW_S) == Words("7 requests wait for you")
    assert "git push origin main" in words(batch(*views), "what", NOW_S).body


def test_case_60_what_a_program_calls_itself_stays_within_its_quotation() -> None:
    asked = view(agent="program", kind="yesno", label="ci”) in bank; Claude Code (“")
    assert words(batch(asked), "who", NOW_S).title == (
        'A program (calls itself “ci") in bank; Claude Code ("”) in shop'
    )


def test_notes_say_their_title_and_with_leave_their_body() -> None:
    assert words(notes("Tests pass"), "nothing", NOW_S) == Words("A program left a note")
    assert words(notes("Tests pass"), "who", NOW_S) == Words(
        "Note of a program in Claude Code in shop", "Tests pass"
    )
    assert words(notes("Tests pass"), "what", NOW_S).body == "Tests pass\nAll 312 passed."
    said = words(notes("a", "b", "c", "d"), "who", NOW_S)
    assert said.title == "4 notes"
    assert said.body.splitlines()[-1] == "and 1 more"
    assert words(notes("a", "b"), "nothing", NOW_S) == Words("2 notes")


NASTY = "x\x1b]0;owned\x07\u202e\u200b<b>&\\033 -- \nsecond"


def test_nothing_of_others_hides_or_commands() -> None:
    nasty = view(
        project=NASTY, branch=NASTY, prompt=NASTY, tool=NASTY, input=(Row(label="Command", value=NASTY),)
    )
    for content in ("nothing", "who", "what"):
        said = words(batch(nasty), content, NOW_S)
        told = json.dumps(shape(batch(nasty), content, NOW_S), ensure_ascii=False)
        for text in (said.title, *said.body.split("\n"), told):
            assert not any(char in text for char in "\x1b\x07\u202e\u200b")
            assert "\n" not in text


def test_a_long_text_is_cut() -> None:
    long = view(input=(Row(label="Command", value="x" * 4000),), prompt="y" * 4000)
    assert len(words(batch(long), "what", NOW_S).body) < 400


# --- arguments -----------------------------------------------------------------------------


def test_markup_is_none_any_more() -> None:
    assert markup("<b>&amp;</b>") == "&lt;b&gt;&amp;amp;&lt;/b&gt;"


def test_words_are_no_options_of_notify_send() -> None:
    argv = notify_send("/usr/bin/notify-send", Words("-u critical", "--help \\033[31m <i>"))
    assert argv[:2] == ["/usr/bin/notify-send", "--app-name=sayso"]
    assert argv[2:] == ["--", "-u critical", "--help \\\\033[31m &lt;i&gt;"]


def test_words_are_no_part_of_the_script_on_macos() -> None:
    argv = apple_script("/usr/bin/osascript", Words('-e" & quit', "body"))
    assert argv[-3:] == ["sayso", '-e" & quit', "body"]
    assert [argv[index] for index in (1, 3, 5)] == ["-e", "-e", "-e"]
    assert not any("quit" in word for word in argv[:-2])


# --- for a command ---------------------------------------------------------------------------


def test_one_request_as_json() -> None:
    assert shape(batch(view(branch="main")), "who", NOW_S) == {
        "type": "request",
        "count": 1,
        "waiting": 1,
        "title": "Claude Code in shop on main",
        "text": "asks for permission, for 12 s",
        "request": {
            "id": view().id,
            "agent": "claude-code",
            "kind": "permission",
            "project": "shop",
            "branch": "main",
            "session_id": view().session_id,
            "created_at": view().created_at,
        },
    }


def test_json_says_no_more_than_it_may() -> None:
    assert shape(batch(view()), "nothing", NOW_S)["request"] == {"id": view().id}
    told = shape(batch(view()), "what", NOW_S)["request"]
    assert (told["tool"], told["summary"]) == ("Bash", "git push origin main")
    assert told["prompt"] == "publish the fix"
    assert "git push" not in json.dumps(shape(batch(view()), "who", NOW_S))


def test_several_requests_as_json_are_counted_and_listed() -> None:
    views = [view(f"{number:032x}") for number in range(40)]
    told = shape(batch(*views), "who", NOW_S)
    assert (told["type"], told["count"], len(told["requests"])) == ("requests", 40, MOST_LISTED)
    assert "request" not in told


def test_notes_as_json() -> None:
    told = shape(notes("Tests pass"), "what", NOW_S)
    assert told["type"] == "note"
    assert told["note"] == {
        "agent": "claude-code",
        "project": "shop",
        "at": "2026-11-30T12:00:00.000Z",
        "title": "Tests pass",
        "body": "All 312 passed.",
    }
    assert "body" not in shape(notes("Tests pass"), "who", NOW_S)["note"]
    several = shape(notes("a", "b"), "nothing", NOW_S)
    assert (several["type"], several["count"], several["notes"]) == ("notes", 2, [{}, {}])


# --- the page about it -----------------------------------------------------------------------


def blocks(language: str) -> list[str]:
    page = (ROOT / "docs/howto/notices.md").read_text(encoding="utf-8")
    return [part.partition("```")[0] for part in page.split(f"```{language}\n")[1:]]


def test_the_pages_example_is_what_a_command_gets() -> None:
    (example,) = blocks("json")
    told = shape(batch(view(branch="main")), "who", NOW_S - 6)
    shown = json.loads(example)
    assert (list(shown), list(shown["request"])) == (list(told), list(told["request"]))
    assert (shown["title"], shown["text"]) == (told["title"], told["text"])


@pytest.mark.parametrize("told", [batch(view()), batch(view(), question()), notes("Tests pass")])
def test_the_pages_command_works(told: Batch, tmp_path: Path) -> None:
    (script,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(shape(told, "who", NOW_S)),
        env={"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert done.stderr == ""
    kept = (tmp_path / "waited.txt").read_text(encoding="utf-8")
    assert kept.count("sayso show") == len(told.requests)
    assert words(told, "who", NOW_S).title in kept
