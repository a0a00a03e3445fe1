"""Lines of the control socket: cut out of bytes, read as calls, answered in the caller's form."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import HookEvent
from sayso.errors import BadReply, BadRequest, Gone, SaysoError, TooLarge
from sayso.wire import jsonrpc
from sayso.wire.jsonrpc import Call, Lines
from sayso.wire.protocol import MAX_LINE_BYTES, IdParams, SubscribeParams

# --- lines -------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b" "))), st.data())
def test_however_the_bytes_come_the_lines_are_the_same(lines: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    cutter = Lines()
    found = [line for piece in pieces for line in cutter.feed(piece)]
    assert found == [line for line in lines if line.strip()]


def test_a_line_of_exactly_the_limit_is_one() -> None:
    assert Lines().feed(b"x" * MAX_LINE_BYTES + b"\n") == [b"x" * MAX_LINE_BYTES]


@pytest.mark.parametrize("end", [b"", b"\n", b"\ny\n"])
def test_a_longer_one_is_refused_whether_it_has_ended_or_not(end: bytes) -> None:
    with pytest.raises(TooLarge, match=str(MAX_LINE_BYTES)):
        Lines().feed(b"x" * (MAX_LINE_BYTES + 1) + end)


def test_it_is_refused_as_soon_as_it_is_too_long() -> None:
    lines = Lines(limit_bytes=10)
    assert lines.feed(b"12345") == []
    assert lines.feed(b"67890") == []
    with pytest.raises(TooLarge):
        lines.feed(b"1")


def test_the_rest_behind_a_line_counts_too() -> None:
    with pytest.raises(TooLarge):
        Lines(limit_bytes=4).feed(b"ok\n12345")


# --- calls -------------------------------------------------------------------------------------


def test_a_call() -> None:
    call = jsonrpc.decode_call(b'{"id": 7, "method": "desk.list", "params": {"a": 1}, "more": null}')
    assert (call.id, call.method, bytes(call.params), call.jsonrpc) == (7, "desk.list", b'{"a": 1}', "")
    assert not call.notifies


@pytest.mark.parametrize(
    ("line", "notifies"),
    [
        (b'{"method": "m"}', False),
        (b'{"method": "m", "jsonrpc": "2.0"}', True),
        (b'{"method": "m", "jsonrpc": "2.0", "id": "x"}', False),
        (b'{"method": "m", "jsonrpc": "1.0"}', False),
    ],
)
def test_who_expects_no_answer(line: bytes, notifies: bool) -> None:
    assert jsonrpc.decode_call(line).notifies is notifies


MALFORMED = [
    b"hello",
    b"[]",
    b"null",
    b"{}",
    b'{"id": 1}',
    b'{"id": 1.5, "method": "m"}',
    b'{"id": {}, "method": "m"}',
    b'{"method": 3}',
    b'{"method": "m"',
    b'{"method": "m"} trailing',
    b'{"method": "\xff"}',
    b'{"method": "m", "jsonrpc": 2.0}',
    b"[" * 10_000,
    b'{"a":' * 10_000,
    b"\x00",
    b"NaN",
]


@pytest.mark.parametrize("line", MALFORMED)
def test_what_is_no_call_is_a_bad_request(line: bytes) -> None:
    with pytest.raises(BadRequest, match="not a call"):
        jsonrpc.decode_call(line)


@pytest.mark.parametrize(
    ("line", "name", "version"),
    [
        (b"hello", None, ""),
        (b'{"id": 7}', 7, ""),
        (b'{"id": "x", "jsonrpc": "2.0"}', "x", "2.0"),
        (b'{"id": true, "jsonrpc": "2.0"}', None, "2.0"),
        (b'{"id": [1], "jsonrpc": 2}', None, ""),
        (b"[" * 10_000, None, ""),
        (b'{"id": 7, "method": "\xff"}', 7, ""),
    ],
)
def test_even_so_its_sender_is_answered_in_its_own_way(line: bytes, name: Any, version: str) -> None:
    sender = jsonrpc.sender_of(line)
    assert (sender.id, sender.jsonrpc) == (name, version)


# --- parameters --------------------------------------------------------------------------------


def test_parameters() -> None:
    assert jsonrpc.decode_params(msgspec.Raw(b'{"id": "a"}'), IdParams) == IdParams(id="a")
    assert jsonrpc.convert({"id": "a"}, IdParams) == IdParams(id="a")
    assert jsonrpc.convert({}, SubscribeParams) == SubscribeParams()


@pytest.mark.parametrize(
    ("params", "field"),
    [
        (b'{"agent": "a", "session_id": "s", "type": "stop", "at_s": "x"}', "at_s"),
        (b'{"agent": "a", "session_id": "s", "type": "nonsense", "at_s": 1}', "type"),
        (b'{"agent": "a", "session_id": "s", "type": "stop", "at_s": 1, "responses": [1]}', "responses[0]"),
        (b'{"agent": "a", "type": "stop", "at_s": 1}', ""),
        (b"[]", ""),
        (b"null", ""),
    ],
)
def test_the_field_at_fault_is_named(params: bytes, field: str) -> None:
    with pytest.raises(BadRequest) as caught:
        jsonrpc.decode_params(params, HookEvent)
    assert caught.value.field == field
    assert field in caught.value.text
    with pytest.raises(BadRequest) as same:
        jsonrpc.convert(json.loads(params), HookEvent)
    assert same.value.field == field


@pytest.mark.parametrize("params", [b"", b"{", b"\xff", b'{"id": "\\ud800"}', b"[" * 10_000])
def test_parameters_that_are_no_json(params: bytes) -> None:
    with pytest.raises(BadRequest):
        jsonrpc.decode_params(params, IdParams)


# --- answers -----------------------------------------------------------------------------------

PLAIN = Call(method="m", id=1)
STRICT = Call(method="m", id="x", jsonrpc="2.0")


def test_results() -> None:
    assert jsonrpc.encode_result(PLAIN, {"ok": True}) == b'{"id":1,"result":{"ok":true}}\n'
    assert jsonrpc.encode_result(STRICT, {}) == b'{"jsonrpc":"2.0","id":"x","result":{}}\n'
    odd = Call(method="m", id=2, jsonrpc="1.0")
    assert jsonrpc.encode_result(odd, {}) == b'{"id":2,"result":{}}\n'


def test_an_error_is_a_string_for_who_does_not_speak_json_rpc() -> None:
    assert jsonrpc.encode_error(PLAIN, Gone("it is over", "expired")) == b'{"id":1,"error":"it is over"}\n'
    assert jsonrpc.encode_error(Call(method=""), BadRequest("no")) == b'{"id":null,"error":"no"}\n'


@pytest.mark.parametrize(
    ("error", "body"),
    [
        (
            Gone("over", "expired"),
            {
                "code": -32001,
                "message": "over",
                "data": {"code": "request_gone", "status": 409, "state": "expired"},
            },
        ),
        (
            BadReply("no", "answers"),
            {
                "code": -32602,
                "message": "no",
                "data": {"code": "bad_request", "status": 400, "field": "answers"},
            },
        ),
        (SaysoError("?"), {"code": -32000, "message": "?", "data": {"code": "error", "status": 500}}),
    ],
)
def test_an_error_is_an_object_for_who_does(error: SaysoError, body: dict[str, Any]) -> None:
    line = jsonrpc.encode_error(STRICT, error)
    assert json.loads(line) == {"jsonrpc": "2.0", "id": "x", "error": body}
    assert line.endswith(b"}\n")


def test_a_push_has_no_id() -> None:
    assert jsonrpc.encode_push("agent.pending", {"id": "a"}) == (
        b'{"method":"agent.pending","params":{"id":"a"}}\n'
    )


@given(st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_whatever_is_sent_is_one_line(value: Any) -> None:
    line = jsonrpc.encode(value)
    assert (line.count(b"\n"), line[-1:]) == (1, b"\n")
    assert json.loads(line) == value


# --- halves of characters --------------------------------------------------------------


def test_half_a_character_becomes_the_sign_for_one_that_cannot_be_shown() -> None:
    line = rb'{"id":1,"method":"m","params":{"a":"\ud83d x","b":"\ud83d\ude00","n":1.50}}'
    assert msgspec.json.decode(jsonrpc.decode_call(line).params) == {
        "a": "\ufffd x",
        "b": "\U0001f600",
        "n": 1.5,
    }


@pytest.mark.parametrize(
    "line",
    [rb'{"id":1,"method":"\ud83d', rb'{"id":1,"method":7,"params":{"a":"\ud83d"}}', rb'["\ud83d"]'],
)
def test_what_is_no_call_besides_is_refused(line: bytes) -> None:
    with pytest.raises(BadRequest, match="not a call"):
        jsonrpc.decode_call(line)
