"""The desk goes away while hooks wait: crash, restart, stop; and what observers leave meanwhile."""

from __future__ import annotations

import json
import uuid
from typing import Any

from tests.desks import sample
from tests.intake.conftest import Stage
from tests.standin import Hook

UNDECIDED = (0, b"", b"")
ALLOWED = b'{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}\n'


def bash(session_id: str = "", **changes: Any) -> dict[str, Any]:
    return sample("PermissionRequest.Bash", session_id=session_id or str(uuid.uuid4()), **changes)


def done(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the event of an asked call that ran."""
    return sample("PostToolUse.Bash", session_id=asked["session_id"], tool_input=asked["tool_input"])


def ask(stage: Stage, *payloads: dict[str, Any]) -> list[tuple[Hook, str]]:
    """Start hooks one after the other; return each with its request's id."""
    asked: list[tuple[Hook, str]] = []
    with stage.watch() as watcher:
        for payload in payloads:
            hook = stage.agent.hook(payload)
            known = {request_id for _, request_id in asked}
            card = watcher.until(
                lambda r, known=known: r["state"] == "pending" and r["id"] not in known  # pyright: ignore[reportUnknownLambdaType]
            )
            asked.append((hook, card["id"]))
    return asked


def test_case_09_after_a_crash_the_card_is_back_under_its_id(stage: Stage) -> None:
    stage.up()
    payload = bash()
    ((hook, request_id),) = ask(stage, payload)
    stage.home.kill()
    assert stage.home.flag(payload["session_id"]).is_file()
    assert hook.is_running()
    stage.up()
    with stage.watch() as watcher:
        assert watcher.pending(payload["session_id"])["id"] == request_id
        watcher.answer(request_id, behavior="allow")
        assert hook.result() == (0, ALLOWED, b"")
        watcher.state(request_id, "delivered")


def test_case_09_twice_and_many_at_once(stage: Stage) -> None:
    stage.up()
    asked = ask(stage, *(bash(tool_input={"command": f"echo {number}"}) for number in range(5)))
    for _ in range(2):
        stage.home.kill()
        stage.up()
        with stage.watch() as watcher:
            for _, request_id in asked:
                watcher.state(request_id, "pending")
    with stage.watch() as watcher:
        for hook, request_id in reversed(asked):
            watcher.answer(request_id, behavior="allow")
            assert hook.result() == (0, ALLOWED, b"")


def test_a_restart_says_nothing_to_the_hooks(stage: Stage) -> None:
    stage.up()
    payload = bash()
    ((hook, request_id),) = ask(stage, payload)
    restarted = stage.home.sayso("restart", "--no-http", "--agents-only", str(stage.agent.pid))
    assert (restarted.returncode, restarted.stderr) == (0, "")
    assert stage.home.wait() == 0
    with stage.watch() as watcher:
        assert watcher.pending(payload["session_id"])["id"] == request_id
        watcher.answer(request_id, behavior="allow")
    assert hook.result() == (0, ALLOWED, b"")
    assert stage.home.sayso("stop").returncode == 0


def test_a_restart_leaves_the_flags(stage: Stage) -> None:
    stage.up()
    # A background agent's: nothing else would keep its flag up once the request is over.
    payload = sample("PermissionRequest.subagent")
    with stage.watch() as watcher:
        watcher.be_there()
        stage.agent.hook(payload)
        watcher.pending(payload["session_id"])
        watcher.call("desk.stop", restart=True)
        stage.home.wait()
    assert stage.home.flag(payload["session_id"]).is_file()


def test_stop_gives_everything_back(stage: Stage) -> None:
    stage.up()
    first, second = bash(), bash()
    (hook, _), (turned_down, _) = ask(stage, first, second)
    turned_down.terminate()
    with stage.watch() as watcher:
        watcher.until(lambda r: r["session_id"] == second["session_id"] and r["state"] == "withdrawn")
    stopped = stage.home.sayso("stop")
    assert (stopped.returncode, stopped.stderr) == (0, "")
    assert hook.result() == UNDECIDED
    stage.home.wait()
    assert not stage.home.places.socket.exists()
    assert list(stage.home.places.flags.iterdir()) == []


def test_who_can_show_nothing_meanwhile_waits_five_seconds_at_most(stage: Stage) -> None:
    stage.up()
    payload = sample("PermissionRequest.subagent")
    with stage.watch() as watcher:
        watcher.be_there()
        hook = stage.agent.hook(payload)
        watcher.pending(payload["session_id"])
    # Whoever watched has gone: it is given back at once; with a crash it would be after a while.
    assert hook.result() == UNDECIDED
    with stage.watch() as watcher:
        watcher.be_there()
        hook = stage.agent.hook(payload)
        watcher.pending(payload["session_id"])
        stage.home.kill()
        assert hook.is_running()
        assert hook.result() == UNDECIDED


def test_who_watched_before_the_crash_is_waited_for(stage: Stage) -> None:
    stage.up()
    payload = sample("PermissionRequest.subagent")
    with stage.watch() as watcher:
        watcher.be_there()
        hook = stage.agent.hook(payload)
        request_id = watcher.pending(payload["session_id"])["id"]
        stage.home.kill()
    stage.up()
    with stage.watch() as watcher:
        watcher.state(request_id, "pending")
        watcher.be_there()
        watcher.answer(request_id, behavior="allow")
        assert hook.result() == (0, ALLOWED, b"")


# --- the journal -------------------------------------------------------------------------------


def lines(stage: Stage, session_id: str) -> list[dict[str, Any]]:
    text = stage.home.flag(session_id).read_text(encoding="ascii")
    return [json.loads(line) for line in text.splitlines()]


def test_case_09_what_the_terminal_settled_meanwhile_does_not_come_back(stage: Stage) -> None:
    stage.up()
    payload = bash()
    ((hook, request_id),) = ask(stage, payload)
    stage.home.kill()
    assert stage.agent.hook(done(payload)).result() == UNDECIDED
    (line,) = lines(stage, payload["session_id"])
    assert (line["type"], len(line["digest"])) == ("post-tool-use", 64)
    stage.up()
    assert hook.result() == UNDECIDED
    with stage.watch() as watcher:
        found = watcher.state(request_id, "withdrawn")
        assert found["reason"] == "tool_ran"


def test_the_journal_holds_no_content(stage: Stage) -> None:
    stage.up()
    payload = bash(tool_input={"command": "touch secret-file"}, cwd="/secret-folder")
    ask(stage, payload)
    stage.home.kill()
    prompt = sample("UserPromptSubmit", session_id=payload["session_id"], prompt="secret-words")
    for event in (done(payload), prompt, sample("Stop", session_id=payload["session_id"])):
        assert stage.agent.hook({**event, "cwd": "/secret-folder"}).result() == UNDECIDED
    assert [line["type"] for line in lines(stage, payload["session_id"])] == [
        "post-tool-use",
        "user-prompt-submit",
        "stop",
    ]
    assert "secret" not in stage.home.flag(payload["session_id"]).read_text(encoding="ascii")


def test_a_line_of_the_journal_counts_once(stage: Stage) -> None:
    """Of two equal calls one ran: the older one is settled, however many hooks bring the line along."""
    stage.up()
    payload = bash()
    (first, first_id), (second, second_id) = ask(stage, payload, payload)
    stage.home.kill()
    assert stage.agent.hook(done(payload)).result() == UNDECIDED
    stage.up()
    with stage.watch() as watcher:
        watcher.until(lambda _: len(watcher.requests) == 2)
        settled = watcher.until(lambda r: r["state"] == "withdrawn")
        (left,) = {first_id, second_id} - {settled["id"]}
        assert watcher.requests[left]["state"] == "pending"
        watcher.answer(left, behavior="allow")
    results = {first_id: first.result(), second_id: second.result()}
    assert results == {settled["id"]: UNDECIDED, left: (0, ALLOWED, b"")}


def test_a_torn_line_is_passed_over(stage: Stage) -> None:
    stage.up()
    payload = bash()
    ((hook, request_id),) = ask(stage, payload)
    stage.home.kill()
    assert stage.agent.hook(done(payload)).result() == UNDECIDED
    flag = stage.home.flag(payload["session_id"])
    line = flag.read_bytes()
    flag.write_bytes(b"\xff\x00\n" + line[:20] + b"\n{}\n" + line)
    stage.up()
    assert hook.result() == UNDECIDED
    with stage.watch() as watcher:
        watcher.state(request_id, "withdrawn")


def test_without_a_flag_nothing_is_written(stage: Stage) -> None:
    stage.up()
    stage.home.kill()
    for name in ("Stop", "PostToolUse.Bash", "SessionEnd"):
        assert stage.agent.hook(sample(name)).result() == UNDECIDED
    assert list(stage.home.places.flags.iterdir()) == []


def test_a_flag_that_is_a_link_is_not_followed(stage: Stage) -> None:
    stage.up()
    stage.home.kill()
    target = stage.home.path / "target"
    target.touch()
    stage.home.flag("linked").symlink_to(target)
    assert stage.agent.hook(sample("Stop", session_id="linked")).result() == UNDECIDED
    assert target.read_bytes() == b""


def test_a_journal_does_not_grow_for_ever(stage: Stage) -> None:
    stage.up()
    stage.home.kill()
    flag = stage.home.flag("long")
    flag.write_bytes(b"x" * (1 << 20))
    assert stage.agent.hook(sample("Stop", session_id="long")).result() == UNDECIDED
    assert flag.stat().st_size == 1 << 20
