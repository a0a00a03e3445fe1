"""Plays about permission to run a tool, answered by a hook or in the terminal.

Not about questions, plans and forms. May import the lab only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lab.pages import Pages
from tests.lab.recorder import decide
from tests.lab.stage import picked

if TYPE_CHECKING:
    from tests.lab.stage import Json, Stage

ALLOW = decide("allow")
DENY = decide("deny", message="Use another name for the file.")


def _ask(stage: Stage, scenario: str = "bash") -> Json:
    """Have the agent ask; return the hook, with the terminal's dialog up as well."""
    stage.say(f"please SCN:{scenario}")
    start = stage.asked()
    stage.screen.wait_for("Do you want to")
    return start


def bash_allowed_by_hook(stage: Stage) -> None:
    """A command, allowed by the hook."""
    with stage.tui():
        stage.answer(_ask(stage), ALLOW)
        stage.done("bash")


def bash_denied_by_hook(stage: Stage) -> None:
    """A command, denied by the hook with a message; the turn goes on."""
    with stage.tui():
        stage.answer(_ask(stage), DENY)
        stage.done("bash")


def bash_deny_interrupt(stage: Stage) -> None:
    """A command, denied by the hook with interrupt: the turn ends. Then one more prompt."""
    with stage.tui():
        stage.answer(_ask(stage), decide("deny", message="Stop here.", interrupt=True))
        stage.screen.wait_for("Do you want to", gone=True)
        stage.hello()


def bash_fails_allowed_by_hook(stage: Stage) -> None:
    """A command that fails, allowed by the hook."""
    with stage.tui():
        stage.answer(_ask(stage, "bash_fails"), ALLOW)
        stage.done("bash_fails")


def bash_undecided_by_hook_terminal_yes(stage: Stage) -> None:
    """The hook decides nothing and ends; then Yes in the terminal."""
    with stage.tui():
        stage.answer(_ask(stage), None)
        stage.seen("end", "PermissionRequest")
        stage.choose("Yes")
        stage.done("bash")


def bash_terminal_yes(stage: Stage) -> None:
    """Yes in the terminal; the hook is told nothing and waits on until the agent ends."""
    with stage.tui():
        _ask(stage)
        stage.choose("Yes")
        stage.done("bash")


def bash_terminal_always(stage: Stage) -> None:
    """ "Yes, and always allow" in the terminal; the hook waits on. A second command follows."""
    with stage.tui():
        _ask(stage, "two_turns")
        stage.recorder.behave({"PermissionRequest": {"out": ALLOW}})
        stage.choose("Yes, and always allow")
        stage.done("two_turns")


def bash_terminal_auto_mode(stage: Stage) -> None:
    """ "Yes, and switch to auto mode" in the terminal; the hook waits on until the agent ends."""
    with stage.tui():
        _ask(stage)
        stage.choose("Yes, and switch to auto mode")
        stage.done("bash")


def bash_terminal_no(stage: Stage) -> None:
    """No in the terminal: the hook is ended. Then one more prompt."""
    with stage.tui():
        _ask(stage)
        stage.choose("No")
        stage.seen("signal", "PermissionRequest")
        stage.hello()


def bash_terminal_esc(stage: Stage) -> None:
    """Esc in the terminal: the hook is ended. Then one more prompt."""
    with stage.tui():
        _ask(stage)
        stage.press("Escape")
        stage.seen("signal", "PermissionRequest")
        stage.hello()


def bash_terminal_no_feedback(stage: Stage) -> None:
    """No in the terminal, with words for the agent: the hook is told nothing."""
    with stage.tui() as tui:
        _ask(stage)
        stage.press("Up")  # from the first option round to the last one, No
        tui.wait_for("❯ 4. No")
        stage.press("Tab")
        tui.wait_for("No, and tell Claude")
        stage.type("use another name")
        stage.press("Enter")
        stage.done("bash")


def terminal_yes_then_late_deny(stage: Stage) -> None:
    """Yes in the terminal, then a deny by the hook while the tool runs: it is ignored."""
    with stage.tui() as tui:
        start = _ask(stage, "bash_slow")
        stage.choose("Yes")
        tui.wait_for("Do you want to", gone=True)
        stage.answer(start, DENY)
        stage.seen("end", "PermissionRequest")
        stage.done("bash_slow")


