"""The desk beside Codex's own terminal: both show what Codex asks, and the first answer wins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.codex_served import PROMPT, attached_desk, escalated, scene
from tests.lab.codex import Codex
from tests.lab.codex_server import CodexServer, allow_all_tools

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lab.fake_openai import FakeOpenAI

pytestmark = pytest.mark.end_to_end

GONE = 6
"""The exit code for a request that is settled."""


def test_whoever_answers_first_wins_the_desk_or_the_terminal(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    model.scripts["here"] = [escalated("touch here")]
    model.scripts["there"] = [escalated("touch there")]
    with scene(root, codex) as on:
        on.tui.say("please SCN:here")
        request = on.desk.wait_request(kind="permission", agent="codex", tool="Bash")
        on.tui.wait_for(PROMPT)
        session = on.desk.wait_session("waiting", request["session_id"])
        assert session["prompt"] == "please SCN:here"
        assert session["process"].startswith(f"{on.server.pid}:")
        on.desk.allow(request)
        on.desk.wait_state(request, "confirmed")
        assert on.desk.states(request) == ["pending", "answered", "delivered", "confirmed"]
        on.tui.wait_for("DONE here")
        assert PROMPT not in on.tui.screen()
        assert (on.project / "here").exists()
        on.tui.say("please SCN:there")
        second = on.desk.wait_request(2)
        on.tui.wait_for(PROMPT)
        on.tui.keys("y")
        gone = on.desk.wait_state(second, "withdrawn")
        assert gone["reason"] == "answered_in_terminal"
        assert "answered in the terminal" in on.desk.allow(second, code=GONE)
        on.tui.wait_for("DONE there")
        assert (on.project / "there").exists()
        session = on.desk.wait_session("idle", request["session_id"])
        assert session["prompt"] == "please SCN:there"
        assert session["cwd"] == str(on.project)


def test_a_refusal_with_words_is_told_as_two_steps_and_one_that_stops_ends_the_turn(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    why = "Not there: use\n\"make\", i.e. 'ünder' $HOME."
    model.scripts["refused"] = [escalated("touch refused"), [{"sleep": 0.5}, {"text": "well, then"}]]
    model.scripts["stopped"] = [escalated("touch stopped")]
    with scene(root, codex) as on:
        on.tui.say("please SCN:refused")
        request = on.desk.wait_request()
        on.desk.deny(request, "-m", why)
        on.desk.wait_state(request, "confirmed")
        on.desk.wait_message(request["session_id"], "handed_over")
        on.tui.wait_for("well, then")
        assert "rejected by user" in model.results("refused")[0]
        assert model.said("refused")[-1] == why
        on.desk.wait_session("idle", request["session_id"])
        on.tui.say("please SCN:stopped")
        second = on.desk.wait_request(2)
        on.desk.deny(second, "--stop")
        on.desk.wait_state(second, "confirmed")
        on.tui.wait_for("Conversation interrupted")
        on.desk.wait_session("idle", request["session_id"])
        stopped = [one for one in model.requests if one["scenario"] == "stopped"]
        assert len(stopped) == 1  # the model was not asked again
    assert not list(codex.project.glob("*e*ed"))


def test_esc_in_the_terminal_withdraws_the_card(root: Path, codex: Codex, model: FakeOpenAI) -> None:
    model.scripts["asks"] = [escalated("touch asked")]
    with scene(root, codex) as on:
        on.tui.say("please SCN:asks")
        request = on.desk.wait_request()
        on.tui.wait_for(PROMPT)
        on.tui.keys("Escape")
        gone = on.desk.wait_state(request, "withdrawn")
        assert gone["reason"] in ("answered_in_terminal", "stopped", "declined_in_terminal")
        on.desk.wait_session("idle", request["session_id"])
        assert on.desk.states(request) == ["pending", "withdrawn"]


def test_a_killed_desk_leaves_the_terminals_prompt_and_a_new_one_shows_the_request_again(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    patch = f"*** Begin Patch\n*** Add File: {root}/out.txt\n+hello\n*** End Patch\n"
    model.scripts["patches"] = [[{"tool": "apply_patch", "input": patch}]]
    with scene(root, codex) as on:
        on.tui.say("please SCN:patches")
        request = on.desk.wait_request(tool="apply_patch")
        on.tui.wait_for("Would you like to make the following edits?")
        on.desk.kill()
        on.tui.wait_for("Would you like to make the following edits?")
        on.desk.up()
        again = on.desk.wait_request(tool="apply_patch")
        assert again["id"] != request["id"]
        # A client that comes late is told of the request and not of the change: it looks it up.
        assert [(row["label"], row["value"]) for row in again["input"]] == [
            ("New file", f"{root}/out.txt"),
            ("Content", "hello\n"),
        ]
        on.desk.allow(again)
        on.desk.wait_state(again, "confirmed")
        on.tui.wait_for("DONE patches")
        assert (root / "out.txt").read_text() == "hello\n"


def test_two_homes_are_answered_each_on_its_own(
    root: Path, codex: Codex, model: FakeOpenAI, codex_binary: Path
) -> None:
    other = Codex.create(codex_binary, root / "other", model.port)
    model.scripts["asks"] = [escalated("touch asked")]
    with (
        CodexServer(codex) as first,
        CodexServer(other) as second,
        attached_desk(root, codex, other) as desk,
        first.tui() as here,
        second.tui() as there,
    ):
        here.say("please SCN:asks")
        mine = desk.wait_request(cwd=str(codex.project))
        there.say("please SCN:asks")
        theirs = desk.wait_request(cwd=str(other.project))
        desk.deny(mine)
        desk.allow(theirs)
        desk.wait_state(theirs, "confirmed")
        desk.wait_state(mine, "confirmed")
        there.wait_for("DONE asks")
    assert (other.project / "asked").exists()
    assert not (codex.project / "asked").exists()


def test_a_message_steers_the_turn_that_runs_and_begins_one_in_an_idle_session(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    model.scripts["works"] = [escalated("touch worked"), [{"sleep": 0.5}, {"text": "well, then"}]]
    with scene(root, codex) as on:
        on.tui.say("please SCN:works")
        request = on.desk.wait_request()
        session_id = request["session_id"]
        on.desk.run("send", session_id, "prefer pytest")
        on.desk.wait_message(session_id, "handed_over")
        on.desk.allow(request)
        on.tui.wait_for("well, then")
        assert "prefer pytest" in model.said("works")
        session = on.desk.wait_session("idle", session_id)
        assert session["wakes"]
        on.desk.run("send", session_id, "and now SCN:more")
        on.tui.wait_for("DONE more")
        on.desk.wait_message(session_id, "handed_over")
        on.desk.wait_session("idle", session_id)
        assert json.dumps(model.requests[-1]["body"]).count("and now SCN:more") == 1


def test_a_server_that_ends_leaves_no_dead_card_and_the_next_one_is_answered(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    model.scripts["one"] = [escalated("touch one")]
    model.scripts["two"] = [escalated("touch two")]
    allow_all_tools(codex)
    with attached_desk(root, codex) as desk:
        with CodexServer(codex) as server, server.tui() as tui:
            tui.say("please SCN:one")
            first = desk.wait_request(kind="permission", agent="codex", tool="Bash")
            tui.wait_for(PROMPT)
        assert desk.wait_state(first, "withdrawn")["reason"] == "cut_off"
        with CodexServer(codex) as server, server.tui() as tui:
            tui.say("please SCN:two")
            second = desk.wait_request(2)
            tui.wait_for(PROMPT)
            desk.allow(second)
            desk.wait_state(second, "confirmed")
            tui.wait_for("DONE two")
    assert (codex.project / "two").exists()
