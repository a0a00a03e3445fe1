"""Plays about sessions: sub-agents, print mode, ends of turns, sessions and processes.

Not about single answers. May import the lab only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lab.recorder import decide

if TYPE_CHECKING:
    from tests.lab.stage import Json, Stage

ALLOW = decide("allow")


def api_error(stage: Stage) -> None:
    """The model's server fails: the turn ends without Stop."""
    with stage.tui(env={"CLAUDE_CODE_MAX_RETRIES": "0"}):
        stage.say("please SCN:api_error")
        stage.seen("end", "StopFailure")
        stage.hello()


def _subagent(stage: Stage) -> Json:
    """Have a background sub-agent ask, and wait until the main agent's turn is over."""
    stage.say("please SCN:subagent")
    start = stage.asked()
    stage.done("subagent")
    return start


def subagent_background(stage: Stage) -> None:
    """A sub-agent asks while the main agent's turn ends; allowed by the hook."""
    with stage.tui():
        stage.answer(_subagent(stage), ALLOW)
        stage.seen("end", "SubagentStop")
        stage.seen("end", "Stop", 2)


def subagent_denied_by_hook(stage: Stage) -> None:
    """A sub-agent asks; denied by the hook."""
    with stage.tui():
        stage.answer(_subagent(stage), decide("deny", message="Not now."))
        stage.seen("end", "SubagentStop")
        stage.seen("end", "Stop", 2)


def subagent_undecided(stage: Stage) -> None:
    """A sub-agent asks; the hook decides nothing, then Yes in the terminal."""
    with stage.tui():
        stage.answer(_subagent(stage), None)
        stage.choose("Yes")
        stage.seen("end", "SubagentStop")
        stage.seen("end", "Stop", 2)


def subagent_ctrl_c(stage: Stage) -> None:
    """A sub-agent asks; Ctrl-C in the terminal stops it. Then one more prompt."""
    with stage.tui() as tui:
        _subagent(stage)
        tui.wait_for("Waiting for 1 background agent")
        stage.press("C-c")
        stage.seen("signal", "PermissionRequest")
        stage.hello(stops=2)


def resume_new_process(stage: Stage) -> None:
    """A session is ended and resumed: the same id, another process. Both times it asks."""
    with stage.tui():
        stage.say("please SCN:bash")
        start = stage.asked(1)
        stage.answer(start, ALLOW)
        stage.done("bash")
    with stage.tui(resume=start["input"]["session_id"]):
        stage.say("please SCN:write")
        stage.answer(stage.asked(2), ALLOW)
        stage.done("write", stops=2)


def session_end(stage: Stage) -> None:
    """The person leaves with /exit after a turn."""
    with stage.tui() as tui:
        stage.say("hello SCN:hello")
        stage.done("hello")
        stage.say("/exit")
        tui.wait_ended()


def session_clear(stage: Stage) -> None:
    """/clear ends one session and starts another in the same process."""
    with stage.tui():
        stage.say("hello SCN:hello")
        stage.done("hello")
        stage.say("/clear")
        stage.seen("end", "SessionStart", 2)
        stage.hello(stops=2)


def session_end_while_asked(stage: Stage) -> None:
    """The terminal is closed while a hook waits."""
    with stage.tui() as tui:
        stage.say("please SCN:bash")
        stage.asked()
        tui.wait_for("Do you want to proceed?")


def killed_while_asked(stage: Stage) -> None:
    """The agent is killed (SIGKILL) while a hook waits: no event, the hook lives on."""
    with stage.tui() as tui:
        stage.say("please SCN:bash")
        stage.asked()
        tui.wait_for("Do you want to proceed?")
        stage.closes("kills the agent")
        tui.kill()
        stage.seen("orphaned", "PermissionRequest")


def print_allowed(stage: Stage) -> None:
    """Print mode, allowed by the hook."""
    stage.recorder.behave({"PermissionRequest": {"out": ALLOW}})
    stage.print("please SCN:bash")


def print_undecided(stage: Stage) -> None:
    """Print mode, the hook decides nothing: denied by the agent."""
    stage.recorder.behave({})
    stage.print("please SCN:bash")


def print_denied(stage: Stage) -> None:
    """Print mode, denied by the hook with a message."""
    stage.recorder.behave({"PermissionRequest": {"out": decide("deny", message="Not here.")}})
    stage.print("please SCN:bash")
