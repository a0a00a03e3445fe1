"""Asked through the desk, answered by a person: what the hook prints, to the letter, and what follows."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from sayso.core.digest import digest_of
from tests.desks import Watcher, sample
from tests.intake.conftest import Stage
from tests.standin import Hook

UNDECIDED = (0, b"", b"")


def session() -> str:
    return str(uuid.uuid4())


def decision(hook: Hook) -> dict[str, Any]:
    """Return what the hook decided; it prints one line of JSON and ends well."""
    code, output, errors = hook.result()
    assert (code, errors, output.count(b"\n"), output[-1:]) == (0, b"", 1, b"\n")
    said = json.loads(output)["hookSpecificOutput"]
    assert said.pop("hookEventName") == "PermissionRequest"
    return said.pop("decision")


class Asked:
    """One request, from the payload to its card."""

    def __init__(self, stage: Stage, watcher: Watcher, name: str, **changes: Any) -> None:
        self.payload = sample(name, **{"session_id": session(), **changes})
        self.hook = stage.agent.hook(self.payload)
        self.card = watcher.pending(self.payload["session_id"])
        self.id: str = self.card["id"]


def test_allow(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher, "PermissionRequest.Bash")
    assert asked.hook.is_running()
    watcher.answer(asked.id, behavior="allow")
    assert asked.hook.result() == (
        0,
        b'{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}\n',
        b"",
    )
    watcher.state(asked.id, "delivered")


def test_deny_with_words_and_the_turn_stopped(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher, "PermissionRequest.Bash")
    watcher.answer(asked.id, behavior="deny", message='Not "now" – 今\n', interrupt=True)
    assert decision(asked.hook) == {"behavior": "deny", "message": 'Not "now" – 今\n', "interrupt": True}
    watcher.state(asked.id, "delivered")


def test_case_44_the_agents_own_suggestion_goes_back(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher, "PermissionRequest.Bash.rules")
    assert [one["id"] for one in asked.card["suggestions"]][:1] == ["0"]
    watcher.answer(asked.id, behavior="allow", suggestion="0")
    said = decision(asked.hook)
    assert said == {
        "behavior": "allow",
        "updatedPermissions": [asked.payload["permission_suggestions"][0]],
    }


def test_a_question_is_confirmed_by_its_own_answers(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher, "PermissionRequest.AskUserQuestion")
    questions = asked.payload["tool_input"]["questions"]
    picked = [{"picked": [question["options"][0]["label"]]} for question in questions]
    watcher.answer(asked.id, behavior="allow", answers=picked)
    said = decision(asked.hook)
    answers = {question["question"]: question["options"][0]["label"] for question in questions}
    assert list(said["updatedInput"]["answers"]) == list(answers)
    assert said["updatedInput"]["questions"] == questions
    watcher.state(asked.id, "delivered")
    done = sample("PostToolUse.AskUserQuestion.native", session_id=asked.payload["session_id"])
    done["tool_input"] = said["updatedInput"]
    assert digest_of(done["tool_input"]["answers"]) != ""
    assert shared.agent.hook(done).result() == UNDECIDED
    watcher.state(asked.id, "confirmed")


def test_a_plan_with_another_mode(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher, "PermissionRequest.ExitPlanMode")
    watcher.answer(asked.id, behavior="allow", mode="acceptEdits", plan="1. Look\n2. Leap")
    assert decision(asked.hook) == {
        "behavior": "allow",
        "updatedInput": {**asked.payload["tool_input"], "plan": "1. Look\n2. Leap"},
        "updatedPermissions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}],
    }


def test_a_form_that_is_filled_in(shared: Stage, watcher: Watcher) -> None:
    watcher.be_there()
    asked = Asked(shared, watcher, "Elicitation.form")
    content: dict[str, Any] = {}
    for field in asked.card["fields"]:
        of_type = {"boolean": True, "integer": 3, "number": 2.5, "choices": []}
        choice = field["choices"][0]["value"] if field.get("type") == "choice" else "text"
        content[field["name"]] = field.get("default", of_type.get(field.get("type", "string"), choice))
    watcher.answer(asked.id, behavior="allow", content=content)
    code, output, errors = asked.hook.result()
    assert (code, errors) == (0, b"")
    assert json.loads(output)["hookSpecificOutput"] == {
        "hookEventName": "Elicitation",
        "action": "accept",
        "content": content,
    }
    watcher.state(asked.id, "delivered")


def test_the_call_that_ran_confirms_an_allow(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher, "PermissionRequest.Bash")
    watcher.answer(asked.id, behavior="allow")
    asked.hook.code()
    watcher.state(asked.id, "delivered")
    done = sample("PostToolUse.Bash", session_id=asked.payload["session_id"])
    done["tool_input"] = asked.payload["tool_input"]
    assert shared.agent.hook(done).result() == UNDECIDED
    watcher.state(asked.id, "confirmed")


def test_case_03_answered_in_the_terminal(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher, "PermissionRequest.Bash")
    done = sample("PostToolUse.Bash", session_id=asked.payload["session_id"])
    done["tool_input"] = asked.payload["tool_input"]
    assert shared.agent.hook(done).result() == UNDECIDED
    assert asked.hook.result() == UNDECIDED
    assert watcher.state(asked.id, "withdrawn")["reason"] == "tool_ran"


def test_released_by_hand(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher, "PermissionRequest.Bash")
    watcher.call("desk.release", id=asked.id)
    assert asked.hook.result() == UNDECIDED
    assert watcher.state(asked.id, "released")["notice"]


def test_case_10_four_at_once_each_has_its_own_answer(shared: Stage, watcher: Watcher) -> None:
    name = session()
    hooks: dict[str, Hook] = {}
    for number in range(4):
        payload = sample("PermissionRequest.WebFetch", session_id=name)
        payload["tool_input"] = {"url": f"http://127.0.0.1/{number}", "prompt": "x"}
        hooks[f"http://127.0.0.1/{number}"] = shared.agent.hook(payload)
    watcher.until(lambda _: sum(r["session_id"] == name for r in watcher.requests.values()) == 4)
    cards = [card for card in watcher.requests.values() if card["session_id"] == name]
    for card in reversed(cards):
        watcher.answer(card["id"], behavior="deny", message=card["input"][0]["value"])
    assert {url: decision(hook)["message"] for url, hook in hooks.items()} == {url: url for url in hooks}


def test_two_sessions_of_one_agent_are_told_apart(shared: Stage, watcher: Watcher) -> None:
    first = Asked(shared, watcher, "PermissionRequest.Bash")
    second = Asked(shared, watcher, "PermissionRequest.Bash")
    assert first.id != second.id
    stop = sample("Stop", session_id=first.payload["session_id"])
    assert shared.agent.hook(stop).result() == UNDECIDED
    assert first.hook.result() == UNDECIDED
    assert watcher.state(first.id, "withdrawn")["reason"] == "stopped"
    assert second.hook.is_running()
    watcher.answer(second.id, behavior="allow")
    assert decision(second.hook) == {"behavior": "allow"}


# --- who has nobody to ask ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["PermissionRequest.subagent", "Elicitation.form"])
def test_case_29_with_nobody_watching_the_agent_asks_at_once(stage: Stage, name: str) -> None:
    stage.up()
    payload = sample(name)
    assert stage.agent.hook(payload).result() == UNDECIDED
    with stage.watch() as watcher:
        notice = watcher.until(lambda request: request["session_id"] == payload["session_id"])
        assert (notice["state"], notice["reason"], notice["notice"]) == ("deferred", "nobody_watching", True)


def test_with_somebody_watching_a_background_agent_waits(shared: Stage, watcher: Watcher) -> None:
    watcher.be_there()
    asked = Asked(shared, watcher, "PermissionRequest.subagent")
    assert asked.card["hold"] == "exclusive"
    watcher.call("desk.presence", present=False)
    assert asked.hook.result() == UNDECIDED
    assert watcher.state(asked.id, "released")["reason"] == "nobody_watching"


def test_case_30_a_session_that_asked_never_to_be_asked(shared: Stage, watcher: Watcher) -> None:
    payload = sample("PermissionRequest.Bash", session_id=session(), permission_mode="bypassPermissions")
    assert shared.agent.hook(payload).result() == UNDECIDED
    found = watcher.until(lambda request: request["session_id"] == payload["session_id"])
    assert (found["state"], found["reason"]) == ("deferred", "bypass_mode")


# --- odd contents ------------------------------------------------------------------------------


def test_halves_of_surrogate_pairs(shared: Stage, watcher: Watcher) -> None:
    command = "echo \ud800 \udc00x \U0001f600"
    asked = Asked(shared, watcher, "PermissionRequest.Bash", tool_input={"command": command})
    assert asked.card["input"][0]["value"] == "echo \ufffd \ufffdx \U0001f600"
    watcher.answer(asked.id, behavior="allow")
    assert decision(asked.hook) == {"behavior": "allow"}
    watcher.state(asked.id, "delivered")
    done = sample("PostToolUse.Bash", session_id=asked.payload["session_id"])
    done["tool_input"] = {"command": command}
    assert shared.agent.hook(done).result() == UNDECIDED
    watcher.state(asked.id, "confirmed")


def test_halves_of_surrogate_pairs_go_back_as_they_came(shared: Stage, watcher: Watcher) -> None:
    payload = sample("PermissionRequest.AskUserQuestion")
    question = payload["tool_input"]["questions"][0]
    question["options"][0]["label"] = "half \ud800"
    tool_input = {"questions": [question]}
    asked = Asked(shared, watcher, "PermissionRequest.AskUserQuestion", tool_input=tool_input)
    watcher.answer(asked.id, behavior="allow", answers=[{"picked": ["half \ufffd"]}])
    assert "half \\ud800" in json.dumps(decision(asked.hook)["updatedInput"]["answers"])


def test_case_43_five_megabytes(shared: Stage, watcher: Watcher) -> None:
    text = "€ and a\nlittle more " * 250_000
    asked = Asked(
        shared, watcher, "PermissionRequest.Write", tool_input={"file_path": "/tmp/x", "content": text}
    )
    path, content = asked.card["input"]
    assert path["value"] == "/tmp/x"
    assert (content["length"], content["lost"]) == (len(text), True)
    assert len(content["value"]) == 4000
    whole = watcher.call("desk.row", id=asked.id, row=1)
    shown = len(json.dumps(whole["value"]))
    assert 250 * 1024 < shown <= 256 * 1024
    assert text.startswith(whole["value"])
    with pytest.raises(Exception, match="too long"):
        watcher.answer(asked.id, behavior="allow")
    watcher.answer(asked.id, behavior="allow", unseen=True)
    assert decision(asked.hook) == {"behavior": "allow"}


def test_more_members_than_can_be_shown(shared: Stage, watcher: Watcher) -> None:
    payload = sample("PermissionRequest.mcp", session_id=session())
    payload["tool_input"] = {f"member {number}": number for number in range(50_000)}
    assert shared.agent.hook(payload).result() == UNDECIDED
    found = watcher.until(lambda request: request["session_id"] == payload["session_id"])
    assert (found["state"], found["reason"]) == ("deferred", "not_showable")


def test_a_megabyte_for_a_slow_reader(shared: Stage, watcher: Watcher) -> None:
    payload = sample("PermissionRequest.AskUserQuestion", session_id=session())
    payload["tool_input"]["metadata"] = {"padding": "é" * 700_000}
    hook = shared.agent.start(
        shared.agent.command("PermissionRequest"), shared.agent.env(payload["session_id"]), small=True
    )
    hook.write(json.dumps(payload).encode())
    card = watcher.pending(payload["session_id"])
    questions = payload["tool_input"]["questions"]
    picked = [{"picked": [question["options"][0]["label"]]} for question in questions]
    watcher.answer(card["id"], behavior="allow", answers=picked, unseen=True)
    hook.stdout.settimeout(20)
    output = hook.stdout.recv(1)
    assert hook.is_running()
    assert watcher.requests[card["id"]]["state"] != "delivered"
    output += hook.read()
    assert hook.code() == 0
    decided = json.loads(output)["hookSpecificOutput"]["decision"]
    assert decided["updatedInput"]["metadata"] == payload["tool_input"]["metadata"]
    watcher.state(card["id"], "delivered")
