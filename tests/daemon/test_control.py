"""The control socket: lines of every sort, many calls on one connection, streams, and who may do what."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

import pytest

from sayso.wire.chunks import join
from sayso.wire.protocol import MAX_CHUNK_BYTES, MAX_LINE_BYTES, METHODS, Power
from tests.daemon.stage import ASK, Peer, desk

MALFORMED = {
    "text": b"hello\n",
    "no object": b"[]\n",
    "no method": b"{}\n",
    "a strange id": b'{"id": [], "method": "desk.list"}\n',
    "a strange method": b'{"id": 1, "method": {}}\n',
    "cut off": b'{"id": 1, "method": "desk.li\n',
    "not UTF-8": b"\xff\xfe\x80\n",
    "UTF-16": '{"method":"desk.list"}'.encode("utf-16-le") + b"\n",
    "NUL": b"\x00\x00\n",
    "deep": b"[" * 100_000 + b"\n",
    "deep objects": b'{"a":' * 100_000 + b"\n",
    "half a surrogate pair": b'{"id": 1, "method": "\\ud800"}\n',
    "parameters in the wrong form": b'{"id": 1, "method": "desk.list", "params": []}\n',
    "no parameters": b'{"id": 1, "method": "desk.answer", "params": null}\n',
    "deep parameters": b'{"id": 1, "method": "desk.list", "params": {"a":'
    + b"[" * 900
    + b"]" * 900
    + b"}}\n",
    "an unknown method": b'{"id": 1, "method": "desk.dance"}\n',
    "an ask of nothing": b'{"id": 1, "method": "agent.request"}\n',
    "an ask that is a list": b'{"id": 1, "method": "agent.request", "params": []}\n',
    "an event of nothing": b'{"id": 1, "method": "agent.event", "params": {"type": "stop"}}\n',
    "a snapshot": b'{"id": 1, "method": "desk.answer", "params": {"id": "x", "reply": {"surprise": 1}}}\n',
}


@pytest.mark.parametrize("name", MALFORMED)
async def test_a_malformed_line_gets_an_error_and_nothing_else_happens(name: str) -> None:
    async with desk() as stage:
        peer = await stage.peer()
        peer.send(MALFORMED[name])
        if name == "deep parameters":
            assert "result" in await peer.receive()  # deep, but harmless
        else:
            answer = await peer.receive()
            assert isinstance(answer["error"], str)
            assert "jsonrpc" not in answer
        health = await peer.call("desk.health")
        assert (health["ok"], health["pending"], health["totals"]) == (True, 0, {})


async def test_who_speaks_json_rpc_gets_errors_as_objects() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        error = await peer.error("desk.dance")
        assert error == {
            "code": -32601,
            "message": "there is no method desk.dance",
            "data": {"code": "unknown_method", "status": 404},
        }
        error = await peer.error("desk.answer", {"id": "0" * 32, "reply": {"behavior": "allow"}})
        assert (error["code"], error["data"]["code"]) == (-32001, "request_gone")
        peer.send(b'{"jsonrpc": "2.0", "id": "seven"}\n')
        answer = await peer.receive()
        assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", "seven", -32602)


async def test_a_notification_is_not_answered() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        peer.send(b'{"jsonrpc": "2.0", "method": "desk.list"}\n{"jsonrpc": "2.0", "method": "desk.dance"}\n')
        peer.send(b'{"method": "desk.sessions"}\n')  # not JSON-RPC: it is answered
        assert await peer.receive() == {"id": None, "result": {"sessions": []}}
        assert (await peer.call("desk.health"))["ok"]
        assert peer.pushed == []


async def test_a_line_may_come_in_pieces_and_several_at_once() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        line = b'{"id": 1, "method": "desk.sessions"}\n'
        for byte in line:
            peer.send(bytes([byte]))
            await peer.writer.drain()
        peer.send(b"\n \r\n" + line + line)
        for _ in range(3):
            assert await peer.receive() == {"id": 1, "result": {"sessions": []}}


@pytest.mark.parametrize("end", [b"", b"\n"])
async def test_a_line_of_more_than_a_megabyte_is_an_error_and_the_end(end: bytes) -> None:
    async with desk() as stage:
        peer, other = await stage.peer(), await stage.peer()
        peer.send(b'{"id": 1, "method": "desk.list", "params": {"x": "' + b"x" * MAX_LINE_BYTES + end)
        answer = await peer.receive()
        assert (answer["id"], str(MAX_LINE_BYTES) in answer["error"]) == (None, True)
        assert await peer.is_closed()
        assert (await other.call("desk.health"))["ok"]


async def test_a_line_of_just_a_megabyte_is_read() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        line = json.dumps({"id": 1, "method": "desk.sessions", "params": {}}).encode()
        peer.send(line + b" " * (MAX_LINE_BYTES - len(line)) + b"\n")
        assert await peer.receive() == {"id": 1, "result": {"sessions": []}}


# --- many calls on one connection --------------------------------------------------------------


async def test_case_10_calls_on_one_connection_do_not_wait_for_each_other() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        asked: dict[int, str] = {}
        for number in range(5):
            call, request_id = await peer.ask(input=[{"label": "n", "value": str(number)}])
            asked[call] = request_id
        assert len(set(asked.values())) == 5
        assert (await peer.call("desk.health"))["pending"] == 5
        for call, request_id in reversed(asked.items()):
            reply = {"behavior": "deny", "message": request_id}
            answering = peer.post("desk.answer", {"id": request_id, "reply": reply})
            seen: dict[int, Any] = {}
            while len(seen) < 2:
                message = await peer.receive()
                seen[message["id"]] = message["result"]
            assert seen[call] == {"behavior": "deny", "message": request_id}
            assert seen[answering] == {"ok": True, "state": "answered"}


async def test_the_end_of_a_connection_ends_what_it_asked() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        await person.call("desk.subscribe")
        _, request_id = await hook.ask()
        _, another_id = await (await stage.peer()).ask()
        await hook.close()
        over = await person.push("desk.change", lambda change: change["type"] == "resolved")
        assert (over["request"]["id"], over["request"]["state"]) == (request_id, "withdrawn")
        (left,) = (await person.call("desk.list"))["requests"]
        assert left["id"] == another_id


async def test_an_answer_to_a_hook_that_hung_up_in_the_same_moment_harms_nobody() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        _, request_id = await hook.ask()
        hook.writer.transport.abort()
        answer = await person.answer_to(
            person.post("desk.answer", {"id": request_id, "reply": {"behavior": "allow"}})
        )
        assert "error" in answer or answer["result"]["state"] == "answered"
        assert (await person.call("desk.health"))["ok"]


# --- people ------------------------------------------------------------------------------------


async def test_case_29_exclusive_asks_wait_only_while_somebody_watches() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        assert await hook.call("agent.request", {**ASK, "hold": "exclusive"}) == {}
        await person.call("desk.presence", {"present": True})
        assert (await person.call("desk.health"))["watched"]
        call, _ = await hook.ask(hold="exclusive")
        await person.close()
        assert (await hook.answer_to(call))["result"] == {}
        assert not (await hook.call("desk.health"))["watched"]


async def test_case_09_a_stream_begins_with_everything_and_goes_on_in_order() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        _, first = await hook.ask()
        await person.call("desk.subscribe")
        snapshot = (await person.push("desk.change"))["snapshot"]
        assert [request["id"] for request in snapshot["requests"]] == [first]
        _, second = await hook.ask()
        change = await person.push("desk.change", lambda change: change["type"] == "shown")
        assert (change["request"]["id"], change["boot"]) == (second, snapshot["boot"])
        assert change["seq"] > snapshot["seq"]
        after = f"{change['boot']}-{change['seq'] - 1}"
        late = await stage.peer()
        await late.call("desk.subscribe", {"after": after})
        assert (await late.push("desk.change"))["seq"] == change["seq"]
        for strange in ("", "x", "other-1", f"{change['boot']}-999", f"{change['boot']}-x"):
            another = await stage.peer()
            await another.call("desk.subscribe", {"after": strange})
            assert (await another.push("desk.change"))["type"] == "snapshot"


async def test_a_stream_ends_with_its_connection() -> None:
    async with desk() as stage:
        person, other = await stage.peer(), await stage.peer()
        await person.call("desk.subscribe")
        await person.call("desk.subscribe")
        assert (await other.call("desk.health"))["watchers"] == 2
        await person.close()
        while (await other.call("desk.health"))["watchers"]:
            continue  # every turn is a round trip to the desk


async def test_a_long_snapshot_comes_in_pieces() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        for number in range(63):
            await hook.ask(input=[{"label": "Text", "value": f"{number} " + "é" * 9000}])
        await person.call("desk.subscribe")
        pieces: list[dict[str, Any]] = []
        while not pieces or pieces[-1].get("more"):
            line = await asyncio.wait_for(person.reader.readline(), 10)
            assert len(line) <= MAX_CHUNK_BYTES
            pieces.append(json.loads(line)["params"])
        assert len(pieces) > 1
        requests = join(pieces)["snapshot"]["requests"]
        assert [request["input"][0]["value"].split()[0] for request in requests] == [
            str(number) for number in range(63)
        ]
        assert all(len(request["input"][0]["value"]) == 4000 for request in requests)


async def test_who_reads_too_slowly_gets_a_snapshot_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.daemon.changes.KEPT_CHANGES", 5)
    async with desk() as stage:
        slow, hook = await stage.peer(), await stage.peer()
        await slow.call("desk.subscribe")
        await slow.push("desk.change")
        slow.stop_reading()
        last = ""
        for number in range(60):
            value = f"{number} " + "x" * 100_000
            _, last = await hook.ask(session_id=f"s{number}", suggestions=[value])
        slow.go_on_reading()
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["type"] != "snapshot" or seen[-1].get("more"):
            seen.append(await slow.push("desk.change"))
        assert len(seen) < 120
        known = {one["id"] for piece in seen if "snapshot" in piece for one in piece["snapshot"]["requests"]}
        while last not in known:
            change = await slow.push("desk.change")
            known |= {one["id"] for one in change.get("snapshot", {}).get("requests", ())}
            known |= {change["request"]["id"]} if "request" in change else set()
        assert len(known) >= 60


# --- who may do what ---------------------------------------------------------------------------


async def may(peer: Peer, method: str) -> bool:
    answer = await peer.answer_to(peer.post(method, {}, jsonrpc="2.0"))
    return answer.get("error", {}).get("data", {}).get("code") != "refused"


@pytest.fixture
def people() -> list[str]:
    return [name for name, method in METHODS.items() if method.power > Power.ASK and name != "desk.stop"]


async def test_case_51_what_an_agent_starts_may_ask_and_nothing_else(people: list[str]) -> None:

    async with desk(agents_only=frozenset({os.getpid()})) as stage:
        peer = await stage.peer()
        assert [name for name in (*people, "desk.stop") if await may(peer, name)] == []
        error = await peer.error("desk.list")
        assert "open a fresh terminal" in error["message"]
        _, request_id = await peer.ask()
        error = await peer.error("desk.answer", {"id": request_id, "reply": {"behavior": "allow"}})
        assert error["data"]["code"] == "refused"
        assert stage.daemon.runtime.desk.pending_in_all() == 1


async def test_a_persons_program_may_do_everything(people: list[str]) -> None:
    async with desk() as stage:
        peer = await stage.peer()
        assert [name for name in people if not await may(peer, name)] == []


async def test_where_only_paired_devices_answer_the_socket_still_shows(people: list[str]) -> None:
    async with desk() as stage:
        peer = await stage.peer()
        change = {"settings": {"answers_from": "paired"}}
        assert (await peer.error("desk.settings", change))["data"]["field"] == "answers_from"
        await peer.call("desk.devices", {"create": "phone", "power": "admin"})
        await peer.call("desk.settings", change)
        allowed = [name for name in people if await may(peer, name)]
        assert allowed == [name for name in people if METHODS[name].power is Power.SEE]
        assert await peer.call("desk.stop") == {"ok": True}  # an end decides nothing
        assert await peer.is_closed()


async def test_the_desk_takes_nobody_elses_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async with desk() as stage:
        monkeypatch.setattr("sayso.daemon.processes.peer_of", lambda _: (1, 12345))
        assert await (await stage.peer()).is_closed()

        def fail(_: Any) -> tuple[int, int]:
            raise OSError

        monkeypatch.setattr("sayso.daemon.processes.peer_of", fail)
        assert await (await stage.peer()).is_closed()


async def test_a_caller_that_has_ended_may_ask_and_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async with desk() as stage:

        def gone(pid: int) -> str:
            raise ProcessLookupError

        monkeypatch.setattr("sayso.daemon.processes.name_of", gone)
        peer = await stage.peer()
        assert not await may(peer, "desk.list")
        await peer.ask()


# --- the end -----------------------------------------------------------------------------------


async def test_the_end_gives_everything_back() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        call, _ = await hook.ask()
        await person.call("desk.stop")
        assert (await hook.answer_to(call))["result"] == {}
        assert await hook.is_closed()
        assert not stage.flag().exists()


async def test_a_restart_ends_without_a_word() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        await hook.ask()
        await person.call("desk.stop", {"restart": True})
        assert await asyncio.wait_for(hook.reader.read(-1), 10) == b""
        assert stage.flag().is_file()
