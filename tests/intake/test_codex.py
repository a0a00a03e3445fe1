"""The hook as Codex starts it: by a shell, through the launcher, with no word of Codex in the environment."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.install import codex, codex_places
from tests.agents.codex_schema import INPUTS, outcome
from tests.desks import Watcher
from tests.intake.conftest import Stage
from tests.standin import Hook

UNDECIDED = (0, b"", b"")


class Codex:
    """Starts hooks of Codex's in a stage, and asks for one."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.session_id = str(uuid.uuid4())
        handlers = stage.agent.handlers["Stop"][0]["hooks"][0]["args"]
        python, hook = handlers[handlers.index("-I") - 1], handlers[handlers.index("-S") + 1]
        here = stage.home.places
        text = codex.launcher_text(python, hook, str(here.socket), str(here.flags))
        self.launcher: Path = codex_places.place_launcher(here.data, text, here.state)

    def hook(self, name: str, **changes: Any) -> Hook:
        payload = {**INPUTS[name], "session_id": self.session_id, **changes}
        (group,) = codex.hook_settings(str(self.launcher))[payload["hook_event_name"]]
        env = {"PATH": "/usr/bin:/bin", "CLAUDE_PID": "1"}  # of another agent, above Codex
        # Not bash: with a socket for its input it would read a person's settings.
        hook = self.stage.agent.start(["/bin/sh", "-c", group["hooks"][0]["command"]], env)
        hook.write(json.dumps(payload).encode())
        return hook

    def asked(self, watcher: Watcher) -> tuple[Hook, dict[str, Any]]:
        hook = self.hook("PermissionRequest.Bash")
        return hook, watcher.pending(self.session_id)


@pytest.fixture
def here(shared: Stage, watcher: Watcher) -> Iterator[Codex]:
    watcher.call("desk.settings", settings={"codex_approvals": True})
    watcher.be_there()
    yield Codex(shared)
    watcher.call("desk.settings", settings={"codex_approvals": False})


def test_case_26_allowed(here: Codex, watcher: Watcher) -> None:
    hook, card = here.asked(watcher)
    assert (card["agent"], card["hold"], card["expires_at"] is None) == ("codex", "exclusive", False)
    watcher.answer(card["id"], behavior="allow")
    code, output, errors = hook.result()
    assert (code, outcome(output.decode()), errors) == (0, "allow", b"")
    watcher.state(card["id"], "delivered")
    ran = {
        "tool_input": {"command": INPUTS["PermissionRequest.Bash"]["tool_input"]["command"]},
        "agent_id": "",
    }
    turn = INPUTS["PermissionRequest.Bash"]["turn_id"]
    assert here.hook("PostToolUse.Bash", turn_id=turn, **ran).result() == UNDECIDED
    watcher.state(card["id"], "confirmed")


def test_denied_with_words(here: Codex, watcher: Watcher) -> None:
    hook, card = here.asked(watcher)
    watcher.answer(card["id"], behavior="deny", message="use “git mv”\nplease")
    _, output, _ = hook.result()
    assert outcome(output.decode()) == "deny"
    assert json.loads(output)["hookSpecificOutput"]["decision"]["message"] == "use “git mv”\nplease"


def test_given_back(here: Codex, watcher: Watcher) -> None:
    hook, card = here.asked(watcher)
    watcher.call("desk.release", id=card["id"])
    assert hook.result() == UNDECIDED


def test_case_26_killed_with_its_whole_group_the_card_goes(here: Codex, watcher: Watcher) -> None:
    hook, card = here.asked(watcher)
    os.killpg(hook.pid, 9)
    assert hook.code() == -9
    watcher.state(card["id"], "withdrawn")


def test_nobody_reads_its_output_any_more(here: Codex, watcher: Watcher) -> None:
    hook, card = here.asked(watcher)
    hook.hang_up()
    assert hook.code() == 0
    watcher.state(card["id"], "withdrawn")


def test_an_interrupt_ends_the_turn(here: Codex, watcher: Watcher) -> None:
    hook, card = here.asked(watcher)
    assert here.hook("Interrupt").result() == UNDECIDED
    assert watcher.state(card["id"], "withdrawn")["reason"] == "stopped"
    assert hook.result() == UNDECIDED
    watcher.until(lambda _: watcher.sessions[here.session_id]["state"] == "idle")


def test_switched_off_meanwhile_what_waits_is_given_back(here: Codex, watcher: Watcher) -> None:
    hook, card = here.asked(watcher)
    watcher.call("desk.settings", settings={"codex_approvals": False})
    assert hook.result() == UNDECIDED
    watcher.state(card["id"], "withdrawn")


def test_case_26_silent_at_once_where_it_was_not_chosen(here: Codex, watcher: Watcher) -> None:
    watcher.call("desk.settings", settings={"codex_approvals": False})
    assert here.hook("PermissionRequest.Bash").result() == UNDECIDED


def test_case_26_29_silent_at_once_where_nobody_watches(here: Codex, watcher: Watcher) -> None:
    watcher.call("desk.presence", present=False)
    assert here.hook("PermissionRequest.Bash").result() == UNDECIDED


def test_case_36_silent_at_once_without_a_desk(stage: Stage) -> None:
    here = Codex(stage)
    for name in ("PermissionRequest.Bash", "Stop", "UserPromptSubmit", "SessionStart", "PostToolUse.Bash"):
        assert here.hook(name).result() == UNDECIDED


def test_case_54_a_message_goes_to_the_end_of_a_turn_once(here: Codex, watcher: Watcher) -> None:
    here.hook("UserPromptSubmit").result()
    watcher.call("desk.queue", agent="codex", session_id=here.session_id, text="and the tests", when="stop")
    code, output, errors = here.hook("Stop").result()
    assert (code, json.loads(output), errors) == (0, {"decision": "block", "reason": "and the tests"}, b"")
    assert here.hook("Stop", stop_hook_active=True).result() == UNDECIDED
    watcher.until_message(here.session_id, "queued", "taken", "handed_over")


def test_a_message_goes_to_a_tool_call(here: Codex, watcher: Watcher) -> None:
    here.hook("UserPromptSubmit").result()
    watcher.call("desk.queue", agent="codex", session_id=here.session_id, text="mind the gap")
    _, output, _ = here.hook("PostToolUse.Bash", agent_id="").result()
    assert json.loads(output)["hookSpecificOutput"] == {
        "hookEventName": "PostToolUse",
        "additionalContext": "mind the gap",
    }
