"""A hook that an agent called, as a program sees it, and answers it.

Imports its siblings and the standard library.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast

from sayso.hook_server import answers
from sayso.hook_server.answers import Asked, HookResponse
from sayso.hook_server.holds import Ending, Hold


class HookEvent:
    """A hook that an agent called, and that waits until it is answered, once.

    All of it may be used on any thread; `gone` on any event loop. Nothing is decided, and the agent
    asks by itself, when the program lets go of an event: by `drop`, or by keeping it nowhere. (The
    variable of a loop keeps the last one until the next one comes: `drop` what is not answered.)

    Args:
        type: the event, as "PreToolUse" or "PermissionRequest"; "" when the caller does not say.
        tool: the name of the tool, "" for an event that has none.
        args: what the tool is called with, {} where there is nothing.
        cwd: the folder the agent works in, "" when it does not say.
        session_id: the agent's session, "" when it does not say.
        timestamp: when it came, in UTC.
        payload: all that came, decoded.
        raw: all that came, as it came.
    """

    __slots__ = (
        "__weakref__",
        "_asked",
        "_hold",
        "args",
        "cwd",
        "payload",
        "raw",
        "session_id",
        "timestamp",
        "tool",
        "type",
    )

    def __init__(self, payload: dict[str, Any], raw: bytes, hold: Hold, legacy: bool = False) -> None:
        self.type = _text(payload, "hook_event_name") or _text(payload, "hook_type")
        self.tool = _text(payload, "tool_name")
        self.args = _object(payload, "tool_input")
        self.cwd = _text(payload, "cwd")
        self.session_id = _text(payload, "session_id")
        self.timestamp = datetime.now(UTC)
        self.payload = payload
        self.raw = raw
        self._asked = Asked(self.type, self.tool, raw, legacy)
        self._hold = hold
        # What waits knows nothing of this object, so it can be collected while it waits.
        weakref.finalize(self, hold.end, Ending.DROPPED).atexit = False

    def __repr__(self) -> str:
        return f"<HookEvent {self.type} {self.tool} {self.ending or 'waiting'}>"

    # --- answering ---------------------------------------------------------------------

    def respond(self, response: HookResponse) -> bool:
        """Answer it.

        Return whether this is what the agent is told. It is not when the event was over before: a second
        answer does nothing. Nor is it for an event that decides nothing (see `can_deny`), which ends.

        Raises: BadReply, for an allow where `can_allow` is False or that is no bool; it goes on waiting.
        """
        if self.over:
            return False
        if not self.can_deny:
            self.drop()
            return False
        return self._hold.end(Ending.ANSWERED, answers.rendered(self._asked, response))

    def allow(self) -> bool:
        """Let the agent do it, without a question of its own. As `respond`. Raises BadReply."""
        return self.respond(HookResponse(True))

    def deny(self, reason: str = "") -> bool:
        """Keep the agent from doing it; it reads the reason and goes on. As `respond`."""
        return self.respond(HookResponse(False, reason))

    def drop(self) -> bool:
        """Decide nothing: the agent goes on as without a hook. Return whether it still waited."""
        return self._hold.end(Ending.DROPPED)

    @property
    def can_allow(self) -> bool:
        """Whether it can be allowed: a question cannot, since it needs answers."""
        return answers.can_allow(self._asked)

    @property
    def can_deny(self) -> bool:
        """Whether it decides anything: PreToolUse and PermissionRequest do."""
        return answers.can_deny(self._asked)

    # --- its end -----------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether nobody waits for an answer any more."""
        return self._hold.ending is not None

    @property
    def ending(self) -> Ending | None:
        """How it ended; None while somebody waits."""
        return self._hold.ending

    async def gone(self) -> Ending:
        """Wait until it is over, for whatever reason, and return how it ended."""
        loop = asyncio.get_running_loop()
        over = asyncio.Event()

        def tell() -> None:
            with suppress(RuntimeError):  # that loop has ended
                loop.call_soon_threadsafe(over.set)

        self._hold.when_over(tell)
        try:
            await over.wait()
        finally:
            self._hold.forget(tell)
        return cast(Ending, self._hold.ending)

    def wait_gone(self, timeout_s: float | None = None) -> Ending | None:
        """As `gone`, for a thread: wait, at most so long, and return how it ended, None if it did not."""
        over = threading.Event()
        self._hold.when_over(over.set)
        try:
            over.wait(timeout_s)
        finally:
            self._hold.forget(over.set)
        return self._hold.ending


def _text(payload: dict[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _object(payload: dict[str, Any], name: str) -> dict[str, Any]:
    value = payload.get(name)
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
