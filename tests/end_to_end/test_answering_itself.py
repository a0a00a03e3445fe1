"""What Claude Code's own shell can do about a request that waits: nothing, but for known ways out."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sayso.core.digest import digest
from tests.end_to_end.terminal import DIALOG
from tests.end_to_end.test_http import device

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude, ClaudeTui
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end

Json = dict[str, Any]
TRIES = Path(__file__).parent / "tries.py"
PYTHON = shlex.join([sys.executable, "-I", "-S"])
WAYS = {
    "plain": "{}",
    "setsid": "setsid -w {}",
    "nohup": "nohup {} </dev/null >/dev/null 2>&1 &",
    "background": "( {} ) &",
    "double-fork": "{}",
    "own-tmux": "tmux -S own.sock -f /dev/null new-session -d {}",
}
REFUSED = (
    "answer",
    "release",
    "look",
    "follow",
    "settings",
    "device",
    "message",
    "end",
)
NOT_KNOWN = ("no token", "wrong token", "kept of tokens")
NOT_ITS_OWN = ("tool ran", "turn ended", "new prompt", "session ended", "take")
RECEIPTS = ("written", "not written", "gone")


def needed(desk: Desk) -> dict[str, str]:
    return {name: desk.env[name] for name in ("SAYSO_HOME", "PYTHONPATH", "HOME") if name in desk.env}


def describe(desk: Desk, request: Json, agent: ClaudeTui, project: Path) -> Json:
    """Return what a program of this machine can find out, and more."""
    with desk.connect() as client:
        health = client.call("desk.health", {})
    return {
        "sayso": [sys.executable, "-m", "sayso"],
        "env": needed(desk),
        "socket": str(desk.places.socket),
        "database": str(desk.places.database),
        "http": health["http"],
        "id": request["id"],
        "digest": digest("Write", {"file_path": str(project / "written.txt"), "content": "hello\n"}),
        "other": {"agent": "claude-code", "session_id": request["session_id"]},
        "other_pid": agent.pid,
        "person_pid": os.getpid(),
    }


def shell(fake_model: FakeAnthropic, command: str) -> None:
    """Have the model's shell run this at SCN:sly."""
    fake_model.scripts["sly"] = [
        [{"tool": "Bash", "input": {"command": command, "description": "Answer for the person"}}]
    ]


def every_way(folder: Path) -> str:
    """Return a command that makes every try in every way, and waits until all are done."""
    starts: list[str] = []
    for way, form in WAYS.items():
        words = f"{PYTHON} {shlex.join([str(TRIES), way, str(folder / 'what'), str(folder / way)])}"
        starts.append(form.format(words))
    there = " && ".join(f"[ -e {shlex.quote(str(folder / way))} ]" for way in WAYS)
    return "\n".join(starts) + f"\nuntil {there}; do sleep 0.05; done"


def assert_stopped(told: Json) -> None:
    for name in REFUSED:
        assert told[name] == "refused", (name, told)
    code, _, words = told["command"].partition(" ")
    assert code == "3"
    assert "started from inside an agent" in words
    for name in NOT_KNOWN:
        assert told[name] == "401", (name, told)
    for name in NOT_ITS_OWN:
        assert told[name] == "{}", (name, told)  # heard, and of no effect
    for name in RECEIPTS:
        assert told[name] == "read", (name, told)
    assert told["same id"] == "bad_request"
    for name in ("other agent", "person"):
        assert told[name] == "held", (name, told)  # an ask is everybody's right


def test_case_51_nothing_that_an_agents_shell_starts_decides_or_speaks_for_another(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, root: Path
) -> None:
    folder = root / "tries"
    folder.mkdir()
    shell(fake_model, every_way(folder))
    hooks = desk.hooks(permissions={"allow": ["Bash"]})
    with device(desk, "phone", "answer") as phone, claude.tui(hooks) as first, claude.tui(hooks) as second:
        first.say("please SCN:write")
        request = desk.wait_request(tool="Write")
        with desk.connect() as client:
            message = {"agent": "claude-code", "session_id": request["session_id"], "text": "for you alone"}
            client.call("desk.queue", message)
        (folder / "what").write_text(json.dumps(describe(desk, request, first, claude.project)))
        second.say("please SCN:sly")
        second.wait_for("DONE sly")
        for way in WAYS:
            assert_stopped(json.loads((folder / way).read_text()))
        # Nothing has come of it: it waits, its message too, and the person is the one who decides.
        assert [one["id"] for one in phone.get("/api/agent-requests").json()["requests"]] == [request["id"]]
        desk.wait_message(request["session_id"], "queued")
        assert "away = off" in desk.run("settings", "away")
        assert "mine" not in desk.run("token", "list")
        assert "Claude Code in project" in desk.run("list")
        desk.allow(request)
        assert desk.wait_state(request, "confirmed")["by"]["name"] == "this computer"
        assert desk.states(request)[:2] == ["pending", "answered"]
        assert [one["state"] for one in desk.stream.messages[request["session_id"]]][:2] == [
            "queued",
            "taken",
        ]
        _assert_told(desk, request)
        claims = desk.requests(tool="Sly")
        assert len(claims) == 2 * len(WAYS)
        assert {one.get("confirmed", True) for one in claims} == {False}
        first.wait_for("DONE write")
    assert claude.made("written.txt")


