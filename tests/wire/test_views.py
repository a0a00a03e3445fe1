"""What channels are shown: times of the wall, values cut, states in people's words."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from sayso.core.bounds import MAX_VALUE_CHARS
from sayso.core.states import MessageState, SessionState, State
from sayso.core.types import (
    Answer,
    Answerer,
    Ask,
    Decision,
    Field,
    Hold,
    Message,
    Option,
    Question,
    Request,
    Row,
    Session,
)
from sayso.wire.views import (
    NOWHERE,
    Clock,
    SessionView,
    SuggestionView,
    Whereabouts,
    asked,
    cut,
    located,
    message_view,
    project_of,
    request_view,
    session_state,
    session_view,
)

CLOCK = Clock(1_700_000_000.0)
QUESTIONS = (
    Question(question="Which?", multi_select=True, options=(Option(label="A"), Option(label="B"))),
    Question(question="Why?"),
)


def request(ask: dict[str, Any] | None = None, **fields: Any) -> Request:
    given = {"agent": "claude-code", "session_id": "s1", "kind": "permission", "tool": "Bash"}
    made = Ask(**{**given, **(ask or {})})
    return Request(**{"id": "r1", "ask": made, "state": State.PENDING, "created_s": 10.0, **fields})


# --- times, folders, values -------------------------------------------------------------


@pytest.mark.parametrize(
    ("at_s", "told"),
    [
        (0.0, "2023-11-14T22:13:20.000Z"),
        (1.25, "2023-11-14T22:13:21.250Z"),
        (-20.0, "2023-11-14T22:13:00.000Z"),
    ],
)
def test_times_are_those_of_the_wall_in_utc(at_s: float, told: str) -> None:
    assert CLOCK.at(at_s) == told


@pytest.mark.parametrize(
    ("cwd", "name"),
    [("/home/ada/app", "app"), ("/home/ada/app/", "app"), ("app", "app"), ("/", ""), ("", "")],
)
def test_a_folder_is_known_by_its_last_part(cwd: str, name: str) -> None:
    assert project_of(cwd) == name


def test_a_long_value_is_listed_cut_with_its_true_length() -> None:
    whole = Row(label="Command", value="x" * (MAX_VALUE_CHARS + 7), code=True, hidden=(3,))
    listed = Row(
        label="Command", value="x" * MAX_VALUE_CHARS, code=True, hidden=(3,), length=MAX_VALUE_CHARS + 7
    )
    assert cut(whole) == listed
    short = Row(label="Command", value="x" * MAX_VALUE_CHARS)
    assert cut(short) is short


def test_what_the_hook_cut_keeps_the_length_it_told() -> None:
    lost = Row(label="Content", value="x" * (MAX_VALUE_CHARS + 1), length=9_999_999, lost=True)
    assert (cut(lost).length, cut(lost).lost) == (9_999_999, True)


# --- sessions and messages --------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "pending", "shown"),
    [
        (SessionState.IDLE, 0, "idle"),
        (SessionState.IDLE, 1, "idle"),
        (SessionState.PRESUMED_IDLE, 1, "idle"),
        (SessionState.WORKING, 0, "working"),
        (SessionState.WORKING, 1, "waiting"),
        (SessionState.ENDED, 1, "ended"),
    ],
)
def test_waiting_is_working_with_something_pending(state: SessionState, pending: int, shown: str) -> None:
    session = Session(agent="claude-code", session_id="s1", state=state)
    assert session_state(session, pending) == shown


def test_a_session_as_shown() -> None:
    session = Session(
        agent="claude-code",
        session_id="s1",
        process="7:70",
        state=SessionState.WORKING,
        since_s=1.0,
        seen_s=5.0,
        active_s=5.0,
        cwd="/home/ada/app",
        mode="plan",
        prompt="make it so",
    )
    assert session_view(session, (2, 0), CLOCK) == SessionView(
        agent="claude-code",
        session_id="s1",
        state="working",  # what waits is a subagent's
        since="2023-11-14T22:13:21.000Z",
        pending=2,
        process="7:70",
        cwd="/home/ada/app",
        project="app",
        mode="plan",
        prompt="make it so",
    )
    assert session_view(session, (2, 1), CLOCK).state == "waiting"


def test_a_repository_gives_its_name_branch_and_worktree() -> None:
    where = Whereabouts("shop", "feature/x", "shop-fix")
    session = Session(agent="codex", session_id="s1", origin="fork", cwd="/home/ada/shop-fix")
    view = located(session_view(session, (0, 0), CLOCK), where)
    assert (view.project, view.branch, view.worktree) == where
    assert (view.origin, view.cwd) == ("fork", "/home/ada/shop-fix")
    asked = request_view(request({"cwd": "/home/ada/shop-fix/src"}), "", None, "", CLOCK)
    assert (asked.project, asked.branch, asked.worktree) == ("src", "", "")
    assert located(asked, NOWHERE) == asked
    assert located(asked, where).project == "shop"


def test_a_message_as_shown() -> None:
    message = Message(
        agent="claude-code", session_id="s1", text="hello", queued_s=0.0, state=MessageState.HANDED_OVER
    )
    assert msgspec.to_builtins(message_view(message, CLOCK)) == {
        "agent": "claude-code",
        "session_id": "s1",
        "text": "hello",
        "queued_at": "2023-11-14T22:13:20.000Z",
        "state": "handed_over",
    }


# --- requests ---------------------------------------------------------------------------

ALWAYS = {"id", "agent", "session_id", "kind", "tool", "created_at", "input", "suggestions", "questions"}


def test_the_fields_that_are_always_there_and_no_others_without_need() -> None:
    view = request_view(request(), "", None, "", CLOCK)
    shown = json.loads(msgspec.json.encode(view))
    assert set(shown) - {"confirmed"} == ALWAYS | {"state", "hold"}
    assert (shown["input"], shown["suggestions"], shown["questions"]) == ([], [], [])


def test_a_pending_request_as_shown() -> None:
    ask = {
        "agent_id": "a1",
        "agent_type": "general",
        "hold": Hold.EXCLUSIVE,
        "attended": False,
        "interrupt": True,
        "mode": "plan",
        "input": (Row(label="Command", value="x" * (MAX_VALUE_CHARS + 1)),),
        "suggestions": ("Allow ls", "Accept edits"),
        "questions": QUESTIONS,
        "fields": (Field(name="city"),),
        "modes": ("default",),
        "url": "https://example.org",
        "cwd": "/home/ada/app",
        "surface_id": "%1",
    }
    view = request_view(request(ask), "", 125.0, "make it so", CLOCK)
    assert view.suggestions == (SuggestionView("0", "Allow ls"), SuggestionView("1", "Accept edits"))
    assert view.input[0].length == MAX_VALUE_CHARS + 1
    assert view.created_at == "2023-11-14T22:13:30.000Z"
    assert view.expires_at == "2023-11-14T22:15:25.000Z"
    assert (view.answered_at, view.ended_at, view.by) == ("", "", None)
    assert (view.project, view.prompt) == ("app", "make it so")
    same = ["agent_id", "agent_type", "attended", "interrupt", "mode", "questions", "fields", "modes", "url"]
    assert {name: getattr(view, name) for name in same} == {name: ask[name] for name in same}
    assert (view.hold, view.surface_id, view.cwd) == ("exclusive", "%1", "/home/ada/app")


def test_a_settled_request_as_shown() -> None:
    by = Answerer(channel="web", name="phone", credential="c1")
    settled = request(
        state=State.LOST,
        reason="hook_gone",
        by=by,
        decision=Decision(behavior="allow"),
        answered_s=11.0,
        ended_s=12.0,
        notice=True,
    )
    view = request_view(settled, "lost", None, "", CLOCK)
    assert (view.state, view.reason, view.ending, view.asked) == ("lost", "hook_gone", "lost", "allow")
    assert (view.answered_at, view.ended_at) == ("2023-11-14T22:13:31.000Z", "2023-11-14T22:13:32.000Z")
    assert (view.by, view.notice, view.expires_at) == (by, True, "")


# --- what was asked for -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (None, ""),
        (Decision(behavior="allow"), "allow"),
        (Decision(behavior="deny"), "deny"),
        (Decision(behavior="cancel"), "cancel"),
        (Decision(behavior="deny", message="not today"), "deny: not today"),
        (Decision(behavior="deny", interrupt=True), "deny and stop"),
        (Decision(behavior="deny", interrupt=True, message="no"), "deny and stop: no"),
        (Decision(behavior="allow", suggestion=0), "allow, and asked for: Allow ls"),
        (Decision(behavior="allow", suggestion=1), "allow, and asked for: Accept edits"),
        (Decision(behavior="allow", mode="acceptEdits"), "allow, then acceptEdits"),
        (
            Decision(behavior="allow", answers=(Answer(picked=(1, 0)), Answer(text="because"))),
            "B, A; because",
        ),
    ],
)
def test_what_a_person_chose_in_words(decision: Decision | None, words: str) -> None:
    ask = {"suggestions": ("Allow ls", "Accept edits"), "questions": QUESTIONS}
    assert asked(request(ask, decision=decision), CLOCK.time_of_day) == words
