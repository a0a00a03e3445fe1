"""What Claude Code is told: its own objects, to the letter, and nothing that nobody decided."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.agents import Unrenderable
from sayso.agents.claude_answers import joined
from sayso.agents.claude_code import parse, render
from sayso.core.digest import Number, digest_of, digest_text, dumps, loads
from tests.agents.samples import sample

BASH = "PermissionRequest.Bash"
QUESTION = "PermissionRequest.AskUserQuestion"
PLAN = "PermissionRequest.ExitPlanMode"
FORM = "Elicitation.form"


def decided(name: str, decision: dict[str, Any], **changes: object) -> dict[str, Any]:
    stdout, _ = render({**sample(name), **changes}, decision)
    output: dict[str, Any] = json.loads(stdout)["hookSpecificOutput"]
    return output.get("decision", output)


def refused(name: str, decision: dict[str, Any], **changes: object) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the hook knows no more of it
        render({**sample(name), **changes}, decision)
    assert caught.type is Unrenderable


def answers(*given: dict[str, Any]) -> dict[str, Any]:
    return {"behavior": "allow", "answers": list(given)}


def asked(*questions: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"tool_input": {"questions": list(questions), **more}}


FIRST = {"picked": [0]}


def test_one_line_of_ascii() -> None:
    stdout, _ = render(sample(BASH), {"behavior": "deny", "message": "nö\n\ud800 "})
    assert stdout.endswith(b"\n")
    assert stdout.count(b"\n") == 1
    assert stdout.isascii()
    assert json.loads(stdout)["hookSpecificOutput"]["decision"]["message"] == "nö\n\ud800 "


# --- nothing becomes an allow ------------------------------------------------------------------


@pytest.mark.parametrize("name", [BASH, QUESTION, PLAN, FORM, "Elicitation.url"])
@pytest.mark.parametrize(
    "decision",
    [
        {},
        {"behavior": ""},
        {"behavior": None},
        {"behavior": "ask"},
        {"behavior": "Allow"},
        {"behavior": ["allow"]},
        {"suggestion": 0},
        {"message": "timed out"},
    ],
)
def test_case_25_nothing_decided_is_nothing_written(name: str, decision: dict[str, Any]) -> None:
    refused(name, decision)


@pytest.mark.parametrize("name", ["Stop", "PostToolUse.Bash", "PreToolUse.Bash", "ElicitationResult"])
def test_an_event_that_does_not_ask_gets_no_answer(name: str) -> None:
    refused(name, {"behavior": "allow"})


def test_a_cancel_is_for_forms() -> None:
    refused(BASH, {"behavior": "cancel"})


@pytest.mark.parametrize("name", [BASH, QUESTION, PLAN])
def test_what_could_not_be_shown_is_not_allowed(name: str) -> None:
    refused(name, {"behavior": "allow"}, tool_input="rm -rf /")
    assert decided(name, {"behavior": "deny"}, tool_input="x")["behavior"] == "deny"


# --- permissions -------------------------------------------------------------------------------


def test_an_allow_changes_no_input() -> None:
    assert decided(BASH, {"behavior": "allow"}) == {"behavior": "allow"}


@pytest.mark.parametrize("index", [0, Number("0")])
def test_case_44_a_suggestion_goes_back_as_it_came(index: object) -> None:
    suggested = loads(b'{"z":1.50,"type":"addRules","rules":[{"toolName":"A\\ud800","more":1e2}]}')
    stdout, _ = render(
        {**sample(BASH), "permission_suggestions": [suggested]}, {"behavior": "allow", "suggestion": index}
    )
    assert b'"updatedPermissions":[' + dumps(suggested) + b"]" in stdout


@pytest.mark.parametrize(
    "index",
    [
        2,
        -1,
        16,
        Number("2"),
        Number("-1"),
        Number("1.0"),
        Number("1e0"),
        Number("0000"),
        True,
        False,
        "0",
        0.0,
        [0],
    ],
)
def test_a_suggestion_that_is_not_there(index: object) -> None:
    refused(BASH, {"behavior": "allow", "suggestion": index})
    refused(QUESTION, {"behavior": "allow", "suggestion": 0})


def test_a_suggestion_beyond_those_shown() -> None:
    many = [{"type": "setMode", "mode": "auto", "destination": "session"}] * 20
    changes = {"permission_suggestions": many}
    assert decided(BASH, {"behavior": "allow", "suggestion": 15}, **changes)["updatedPermissions"] == many[:1]
    refused(BASH, {"behavior": "allow", "suggestion": 16}, **changes)


def test_case_44_a_suggestion_that_was_never_offered() -> None:
    bypass = {"type": "setMode", "mode": "bypassPermissions", "destination": "session"}
    refused(BASH, {"behavior": "allow", "suggestion": 0}, permission_suggestions=[bypass])


@pytest.mark.parametrize("name", [BASH, QUESTION, PLAN])
@pytest.mark.parametrize("message", ["", " \n\t"])
def test_case_25_a_denial_always_says_something(name: str, message: str) -> None:
    found = decided(name, {"behavior": "deny", "message": message})
    assert found["message"].strip()
    assert "interrupt" not in found


def test_a_denial_says_what_the_person_wrote() -> None:
    stdout, expects = render(sample(BASH), {"behavior": "deny", "message": ' "no",\nuse mkdir '})
    assert json.loads(stdout)["hookSpecificOutput"]["decision"]["message"] == ' "no",\nuse mkdir '
    assert expects == digest_text(' "no",\nuse mkdir ')


def test_a_denial_may_stop_the_turn() -> None:
    assert decided(BASH, {"behavior": "deny", "interrupt": True})["interrupt"] is True
    assert "interrupt" not in decided(BASH, {"behavior": "deny", "interrupt": False})
    refused(BASH, {"behavior": "deny", "message": 7})


# --- questions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "decision",
    [
        {"behavior": "allow"},
        {"behavior": "allow", "answers": None},
        {"behavior": "allow", "answers": []},
        {"behavior": "allow", "answers": {"Which colour do you want?": "Blue"}},
        answers(FIRST),
        answers(FIRST, FIRST, FIRST),
        answers(FIRST, {}),
        answers(FIRST, {"picked": []}),
        answers(FIRST, {"picked": [], "notes": " "}),
    ],
)
def test_case_17_a_question_is_never_allowed_without_every_answer(decision: dict[str, Any]) -> None:
    refused(QUESTION, decision)


@pytest.mark.parametrize(
    "answer",
    [
        {"picked": [2]},
        {"picked": [0, 1]},
        {"picked": [0, 0]},
        {"picked": ["Red"]},
        {"picked": [-1]},
        {"picked": [0], "text": "Red"},
        {"text": ""},
        {"text": " \n"},
        {"text": 7},
    ],
)
def test_case_18_an_answer_that_does_not_fit_is_not_written(answer: dict[str, Any]) -> None:
    refused(QUESTION, answers(answer, FIRST))


def test_options_are_not_picked_twice() -> None:
    refused(QUESTION, answers(FIRST, {"picked": [1, 1]}))


def test_case_18_answers_go_by_the_question_and_not_by_its_header() -> None:
    found = decided(QUESTION, answers({"picked": [Number("1")]}, {"picked": (0, 2)}))["updatedInput"]
    assert found["answers"] == {"Which colour do you want?": "Blue", "Which features?": '"A, first", C'}
    assert found["questions"] == json.loads(dumps(sample(QUESTION)))["tool_input"]["questions"]
    assert found["annotations"] == {"Which colour do you want?": {"preview": "BLUE PREVIEW"}}


def test_case_19_a_text_is_no_label_and_stays_as_it_is() -> None:
    text = '  A, first, "B"\n'
    stdout, expects = render(sample(QUESTION), answers({"text": text}, {"text": text}))
    updated = json.loads(stdout)["hookSpecificOutput"]["decision"]["updatedInput"]
    assert set(updated["answers"].values()) == {text}
    assert "annotations" not in updated
    assert expects == digest_of(updated["answers"])


def test_notes_go_along() -> None:
    found = decided(QUESTION, answers({"notes": "n"}, {"text": "t", "notes": " m "}))["updatedInput"]
    assert found["answers"] == {"Which colour do you want?": "(notes only)", "Which features?": "t"}
    assert found["annotations"] == {
        "Which colour do you want?": {"notes": "n"},
        "Which features?": {"notes": " m "},
    }


def test_whatever_else_was_asked_comes_back_too() -> None:
    changes = asked(
        {"question": "Q\ud800", "options": [{"label": "L\udfff", "n": Number("1.0")}], "new": Number("2.50")},
        metadata={"source": "x"},
        annotations={"old": {}},
    )
    stdout, expects = render({**sample(QUESTION), **changes}, answers(FIRST))
    updated: Any = loads(stdout)
    updated = updated["hookSpecificOutput"]["decision"]["updatedInput"]
    assert updated == {**changes["tool_input"], "answers": {"Q\ud800": "L\udfff"}}
    assert expects == digest_of({"Q\ud800": "L\udfff"})


def test_the_event_that_follows_shows_what_is_expected() -> None:
    stdout, expects = render(sample(QUESTION), answers(FIRST, {"picked": [2, 0]}))
    updated: Any = loads(stdout)
    updated = updated["hookSpecificOutput"]["decision"]["updatedInput"]
    event = {**sample("PostToolUse.AskUserQuestion.native"), "tool_input": updated}
    found = parse(event, {})
    asked_about = parse(sample(QUESTION), {})
    assert found is not None
    assert asked_about is not None
    assert found[1]["answers"] == expects
    assert found[1]["digest"] == asked_about[1]["digest"]


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["A", "B"], "A, B"),
        (["B", "A"], "B, A"),
        (["A, first", "C"], '"A, first", C'),
        (["a,b", "c"], "a,b, c"),
        (['say "hi"'], '"say \\"hi\\""'),
        (["a, ä\n\ud800\U0001f600\\"], '"a, ä\\n\\ud800\U0001f600\\\\"'),
        (["line\nbreak", "\ud800"], "line\nbreak, \ud800"),
    ],
)
def test_case_21_labels_are_joined_as_claude_code_joins_them(labels: list[str], text: str) -> None:
    assert joined(labels) == text


# --- plans -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [None, "", "default"])
def test_case_23_a_plan_comes_back_with_the_allow(mode: str | None) -> None:
    decision = {"behavior": "allow"} if mode is None else {"behavior": "allow", "mode": mode}
    assert decided(PLAN, decision) == {"behavior": "allow", "updatedInput": sample(PLAN)["tool_input"]}


@pytest.mark.parametrize("mode", ["acceptEdits", "auto"])
def test_case_24_a_plan_is_approved_into_the_mode_that_was_chosen(mode: str) -> None:
    found = decided(PLAN, {"behavior": "allow", "mode": mode})
    assert found["updatedPermissions"] == [{"type": "setMode", "mode": mode, "destination": "session"}]


@pytest.mark.parametrize("mode", ["bypassPermissions", "plan", "dontAsk", "manual", 7, ["auto"]])
def test_case_24_a_plan_is_approved_into_no_other_mode(mode: object) -> None:
    refused(PLAN, {"behavior": "allow", "mode": mode})


def test_case_24_a_plan_that_nobody_could_read_is_not_approved() -> None:
    refused(PLAN, {"behavior": "allow"}, tool_input={})
    refused(PLAN, {"behavior": "allow", "plan": "# New"}, tool_input={})


def test_an_edited_plan_takes_the_place_of_the_other() -> None:
    updated = decided(PLAN, {"behavior": "allow", "plan": "# New\n"})["updatedInput"]
    assert updated == {**sample(PLAN)["tool_input"], "plan": "# New\n"}


@pytest.mark.parametrize("plan", ["", " \n", 7, ["x"]])
def test_an_edited_plan_is_not_blank(plan: object) -> None:
    refused(PLAN, {"behavior": "allow", "plan": plan})


# --- forms -------------------------------------------------------------------------------------


def test_a_form_is_filled_in_as_given() -> None:
    content = {"name": "Ada", "age": Number("36.0"), "ok": False, "color": None}
    stdout, expects = render(sample(FORM), {"behavior": "allow", "content": content})
    assert b'"content":{"name":"Ada","age":36.0,"ok":false,"color":null}' in stdout
    assert expects == ""


@pytest.mark.parametrize("content", [None, [], "Ada", {}, {"age": 1}, {"name": "Ada", "unheard": 1}])
def test_a_form_that_is_not_filled_in(content: object) -> None:
    refused(FORM, {"behavior": "allow", "content": content})


def test_a_form_goes_back_in_the_words_of_its_server() -> None:
    spec = {
        "n\ud800": {"type": "string", "enum": ["a\ud801", "b"]},
        "m": {"type": "array", "items": {"anyOf": [{"const": "c\ud802", "title": "C"}]}},
        "o": {"type": "string", "oneOf": [{"const": "d\ud803"}]},
    }
    content = {"n\ufffd": "a\ufffd", "m": ["c\ufffd"], "o": "d\ufffd"}
    found = decided(
        FORM,
        {"behavior": "allow", "content": content},
        requested_schema={"type": "object", "properties": spec, "required": ["n\ud800"]},
    )
    assert found["content"] == {"n\ud800": "a\ud801", "m": ["c\ud802"], "o": "d\ud803"}


def test_a_form_that_could_not_be_shown_is_not_accepted() -> None:
    changes = {"requested_schema": {"type": "object", "properties": {"a": {"type": "object"}}}}
    refused(FORM, {"behavior": "allow", "content": {}}, **changes)
    assert decided(FORM, {"behavior": "deny"}, **changes)["action"] == "decline"


def test_an_address_is_accepted_without_content() -> None:
    assert "content" not in decided("Elicitation.url", {"behavior": "allow", "content": {"a": 1}})
