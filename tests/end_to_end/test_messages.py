"""A person's messages to a session: after a tool call, at the end of a turn, once, or not at all."""

from __future__ import annotations

import json
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.end_to_end.hooks import with_interpreter

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end
WAIT_S = 15.0
TEXT = "Mind the gap, says Ada."
IN_CONTEXT = "hook additional context: "


class Gate:
    """Holds the replies of a model in one scenario, from one turn on, until a test lets each go."""

    def __init__(self, model: FakeAnthropic, scenario: str, first: int = 0) -> None:
        self._model = model
        self._let = threading.Semaphore(0)
        self._come = threading.Semaphore(0)
        turn_for = model.turn_for

        def gated(name: str, number: int, variables: Any) -> Any:
            if name == scenario and number >= first:
                self._come.release()
                self._let.acquire(timeout=WAIT_S)
            return turn_for(name, number, variables)

        model.turn_for = gated  # pyright: ignore[reportAttributeAccessIssue]

    def wait(self) -> None:
        """Wait until the model was asked once more."""
        assert self._come.acquire(timeout=WAIT_S), "the model was not asked"

    def let_go(self) -> None:
        """Let it reply once."""
        self._let.release()


def occurrences(model: FakeAnthropic, text: str = TEXT, scenario: str | None = None) -> list[int]:
    """How often a text stands in each request for a turn so far (of a scenario), the oldest first."""
    turns = [r for r in model.requests if r["scenario"] and scenario in (None, r["scenario"])]
    return [json.dumps(request["body"]).count(text) for request in turns]


def run(desk: Desk, *words: str, code: int = 0) -> str:
    """Run a command and return what it wrote, on one line: its own lines are as wide as a terminal."""
    return " ".join(desk.run(*words, code=code).split())


def only_session(desk: Desk) -> str:
    session_id: str = desk.wait_for(lambda: next(iter(desk.stream.sessions), None), "session")
    return session_id


# --- after a tool call ------------------------------------------------------------------


