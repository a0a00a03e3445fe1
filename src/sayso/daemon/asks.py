"""The methods of document 001: what programs ask themselves, over the connection they hold.

Synchronous, like those of hooks. Not here: bytes (`control`), what a reply means and how a
request ends (`core`), the words on the wire (`wire.ask_user`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from sayso.core.bounds import MAX_MESSAGE_CHARS
from sayso.core.states import State
from sayso.core.types import Answerer, Reply, Request
from sayso.daemon.notes import Allowance
from sayso.daemon.runtime import Runtime
from sayso.daemon.service import Caller
from sayso.errors import BadReply, BadRequest, Gone, NotSeen, SaysoError, TooMany
from sayso.wire import ask_user
from sayso.wire.ask_user import AskUserResponse
from sayso.wire.codec import MaskFunction, mask_ask
from sayso.wire.jsonrpc import convert, decode_params
from sayso.wire.protocol import AskAnswerParams, AskCancelParams, AskPendingParams, Power

Answer = Callable[[Any], None]
"""Sends a call's result."""
Whence = Callable[[int], tuple[str, str]]
"""The pid of a caller -> its agent's process, as the kernel confirms it, and the agent's name."""


class Connection(Protocol):
    """The caller's side, as far as these methods need it."""

    waiter: str
    pid: int
    process: str

    def push(self, method: str, params: Any) -> None: ...

    def answerer(self, method: str) -> Caller:
        """Return who answers here. Raises Refused when this caller may not."""
        ...


class Asks:
    """What programs ask themselves, of one desk.

    Args:
        whence: tells from a caller's pid which agent it runs in.
        folder: returns the folder that a process works in, "" if that cannot be told.
    """

    def __init__(
        self, runtime: Runtime, whence: Whence, folder: Callable[[int], str], mask: MaskFunction
    ) -> None:
        self._runtime = runtime
        self._whence = whence
        self._folder = folder
        self._mask = mask
        self._allowance = Allowance()
        self._cannot_return: set[str] = set()

    def ask_user(self, connection: Connection, params: msgspec.Raw, answer: Answer, plain: bool) -> None:
        """An ask; answered when it is decided, taken back or over.

        `plain`: the caller reads errors as plain strings. Such callers take an error for a broken
        desk and may go on without asking: what is well said and cannot wait is cancelled for them.
        """
        try:
            asked = ask_user.decode(params)
        except ask_user.TooLong as error:
            _cancel_or_raise(error, plain, secrets.token_hex(16), answer)
            return
        runtime = self._runtime
        now = runtime.now()
        process, agent = self._whence(connection.pid)
        ask = replace(
            asked.ask,
            id=asked.id or secrets.token_hex(16),
            agent=agent or ask_user.PROGRAM,
            started_s=now,
            cwd=asked.ask.cwd or self._folder(connection.pid),
        )
        try:
            runtime.desk.ask(mask_ask(ask, self._mask), connection.waiter, now, process, connection.process)
        except TooMany as error:
            _cancel_or_raise(error, plain, ask.id, answer)
            return
        runtime.wait(ask.id, lambda _decision: self._ended(ask.id, connection.waiter, answer))
        if asked.id:
            connection.push("agent.pending", {"id": ask.id})
        else:
            self._cannot_return.add(ask.id)
        runtime.settle()

    def _ended(self, request_id: str, waiter: str, answer: Answer) -> None:
        """Tell who asked; an answer that was written to a living connection is handed over."""
        self._cannot_return.discard(request_id)
        request = self._runtime.kept(request_id)
        if request is None:  # more were over at this very moment than are kept: only time ends so many
            answer(AskUserResponse(request_id=request_id, action="timeout"))
            return
        answer(ask_user.response_of(self._runtime.view(request)))
        if request.state is State.ANSWERED:
            # Later: this runs while the desk's effects are carried out, in their order.
            asyncio.get_running_loop().call_soon(self._handed_over, request_id, waiter)

    def _handed_over(self, request_id: str, waiter: str) -> None:
        runtime = self._runtime
        if runtime.desk.request(request_id).waiter == waiter:  # else its connection has ended since
            runtime.desk.written(request_id, waiter, "", runtime.now())
            runtime.settle()

    def end(self) -> None:
        """Take back what waits on connections that cannot find it again, as the desk starts anew."""
        for request_id in list(self._cannot_return):
            with suppress(Gone):  # its time is over at this very moment
                self._runtime.desk.withdraw(
                    request_id, "the desk starts anew: ask again", self._runtime.now()
                )
        self._runtime.settle()

    def cancel(self, connection: Connection, params: msgspec.Raw, answer: Answer, _plain: bool) -> None:
        """Take a request back: one's own, or any for somebody who may answer."""
        given = decode_params(params, AskCancelParams)
        runtime = self._runtime
        if len(given.reason or "") > MAX_MESSAGE_CHARS:
            raise BadRequest(f"reason has at most {MAX_MESSAGE_CHARS} characters", "reason")
        reason = self._mask(given.reason or "")[0]
        try:
            request = runtime.desk.request(given.request_id)
            if not request.ask.is_direct:
                raise Gone("no program asks under this id")
            if self._is_own(request, connection):
                runtime.desk.withdraw(request.id, reason, runtime.now())
            else:
                by = answerer(connection.answerer("agent.ask_cancel"))
                runtime.desk.answer(request.id, Reply(behavior="cancel", message=reason), by, runtime.now())
        except Gone:
            answer({"resolved": False})
            return
        runtime.settle()
        answer({"resolved": True})

    def _is_own(self, request: Request, connection: Connection) -> bool:
        if request.waiter == connection.waiter:
            return True
        if request.caller and request.caller == connection.process:
            return True
        return bool(request.process) and request.process == self._whence(connection.pid)[0]

    def notify(self, connection: Connection, params: msgspec.Raw, answer: Answer, _plain: bool) -> None:
        """A note for the person; nobody waits for anything."""
        note = ask_user.decode_note(params)
        process, agent = self._whence(connection.pid)
        folder = note.cwd or self._folder(connection.pid)
        texts = {**msgspec.structs.asdict(note), "cwd": folder}
        runtime = self._runtime
        self._allowance.take(process or connection.process, runtime.now())
        masked = ask_user.Note(**{name: self._mask(text)[0] for name, text in texts.items()})
        runtime.note(masked, agent or ask_user.PROGRAM)
        answer({"ok": True})


