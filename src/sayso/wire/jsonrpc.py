"""Lines of the control socket, sans I/O: bytes to calls, answers to bytes.

`{id, method, params}` in, `{id, result}` out. A caller that says `"jsonrpc": "2.0"` gets
errors as objects, any other as a plain string, which document 001's clients expect.
Imports msgspec and `errors`.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from sayso.errors import BadRequest, SaysoError, TooLarge
from sayso.wire.protocol import MAX_LINE_BYTES

T = TypeVar("T")


VERSION = "2.0"


class Call(Struct, frozen=True, kw_only=True):
    """One line from a caller."""

    method: str
    params: msgspec.Raw = msgspec.Raw(b"{}")
    id: int | str | None = None
    jsonrpc: str = ""

    @property
    def notifies(self) -> bool:
        """Whether the caller expects no answer; who does not speak JSON-RPC 2.0 always gets one."""
        return self.jsonrpc == VERSION and self.id is None


class _Sender(Struct, frozen=True, kw_only=True):
    id: Any = None
    jsonrpc: Any = ""


class Lines:
    """Cuts a stream of bytes into lines.

    Raises TooLarge from `feed` once a line is longer than the wire allows; the
    connection is of no use after that.
    """

    __slots__ = ("_limit_bytes", "_rest")

    def __init__(self, limit_bytes: int = MAX_LINE_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._rest = bytearray()

    @property
    def unfinished_bytes(self) -> int:
        """How much is kept of a line that has not ended."""
        return len(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the whole lines that are there now, without their ends."""
        start = len(self._rest)
        self._rest += data
        if self._rest.find(b"\n", start) < 0:
            self._check(len(self._rest))
            return []
        *lines, rest = bytes(self._rest).split(b"\n")
        for line in (*lines, rest):
            self._check(len(line))
        self._rest = bytearray(rest)
        return [line for line in lines if line.strip()]

    def _check(self, size_bytes: int) -> None:
        if size_bytes > self._limit_bytes:
            raise TooLarge(f"a line has at most {self._limit_bytes} bytes")


_CALL = msgspec.json.Decoder(Call)
_SENDER = msgspec.json.Decoder(_Sender)
_ENCODER = msgspec.json.Encoder()


def decode_call(line: bytes) -> Call:
    """Return the call of a line. Raises BadRequest for anything else."""
    try:
        return _CALL.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if _SURROGATE in line.lower() and (mended := _mended(line)) != line:
            return decode_call(mended)
        raise BadRequest(f"not a call: {error}") from None


_SURROGATE = b"\\ud"


_LONE = re.compile("[\ud800-\udfff]")


def _mended(line: bytes) -> bytes:
    """Return a line without halves of characters, which programs send that cut a text between two."""
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return _LONE.sub("\N{REPLACEMENT CHARACTER}", text).encode()


def sender_of(line: bytes) -> Call:
    """Return as much of a line that is no call as is needed to answer it in the sender's way."""
    try:
        found = _SENDER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Call(method="")
    name = found.id if isinstance(found.id, int | str) and not isinstance(found.id, bool) else None
    return Call(method="", id=name, jsonrpc=found.jsonrpc if found.jsonrpc == VERSION else "")


def decode_params(params: msgspec.Raw | bytes, type_: type[T]) -> T:
    """Return parameters of a type. Raises BadRequest, naming the field at fault."""
    try:
        return msgspec.json.decode(params, type=type_)
    except msgspec.ValidationError as error:
        raise bad_field(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(f"not JSON: {error}") from None


def convert(value: Any, type_: type[T]) -> T:
    """Return a value made of JSON's own types as a type. Raises BadRequest."""
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        raise bad_field(error) from None


def bad_field(error: msgspec.ValidationError) -> BadRequest:
    """Return a BadRequest that names the field a validation error is about."""
    text, _, path = str(error).partition(" - at `$")
    field = path.rstrip("`").lstrip(".")
    return BadRequest(f"{text} ({field})" if field else text, field)


def encode(value: Any) -> bytes:
    """Return a value as one line."""
    return _ENCODER.encode(value) + b"\n"


def encode_result(call: Call, result: Any) -> bytes:
    if call.jsonrpc == VERSION:
        return encode({"jsonrpc": VERSION, "id": call.id, "result": result})
    return encode({"id": call.id, "result": result})


def encode_error(call: Call, error: SaysoError) -> bytes:
    """Return the line that tells of an error, in the form the caller reads."""
    if call.jsonrpc != VERSION:
        return encode({"id": call.id, "error": error.text})
    data = {"code": error.code, "status": error.status, **error.data}
    body = {"code": error.rpc, "message": error.text, "data": data}
    return encode({"jsonrpc": VERSION, "id": call.id, "error": body})


def encode_push(method: str, params: Any) -> bytes:
    return encode({"method": method, "params": params})
