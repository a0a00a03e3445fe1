"""Document 001 on the wire: what is taken in, what is refused by which field, and what is told."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sayso.core.bounds import MAX_CHOICES, MAX_MESSAGE_CHARS
from sayso.core.requests import ending
from sayso.core.states import State
from sayso.core.types import Answerer, Ask, Choice, Decision, Kind, Request, Row, Settings
from sayso.errors import BadRequest
from sayso.wire import ask_user
from sayso.wire.ask_user import (
    MAX_BODY_CHARS,
    MAX_DEFAULT_CHARS,
    MAX_NAME_CHARS,
    MAX_TITLE_CHARS,
    AskUserEvent,
    AskUserRequest,
    AskUserResponse,
    ChoiceView,
    Note,
)
from sayso.wire.views import Change, Clock, RequestView, SessionView, Snapshot, request_view

OWN_ID = "0123456789abcdef" * 2
LEAST = {"surface_id": "s:1", "kind": "yesno", "title": "Go on?"}
CHOICE = {**LEAST, "kind": "choice", "choices": [{"id": "a"}]}
ADA = Answerer(channel="web", credential="c1")


def decoded(**fields: Any) -> ask_user.AskUser:
    return ask_user.decode(msgspec.json.encode({**LEAST, **fields}))


# --- parameters in -----------------------------------------------------------------------


def test_the_least_ask() -> None:
    assert decoded() == ask_user.AskUser(
        ask=Ask(
            agent="program",
            session_id="s:1",
            surface_id="s:1",
            kind="yesno",
            title="Go on?",
            hold_s=math.inf,
        )
    )


def test_every_field() -> None:
    asked = decoded(
        kind="confirm-command",
        title="  Delete it?\n",
        body="rm -r x\n",
        agent_id="claude:1",
        timeout_ms=1500.5,
        unsafe=True,
        id=OWN_ID,
        resumed=True,
        cwd="/shop",
        choices="ignored for this kind",
    )
    assert asked.id == OWN_ID
    assert asked.ask == Ask(
        agent="program",
        session_id="s:1",
        surface_id="s:1",
        kind="confirm-command",
        title="Delete it?",
        input=(Row(label="Command", value="rm -r x\n", code=True),),
        hold_s=1.5005,
        unsafe=True,
        label="claude:1",
        cwd="/shop",
        resumed=True,
    )


def test_what_is_proposed_is_an_answer() -> None:
    assert decoded(default="no").ask.default == "no"
    assert decoded(kind="text", default="any").ask.default == "any"
    assert decoded(kind="choice", choices=[{"id": "a"}], default="a").ask.default == "a"


def test_another_kinds_body_is_no_command() -> None:
    assert decoded(body="why").ask.input == (Row(label="Details", value="why"),)


@pytest.mark.parametrize("absent", [None, ""])
def test_optional_fields_that_are_null_or_empty_are_absent(absent: str | None) -> None:
    names = ("body", "agent_id", "default", "id", "cwd")
    more = {"unsafe": None, "resumed": None, "timeout_ms": None, "choices": None}
    assert decoded(**dict.fromkeys(names, absent), **more) == decoded()


def test_choices_have_their_ids_for_labels_where_they_have_none() -> None:
    given = [{"id": "a,b:c", "label": "The first"}, {"id": "cancel", "label": ""}, {"id": "c", "label": None}]
    assert decoded(kind="choice", choices=given).ask.choices == (
        Choice(value="a,b:c", label="The first"),
        Choice(value="cancel", label="cancel"),
        Choice(value="c", label="c"),
    )


@pytest.mark.parametrize(
    ("timeout_ms", "hold_s"),
    [(0, math.inf), (0.0, math.inf), (1, 0.001), (1500.9, 1.5009), (1e12, math.inf), (1e308, math.inf)],
)
def test_timeouts(timeout_ms: float, hold_s: float) -> None:
    assert decoded(timeout_ms=timeout_ms).ask.hold_s == pytest.approx(hold_s)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        *(({name: None}, name) for name in LEAST),
        *(({name: " "}, name) for name in LEAST),
        *(({name: 7}, name) for name in LEAST),
        ({"surface_id": "x" * (MAX_NAME_CHARS + 1)}, "surface_id"),
        ({"kind": "permission"}, "kind"),
        ({"title": "one\ntwo"}, "title"),
        ({"title": "one\u2028two"}, "title"),
        ({"title": "x" * (MAX_TITLE_CHARS + 1)}, "title"),
        ({"body": ["x"]}, "body"),
        ({"body": "x" * (MAX_BODY_CHARS + 1)}, "body"),
        ({"agent_id": 1}, "agent_id"),
        ({"agent_id": "x" * (MAX_NAME_CHARS + 1)}, "agent_id"),
        ({"default": True}, "default"),
        ({"default": "maybe"}, "default"),
        ({"kind": "confirm-command", "default": "run"}, "default"),
        ({"kind": "choice", "choices": [{"id": "a"}], "default": "b"}, "default"),
        ({"default": "x" * (MAX_DEFAULT_CHARS + 1)}, "default"),
        ({"timeout_ms": -1}, "timeout_ms"),
        ({"timeout_ms": "5"}, "timeout_ms"),
        ({"timeout_ms": True}, "timeout_ms"),
        ({"unsafe": "true"}, "unsafe"),
        ({"unsafe": 1}, "unsafe"),
        ({"resumed": 1}, "resumed"),
        ({"resumed": True}, "id"),
        ({"id": "req:1"}, "id"),
        ({"id": OWN_ID.upper()}, "id"),
        ({"cwd": 1}, "cwd"),
        ({"colour": "red"}, "colour"),
        ({"kind": "choice"}, "choices"),
        ({"kind": "choice", "choices": []}, "choices"),
        ({"kind": "choice", "choices": {"id": "a"}}, "choices"),
        ({"kind": "choice", "choices": ["a"]}, "choices[0]"),
        ({"kind": "choice", "choices": [{"id": "a"}, {"label": "b"}]}, "choices[1].id"),
        ({"kind": "choice", "choices": [{"id": "a"}, {"id": ""}]}, "choices[1].id"),
        ({"kind": "choice", "choices": [{"id": "a", "label": 3}]}, "choices[0].label"),
        ({"kind": "choice", "choices": [{"id": "a", "icon": "x"}]}, "choices[0].icon"),
        ({"kind": "choice", "choices": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}, "choices[2].id"),
        ({"kind": "choice", "choices": [7] * (MAX_CHOICES + 1)}, "choices"),  # counted before it is read
    ],
)
def test_what_is_malformed_is_refused_by_its_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        decoded(**fields)
    assert refused.value.field == field
    assert field.split("[")[0] in refused.value.text or field in ("choices[0]", "choices[2].id")


@pytest.mark.parametrize("params", [b"[]", b'"x"', b"null", b"7"])
def test_parameters_are_an_object(params: bytes) -> None:
    with pytest.raises(BadRequest):
        ask_user.decode(params)


def test_notes() -> None:
    given = {"title": " Done ", "body": "all of it", "surface_id": "s", "agent_id": "ci", "cwd": "/shop"}
    note = Note(title="Done", body="all of it", surface_id="s", label="ci", cwd="/shop")
    assert ask_user.decode_note(msgspec.json.encode(given)) == note
    assert ask_user.decode_note(b'{"title":"Done"}') == Note(title="Done")
    long = msgspec.json.encode({"title": "a", "body": "x" * (MAX_MESSAGE_CHARS + 1)})
    for bad, field in ((b"{}", "title"), (b'{"title":"a","kind":"yesno"}', "kind"), (long, "body")):
        with pytest.raises(BadRequest) as refused:
            ask_user.decode_note(bad)
        assert refused.value.field == field


# --- views and results out ---------------------------------------------------------------


def request(state: State = State.PENDING, fields: dict[str, Any] | None = None, **more: Any) -> RequestView:
    """Return a request as channels see it, of an ask with these fields."""
    ask = replace(decoded(**(fields or {})).ask, id="r1", started_s=100.0)
    kept = Request(id="r1", ask=ask, state=state, created_s=100.0, **more)
    return request_view(kept, ending(kept), None, "", Clock(1_700_000_000.0))


def test_a_request_in_the_words_of_the_document() -> None:
    assert ask_user.request_of(request()) == AskUserRequest(
        request_id="r1", surface_id="s:1", kind="yesno", title="Go on?", created_at=1_700_000_100_000
    )
    whole = {
        "kind": "choice",
        "choices": [{"id": "a", "label": "The first"}],
        "body": "x" * 5000,
        "agent_id": "ci",
        "default": "a",
        "timeout_ms": 1500,
        "unsafe": True,
    }
    assert ask_user.request_of(request(fields=whole)) == AskUserRequest(
        request_id="r1",
        surface_id="s:1",
        kind="choice",
        title="Go on?",
        created_at=1_700_000_100_000,
        body="x" * 4000,
        body_length=5000,
        agent_id="ci",
        choices=(ChoiceView("a", "The first"),),
        default="a",
        timeout_ms=1500,
        unsafe=True,
    )
    assert b'"timeout_ms":1500,' in msgspec.json.encode(ask_user.request_of(request(fields=whole)))
    assert ask_user.request_of(request(fields={"timeout_ms": 0.5})).timeout_ms == 0.5


@pytest.mark.parametrize(
    ("view", "response"),
    [
        (
            request(State.ANSWERED, by=ADA, decision=Decision(behavior="allow", value="no")),
            AskUserResponse(request_id="r1", action="ok", value="no"),
        ),
        (
            request(State.DELIVERED, by=ADA, decision=Decision(behavior="allow", value="")),
            AskUserResponse(request_id="r1", action="ok", value=""),
        ),
        (
            request(State.ANSWERED, by=ADA, decision=Decision(behavior="cancel")),
            AskUserResponse(request_id="r1", action="cancel"),
        ),
        (
            request(State.ANSWERED, by=ADA, decision=Decision(behavior="cancel", message="later")),
            AskUserResponse(request_id="r1", action="cancel", reason="later"),
        ),
        (request(State.EXPIRED), AskUserResponse(request_id="r1", action="timeout")),
        (
            request(State.WITHDRAWN, reason="cancelled", words="user is afk"),
            AskUserResponse(request_id="r1", action="cancel", reason="user is afk"),
        ),
        (
            request(State.WITHDRAWN, reason="cancelled"),
            AskUserResponse(request_id="r1", action="cancel"),
        ),
        (
            request(State.WITHDRAWN, reason="surface_closed"),
            AskUserResponse(
                request_id="r1", action="cancel", reason="the pane that it was asked from was closed"
            ),
        ),
        (
            request(State.WITHDRAWN, reason="shutdown"),
            AskUserResponse(
                request_id="r1", action="cancel", reason="sayso was stopped: nothing was decided"
            ),
        ),
        (
            request(State.RELEASED, reason="by_hand"),
            AskUserResponse(request_id="r1", action="cancel", reason="given back: nothing was decided"),
        ),
    ],
)
def test_how_a_request_ended(view: RequestView, response: AskUserResponse) -> None:
    assert ask_user.response_of(view) == response


def test_an_empty_text_is_told_as_one() -> None:
    view = request(State.ANSWERED, decision=Decision(behavior="allow", value=""))
    line = msgspec.json.encode(ask_user.response_of(view))
    assert line == b'{"request_id":"r1","action":"ok","value":""}'


PERMISSION = msgspec.structs.replace(request(), kind=Kind.PERMISSION, id="p")
SNAPSHOT = Snapshot(
    boot="b",
    seq=1,
    requests=(
        request(),
        PERMISSION,
        replace(request(), id="r2", surface_id="s:2"),
        replace(request(), id="r3", state="released"),
    ),
    ended=(),
    sessions=(),
    messages=(),
    settings=Settings(),
)


def test_what_is_pending_of_one_surface_or_of_all() -> None:
    assert [one.request_id for one in ask_user.pending_of(SNAPSHOT)] == ["r1", "r2"]
    assert [one.request_id for one in ask_user.pending_of(SNAPSHOT, "s:2")] == ["r2"]
    assert ask_user.pending_of(SNAPSHOT, "s:3") == ()


def change(type_: str, **what: Any) -> Change:
    return Change(type=type_, boot="b", seq=2, **what)


def test_changes_in_the_words_of_the_document() -> None:
    event_of = ask_user.event_of
    pending = ask_user.pending_of(SNAPSHOT)
    answered = request(State.ANSWERED, decision=Decision(behavior="allow", value="yes"))
    assert event_of(change("snapshot", snapshot=SNAPSHOT)) == AskUserEvent(kind="snapshot", pending=pending)
    assert event_of(change("shown", request=request())) == AskUserEvent(kind="shown", request=pending[0])
    assert event_of(change("resolved", request=answered)) == AskUserEvent(
        kind="resolved", request_id="r1", response=ask_user.response_of(answered)
    )


def test_nobody_waits_for_a_choice_of_an_empty_snapshot() -> None:
    empty = replace(SNAPSHOT, requests=())
    line = msgspec.json.encode(ask_user.event_of(change("snapshot", snapshot=empty)))
    assert line == b'{"kind":"snapshot","pending":[]}'


@pytest.mark.parametrize(
    "other",
    [
        change("shown", request=PERMISSION),
        change("changed", request=request(State.DELIVERED)),
        change("forgotten", request=request(State.DELIVERED)),
        change("session", session=SessionView(agent="a", session_id="s", state="idle", since="")),
    ],
    ids=lambda one: one.type,
)
def test_other_changes_are_not_told_so(other: Change) -> None:
    assert ask_user.event_of(other) is None