def test_case_54_the_model_reads_it_after_the_next_tool_call_once(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:two_turns")
        request = desk.wait_request()
        said = run(desk, "send", request["session_id"][:12], TEXT)
        assert "queued: the agent gets it after its next tool call" in said
        desk.allow(request)
        desk.wait_message(request["session_id"], "handed_over")
        desk.allow(desk.wait_request(2))
        tui.wait_for("DONE two_turns")
        desk.wait_session("idle", request["session_id"])
    assert occurrences(fake_model, scenario="two_turns") == [0, 1, 1]
    assert f"PostToolUse:Bash {IN_CONTEXT}{TEXT}" in json.dumps(fake_model.requests[-1]["body"])
    told = desk.stream.messages[request["session_id"]]
    assert [message["state"] for message in told] == ["queued", "taken", "handed_over"]


def test_it_alone_has_the_hooks_of_tool_calls_speak(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    model = Gate(fake_model, "loop_reads")
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:loop_reads")
        model.wait()  # nothing is asked in here, ever
        run(desk, "send", "project", TEXT)
        for _ in range(3):
            model.let_go()
            model.wait()
        desk.wait_message(only_session(desk), "handed_over")
        assert desk.requests() == []
    assert occurrences(fake_model, scenario="loop_reads") == [0, 1, 1]


def test_case_54_of_two_the_newer_one_wins(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        run(desk, "send", "project", "An older word.")
        run(desk, "send", "project", TEXT)
        desk.allow(request)
        tui.wait_for("DONE bash")
        desk.wait_message(request["session_id"], "handed_over")
    assert occurrences(fake_model)[-1] == 1
    assert sum(occurrences(fake_model, "An older word.")) == 0


def test_case_54_a_subagents_tool_call_does_not_take_it(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    main = Gate(fake_model, "subagent", first=1)
    with desk.somebody_watching(), claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        main.wait()
        request = desk.wait_request(tool="Bash")
        run(desk, "send", request["session_id"], TEXT)
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        desk.wait_message(request["session_id"], "queued")
        assert [m["state"] for m in desk.stream.messages[request["session_id"]]] == ["queued"]
        main.let_go()
        desk.wait_message(request["session_id"], "handed_over")
        main.wait()
        main.let_go()
        main.let_go()  # for the subagent's report
        tui.wait_for("DONE subagent")
    assert sum(occurrences(fake_model, scenario="bash")) == 0
    assert max(occurrences(fake_model, scenario="subagent")) == 1


def test_one_that_is_taken_back_is_never_read(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        run(desk, "send", request["session_id"], TEXT)
        assert "queued" in run(desk, "sessions")
        assert "Taken back" in run(desk, "unsend", request["session_id"])
        desk.allow(request)
        tui.wait_for("DONE bash")
        desk.wait_session("idle", request["session_id"])
        assert "no message waits" in run(desk, "unsend", request["session_id"], code=6)
    assert sum(occurrences(fake_model)) == 0


# --- at the end of a turn ---------------------------------------------------------------


def test_case_54_the_turn_goes_on_with_it_and_reads_it_once(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        session_id = request["session_id"]
        run(desk, "send", session_id, TEXT, "--when", "stop")
        desk.allow(request)
        desk.wait_message(session_id, "handed_over")
        desk.wait_session("idle", session_id)
        tui.wait_for("DONE bash")
    assert occurrences(fake_model) == [0, 0, 1]
    assert f"Stop {IN_CONTEXT}{TEXT}" in json.dumps(fake_model.requests[-1]["body"])
    assert [m["state"] for m in desk.stream.messages[session_id]] == ["queued", "taken", "handed_over"]


def test_a_message_may_lead_to_more_tool_calls(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        first = desk.wait_request()
        run(desk, "send", first["session_id"], "And now SCN:write", "--when", "stop")
        desk.allow(first)
        desk.allow(desk.wait_request(tool="Write"))
        tui.wait_for("DONE write")
        desk.wait_session("idle", first["session_id"])
    assert claude.made("touched", "written.txt")


def test_case_54_seven_ends_in_a_row_and_the_eighth_message_waits(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    model = Gate(fake_model, "hello")
    with claude.tui(desk.hooks()) as tui:
        tui.say("hello SCN:hello")
        model.wait()
        session_id = only_session(desk)
        for number in range(7):
            run(desk, "send", session_id, f"word-{number}!")
            model.let_go()
            desk.wait_message(session_id, "handed_over")
            model.wait()
        run(desk, "send", session_id, "word-7!")
        model.let_go()
        waits = desk.wait_message(session_id, "queued", "continuations")
        desk.wait_session("idle", session_id)
        assert "too often in a row" in waits["why"]
        assert "too often in a row" in run(desk, "sessions")
        for number in range(7):
            assert occurrences(fake_model, f"word-{number}!")[-1] == 1
        # A typed prompt is a new turn: what was said for the old one is not for it.
        tui.say("please SCN:bash")
        request = desk.wait_request()
        desk.wait_message(session_id, "dropped", "new_prompt")
        run(desk, "send", session_id, "word-8!")
        desk.allow(request)
        tui.wait_for("DONE bash")
        desk.wait_message(session_id, "handed_over")
    assert sum(occurrences(fake_model, "word-7!")) == 0
    assert occurrences(fake_model, "word-8!")[-1] == 1


def test_case_54_a_tool_call_starts_the_count_anew(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    turns = [[{"text": "so"}]] * 5 + [[{"tool": "Read", "input": {"file_path": "{PROJECT}/notes.txt"}}]]
    fake_model.scripts["nine"] = [*turns, *[[{"text": "so"}]] * 8]
    model = Gate(fake_model, "nine")
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:nine")
        model.wait()
        session_id = only_session(desk)
        for number in range(11):
            if number == 5:  # the one reply that calls a tool
                model.let_go()
                model.wait()
            run(desk, "send", session_id, f"word-{number}!", "--when", "stop")
            model.let_go()
            desk.wait_message(session_id, "handed_over")
            model.wait()
        model.let_go()
        desk.wait_session("idle", session_id)
    for number in range(11):
        assert occurrences(fake_model, f"word-{number}!")[-1] == 1


# --- not handed over --------------------------------------------------------------------


def test_case_54_an_idle_session_refuses_and_says_what_to_do(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("hello SCN:hello")
        tui.wait_for("DONE hello")
        session_id = only_session(desk)
        desk.wait_session("idle", session_id)
        assert "type it in its terminal" in run(desk, "send", session_id, TEXT, code=6)
        assert "no session is known" in run(desk, "send", "elsewhere", TEXT, code=6)


def test_a_prompt_typed_before_it_was_read_drops_it(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_slow")
        request = desk.wait_request()
        run(desk, "send", request["session_id"], TEXT)
        desk.allow(request)
        tui.say("rather not")
        desk.wait_message(request["session_id"], "dropped", "new_prompt")
        tui.wait_for("DONE bash_slow")
    assert sum(occurrences(fake_model)) == 0


def test_a_turn_stopped_by_a_person_keeps_it_and_says_so(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        run(desk, "send", request["session_id"], TEXT)
        desk.deny(request, "--stop")
        assert "works again" in desk.wait_message(request["session_id"], "queued", "idle")["why"]
        tui.say("please SCN:write")
        desk.wait_message(request["session_id"], "dropped", "new_prompt")


KILLED = """
import sys, posix
script, sys.argv = sys.argv[3], sys.argv[3:]
write = posix.write
def killed(descriptor, data):
    if b"additionalContext" in data:
        posix.unlink(MARK)
        posix.kill(posix.getpid(), 9)
    return write(descriptor, data)
try:
    posix.stat(MARK)
    posix.write = killed
except OSError:
    pass
exec(compile(open(script).read(), script, "exec"), {"__name__": "__main__", "__file__": script})
"""
"""A hook that is killed as it writes a message, as long as there is a file; then it is gone."""


def interpreter_that_is_killed(folder: Path) -> Path:
    mark, source, path = folder / "killed-once", folder / "killed.py", folder / "killed-python"
    mark.touch()
    source.write_text(KILLED.replace("MARK", repr(str(mark))))
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {source} "$@"\n')
    path.chmod(0o755)
    return path


def test_case_54_one_whose_hook_was_killed_is_uncertain_and_not_sent_again_by_itself(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, root: Path
) -> None:
    hooks = with_interpreter(desk.hooks(), interpreter_that_is_killed(root))
    with claude.tui(hooks) as tui:
        tui.say("please SCN:two_turns")
        first = desk.wait_request()
        session_id = first["session_id"]
        run(desk, "send", session_id, TEXT)
        desk.allow(first)
        desk.wait_message(session_id, "uncertain", "hook_gone")
        second = desk.wait_request(2)
        said = run(desk, "sessions")
        assert "UNCERTAIN" in said
        assert "send it again" in said
        run(desk, "send", session_id, TEXT)  # by hand
        desk.allow(second)
        tui.wait_for("DONE two_turns")
        desk.wait_message(session_id, "handed_over")
    assert occurrences(fake_model, scenario="two_turns") == [0, 0, 1]


def test_the_end_of_the_desk_drops_it_and_whoever_waits_is_told(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    said: list[str] = []
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        words = ("send", request["session_id"], TEXT, "--wait", "15")
        sender = threading.Thread(target=lambda: said.append(run(desk, *words, code=7)))
        sender.start()
        desk.wait_message(request["session_id"], "queued")
        desk.restart()
        sender.join(WAIT_S)
        assert "sayso was stopped" in said[0]
        desk.allow(desk.wait_request())
        tui.wait_for("DONE bash")
        assert desk.stream.messages == {}
    assert sum(occurrences(fake_model)) == 0