def _cancel_or_raise(error: SaysoError, plain: bool, request_id: str, answer: Answer) -> None:
    if not plain:
        raise error
    answer(AskUserResponse(request_id=request_id, action="cancel", reason=error.text))


def answerer(caller: Caller) -> Answerer:
    return Answerer(channel=caller.channel, name=caller.name, credential=caller.credential)


METHODS: dict[str, Callable[[Asks, Connection, msgspec.Raw, Answer, bool], None]] = {
    "agent.ask_user": Asks.ask_user,
    "agent.ask_cancel": Asks.cancel,
    "agent.notify": Asks.notify,
}
"""What whoever may ask can call."""


# --- what people call --------------------------------------------------------------------


MOST_WHOLE_CHARS = 1 << 20
"""Of all long bodies in one answer together; what is beyond is cut as in any list."""


def pending(runtime: Runtime, caller: Caller, params: dict[str, Any]) -> dict[str, Any]:
    """Return what waits, of one surface or of all.

    The protocol knows no rows to fetch, so who may answer is given long bodies whole, and has seen them.
    """
    given = convert(params, AskPendingParams)
    listed = ask_user.pending_of(runtime.snapshot(), given.surface_id or "")
    if caller.power < Power.ANSWER:
        return {"pending": listed}
    left_chars = MOST_WHOLE_CHARS
    whole: list[ask_user.AskUserRequest] = []
    for one in listed:
        if one.body_length and one.body_length <= left_chars:
            body = runtime.desk.row(one.request_id, 0, caller.credential).value
            left_chars -= len(body)
            one = replace(one, body=body, body_length=0)
        whole.append(one)
    return {"pending": whole}


def give(runtime: Runtime, caller: Caller, params: dict[str, Any]) -> dict[str, Any]:
    """Answer a request by its value; a command by `ack`, and then `run`."""
    given = convert(params, AskAnswerParams)
    try:
        request = runtime.desk.request(given.request_id)
        if not request.ask.is_direct:
            return {"resolved": False, "reason": f"a {request.ask.kind} is answered in another way"}
        reply = reply_of(request, given.value)
        after = runtime.desk.answer(request.id, reply, answerer(caller), runtime.now())
    except Gone:
        return {"resolved": False}
    except (BadReply, NotSeen) as error:
        return {"resolved": False, "reason": error.text}
    if after.state is State.PENDING:
        return {"resolved": False, "acknowledged": True}
    return {"resolved": True}


def reply_of(request: Request, value: str) -> Reply:
    if request.ask.kind == "confirm-command":
        return Reply(behavior="allow", step=value)
    return Reply(behavior="allow", value=value)
