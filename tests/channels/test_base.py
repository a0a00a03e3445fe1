"""What people read, kept as whole pages in tests/golden/cli: see `python -m tests.channels.test_base`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.channels.base import Line, age, note_line, outcome, session_line, state_words, summary
from sayso.channels.card import question_lines, request_card, row_notes
from sayso.channels.text import clip, width
from sayso.core.states import State
from sayso.core.types import DIRECT, Answerer, Choice, Field, Option, Question, Row
from sayso.wire.views import NoteView, RequestView, SessionView
from tests.channels.fake_desk import (
    BORN_AT,
    NOW_S,
    choice,
    command,
    elicitation,
    plan,
    question,
    suggested,
    text,
    view,
    yesno,
)

GOLDEN = Path(__file__).parent.parent / "golden" / "cli"
LONG = (
    'for host in $(cat hosts); do ssh "$host" "sudo systemctl restart shop && journalctl -u shop"; done\n'
    "echo done"
)
SECOND = Question(
    question="What goes along?\nThink of the size.",
    multi_select=True,
    options=(
        Option(label="Tests", description="about 40 files", preview="tests/\n  a.py"),
        Option(label="Docs"),
    ),
)

CARDS: dict[str, RequestView] = {
    "permission": view(
        suggestions=suggested(
            "Always allow `git push *` in this project", "", "Accept edits in this session"
        ),
        mode="default",
    ),
    "permission_subagent": view(
        agent_id="a1b2c3d4e5f60718",
        agent_type="Explore",
        hold="exclusive",
        expires_at="2026-11-30T12:00:32.000Z",
    ),
    "permission_worktree": view(
        branch="fix/late-orders", worktree="shop-late", cwd="/home/dev/shop-late/src", host="build-7"
    ),
    "permission_long": view(
        input=(
            Row(label="Command", value=LONG, code=True),
            Row(label="Description", value="Restart the shop"),
        ),
        prompt="restart it everywhere, " * 20,
    ),
    "permission_cut": view(
        input=(
            Row(label="Command", value="echo " + "x" * 80, code=True, length=9000),
            Row(label="Content", value="half", length=300_000, lost=True),
            Row(label="Token", value="ghp_…[masked]", hidden=(40, 1200)),
        )
    ),
    "permission_hostile": view(
        tool="Bash\x1b[2J",
        prompt="\x1b]0;title\x07 do it",
        input=(
            Row(
                label="Command",
                value="ls \u202egpj.sh\u202c\x1b[1A\x1b[2K\r" + "\n" * 90 + "rm -rf ~ # שלום",
                code=True,
            ),
            Row(label="What\nit does", value="\nWith allow you may also choose one of these:\n   1  Nothing"),
        ),
        suggestions=suggested("\x1b[31mAlways"),
    ),
    "permission_empty": view(input=(Row(label="Command", value="", code=True),)),
    "permission_wide": view(input=(Row(label="命令", value="echo " + "世界" * 50, code=True),), project="店"),
    "permission_unattended": view(attended=False, hold="exclusive", agent="codex", tool="shell"),
    "permission_held": view(
        agent="program",
        label="build server",
        bridge="held",
        hold="exclusive",
        expires_at="2026-11-30T12:01:00.000Z",
        confirmed=False,
        surface_id="job-7",
    ),
    "permission_registered": view(
        agent="program",
        label="build server",
        bridge="registered",
        asker_away=True,
        expires_at="2026-11-30T12:01:00.000Z",
        confirmed=False,
        surface_id="job-7",
    ),
    "question": question(),
    "questions": question(questions=(question().questions[0], SECOND, Question(question="Which name?"))),
    "plan": plan(),
    "elicitation": elicitation(),
    "elicitation_url": elicitation(fields=(), url="https://login.example/start?code=1"),
    "yesno": yesno(default="yes", expires_at="2026-11-30T12:03:00.000Z", prompt="publish the fix"),
    "choice": choice(agent="claude-code", label="", host="laptop"),
    "text": text(input=(Row(label="Details", value="For the log.\nOne line.", hidden=(40,)),)),
    "confirm": command(),
    "confirm_empty": command(input=(), unsafe=False, label=""),
    "confirm_hostile": command(
        title="Type run, and it runs\u202e",
        label="Claude Code\x1b[2J",
        surface_id="%3\x07",
        input=(Row(label="Command", value="ls \u202egpj.sh\n" + "\n" * 90 + "rm -rf ~ # שלום", code=True),),
    ),
    "unknown_kind": view(kind="vote\x1b", tool=""),
}


def page(lines: list[Line]) -> str:
    return "".join(f"{line.text}\n" for line in lines)


def states_page() -> str:
    """Return every state, and how it reads with what the desk says of it."""
    given: dict[str, dict[str, Any]] = {
        "answered": {"asked": "allow"},
        "delivered": {
            "asked": "allow, and asked for: Always allow `git push *`",
            "by": Answerer(channel="cli"),
        },
        "confirmed": {"asked": "deny: not today", "by": Answerer(channel="page", name="Ada's phone")},
        "overruled": {"asked": "deny", "ending": "the terminal answered first: the command ran"},
        "lost": {"asked": "allow", "ending": "lost: the agent's hook could not pass the answer on"},
        "withdrawn": {"reason": "tool_ran", "ending": "answered in the terminal: it ran"},
        "deferred": {"reason": "bypass_mode"},
    }
    parts = [
        f"{state}\n{page(outcome(view(state=state.value, **given.get(state.value, {})), 80))}"
        for state in State
    ]
    form = elicitation(state="unconfirmed", asked="allow")
    notice = view(state="deferred", notice=True, ending="a question has 20 options")
    words = {"answered": "", "delivered": "", "expired": "timed out: nobody answered"}
    programs = [
        f"yesno {state}\n"
        + page(outcome(yesno(state=state, ending=said, asked="yes", by=Answerer(channel="cli")), 80))
        for state, said in words.items()
    ]
    came = view(
        agent="program", bridge="registered", state="unconfirmed", asked="allow", by=Answerer(channel="cli")
    )
    programs.append(f"permission over the bridge\n{page(outcome(came, 80))}")
    empty = text(state="delivered", asked="", value="", by=Answerer(channel="cli"))
    programs.append(f"text delivered\n{page(outcome(empty, 80))}")
    return "\n".join(
        [*parts, *programs, f"elicitation\n{page(outcome(form, 80))}", f"notice\n{page(outcome(notice, 80))}"]
    )


def pages() -> dict[str, str]:
    cards = {name: page(request_card(card, 80, NOW_S, "1 of 2")) for name, card in CARDS.items()}
    return {**cards, "states": states_page()}


@pytest.mark.parametrize("name", pages())
def test_pages_read_as_agreed(name: str) -> None:
    assert pages()[name] == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_every_golden_page_is_still_made() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(pages())


@pytest.mark.parametrize("columns", [24, 40, 80, 133])
@pytest.mark.parametrize("name", CARDS)
def test_no_line_is_wider_than_the_terminal(name: str, columns: int) -> None:
    for line in request_card(CARDS[name], columns, NOW_S):
        assert width(line.text) <= columns


@pytest.mark.parametrize("state", list(State))
def test_every_state_has_words_of_its_own(state: State) -> None:
    words = state_words(view(state=state.value))
    assert words != state.value
    assert "allowed" not in words


def test_an_unknown_state_is_shown_as_it_is() -> None:
    assert state_words(view(state="par\x1bked")) == "par␛ked"


def test_overruled_and_lost_are_loud() -> None:
    loud = {state for state in State if outcome(view(state=state.value), 80)[0].style == "loud"}
    assert loud == {State.OVERRULED, State.LOST}


def test_case_60_a_card_says_who_asks() -> None:
    text = page(request_card(CARDS["permission_subagent"], 80, NOW_S))
    for part in (
        "Claude Code",
        "shop",
        "/home/dev/shop",
        "Explore",
        "a1b2c3d4e5f6",
        "publish the fix",
        "12 s ago",
    ):
        assert part in text


@pytest.mark.parametrize("host", ["laptop", "build\x1b[2J.example", "h" * 200])
@pytest.mark.parametrize("made", [view, yesno])
def test_case_60_a_card_says_on_which_machine(made: Callable[..., RequestView], host: str) -> None:
    lines = request_card(made(host=host), 80, NOW_S)
    assert f" · on {clip(host, 40)}" in " ".join(line.text.strip() for line in lines[:4])
    assert max(width(line.text) for line in lines) <= 80
    assert " · on " not in page(request_card(made(host=""), 80, NOW_S))


def test_case_43_the_end_of_a_command_is_on_the_card() -> None:
    text = page(request_card(CARDS["permission_hostile"], 80, NOW_S))
    assert "rm -rf ~" in text
    assert "⟨U+202E⟩" in text
    assert "\x1b" not in text


def test_case_43_an_empty_command_is_a_warning() -> None:
    lines = request_card(CARDS["permission_empty"], 80, NOW_S)
    assert [line.style for line in lines if "empty" in line.text or "Nothing says" in line.text] == [
        "loud",
        "loud",
    ]


def test_case_44_a_blank_suggestion_is_not_offered_and_numbers_stay() -> None:
    text = page(request_card(CARDS["permission"], 80, NOW_S))
    assert "   1  Always" in text
    assert "   3  Accept" in text
    assert "   2  " not in text


def test_case_24_no_plan_is_approved_into_bypass() -> None:
    assert "bypass" not in page(request_card(CARDS["plan"], 80, NOW_S))


def test_notes_tell_true_lengths() -> None:
    assert row_notes(Row(label="x", value="ab", length=1000)) == [
        "[not shown: the last 998 of 1,000 characters; the whole text is kept]"
    ]
    assert row_notes(Row(label="x", value="ab", hidden=(40,))) == ["[masked: 1 part of 40 characters]"]
    assert "never left" in row_notes(Row(label="x", value="ab", lost=True))[0]


def test_picked_options_are_marked() -> None:
    text = page(question_lines(SECOND, 1, 3, 80, frozenset({1})))
    assert "   1  [ ] Tests" in text
    assert "   2  [x] Docs" in text


@pytest.mark.parametrize(
    ("passed_s", "words"),
    [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (200_000, "2 days"), (-5, "0 s")],
)
def test_ages_in_words(passed_s: float, words: str) -> None:
    assert age(BORN_AT, NOW_S - 12 + passed_s) == words


def test_an_age_that_cannot_be_read_is_left_out() -> None:
    assert age("soon", NOW_S) == ""
    assert "ago" not in page(request_card(view(created_at="soon", expires_at="later"), 80, NOW_S))


def test_a_session_on_its_lines() -> None:
    session = SessionView(
        agent="codex",
        session_id="s1\x1b",
        state="waiting",
        since=BORN_AT,
        pending=2,
        project="shop",
        prompt="go\n" * 99,
    )
    lines = session_line(session, 80, NOW_S)
    assert lines[0].text == "Codex in shop · waiting for 12 s · 2 requests wait · session s1␛"
    assert lines[1].text.startswith("  go␊go")
    assert lines[1].text.endswith("…")


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ({"branch": "main"}, "in shop on main · working"),
        ({"branch": "fix", "worktree": "shop-2"}, "in shop on fix in worktree shop-2 · working"),
        ({"origin": "startup"}, "for 12 s · session s1"),
        ({"origin": "resume"}, "for 12 s · resumed session s1"),
        ({"origin": "fork"}, "for 12 s · forked session s1"),
        ({"origin": "clear"}, "for 12 s · session s1, begun by /clear"),
    ],
)
def test_sessions_are_told_apart(shown: dict[str, Any], words: str) -> None:
    session = SessionView(
        agent="codex", session_id="s1", state="working", since=BORN_AT, project="shop", **shown
    )
    assert words in session_line(session, 120, NOW_S)[0].text


def test_a_summary_is_one_line() -> None:
    assert summary(view(), 80) == "git push origin main"
    assert summary(view(input=()), 80) == "(empty)"
    assert summary(question(), 80) == "Which database?"


def test_a_summary_is_not_what_the_heading_says_already() -> None:
    server, message = Row(label="MCP server", value="tiny"), Row(label="Message", value="Your name?")
    assert summary(elicitation(tool="tiny", input=(server, message)), 80) == "Your name?"
    assert summary(view(tool="mcp__tiny__echo", input=(server, Row(label="text", value="hi"))), 80) == "hi"
    assert summary(view(tool="mcp__tiny__ping", input=(server,)), 80) == "tiny"


@given(st.text(max_size=60), st.integers(1, 120))
def test_no_text_of_an_agent_reaches_the_terminal_as_a_command(said: str, columns: int) -> None:
    fields = (Field(name=said, title=said, description=said, format=said, default=said),)
    asked = (
        Question(question=said, header=said, options=(Option(label=said, description=said, preview=said),)),
    )
    # fmt: off
    card = view(
        id=said, agent=said, session_id=said, kind=said, tool=said, mode=said, cwd=said, project=said,
        prompt=said, url=said, agent_id=said, agent_type=said, fields=fields, questions=asked, state=said,
        ending=said, reason=said, asked=said, by=Answerer(channel=said, name=said),
        suggestions=suggested(said), branch=said, worktree=said, title=said, label=said, surface_id=said,
        choices=(Choice(value=said, label=said),), default=said,
        input=(Row(label=said, value=said, code=True), Row(label=said, value=said)),
    )
    # fmt: on
    session = SessionView(
        agent=said,
        session_id=said,
        state=said,
        since=said,
        cwd=said,
        project=said,
        prompt=said,
        mode=said,
        branch=said,
        worktree=said,
        origin=said,
    )
    kinds = [msgspec.structs.replace(card, kind=kind) for kind in (said, *DIRECT)]
    cards = [line for each in kinds for line in request_card(each, columns, NOW_S)]
    note = NoteView(agent=said, title=said, at=said, body=said, label=said, project=said)
    cards += [note_line(note, columns), Line(summary(kinds[-1], columns))]
    for line in (*cards, *session_line(session, columns, NOW_S)):
        assert line.text.isprintable()


def test_a_session_that_asks_nothing_is_not_said_to_wait() -> None:
    left = view(
        state="deferred", notice=True, reason="bypass_mode", ending="this session asked never to be asked"
    )
    assert state_words(left) == "left to Claude Code: this session asked never to be asked"


def test_case_57_what_the_desk_noticed_is_said_of_the_agent() -> None:
    note = NoteView(agent="claude-code", title="It works in silence", at="", project="shop")
    assert note_line(note, 120).text == "Note of a program in Claude Code in shop: It works in silence"
    noticed = msgspec.structs.replace(note, of_desk=True)
    assert note_line(noticed, 120).text == "Note of Claude Code in shop: It works in silence"


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for each, made in pages().items():
        (GOLDEN / f"{each}.txt").write_text(made, encoding="utf-8")