def _assert_told(desk: Desk, request: Json) -> None:
    """The person was told: of the agent that is known, and of a program that left it."""
    known = [one for one in desk.stream.alerts if one.get("agent")]
    assert len(known) == 1
    assert known[0]["agent"] == "claude-code"
    assert known[0]["project"] == "project"
    assert known[0]["session_id"] != request["session_id"]
    assert len([one for one in desk.stream.alerts if not one.get("agent")]) == 1


def test_what_an_agents_shell_says_of_its_own_session_gives_back_and_decides_nothing(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, root: Path
) -> None:
    what, result = root / "what", root / "result"
    script = shlex.join([str(TRIES), "plain", str(what), str(result), "session ended"])
    waiting = f"until [ -s {shlex.quote(str(what))} ]; do sleep 0.05; done; {PYTHON} {script}"
    agent = {"description": "Write", "prompt": "Please SCN:write", "subagent_type": "general-purpose"}
    fake_model.scripts["sly"] = [
        [{"tool": "Agent", "input": agent}],
        [{"tool": "Bash", "input": {"command": waiting, "description": "Speak for itself"}}],
    ]
    with desk.somebody_watching(), claude.tui(desk.hooks(permissions={"allow": ["Bash"]})) as tui:
        tui.say("please SCN:sly")
        request = desk.wait_request(tool="Write")
        draft = what.with_suffix(".draft")
        draft.write_text(json.dumps(describe(desk, request, tui, claude.project)))
        draft.rename(what)
        assert desk.wait_state(request, "withdrawn")["reason"] == "session_ended"
        tui.wait_for(DIALOG)  # the agent asks its person
        assert not claude.made("written.txt")


# --- the ways out -------------------------------------------------------------------------

OUT = {
    "tmux run-shell": "tmux run-shell {}",
    "tmux send-keys": "tmux new-window -d -n sly /bin/sh && tmux send-keys -t sly {} Enter",
    "env -i, double fork": "env -i PATH=/usr/bin:/bin setsid -f sh -c {}",
}


def escape(desk: Desk, form: str, request: Json, result: Path) -> str:
    """Return a command that answers from outside of the agent's ancestry, and waits until it has."""
    env = " ".join(f"{name}={shlex.quote(value)}" for name, value in needed(desk).items())
    program = f"env {env} {shlex.join([sys.executable, '-m', 'sayso', 'allow', request['id']])}"
    there = shlex.quote(str(result))
    inner = f"{program} > {there}.draft 2>&1; echo ended with $? >> {there}.draft; mv {there}.draft {there}"
    return form.format(shlex.quote(inner)) + f"\nuntil [ -e {there} ]; do sleep 0.05; done"


@pytest.mark.parametrize("way", OUT)
def test_what_leaves_the_agents_ancestry_and_its_marks_is_taken_for_a_person(
    way: str, desk: Desk, claude: Claude, fake_model: FakeAnthropic, root: Path
) -> None:
    # Not how it should be: it is what SECURITY.md says cannot be stopped, and this keeps it true.
    hooks = desk.hooks(permissions={"allow": ["Bash"]})
    with claude.tui(hooks) as first, claude.tui(hooks) as second:
        first.say("please SCN:write")
        request = desk.wait_request(tool="Write")
        shell(fake_model, escape(desk, OUT[way], request, root / "result"))
        second.say("please SCN:sly")
        second.wait_for("DONE sly")
        assert "ended with 0" in (root / "result").read_text()
        confirmed = desk.wait_state(request, "confirmed")
        assert confirmed["by"]["channel"] == "cli"
        assert desk.stream.alerts == []


def test_where_paired_devices_alone_answer_the_ways_out_lead_nowhere(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, root: Path
) -> None:
    hooks = desk.hooks(permissions={"allow": ["Bash"]})
    with device(desk, "phone", "admin") as phone, claude.tui(hooks) as first, claude.tui(hooks) as second:
        desk.run("settings", "answers_from", "paired")
        first.say("please SCN:write")
        request = desk.wait_request(tool="Write")
        results = [root / f"result{number}" for number in range(len(OUT))]
        commands = [
            escape(desk, form, request, result) for form, result in zip(OUT.values(), results, strict=True)
        ]
        shell(fake_model, "\n".join(commands))
        second.say("please SCN:sly")
        second.wait_for("DONE sly")
        for result in results:
            assert "only paired devices may answer here" in result.read_text()
        # Nor can this computer's own programs change that; the device can answer, and can.
        assert "only paired devices" in desk.run("settings", "answers_from", "local", code=3)
        answer = phone.post(f"/api/agent-requests/{request['id']}/answer", json={"behavior": "allow"})
        assert answer.json() == {"ok": True, "state": "answered"}
        desk.wait_state(request, "confirmed")
        changed = phone.put("/api/agent-requests/settings", json={"answers_from": "local"})
        assert changed.json()["answers_from"] == "local"
        assert "answers_from = local" in desk.run("settings", "answers_from")
