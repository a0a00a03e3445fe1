"""One question to a person, from a program that waits for the answer: blocking, and light.

A desk must be there at once. One that goes away meanwhile is waited for, and asked again
under the same id. Whoever closes the connection has withdrawn the question. Not here: what
may be asked (`wire.ask_user`), many questions at once (`aio`). Imports builtins, C modules,
`line`, `core.digest` and `errors`.
"""

import os
import select
import time

from sayso import errors
from sayso.client.line import MILLISECONDS, Absent, Line, connect
from sayso.core.digest import NotJson, loads, members, readable, shown, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Params = dict[str, object]
    """Of `agent.ask_user`."""

NO_DESK = "no desk is running: start one with `sayso start`"
AWAY = "the desk went away and did not come back: nothing was answered"
NOT_TAKEN = "the desk did not take the question"
GIVEN_BACK = "the desk gave the question back: nothing was answered"
BACK_S = 10.0
"""How long a desk that went away may take to come back."""
TAKEN_S = 10.0
"""How long a busy desk may take to let us in, and to take the question."""
FIRST_PAUSE_S = 0.1
MAX_LINE_BYTES = 1024 * 1024
"""As `wire.protocol` has it, which is too heavy here."""
LATE_S = 5.0
"""How much longer than its own timeout to wait for a desk to say that it is over."""
_LOOK_S = 3600.0
_HUNG_UP = select.POLLHUP | select.POLLERR | select.POLLNVAL


class HungUp(Exception):
    """Nobody reads what we would write any more."""


class Outcome:
    """How a question ended: `action` is ok, cancel or timeout. `value` is the answer, with ok alone."""

    def __init__(self, request_id: str, action: str, value: str | None = None, reason: str = "") -> None:
        self.request_id = request_id
        self.action = action
        self.value = value
        self.reason = reason


def default_surface(env: "Mapping[str, str]") -> str:
    """Return from where this process asks: what it was told, else its pane of tmux, else itself."""
    return env.get("SAYSO_SURFACE") or env.get("TMUX_PANE") or f"cli:{os.getpid()}"


def parameters(env: "Mapping[str, str]", kind: str, title: str, **more: object) -> "Params":
    """Return the parameters of a question; what is None or "" is left out."""
    params: Params = {"surface_id": default_surface(env), "kind": kind, "title": title}
    try:  # noqa: SIM105 - contextlib is too heavy here
        params["cwd"] = os.getcwd()  # noqa: PTH109 - pathlib is too heavy here
    except OSError:  # it was removed
        pass
    return params | {name: value for name, value in more.items() if value not in (None, "", False)}


def ask(path: str, params: "Params", output: int = -1) -> Outcome:
    """Ask a person; return how that ended. Withdraws when it is interrupted.

    Args:
        output: a descriptor; when nobody reads it any more, the question is withdrawn.

    Raises:
        SaysoError: what the desk said; Unavailable when there is none, or it stays away.
        HungUp: nobody reads the output any more.
    """
    asking = Asking(path, params, output)
    try:
        return asking.outcome()
    finally:
        asking.detach()