def terminal_yes_then_late_allow(stage: Stage) -> None:
    """Yes in the terminal, then an allow by the hook, with a rule, while the tool runs."""
    with stage.tui() as tui:
        start = _ask(stage, "bash_slow")
        stage.choose("Yes")
        tui.wait_for("Do you want to", gone=True)
        rule = {"toolName": "Bash", "ruleContent": "sleep *"}
        update = {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings"}
        stage.answer(start, decide("allow", updatedPermissions=[update]))
        stage.seen("end", "PermissionRequest")
        stage.done("bash_slow")


def prompt_typed_while_tool_runs(stage: Stage) -> None:
    """Allowed by the hook; a prompt typed while the tool runs comes before the tool's end."""
    with stage.tui() as tui:
        stage.answer(_ask(stage, "bash_slow"), ALLOW)
        tui.wait_for("Do you want to", gone=True)
        stage.say("meanwhile SCN:hello")
        stage.done("hello")


def two_equal_calls(stage: Stage) -> None:
    """The same command twice in one turn: the first allowed, the second denied by the hook."""
    with stage.tui():
        stage.say("please SCN:two_equal")
        stage.answer(stage.asked(1), ALLOW)
        stage.answer(stage.asked(2), DENY)
        stage.done("two_equal")


def two_equal_calls_terminal_then_hook(stage: Stage) -> None:
    """The same command twice: Yes in the terminal, then allowed by the second hook."""
    with stage.tui():
        _ask(stage, "two_equal")
        stage.choose("Yes")
        stage.answer(stage.asked(2), ALLOW)
        stage.done("two_equal")


def two_calls_first_esc(stage: Stage) -> None:
    """Two commands in one turn, Esc at the first: nobody is asked about the second."""
    with stage.tui():
        _ask(stage, "parallel")
        stage.press("Escape")
        stage.seen("signal", "PermissionRequest")
        stage.hello()


def suggestion_0(stage: Stage) -> None:
    """Allowed by the hook with the first suggestion (a folder); a second command follows."""
    _suggestion(stage, 0)


def suggestion_1(stage: Stage) -> None:
    """Allowed by the hook with the second suggestion (a mode); a second command follows."""
    _suggestion(stage, 1)


def _suggestion(stage: Stage, index: int) -> None:
    stage.recorder.behave({"PermissionRequest": {"hold": True}})
    with stage.tui():
        start = _ask(stage, "two_turns")
        # From now on the hook allows: whether it is asked again is what the file shows.
        stage.recorder.behave({"PermissionRequest": {"out": ALLOW}})
        stage.answer(start, decide("allow", updatedPermissions=picked(start, [index])))
        stage.done("two_turns")


def suggestion_rules(stage: Stage) -> None:
    """A compound command, allowed by the hook with all of its suggestions (rules)."""
    with stage.tui():
        start = _ask(stage, "bash_compound")
        every = range(len(start["input"]["permission_suggestions"]))
        stage.answer(start, decide("allow", updatedPermissions=picked(start, every)))
        stage.done("bash_compound")


def write_allowed_by_hook(stage: Stage) -> None:
    """A new file, allowed by the hook."""
    with stage.tui():
        stage.answer(_ask(stage, "write"), ALLOW)
        stage.done("write")


def edit_allowed_by_hook(stage: Stage) -> None:
    """An edit of a file that was read before, allowed by the hook."""
    with stage.tui():
        stage.answer(_ask(stage, "edit"), ALLOW)
        stage.done("edit")


def _four_fetches(stage: Stage, pages: Pages) -> list[Json]:
    """Have the agent ask for four pages at once; return the hooks in the order of the pages."""
    stage.model.variables["PAGES"] = str(pages.port)
    stage.say("please SCN:four_fetches")
    starts = [stage.asked(nth) for nth in (1, 2, 3, 4)]
    stage.screen.wait_for("1 of 4")
    order = ("one", "two", "three", "four")
    return sorted(starts, key=lambda s: order.index(s["input"]["tool_input"]["url"].rpartition("/")[2]))


def four_webfetch(stage: Stage) -> None:
    """Four pages at once, four hooks at once, answered in another order: one is denied."""
    with Pages(stage.root) as pages, stage.tui(settings=_FETCH, env=_trust(pages)) as tui:
        starts = _four_fetches(stage, pages)
        for index, out, left in ((2, ALLOW, "2 of 4"), (0, ALLOW, "3 of 4"), (3, DENY, "4 of 4")):
            stage.answer(starts[index], out)
            tui.wait_for(left)
        stage.answer(starts[1], ALLOW)
        stage.done("four_fetches")


def four_webfetch_esc(stage: Stage) -> None:
    """Four pages at once, Esc at the first dialog: all four hooks are ended."""
    with Pages(stage.root) as pages, stage.tui(settings=_FETCH, env=_trust(pages)):
        _four_fetches(stage, pages)
        stage.press("Escape")
        stage.seen("signal", "PermissionRequest", 4)
        stage.hello()


# Without it a fetch asks a server of Anthropic first.
_FETCH = {"skipWebFetchPreflight": True}


def _trust(pages: Pages) -> dict[str, str]:
    return {"NODE_EXTRA_CA_CERTS": str(pages.certificate)}
