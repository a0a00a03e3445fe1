"""Errors: what each is called on every wire, and what else it tells a program."""

from __future__ import annotations

import pytest

from sayso.errors import (
    BadReply,
    BadRequest,
    Gone,
    NotRunning,
    NotSeen,
    OutOfTurn,
    Refused,
    SaysoError,
    TooLarge,
    Unauthorized,
    Unavailable,
    UnknownMethod,
)


@pytest.mark.parametrize(
    ("error", "code", "status", "rpc"),
    [
        (SaysoError("x"), "error", 500, -32000),
        (BadRequest("x"), "bad_request", 400, -32602),
        (BadReply("x"), "bad_request", 400, -32602),
        (OutOfTurn("x"), "bad_request", 400, -32602),
        (NotSeen("x"), "not_seen", 400, -32602),
        (UnknownMethod("x"), "unknown_method", 404, -32601),
        (Unauthorized("x"), "unauthorized", 401, -32003),
        (Refused("x"), "refused", 403, -32004),
        (NotRunning("x"), "session_not_running", 404, -32002),
        (Gone("x"), "request_gone", 409, -32001),
        (TooLarge("x"), "too_large", 413, -32005),
        (Unavailable("x"), "unavailable", 503, -32006),
    ],
)
def test_what_an_error_is_called(error: SaysoError, code: str, status: int, rpc: int) -> None:
    assert (error.code, error.status, error.rpc) == (code, status, rpc)
    assert (error.text, str(error), error.data) == ("x", "x", {})


def test_what_else_it_tells() -> None:
    assert BadReply("x", "answers").data == {"field": "answers"}
    assert Gone("x", "expired").data == {"state": "expired"}