class Asking:
    """One question on its way."""

    def __init__(self, path: str, params: "Params", output: int) -> None:
        self.path = path
        self.params: Params = {**params, "id": os.urandom(16).hex()}
        timeout_ms = params.get("timeout_ms")
        self.timeout_s = timeout_ms / MILLISECONDS if isinstance(timeout_ms, (int, float)) else 0.0
        self.end_s = float("inf")
        """When it is over, whatever the desk says."""
        self.taken = False
        """Whether the desk holds it now."""
        self.lost_s = 0.0
        self.line: Line | None = None
        self.poll = select.poll()
        if output >= 0:
            self.poll.register(output, 0)  # errors and hang-ups come unasked
        self.output = output

    def outcome(self) -> Outcome:
        """Ask, and wait for the end. Raises as `ask` does."""
        try:
            self.attach()
        except OSError as error:
            raise errors.Unavailable(f"{NO_DESK} ({error})") from None
        while True:
            try:
                message = self.next_message()
            except EOFError:
                if self.came_back():
                    continue
                message = None
            if message is None:
                return Outcome(text(self.params["id"]), "timeout")
            if message.get("method") == "agent.pending":
                self.pends()
            elif "result" in message or "error" in message:
                return self.ended(message)

    def attach(self) -> None:
        """Connect and ask. Raises OSError; TooLarge."""
        data = readable({"jsonrpc": "2.0", "id": 1, "method": "agent.ask_user", "params": self.params})
        line = data.encode()
        if len(line) >= MAX_LINE_BYTES:
            raise errors.TooLarge(f"the question is longer than the {MAX_LINE_BYTES} bytes that a desk takes")
        try:
            self.line = connect(self.path, TAKEN_S)
        except Absent as error:
            raise OSError(str(error)) from None
        self.poll.register(self.line.socket.fileno(), select.POLLIN)
        self.line.send(line)

    def pends(self) -> None:
        """The desk holds the question now: a person may take their time, as long as there is."""
        self.taken = True
        self.lost_s = 0.0
        if self.timeout_s and self.end_s == float("inf"):
            self.end_s = time.monotonic() + self.timeout_s + LATE_S

    def next_message(self) -> "Params | None":
        """Return what the desk says next; None when the question's own time is over.

        Raises:
            EOFError: the desk went away.
            Unavailable: it does not take the question.
        """
        assert self.line is not None
        until_s = self.end_s if self.taken else time.monotonic() + TAKEN_S
        while not self.line.ready:
            if self.line.closed:
                raise EOFError
            if not self.wait(until_s):
                if self.taken:
                    return None
                raise errors.Unavailable(f"{NOT_TAKEN} within {TAKEN_S:.0f} s")
        try:
            return members(loads(self.line.ready.pop(0)))
        except NotJson:
            raise errors.Unavailable(f"what listens at {self.path} is not a desk") from None

    def wait(self, until_s: float) -> bool:
        """Wait for one thing to happen; return whether there is time left. Raises HungUp."""
        left_s = until_s - time.monotonic()
        if left_s <= 0:
            return False
        for descriptor, event in self.poll.poll(min(left_s, _LOOK_S) * MILLISECONDS):
            if descriptor == self.output and event & _HUNG_UP:
                raise HungUp
            if self.line is not None and descriptor == self.line.socket.fileno():
                self.line.read()
        return True

    def came_back(self) -> bool:
        """Wait for the desk to return, and ask again; False when the question's time is over meanwhile.

        Raises:
            Unavailable: it stays away.
        """
        self.detach()
        self.taken = False
        # What hangs up before it took the question has not come back.
        self.lost_s = self.lost_s or time.monotonic()
        self.params["resumed"] = True
        over_s, away_s = self.end_s - LATE_S, self.lost_s + BACK_S
        pause_s = FIRST_PAUSE_S
        while time.monotonic() < away_s:
            self.pause(min(time.monotonic() + pause_s, away_s, over_s))
            pause_s *= 2
            if time.monotonic() >= over_s:
                return False
            if over_s != float("inf"):
                self.params["timeout_ms"] = int((over_s - time.monotonic()) * MILLISECONDS) + 1
            try:
                self.attach()
                return True
            except OSError:
                self.detach()
        raise errors.Unavailable(AWAY)

    def pause(self, until_s: float) -> None:
        while self.wait(until_s):
            pass

    def detach(self) -> None:
        """Close the connection, which withdraws what was asked over it."""
        if self.line is not None:
            self.poll.unregister(self.line.socket.fileno())
            self.line.close()
            self.line = None

    def ended(self, message: "Params") -> Outcome:
        """Return what the desk's last word means. Raises SaysoError."""
        if message.get("error") is not None:
            from sayso.client.results import result_of  # heavy, and rarely needed

            result_of(message)
        result = members(message.get("result"))
        action, value = text(result.get("action")), result.get("value")
        if action not in ("ok", "cancel", "timeout") or (action == "ok" and not isinstance(value, str)):
            raise errors.Unavailable(GIVEN_BACK)
        answer = shown(value) if isinstance(value, str) else None
        return Outcome(text(result.get("request_id")), action, answer, text(result.get("reason")))
