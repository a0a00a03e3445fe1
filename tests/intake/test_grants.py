"""This very call for a while: the hook of the next one is answered without a person."""

from __future__ import annotations

from tests.desks import Watcher, sample
from tests.intake.conftest import Stage
from tests.intake.test_answers import decision, session


def test_case_59_the_same_call_is_allowed_until_the_grant_is_ended(shared: Stage, watcher: Watcher) -> None:
    payload = sample("PermissionRequest.Bash", session_id=session())
    first = shared.agent.hook(payload)
    asked = watcher.pending(payload["session_id"])
    watcher.answer(asked["id"], behavior="allow", for_s=600)
    assert decision(first) == {"behavior": "allow"}
    watcher.state(asked["id"], "delivered")

    second = shared.agent.hook(payload)
    assert decision(second) == {"behavior": "allow"}
    by_grant = watcher.until(lambda r: r.get("asked", "").startswith("allow, by the grant until "))
    assert by_grant["by"] == asked_by(watcher, asked["id"])
    watcher.state(by_grant["id"], "delivered")

    watcher.call("desk.ungrant", id=asked["id"])
    third = shared.agent.hook(payload)
    waiting = watcher.pending(payload["session_id"])
    assert third.is_running()
    watcher.answer(waiting["id"], behavior="deny")
    assert decision(third)["behavior"] == "deny"


def test_case_59_another_command_in_the_session_waits(shared: Stage, watcher: Watcher) -> None:
    payload = sample("PermissionRequest.Bash", session_id=session())
    first = shared.agent.hook(payload)
    asked = watcher.pending(payload["session_id"])
    watcher.answer(asked["id"], behavior="allow", for_s=600)
    assert decision(first) == {"behavior": "allow"}
    watcher.state(asked["id"], "delivered")

    wider = {**payload["tool_input"], "command": payload["tool_input"]["command"] + " && true"}
    other = shared.agent.hook({**payload, "tool_input": wider})
    waiting = watcher.pending(payload["session_id"])
    assert other.is_running()
    watcher.answer(waiting["id"], behavior="allow")
    assert decision(other) == {"behavior": "allow"}


def asked_by(watcher: Watcher, request_id: str) -> object:
    """Return who answered a request."""
    return watcher.requests[request_id]["by"]
