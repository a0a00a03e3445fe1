"""Plays about what an agent wants to know: questions, plans and forms.

Not about permission to run a tool. May import the lab only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lab.recorder import decide, output

if TYPE_CHECKING:
    from tests.lab.stage import Json, Stage

FEEDBACK = decide("deny", message="Name the file otherwise.")
# The tool itself needs no permission: only the form is asked about.
FORMS = {"permissions": {"allow": ["mcp__lab__ask"]}}


def _answers(start: Json, *answers: str) -> Json:
    """Return the output that answers all questions of a request."""
    questions = start["input"]["tool_input"]["questions"]
    texts = [question["question"] for question in questions]
    given = dict(zip(texts, answers, strict=True))
    return decide("allow", updatedInput={"questions": questions, "answers": given})


def _question(stage: Stage) -> Json:
    stage.say("please SCN:ask_one")
    start = stage.asked()
    stage.screen.wait_for("Which colour do you want?")
    return start


def question_by_hook(stage: Stage) -> None:
    """A question, answered by the hook."""
    with stage.tui():
        start = _question(stage)
        stage.answer(start, _answers(start, "Blue"))
        stage.done("ask_one")


def question_text_by_hook(stage: Stage) -> None:
    """A question, answered by the hook in words of its own."""
    with stage.tui():
        start = _question(stage)
        stage.answer(start, _answers(start, "Neither, take green"))
        stage.done("ask_one")


def question_denied_by_hook(stage: Stage) -> None:
    """A question, denied by the hook with a message."""
    with stage.tui():
        stage.answer(_question(stage), decide("deny", message="Decide it yourself."))
        stage.done("ask_one")


def questions_by_hook(stage: Stage) -> None:
    """Two questions, one with several answers, a comma in one: answered by the hook."""
    with stage.tui():
        stage.say("please SCN:ask_multi")
        start = stage.asked()
        stage.answer(start, _answers(start, "Tall", '"Search, by word", Undo'))
        stage.done("ask_multi")


def question_in_terminal(stage: Stage) -> None:
    """A question, answered in the terminal: the hook is told nothing."""
    with stage.tui():
        _question(stage)
        stage.choose("Blue")
        stage.done("ask_one")


def question_text_in_terminal(stage: Stage) -> None:
    """A question, answered in the terminal in words of the person."""
    with stage.tui():
        _question(stage)
        stage.choose("Type something.")
        stage.type("green please")
        stage.press("Enter")
        stage.done("ask_one")


def question_esc(stage: Stage) -> None:
    """Esc at a question: the hook is ended. Then one more prompt."""
    with stage.tui():
        _question(stage)
        stage.press("Escape")
        stage.seen("signal", "PermissionRequest")
        stage.hello()


def question_chat_about_this(stage: Stage) -> None:
    """ "Chat about this" at a question: the hook is told nothing."""
    with stage.tui():
        _question(stage)
        stage.choose("Chat about this")
        stage.done("ask_one")


def _plan(stage: Stage) -> Json:
    """Have the agent present its plan; what it writes afterwards, the hook allows."""
    stage.recorder.behave(
        {"PermissionRequest:ExitPlanMode": {"hold": True}, "PermissionRequest": {"out": decide("allow")}}
    )
    stage.say("please SCN:plan")
    start = stage.asked()
    stage.screen.wait_for("Would you like to proceed?")
    return start


def _plan_by_hook(stage: Stage, **decision: object) -> None:
    with stage.tui(mode="plan"):
        start = _plan(stage)
        stage.answer(start, decide("allow", **{"updatedInput": {}, **decision}))
        stage.done("plan")


def _mode(mode: str) -> list[Json]:
    return [{"type": "setMode", "mode": mode, "destination": "session"}]


def plan_by_hook_default(stage: Stage) -> None:
    """A plan, approved by the hook: edits are asked about."""
    _plan_by_hook(stage)


def plan_by_hook_accept_edits(stage: Stage) -> None:
    """A plan, approved by the hook with the mode that accepts edits."""
    _plan_by_hook(stage, updatedPermissions=_mode("acceptEdits"))


def plan_by_hook_auto(stage: Stage) -> None:
    """A plan, approved by the hook with auto mode."""
    _plan_by_hook(stage, updatedPermissions=_mode("auto"))


def plan_edited_by_hook(stage: Stage) -> None:
    """A plan, approved by the hook in a changed form."""
    _plan_by_hook(stage, updatedInput={"plan": "# Plan\n\n1. Write another file.\n"})


def plan_bare_allow_then_terminal(stage: Stage) -> None:
    """A bare allow by the hook does nothing for a plan; then the terminal approves it."""
    with stage.tui(mode="plan") as tui:
        stage.answer(_plan(stage), decide("allow"))
        stage.seen("end", "PermissionRequest")
        tui.wait_for("Would you like to proceed?")
        stage.choose("Yes, manually approve edits")
        stage.done("plan")


def plan_feedback_by_hook(stage: Stage) -> None:
    """A plan, sent back by the hook with words; the agent stays in plan mode."""
    with stage.tui(mode="plan"):
        stage.answer(_plan(stage), FEEDBACK)
        stage.done("plan")


def plan_in_terminal(stage: Stage) -> None:
    """A plan, approved in the terminal: the hook is told nothing."""
    with stage.tui(mode="plan"):
        _plan(stage)
        stage.choose("Yes, manually approve edits")
        stage.done("plan")


def plan_tell_claude_what_to_change(stage: Stage) -> None:
    """A plan, sent back in the terminal with words."""
    with stage.tui(mode="plan") as tui:
        _plan(stage)
        stage.choose("Tell Claude what to change")
        tui.wait_for("❯ 3.")
        stage.type("name it otherwise")
        stage.press("Enter")
        stage.done("plan")


def plan_esc(stage: Stage) -> None:
    """Esc at a plan: the hook is ended. Then one more prompt."""
    with stage.tui(mode="plan"):
        _plan(stage)
        stage.press("Escape")
        stage.seen("signal", "PermissionRequest")
        stage.hello()


def _form(stage: Stage) -> Json:
    stage.say("please SCN:elicitation")
    return stage.asked(event="Elicitation")


def elicitation_by_hook(stage: Stage) -> None:
    """A form, filled in by the hook: the terminal never shows it."""
    with stage.tui(settings=FORMS, mcp=True):
        content = {"name": "Ada", "colour": "red"}
        stage.answer(_form(stage), output("Elicitation", action="accept", content=content))
        stage.done("elicitation")


def elicitation_declined_by_hook(stage: Stage) -> None:
    """A form, declined by the hook."""
    with stage.tui(settings=FORMS, mcp=True):
        stage.answer(_form(stage), output("Elicitation", action="decline"))
        stage.done("elicitation")


def elicitation_in_terminal(stage: Stage) -> None:
    """The hook decides nothing; then the form is filled in in the terminal."""
    with stage.tui(settings=FORMS, mcp=True) as tui:
        stage.answer(_form(stage), None)
        tui.wait_for("Please introduce yourself")
        stage.type("Ada")
        stage.press("Enter")
        tui.wait_for("❯   colour")
        stage.press("Enter")
        tui.wait_for("❯ Accept")
        stage.press("Enter")
        stage.done("elicitation")


def elicitation_esc(stage: Stage) -> None:
    """Esc while the hook of a form waits: no event, no signal. Then one more prompt."""
    with stage.tui(settings=FORMS, mcp=True) as tui:
        _form(stage)
        tui.wait_for("esc to interrupt")
        stage.press("Escape")
        tui.wait_for("Interrupted")
        stage.hello()


def elicitation_esc_in_form(stage: Stage) -> None:
    """The hook decides nothing; then Esc at the form in the terminal."""
    with stage.tui(settings=FORMS, mcp=True) as tui:
        stage.answer(_form(stage), None)
        tui.wait_for("Please introduce yourself")
        stage.press("Escape")
        stage.done("elicitation")
