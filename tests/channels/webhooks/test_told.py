"""What a webhook is told of a change: who and which kind, or all of a card, and nothing that hides."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sayso.channels.webhooks import told as module
from sayso.channels.webhooks.told import told
from sayso.core.types import Answerer, Row
from sayso.wire.views import AlertView, Change, NoteView, RequestView
from sayso.wire.webhooks import EVENTS
from tests.channels.fake_desk import choice, command, elicitation, plan, question, text, view, yesno

NOTE = NoteView(agent="program", title="Backup done", body="3 GB", at="2026-11-30T12:00:00.000Z")
ALERT = AlertView(method="desk.list", at="2026-11-30T12:00:00.000Z", agent="claude-code", project="shop")
EVERY = (view(), question(), plan(), elicitation(), yesno(), choice(), text(), command())


def change(type_: str, **what: Any) -> Change:
    return Change(type=type_, boot="b", seq=1, **what)


def data(content: str, type_: str = "shown", **what: Any) -> dict[str, Any]:
    said = told(change(type_, **what), content)
    assert said is not None
    return msgspec.json.decode(msgspec.json.encode(said.data))


@pytest.mark.parametrize(
    ("type_", "what", "event"),
    [
        ("shown", {"request": view()}, "request.shown"),
        ("resolved", {"request": view(state="answered")}, "request.resolved"),
        ("changed", {"request": view(state="confirmed")}, "request.changed"),
        ("note", {"note": NOTE}, "note"),
        ("alert", {"alert": ALERT}, "alert"),
    ],
)
def test_which_change_is_which_event(type_: str, what: dict[str, Any], event: str) -> None:
    said = told(change(type_, **what), "who")
    assert said is not None
    assert said.type == event
    assert event in EVENTS


@pytest.mark.parametrize("type_", ["forgotten", "settings", "message", "session", "grants"])
def test_of_the_rest_nothing_is_told(type_: str) -> None:
    what = {"request": view()} if type_ == "forgotten" else {}
    assert told(change(type_, **what), "what") is None


def test_usually_who_asks_and_which_kind() -> None:
    asked = view(branch="main", by=Answerer(channel="web", name="phone"), state="answered")
    assert data("who", "resolved", request=asked) == {
        "request": {
            "id": asked.id,
            "agent": "claude-code",
            "session_id": asked.session_id,
            "kind": "permission",
            "state": "answered",
            "created_at": asked.created_at,
            "project": "shop",
            "branch": "main",
            "by": {"channel": "web", "name": "phone"},
        }
    }


@pytest.mark.parametrize("asked", EVERY, ids=lambda asked: asked.kind)
def test_usually_no_text_of_any_kind(asked: RequestView) -> None:
    asked = msgspec.structs.replace(asked, prompt="the prompt", value="the value", asked="deny: the reason")
    said = str(data("who", request=asked))
    texts = [asked.title, "the prompt", "the value", "the reason"]
    texts += [row.value for row in asked.input] + [each.question for each in asked.questions]
    texts += [one.label for one in asked.choices]
    assert [each for each in texts if each and each in said] == []


def test_a_note_and_a_try_say_who() -> None:
    assert data("who", "note", note=NOTE) == {"note": {"agent": "program", "at": NOTE.at}}
    assert data("what", "note", note=NOTE)["note"]["body"] == "3 GB"
    noticed = msgspec.structs.replace(NOTE, of_desk=True)
    assert data("who", "note", note=noticed) == {
        "note": {"agent": "program", "at": NOTE.at, "title": "Backup done"}
    }
    assert data("who", "alert", alert=ALERT)["alert"]["method"] == "desk.list"


def test_with_what_all_that_a_card_shows() -> None:
    said = data("what", request=view(asked="allow"))["request"]
    assert said["tool"] == "Bash"
    assert said["prompt"] == "publish the fix"
    assert said["rows"] == [{"label": "Command", "value": "git push origin main"}]
    assert said["asked"] == "allow"
    assert data("what", request=question())["request"]["questions"] == [
        {"question": "Which database?", "options": ["SQLite", "Postgres, 17"]}
    ]
    assert data("what", request=choice())["request"]["choices"] == ["Frankfurt", "Dublin", "cancel"]


def test_what_somebody_typed_for_a_program_is_for_it_alone() -> None:
    said = str(data("what", "resolved", request=text(state="delivered", asked="hunter2", value="hunter2")))
    assert "hunter2" not in said


def test_much_is_cut_and_says_how_long_it_is() -> None:
    rows = tuple(Row(label="x" * 900, value="y" * 3999, length=90_000) for _ in range(40))
    said = data("what", request=view(input=rows))["request"]
    assert len(said["rows"]) == module.MOST_ROWS
    assert len(said["rows"][0]["value"]) == module.MOST_VALUE_CHARS
    assert len(said["rows"][0]["label"]) == module.MOST_LABEL_CHARS
    assert said["rows"][0]["length"] == 90_000
    rows = (Row(label="x", value="y" * 3999), Row(label="x", value="y"))
    said = data("what", request=view(input=rows))["request"]
    assert [row.get("length") for row in said["rows"]] == [3999, None]


def test_nothing_of_others_hides_or_commands() -> None:
    hostile = "a\x1b[2J\u202eb\u200b\r\n\x00"
    asked = view(
        project=hostile,
        branch=hostile,
        prompt=hostile,
        label=hostile,
        input=(Row(label=hostile, value=hostile),),
    )
    for said in (
        data("what", request=asked),
        data("what", "note", note=NoteView(agent="program", title=hostile, at="", body=hostile)),
    ):
        assert not any(hidden in str(said) for hidden in "\x1b\u202e\u200b\r\x00")
