"""Hooks of a session that the desk already hears of in another way: it hears nothing from them."""

from __future__ import annotations

from pathlib import Path

from sayso.core.states import State
from sayso.core.types import Presence
from tests.daemon.test_hooks import Hook, Stage


def covered(folder: Path) -> Stage:
    stage = Stage(folder)
    stage.runtime.desk.watch("phone", Presence(present_s=stage.now_s), stage.now_s)
    stage.runtime.desk.change({"codex_approvals": True}, stage.now_s)
    stage.runtime.covers = lambda agent, session_id: (agent, session_id) == ("codex", "s1")
    return stage


async def test_case_26_a_session_of_the_shared_server_is_asked_there_alone(tmp_path: Path) -> None:
    stage = covered(tmp_path)
    hook = Hook(stage)
    hook.say(
        "agent.request",
        agent="codex",
        id="a",
        kind="permission",
        tool="Bash",
        hold="exclusive",
        started_s=999.0,
    )
    assert hook.heard == [{}]
    assert stage.runtime.desk.snapshot().requests == {}
    hook.say("agent.event", agent="codex", type="user-prompt-submit", at_s=999.5, takes=True)
    assert hook.heard == [{}, {}]
    assert stage.runtime.desk.snapshot().sessions == {}
    stage.runtime.end()


async def test_other_sessions_and_agents_are_heard(tmp_path: Path) -> None:
    stage = covered(tmp_path)
    for number, names in enumerate([{"agent": "codex", "session_id": "s2"}, {"agent": "claude-code"}]):
        hook = Hook(stage)
        asked = hook.ask(str(number), hold="exclusive", **names)
        assert asked.state is State.PENDING
    stage.runtime.end()
