"""Document 004 on the wire: bodies, requests as they are told, events of a stream."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sayso.core.states import State
from sayso.core.types import Choice, Field, Kind, Option, Question, Row
from sayso.errors import BadRequest
from sayso.mask import mask
from sayso.wire import interaction as wire
from sayso.wire.interaction_answers import Response
from sayso.wire.views import NoteView, RequestView, SuggestionView

AT = "2026-01-01T00:00:00.000Z"
VIEW = RequestView(
    id="r1",
    agent="claude-code",
    session_id="s1",
    kind=Kind.PERMISSION,
    tool="Bash",
    created_at=AT,
    input=(Row(label="Command", value="ls"), Row(label="Why", value="to see"), Row(label="Why", value="x")),
    suggestions=(),
    questions=(),
    state="pending",
)
COLOUR = Question(question="Which\ncolour?", options=(Option(label="Red"),))


def really(text: str) -> tuple[str, tuple[int, ...]]:
    found = mask(text)
    return found.text, found.hidden


def of(kind: Kind, **fields: Any) -> RequestView:
    return replace(VIEW, kind=kind, **{"input": (), **fields})


def test_bodies_have_the_documents_names() -> None:
    body = msgspec.json.decode(
        b'{"session":"s","type":"input","timeoutMs":5,"extra":1}', type=wire.RequestBody
    )
    assert (body.session, body.type, body.payload, body.timeout_ms) == ("s", "input", {}, 5.0)
    assert msgspec.convert({"sessionId": "s"}, wire.PendingQuery).session_id == "s"


@pytest.mark.parametrize(
    ("asked_ms", "waits_ms"),
    [(None, 110_000), (0, 1000), (-1, 1000), (5000, 5000), (1e9, 600_000), (float("inf"), 600_000)],
)
def test_waits_are_moved_into_their_bounds(asked_ms: float | None, waits_ms: float) -> None:
    assert wire.wait_ms(asked_ms) == waits_ms


def test_what_is_no_number_is_no_wait() -> None:
    with pytest.raises(BadRequest) as caught:
        wire.wait_ms(float("nan"))
    assert caught.value.field == "timeoutMs"


# --- requests ----------------------------------------------------------------------------


def test_a_request_in_the_documents_words() -> None:
    view = replace(VIEW, expires_at="later", asker_away=True)
    assert msgspec.to_builtins(wire.interaction(view, None, None)) == {
        "id": "r1",
        "sessionId": "s1",
        "type": "permission",
        "payload": {"toolName": "Bash", "input": {"Command": "ls", "Why": "to see", "Why (2)": "x"}},
        "summary": "Bash: ls",
        "status": "pending",
        "createdAt": AT,
        "agent": "claude-code",
        "kind": "permission",
        "state": "pending",
        "expiresAt": "later",
        "askerAway": True,
    }


def test_a_settled_request_says_how_and_when() -> None:
    view = replace(VIEW, state="unconfirmed", answered_at="then", ended_at="later", ending="handed over")
    told = wire.interaction(view, {"a": 1}, Response(decision="deny"))
    assert (told.status, told.resolved_at, told.payload) == ("resolved", "then", {"a": 1})
    assert told.response == Response(decision="deny")


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (State.PENDING, "pending"),
        (State.EXPIRED, "timed_out"),
        (State.WITHDRAWN, "cancelled"),
        (State.RELEASED, "cancelled"),
        (State.DEFERRED, "cancelled"),
        (State.ANSWERED, "resolved"),
        (State.LOST, "resolved"),
    ],
)
def test_states_and_what_the_document_calls_them(state: State, status: str) -> None:
    view = replace(VIEW, state=str(state), reason="why", ended_at="then")
    told = wire.interaction(view, None, None)
    assert (told.status, told.reason, told.resolved_at) == (status, "why", "then")


@pytest.mark.parametrize(
    ("view", "type_", "payload"),
    [
        (
            of(Kind.PERMISSION, cwd="/srv", suggestions=(SuggestionView("0", "Always"),)),
            "permission",
            {"toolName": "Bash", "input": {}, "suggestions": ["Always"], "cwd": "/srv"},
        ),
        (
            of(Kind.PLAN, modes=("auto",), input=(Row(label="Plan", value="# P"), Row(label="F", value="f"))),
            "exit_plan",
            {"plan": "# P", "modes": ["auto"], "input": {"F": "f"}},
        ),
        (
            of(Kind.QUESTION, questions=(COLOUR,)),
            "question",
            {
                "questions": [
                    {
                        "question": "Which\ncolour?",
                        "header": "",
                        "multiSelect": False,
                        "options": [{"label": "Red"}],
                    }
                ]
            },
        ),
        (
            of(Kind.YESNO, title="Go on?"),
            "question",
            {
                "questions": [
                    {
                        "question": "Go on?",
                        "header": "",
                        "multiSelect": False,
                        "options": [{"label": "yes"}, {"label": "no"}],
                    }
                ]
            },
        ),
        (
            of(Kind.CHOICE, title="Which?", choices=(Choice(value="a", label="A"),)),
            "question",
            {
                "questions": [
                    {"question": "Which?", "header": "", "multiSelect": False, "options": [{"label": "A"}]}
                ]
            },
        ),
        (of(Kind.TEXT, title="Name?", default="x"), "input", {"title": "Name?", "default": "x"}),
        (
            of(Kind.ELICITATION, fields=(Field(name="n"),)),
            "input",
            {"fields": [{"name": "n"}], "url": ""},
        ),
        (
            of(Kind.CONFIRM, title="Deploy", unsafe=True, input=(Row(label="Command", value="rm"),)),
            "permission",
            {"toolName": "Deploy", "unsafe": True, "steps": ["ack", "run"], "input": {"Command": "rm"}},
        ),
    ],
)
def test_every_kind_has_a_shape_that_readers_know(
    view: RequestView, type_: str, payload: dict[str, Any]
) -> None:
    told = wire.interaction(view, None, None)
    assert (told.type, told.payload) == (type_, payload)


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (VIEW, "Bash: ls"),
        (of(Kind.PERMISSION), "Bash"),
        (of(Kind.PERMISSION, tool="", input=(Row(label="a", value="b"),)), "b"),
        (of(Kind.TEXT, title="Name?"), "Name?"),
        (of(Kind.QUESTION, questions=(COLOUR,)), "Which colour?"),
        (of(Kind.QUESTION, questions=(COLOUR, COLOUR, COLOUR)), "Which colour? (and 2 more)"),
        (of(Kind.TEXT, title="x" * 300), "x" * 200),
    ],
)
def test_summaries_are_one_short_line(view: RequestView, words: str) -> None:
    assert wire.summary(view) == words


def test_a_name_tells_that_its_text_is_a_secret() -> None:
    payload = {"input": {"env": {"API_KEY": "abcd1234efgh5678ijkl", "HOME": "/home/a"}, "n": 1}}
    told = wire.masked(payload, really)
    assert told == {"input": {"env": {"API_KEY": "…[masked]", "HOME": "/home/a"}, "n": 1}}


def test_every_text_of_a_payload_is_masked() -> None:
    def hide(text: str) -> tuple[str, tuple[int, ...]]:
        return text.replace("secret", "[masked]"), ()

    payload = {"secret": ["secret", 1, None, {"a": "a secret"}]}
    assert wire.masked(payload, hide) == {"[masked]": ["[masked]", 1, None, {"a": "a [masked]"}]}


# --- the stream --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "state", "name"),
    [
        ("shown", State.PENDING, "interaction"),
        ("shown", State.DEFERRED, ""),
        ("resolved", State.ANSWERED, "resolved"),
        ("resolved", State.WITHDRAWN, "withdrawn"),
        ("resolved", State.RELEASED, "released"),
        ("resolved", State.EXPIRED, "released"),
        ("changed", State.DELIVERED, ""),
        ("changed", State.LOST, "resolved"),
        ("changed", State.OVERRULED, "resolved"),
        ("forgotten", State.WITHDRAWN, ""),
    ],
)
def test_origin_02_what_changes_are_called(type_: str, state: State, name: str) -> None:
    assert wire.event_of(type_, replace(VIEW, state=str(state))) == name


def test_an_alert_names_its_request_where_readers_look() -> None:
    assert msgspec.to_builtins(wire.alert_of(VIEW)) == {
        "kind": "interaction_request",
        "id": "r1",
        "sessionId": "s1",
        "type": "permission",
        "summary": "Bash: ls",
        "at": AT,
        "interaction": {"id": "r1", "type": "permission", "summary": "Bash: ls"},
    }


@pytest.mark.parametrize(("body", "words"), [("", "Done"), ("all\ngreen", "Done: all green")])
def test_a_note_is_an_alert_that_names_no_request(body: str, words: str) -> None:
    note = NoteView(agent="program", title="Done", at=AT, body=body, surface_id="s1")
    assert wire.alert_of_note(note) == wire.Alert(kind="notification", session_id="s1", summary=words, at=AT)


def test_an_event_is_its_name_and_one_line() -> None:
    assert wire.encode_event("ready", {"pending": []}) == b'event: ready\ndata: {"pending":[]}\n\n'
