"""Claude Code, whatever it sends: never an exception, never something hidden, never an allow by itself."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from sayso.agents.claude_answers import joined
from sayso.agents.claude_asks import suggestion
from sayso.agents.claude_code import parse, render
from sayso.core.digest import Number, digest_of, dumps, loads, readable, shown
from sayso.core.types import Ask, HookEvent
from tests.agents.samples import DECISIONS, names, sample


def as_read(value: str) -> str:
    """The text as it comes out of JSON, where two halves of a pair are one character."""
    read: Any = loads(dumps(value))
    return read


ANY_TEXT = st.text(st.characters(), max_size=20).map(as_read)
LABELS = st.text(st.sampled_from('ab ,"\\\n\t\x00ä\u2028\ud800\udfff\U0001f600'), min_size=1, max_size=8).map(
    as_read
)
NAMES = """
    type rules toolName ruleContent behavior destination session allow addRules setMode mode directories
    questions question options label multiSelect picked text notes answers suggestion message plan content
    properties required enum oneOf items string integer number boolean array object minimum
"""
WORDS = st.sampled_from(NAMES.split())
TREES = st.recursive(
    st.none() | st.booleans() | st.integers().map(lambda n: Number(str(n))) | WORDS | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)
ASKING = sorted({name for name, _ in DECISIONS})


def places(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every part of a value, itself left out."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = []
    for key, inner in pairs:
        found += [(*before, key), *places(inner, (*before, key))]
    return found


@st.composite
def damaged(draw: st.DrawFn, among: list[str]) -> dict[str, Any]:
    """A captured payload with some of its parts replaced, or gone."""
    payload = copy.deepcopy(sample(draw(st.sampled_from(among))))
    for _ in range(draw(st.integers(0, 3))):
        *way, last = draw(st.sampled_from(places(payload)))
        inner: Any = payload
        for key in way:
            inner = inner[key]
        if draw(st.booleans()):
            inner[last] = draw(TREES)
        else:
            del inner[last]
    return payload


def check_shape(found: tuple[str, dict[str, Any]] | None) -> None:
    """The desk can read it."""
    if found is not None:
        kind, made = found
        plain = dumps({**made, "at_s": 1.0} if kind == "event" else made)
        read = msgspec.json.decode(plain, type=HookEvent if kind == "event" else Ask)
        assert read.agent == "claude-code"


@given(TREES)
def test_parse_never_raises(payload: object) -> None:
    check_shape(parse(payload, {}))


@given(damaged(names()), st.dictionaries(st.sampled_from(["TMUX_PANE", "CLAUDE_CODE_ENTRYPOINT"]), ANY_TEXT))
def test_parse_never_raises_on_what_is_almost_right(payload: dict[str, Any], env: dict[str, str]) -> None:
    check_shape(parse(payload, env))


@given(damaged(ASKING), st.dictionaries(WORDS, TREES, max_size=4), st.sampled_from(DECISIONS))
def test_render_never_allows_by_itself(
    payload: dict[str, Any], noise: dict[str, Any], sound: tuple[str, dict[str, Any]]
) -> None:
    for decision in (noise, {**sound[1], **noise}):
        decision.pop("behavior", None)
        for behavior in ({}, {"behavior": "deny"}, {"behavior": "allow"}):
            try:
                stdout, _ = render(payload, {**decision, **behavior})
            except ValueError:
                continue
            assert behavior
            output = json.loads(stdout)["hookSpecificOutput"]
            said = output["action"] if "action" in output else output["decision"]["behavior"]
            assert (said in ("allow", "accept")) == (behavior["behavior"] == "allow")


@given(st.sampled_from(["Bash", "Edit", "mcp__a__b"]), st.dictionaries(WORDS | ANY_TEXT, TREES, max_size=5))
def test_case_43_nothing_of_an_input_is_hidden(tool: str, tool_input: dict[str, Any]) -> None:
    payload = {**sample("PermissionRequest.Bash"), "tool_name": tool, "tool_input": tool_input}
    found = parse(payload, {})
    assert found is not None
    shown_rows: Any = found[1]["input"]
    rows: list[str] = [row["value"] for row in shown_rows]
    wanted = [shown(value) if isinstance(value, str) else readable(value) for value in tool_input.values()]
    warnings = [row for row in shown_rows if row["label"] == "Warning"]
    assert len(rows) == len(wanted) + len(warnings)
    for value in wanted:
        assert value in rows
        rows.remove(value)


@given(TREES)
def test_case_44_no_suggestion_switches_all_questions_off(suggested: object) -> None:
    bypass = {"type": "setMode", "mode": "bypassPermissions", "destination": "session"}
    assert suggestion([suggested, bypass]) == ""
    assert suggestion({"a": suggested, "type": "setMode", "mode": "bypassPermissions"}) == ""


@given(st.lists(TREES, min_size=1, max_size=20), st.integers(0, 19))
def test_case_44_a_suggestion_goes_back_as_it_came(suggested: list[object], index: int) -> None:
    payload = {**sample("PermissionRequest.Bash"), "permission_suggestions": suggested}
    found = parse(payload, {})
    assert found is not None
    labels: Any = found[1]["suggestions"]
    assert len(labels) == min(len(suggested), 16)
    try:
        stdout, _ = render(payload, {"behavior": "allow", "suggestion": index})
    except ValueError:
        assert index >= len(labels) or labels[index] == ""
    else:
        assert stdout.endswith(b'"updatedPermissions":[' + dumps(suggested[index]) + b"]}}}\n")


# --- questions ---------------------------------------------------------------------------------


def taken_apart(text: str) -> list[str]:
    """The labels of a joined text, by the rules with which Claude Code itself takes one apart."""
    found: list[str] = []
    rest = text
    while True:
        if rest.startswith('"'):
            label, end = json.JSONDecoder().raw_decode(rest)
            rest = rest[end:]
        else:
            label, comma, after = rest.partition(", ")
            assert '"' not in label
            rest = comma + after
        found.append(label)
        if not rest:
            return found
        assert rest.startswith(", ")
        rest = rest[2:]


@given(st.lists(LABELS, min_size=1, max_size=6))
def test_case_21_joined_labels_can_be_taken_apart(labels: list[str]) -> None:
    assert taken_apart(joined(labels)) == labels


@given(
    st.lists(LABELS, min_size=1, max_size=6, unique_by=lambda label: " ".join(shown(label).split())),
    LABELS,
    st.booleans(),
    st.data(),
)
def test_case_21_answers_arrive_to_the_letter(
    labels: list[str], asked: str, several: bool, data: st.DataObject
) -> None:
    assume(asked.strip() and all(label.strip() for label in labels))
    question = {"question": asked, "options": [{"label": one} for one in labels], "multiSelect": several}
    payload = {**sample("PermissionRequest.AskUserQuestion"), "tool_input": {"questions": [question]}}
    found = parse(payload, {})
    assert found is not None
    assert "unshowable" not in found[1]
    positions = st.sampled_from(range(len(labels)))
    picked = data.draw(st.lists(positions, min_size=1, max_size=len(labels) if several else 1, unique=True))
    read: Any = loads(dumps({"behavior": "allow", "answers": [{"picked": picked}]}))
    stdout, expects = render(payload, read)
    output: Any = loads(stdout)
    updated = output["hookSpecificOutput"]["decision"]["updatedInput"]
    chosen = [labels[index] for index in picked]
    assert updated["answers"] == {asked: joined(chosen) if several else chosen[0]}
    assert updated["questions"] == [question]
    event = parse({**sample("PostToolUse.AskUserQuestion.native"), "tool_input": updated}, {})
    assert event is not None
    assert event[1]["answers"] == expects == digest_of(updated["answers"])
    assert event[1]["digest"] == found[1]["digest"]


@given(ANY_TEXT)
def test_case_19_a_text_arrives_to_the_letter(text: str) -> None:
    assume(text.strip())
    given_answers = {"behavior": "allow", "answers": [{"text": text}, {"text": text}]}
    stdout, _ = render(sample("PermissionRequest.AskUserQuestion"), given_answers)
    output: Any = loads(stdout)
    assert set(output["hookSpecificOutput"]["decision"]["updatedInput"]["answers"].values()) == {text}
