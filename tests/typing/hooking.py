"""A program that answers hooks in every way. It is never run: a type checker reads it, strictly."""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, assert_type

from sayso.hook_server import (
    BadReply,
    Ending,
    HookEvent,
    HookResponse,
    HookServer,
    UnsafeFolder,
    UrlFileInUse,
    blocking,
)

assert_type(HookServer(10, True, "url"), HookServer)
assert_type(HookServer(url_file=Path("url"), max_body_bytes=1), HookServer)
HookServer(max_pending="many")  # pyright: ignore[reportArgumentType]
HookServer(10, True, "url", 1)  # pyright: ignore[reportCallIssue]
HookResponse()  # pyright: ignore[reportCallIssue]
HookResponse(True).allow = False  # pyright: ignore[reportAttributeAccessIssue]


async def serve() -> None:
    async with HookServer(url_file=None) as server:
        assert_type(server, HookServer)
        assert_type(server.port, int)
        assert_type(server.token + server.url + server.endpoint, str)
        assert_type(server.events(), AsyncIterator[HookEvent])
        assert_type(server.running, bool)
        assert_type(server.pending, int)
        server.port = 1  # pyright: ignore[reportAttributeAccessIssue]
        async for event in server.events():
            answer(event)
            assert_type(await event.gone(), Ending)
    try:
        await server.start()
    except UrlFileInUse as error:
        assert_type(error.text, str)
    except UnsafeFolder:
        await server.stop()


def answer(event: HookEvent) -> None:
    assert_type(event.type + event.tool + event.cwd + event.session_id, str)
    assert_type(event.args, dict[str, Any])
    assert_type(event.payload, dict[str, Any])
    assert_type(event.raw, bytes)
    assert_type(event.timestamp, datetime)
    assert_type(event.can_allow and event.can_deny and event.over, bool)
    assert_type(event.ending, Ending | None)
    try:
        assert_type(event.allow(), bool)
    except BadReply as error:
        assert_type(error.field, str)
    assert_type(event.deny("why"), bool)
    assert_type(event.respond(HookResponse(allow=False, reason="why")), bool)
    assert_type(event.drop(), bool)
    event.respond(True)  # pyright: ignore[reportArgumentType]
    event.deny(reason=None)  # pyright: ignore[reportArgumentType]


def serve_threads() -> None:
    with blocking.HookServer(url_file="url") as server:
        assert_type(server, blocking.HookServer)
        assert_type(server.events(), Iterator[HookEvent])
        assert_type(server.next_event(1.5), HookEvent | None)
        assert_type(server.command(), list[str])
        for event in server.events():
            assert_type(event, blocking.HookEvent)
            assert_type(event.wait_gone(1.0), blocking.Ending | None)
