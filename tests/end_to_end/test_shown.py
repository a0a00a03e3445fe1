"""What is shown of a request, and that what runs is the whole of it, to the letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


def test_a_secret_is_masked_on_the_card_and_whole_in_what_runs(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    command = f"printf %s {TOKEN} > {claude.project}/token; echo 'grün 👩‍💻' > {claude.project}/text"
    call = {"tool": "Bash", "input": {"command": command, "description": f"Keep {TOKEN}"}}
    fake_model.scripts["secret"] = [[call]]
    with claude.tui(desk.hooks(), env={"LANG": "C", "LC_ALL": "C"}) as tui:
        tui.say(f"please SCN:secret with {TOKEN}")
        request = desk.wait_request()
        assert TOKEN not in str(request)
        assert "grün 👩‍💻" in request["input"][0]["value"]
        assert request["input"][0]["hidden"] == [len(TOKEN) - len("ghp_")]
        for shown in (desk.run("show", request["id"]), desk.run("list"), desk.run("sessions")):
            assert TOKEN not in shown
        assert TOKEN not in desk.allow(request)
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE secret")
    assert (claude.project / "token").read_text() == TOKEN
    assert (claude.project / "text").read_text() == "grün 👩‍💻\n"
    kept = b"".join(p.read_bytes() for p in desk.places.run.parent.rglob("*") if p.is_file())
    assert TOKEN.encode() not in kept


def test_case_43_a_long_command_is_read_to_its_end_before_it_is_allowed(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    lines = "".join(f"# line {number}\n" for number in range(1000))
    command = f"{lines}touch {claude.project}/touched"
    fake_model.scripts["long"] = [[{"tool": "Bash", "input": {"command": command}}]]
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:long")
        request = desk.wait_request()
        listed = request["input"][0]
        assert len(listed["value"]) < listed["length"] == len(command)
        assert f"touch {claude.project}/touched" in desk.allow(request)  # it shows all of it first
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE long")
    assert claude.made("touched")


def test_a_megabyte_is_allowed_only_unseen_and_is_written_to_the_letter(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    content = "".join(f'{number} "ünder" \\ \u2028 \t 👩‍💻\n' for number in range(35_000))
    path = claude.project / "large.txt"
    assert len(content.encode()) > 1_000_000
    call = {"tool": "Write", "input": {"file_path": str(path), "content": content}}
    fake_model.scripts["large"] = [[call]]
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:large")
        request = desk.wait_request(tool="Write")
        (shown,) = [row for row in request["input"] if row["label"] == "Content"]
        assert shown["length"] == len(content)
        assert "--unseen" in desk.allow(request, code=2)
        assert desk.states(request) == ["pending"]
        desk.allow(request, "--unseen")
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE large")
    assert path.read_text() == content


def test_a_tool_of_an_mcp_server_and_its_suggestion(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks(), mcp=True) as tui:
        tui.say("please SCN:elicitation")
        request = desk.wait_request(kind="permission", tool="mcp__lab__ask")
        assert request["input"][0] == {"label": "MCP server", "value": "lab"}
        desk.allow(request, "--suggestion", "1")
        form = desk.wait_request(kind="elicitation")
        desk.answer(form, "--decline")
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE elicitation")
    assert told.result(fake_model, "elicitation")["text"] == 'form: {"action": "decline"}'
    assert "mcp__lab__ask" in (claude.project / ".claude/settings.local.json").read_text()
