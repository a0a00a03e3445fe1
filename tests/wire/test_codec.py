"""What hooks send, as the core wants it: bounds checked, every string masked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.core.bounds import MAX_SUGGESTIONS
from sayso.core.types import DIRECT, Ask, Choice, EventType, Hold, Row
from sayso.errors import BadRequest
from sayso.mask import mask
from sayso.wire import codec
from sayso.wire.protocol import PROTOCOL

ASK: dict[str, Any] = {"agent": "claude-code", "session_id": "s1", "kind": "permission", "tool": "Bash"}
EVENT: dict[str, Any] = {"agent": "claude-code", "session_id": "s1", "type": "stop", "at_s": 1.5}


def ask(**changes: Any) -> bytes:
    return json.dumps({**ASK, **changes}).encode()


def event(**changes: Any) -> bytes:
    return json.dumps({**EVENT, **changes}).encode()


def really(text: str) -> tuple[str, tuple[int, ...]]:
    found = mask(text)
    return found.text, found.hidden


def stars(text: str) -> tuple[str, tuple[int, ...]]:
    """Mask the word `secret`."""
    return text.replace("secret", "***"), (6,) * text.count("secret")


# --- asks --------------------------------------------------------------------------------------


def test_an_ask_and_what_comes_with_it() -> None:
    found, envelope = codec.decode_ask(
        ask(id="ab12", hold="exclusive", hold_s=5, version=1, agent_pid=7, journal=["{}"], surprise=[1])
    )
    assert (found.agent, found.id, found.hold, found.hold_s) == ("claude-code", "ab12", Hold.EXCLUSIVE, 5.0)
    assert (envelope.version, envelope.agent_pid, envelope.journal) == (1, 7, ("{}",))


def test_little_is_needed() -> None:
    found, envelope = codec.decode_ask(ask())
    assert (found.id, found.started_s, found.resumed) == ("", 0.0, False)
    assert (envelope.version, envelope.agent_pid) == (PROTOCOL, 0)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"agent": ""}, "agent"),
        ({"session_id": ""}, "session_id"),
        ({"kind": ""}, "kind"),
        ({"bridge": "registered"}, "bridge"),
        ({"session_id": "x" * 257}, "session_id"),
        ({"id": "x" * 65}, "id"),
        ({"id": "a b"}, "id"),
        ({"id": "é"}, "id"),
        ({"id": 7}, "id"),
        ({"hold": "sometimes"}, "hold"),
        ({"hold_s": 0}, "hold_s"),
        ({"hold_s": -1}, "hold_s"),
        ({"hold_s": 1e9}, "hold_s"),
        ({"input": [{"label": "x"}]}, "input[0]"),
        ({"input": "x"}, "input"),
        ({"questions": [{"question": "x", "options": [{}]}]}, "questions[0].options[0]"),
        ({"version": PROTOCOL + 1}, "version"),
        ({"journal": "x"}, "journal"),
    ],
)
def test_an_ask_that_does_not_fit(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as caught:
        codec.decode_ask(ask(**changes))
    assert caught.value.field.replace("[...]", "[0]") == field


def test_a_kind_that_nobody_knows_is_still_an_ask() -> None:
    assert codec.decode_ask(ask(kind="dance"))[0].kind == "dance"


def test_only_the_first_suggestions_are_kept_so_that_positions_stay() -> None:
    labels = [f"label {number}" for number in range(MAX_SUGGESTIONS + 3)]
    assert codec.decode_ask(ask(suggestions=labels))[0].suggestions == tuple(labels[:MAX_SUGGESTIONS])


# --- events ------------------------------------------------------------------------------------


def test_an_event() -> None:
    found, envelope = codec.decode_event(event(type="user-prompt-submit", prompt="x", agent_pid=7))
    assert (found.type, found.at_s, found.prompt, envelope.agent_pid) == (EventType.PROMPT, 1.5, "x", 7)


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"type": "dance"}, "type"), ({"agent": ""}, "agent"), ({"session_id": ""}, "session_id")],
)
def test_an_event_that_does_not_fit(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as caught:
        codec.decode_event(event(**changes))
    assert caught.value.field == field


def test_an_event_of_a_newer_hook_says_nothing() -> None:
    with pytest.raises(BadRequest, match="newer"):
        codec.decode_event(event(version=PROTOCOL + 1))


# --- the journal -------------------------------------------------------------------------------


def test_a_line_of_the_journal() -> None:
    for line in (event(agent_pid=7), event(agent_pid=7).decode()):
        found = codec.decode_journal(line, "s1")
        assert found is not None
        assert (found[0].type, found[1]) == (EventType.STOP, 7)


@pytest.mark.parametrize("line", [b"", b"{", event()[:-9], b"\xff", "\ud800", event(version=99), b"[]"])
def test_a_line_that_is_none(line: str | bytes) -> None:
    assert codec.decode_journal(line, "s1") is None


def test_a_line_of_another_session() -> None:
    assert codec.decode_journal(event(), "s2") is None


# --- masking -----------------------------------------------------------------------------------


def test_every_string_that_is_shown_is_masked() -> None:
    whole = ask(
        tool="secret tool",
        agent_type="secret type",
        cwd="/secret/cwd",
        surface_id="secret surface",
        url="http://secret",
        unshowable="secret reason",
        input=[{"label": "secret label", "value": "secret, secret"}],
        suggestions=["secret suggestion"],
        questions=[
            {
                "question": "secret question",
                "header": "secret header",
                "options": [
                    {
                        "label": "secret label",
                        "description": "secret description",
                        "preview": "secret preview",
                    }
                ],
            }
        ],
        fields=[
            {
                "name": "field",
                "title": "secret title",
                "description": "secret description",
                "choices": [{"value": "v", "label": "secret"}],
            }
        ],
    )
    masked = codec.mask_ask(codec.decode_ask(whole)[0], stars)
    assert "secret" not in repr(masked)
    assert masked.input[0].hidden == (6, 6)
    assert masked.fields[0].choices[0].value == "v"


def test_a_field_without_words_is_called_by_its_name_and_values() -> None:
    whole = ask(fields=[{"name": "colour", "choices": [{"value": "red"}]}])
    field = codec.mask_ask(codec.decode_ask(whole)[0], stars).fields[0]
    assert (field.title, field.choices[0].label) == ("colour", "red")


@pytest.mark.parametrize(
    "field", [{"name": "secret"}, {"name": "x", "choices": [{"value": "secret", "label": "s"}]}]
)
def test_a_form_that_is_answered_with_a_secret_is_not_shown(field: dict[str, Any]) -> None:
    masked = codec.mask_ask(codec.decode_ask(ask(fields=[field]))[0], stars)
    assert masked.fields == ()
    assert "form" in masked.unshowable


@pytest.mark.parametrize(
    ("label", "value", "told", "hidden"),
    [
        ("password", "hunter2hunter2", "…[masked]", (14,)),
        ("password", "hunter2hunter2" + "\n" * codec.MAX_NAMED_CHARS, None, ()),
        ("pass\npassword", "hunter2hunter2", "…[masked]", (14,)),
        ("Command", "ls", "ls", ()),
        ("password=hunter2hunter2; a", "ls", "ls", ()),
    ],
)
def test_a_rows_name_tells_that_it_is_a_secret(
    label: str, value: str, told: str | None, hidden: tuple[int, ...]
) -> None:
    asked = Ask(agent="a", session_id="s", kind="permission", input=(Row(label=label, value=value),))
    (row,) = codec.mask_ask(asked, really).input
    assert (row.value, row.hidden) == (value if told is None else told, hidden)


def test_a_prompt_is_masked_before_it_is_cut() -> None:
    prompt = "x" * (codec.MAX_PROMPT_CHARS - 3) + "secret"
    found, _ = codec.decode_event(event(type="user-prompt-submit", prompt=prompt, cwd="/secret"))
    masked = codec.mask_event(found, stars)
    assert masked.prompt == "x" * (codec.MAX_PROMPT_CHARS - 3) + "***"
    assert masked.cwd == "/***"


def test_an_event_that_says_nothing_is_left_alone() -> None:
    found, _ = codec.decode_event(event())
    assert codec.mask_event(found, stars) is found


@pytest.mark.parametrize("default", ["secret", ["plain", "secret"]])
def test_a_form_that_proposes_a_secret_is_not_shown(default: object) -> None:
    field = {"name": "key", "default": default}
    masked = codec.mask_ask(codec.decode_ask(ask(kind="elicitation", fields=[field]))[0], stars)
    assert masked.fields == ()
    assert "default" in masked.unshowable


@pytest.mark.parametrize("default", ["plain", ["a", "b"], 1, True, None])
def test_other_defaults_are_shown_as_they_are(default: object) -> None:
    field = {"name": "key", "default": default, "format": "secret"}
    shown = codec.mask_ask(codec.decode_ask(ask(kind="elicitation", fields=[field]))[0], stars).fields[0]
    assert shown.default == (tuple(default) if isinstance(default, list) else default)
    assert shown.format == "***"


@pytest.mark.parametrize(("name", "most"), sorted(codec.BOUNDS.items()))
def test_no_string_may_fill_the_memory(name: str, most: int) -> None:
    make, decode = (event, codec.decode_event) if name in ("answers", "reason") else (ask, codec.decode_ask)
    decode(make(**{name: "x" * most}))
    with pytest.raises(BadRequest) as caught:
        decode(make(**{name: "x" * (most + 1)}))
    assert caught.value.field == name


def test_rows_and_responses_are_bounded() -> None:
    row = {"label": "Command", "value": "x" * codec.MAX_SHOWN_CHARS}
    codec.decode_ask(ask(input=[row]))
    for rows in ([row, {"label": "b", "value": "y"}], [{"label": "a", "value": ""}] * (codec.MAX_ROWS + 1)):
        with pytest.raises(BadRequest, match="rows"):
            codec.decode_ask(ask(input=rows))
    codec.decode_event(event(responses=["d" * 64] * codec.MAX_RESPONSES))
    for responses in (["d"] * (codec.MAX_RESPONSES + 1), ["d" * 129]):
        with pytest.raises(BadRequest, match="responses"):
            codec.decode_event(event(responses=responses))


def test_a_start_may_be_written_as_document_000_writes_it() -> None:
    found, _ = codec.decode_ask(ask(started_at="2026-01-02T03:04:05.5Z", tool="ls"))
    assert (found.started_at, found.tool) == (1767323045.5, "ls")
    for wrong in ("at tea-time", "2026-01-02T03:04:05"):
        with pytest.raises(BadRequest, match="RFC 3339"):
            codec.decode_ask(ask(started_at=wrong))


# --- what programs ask themselves ---------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(DIRECT))
def test_what_a_program_asks_itself_does_not_come_from_a_hook(kind: str) -> None:
    with pytest.raises(BadRequest, match=r"agent\.ask_user") as refused:
        codec.decode_ask(ask(kind=kind))
    assert refused.value.field == "kind"


def direct(**fields: Any) -> Ask:
    given: dict[str, Any] = {"agent": "program", "session_id": "s", "kind": "choice", **fields}
    return codec.mask_ask(Ask(**given), stars)


def test_every_string_of_it_that_is_shown_is_masked() -> None:
    shown = direct(title="secret?", label="secret", choices=(Choice(value="a", label="secret"),))
    assert (shown.title, shown.label, shown.unshowable) == ("***?", "***", "")
    assert shown.choices == (Choice(value="a", label="***"),)
    assert direct(choices=(Choice(value="a"),)).choices == (Choice(value="a", label="a"),)


@pytest.mark.parametrize(
    "fields",
    [{"default": "secret"}, {"choices": (Choice(value="secret", label="x"),)}],
    ids=["default", "id"],
)
def test_what_would_go_back_as_it_is_cannot_be_hidden(fields: dict[str, Any]) -> None:
    assert "the id of a choice" in direct(**fields).unshowable
