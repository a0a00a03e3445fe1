"""`sayso ask`: a script asks a person, and has the answer on its standard output.

The start of this command is waited for, so what only some of its uses need is imported there.
Standard output holds the answer or nothing, whatever happens. Not here: how it is typed
(`ask_manual`), the way of a question (`client.asking`), answering one (`ask_others`).
"""

from __future__ import annotations

import errno
import os
import select
import sys

from sayso import errors
from sayso.channels import ask_manual
from sayso.client import asking
from sayso.client.address import socket_path
from sayso.core.digest import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

ANSWERED, FAILED, TIMED_OUT, CANCELLED, NO, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes. NO: the answer is no, where the exit code is to tell."""
_OUTPUT = 1
_CHUNK = 1 << 16


def main(words: Sequence[str]) -> int:
    """Run what follows `sayso ask`; return the exit code."""
    try:
        return run(ask_manual.parse(words, run))
    except KeyboardInterrupt:
        return INTERRUPTED


def run(args: argparse.Namespace) -> int:
    """Run a parsed command; return the exit code."""
    if args.what not in ask_manual.KINDS:
        from sayso.channels import ask_others

        return ask_others.run(args)
    try:
        return _ask(args)
    except errors.SaysoError as error:
        return _failed(args, error)
    except asking.HungUp:
        return _say("nobody reads the answer any more")


def _ask(args: argparse.Namespace) -> int:
    try:
        # A descriptor that is closed would be that of the connection soon.
        os.fstat(_OUTPUT)
    except OSError:
        return _say("standard output is closed: there is nowhere to write the answer")
    params = asking.parameters(
        os.environ,
        args.what,
        args.title,
        body=_body() if args.body == "-" else args.body,
        default=args.default,
        timeout_ms=args.timeout,
        unsafe=args.unsafe,
        surface_id=args.surface or asking.default_surface(os.environ),
        agent_id=args.agent,
        choices=getattr(args, "choices", None) or None,
    )
    return _ended(args, asking.ask(socket_path(), params, _OUTPUT))


def _body() -> str:
    """Return what standard input says, as text, without the newline at its end."""
    data = b""
    try:
        while chunk := os.read(0, _CHUNK):
            data += chunk
            if len(data) > asking.MAX_LINE_BYTES:
                raise errors.TooLarge(f"standard input says more than {asking.MAX_LINE_BYTES} bytes")
    except OSError as error:
        raise errors.BadRequest(f"standard input cannot be read: {error.strerror}", "body") from None
    return data.decode("utf-8", "replace").removesuffix("\n")


def _ended(args: argparse.Namespace, outcome: asking.Outcome) -> int:
    """Write how it ended; return the exit code."""
    if args.json:
        _write(dumps(_as_json(outcome)) + b"\n")
    elif outcome.action == "ok":
        _write(f"{outcome.value}\n".encode())
    if outcome.action == "timeout":
        return _say("timed out: nobody answered", TIMED_OUT)
    if outcome.action == "cancel":
        return _say(f"cancelled: {outcome.reason}" if outcome.reason else "cancelled", CANCELLED)
    return NO if getattr(args, "exit_code", False) and outcome.value == "no" else ANSWERED


def _as_json(outcome: asking.Outcome) -> dict[str, object]:
    said: dict[str, object] = {"request_id": outcome.request_id, "action": outcome.action}
    if outcome.value is not None:
        said["value"] = outcome.value
    if outcome.reason:
        said["reason"] = outcome.reason
    return said


def _write(data: bytes) -> None:
    """Write everything, in UTF-8 whatever the locale.

    Raises:
        SaysoError: it cannot be written.
    """
    try:
        while data:
            try:
                data = data[os.write(_OUTPUT, data) :]
            except BlockingIOError:
                select.select([], [_OUTPUT], [])
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise asking.HungUp from None
        raise errors.SaysoError(f"the answer could not be written: {error.strerror}") from None


def _failed(args: argparse.Namespace, error: errors.SaysoError) -> int:
    if args.json:
        said = {"ok": False, "error": error.text, "code": error.code, "status": error.status, **error.data}
        try:
            _write(dumps(said) + b"\n")
        except (errors.SaysoError, asking.HungUp):
            return _say(error.text)
    return _say(error.text)


def _say(text: str, code: int = FAILED) -> int:
    """Tell a person on standard error, if there is one; return the exit code."""
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison] - closed at the start
        from sayso.channels.text import visible

        line = f"sayso ask: {visible(text, lines=True)}\n"
        try:
            os.write(2, line.encode("utf-8", "replace"))
        except OSError:
            return code
    return code
