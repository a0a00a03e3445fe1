"""A hook that asks: it waits for the desk, and writes what a person decided.

It ends without a word when it is told to (TERM), when the agent hangs up or dies, when
its time is over, and when nothing was decided. When the desk goes away it waits for it
to come back and goes on under the same id. Light, like `hook_run`.
"""

import errno
import posix
import select
import time

from sayso.client.line import MILLISECONDS, Absent, Busy, Line, connect
from sayso.core.digest import dumps, items, loads, members, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable

    Json = dict[str, object]
else:
    import _signal

ACK_S = 0.25
SHOWN_BYTES = 256 * 1024
"""What the shown values may take together, as encoded JSON."""
FIRST_RETRY_S, LAST_RETRY_S = 0.1, 5.0
EXCLUSIVE_REATTACH_S = 5.0
_LOOK_S = 1.0
"""How often to look at the parent where the kernel gives no sign of its end."""
_GRACE_S = 2.0
"""How much longer than the desk's own deadline to wait for it."""
_SPARE_S = 2.0
"""How long before its time an exclusive hold ends by itself: the desk's deadline is five seconds before,
and the agent may kill the hook two seconds later."""


class Over(Exception):
    """There is nothing more to wait for; the text is why, "" when nobody needs to be told."""


class Asking:
    """One ask, from the first line to the last."""

    def __init__(self, socket: str, flags: str, ask: "Json") -> None:
        ask["id"] = posix.urandom(16).hex()
        self.ask = ask
        self.path = socket
        self.flags = flags
        self.exclusive = ask.get("hold") == "exclusive"
        started_s, hold_s = ask["started_s"], ask["hold_s"]
        assert isinstance(started_s, float)
        assert isinstance(hold_s, float)
        self.end_s = started_s + hold_s + (-_SPARE_S if self.exclusive else _GRACE_S)
        self.line: Line | None = None
        self.lost_s = 0.0
        self.delay_s = FIRST_RETRY_S
        self.told = ""
        self.writing = False
        self.parent = posix.getppid()
        self.poll = select.poll()
        self.poll.register(1, 0)  # errors and hang-ups come unasked
        self.watch = parent_watch(self.parent, ask)
        if self.watch >= 0:
            self.poll.register(self.watch, select.POLLIN)

    def run(self, render: "Callable[[Json], tuple[bytes, str]]") -> None:
        """Ask, wait, write."""
        _signal.signal(_signal.SIGTERM, self.on_signal)
        _signal.signal(_signal.SIGHUP, self.on_signal)
        fit(self.ask)
        try:
            decision = self.decided()
            if decision:
                self.write(decision, render)
        except Over as over:
            self.say("agent.gone", {"id": self.ask["id"], "reason": str(over)})

    def on_signal(self, _number: int, _frame: object) -> None:
        # Between the decision and its receipt the answer may be out already: go on then.
        self.told = "term"
        if not self.writing:
            raise Over("term")

    # --- the desk ----------------------------------------------------------------------

    def decided(self) -> "Json":
        """Return the decision; {} for "nothing was decided". Raises Over."""
        there = self.attach()
        if there is None or (self.exclusive and not there):
            return {}
        while True:
            if self.line is None:
                self.attach_again()
            message = self.next_message(self.end_s)
            if message is None:
                self.detach()
                continue
            # A desk that hangs up without a word has not come back.
            self.lost_s, self.delay_s = 0.0, FIRST_RETRY_S
            if "result" in message or "error" in message:
                self.writing = True
                return members(message.get("result"))

    def attach(self) -> "bool | None":
        """Connect and ask. Return whether the desk is there: None for no desk at all.

        A desk that has not acknowledged in time counts as absent for who shows nothing
        meanwhile; who is shown something waits on.
        """
        try:
            self.line = connect(self.path)
            self.poll.register(self.line.socket.fileno(), select.POLLIN)
            self.line.send(dumps({"id": 1, "method": "agent.request", "params": self.ask}))
        except (Busy, TimeoutError):
            self.detach()
            return False
        except (Absent, OSError):
            self.detach()
            return None
        self.ask["resumed"] = True
        until_s = time.monotonic() + ACK_S
        while self.exclusive and not self.line.ready and not self.line.closed:
            if time.monotonic() >= until_s:
                self.detach()
                return False
            self.step(until_s)
        return True

    def attach_again(self) -> None:
        """Wait for a desk to be back, for as long as that makes sense. Raises Over."""
        self.lost_s = self.lost_s or time.monotonic()
        while True:
            if self.exclusive and time.monotonic() - self.lost_s > EXCLUSIVE_REATTACH_S:
                raise Over("")
            self.pause(self.delay_s)
            self.delay_s = min(self.delay_s * 2, LAST_RETRY_S)
            self.ask["journal"] = self.journal()
            if self.attach():
                self.ask["journal"] = []
                return

    def detach(self) -> None:
        """Forget a connection that ended, or leads nowhere."""
        if self.line is not None:
            self.poll.unregister(self.line.socket.fileno())
            self.line.close()
            self.line = None

    def pause(self, delay_s: float) -> None:
        """Wait a moment, seeing to everything else."""
        until_s = time.monotonic() + delay_s
        while time.monotonic() < until_s:
            self.step(until_s)

    def journal(self) -> list[str]:
        """Return what observers left in this session's flag."""
        try:
            descriptor = posix.open(
                f"{self.flags}/{self.ask['session_id']}", posix.O_RDONLY | posix.O_NOFOLLOW
            )
        except OSError:
            return []
        data = posix.read(descriptor, SHOWN_BYTES)
        posix.close(descriptor)
        return [line.decode("utf-8", "replace") for line in data.split(b"\n") if line]

    def next_message(self, until_s: float) -> "Json | None":
        """Return the next message, None at the end of the connection. Raises Over."""
        assert self.line is not None
        while not self.line.ready and not self.line.closed:
            self.step(until_s)
        return members(loads(self.line.ready.pop(0))) if self.line.ready else None

    def step(self, until_s: float) -> None:
        """Wait for one thing to happen, at most until an instant. Raises Over."""
        if time.monotonic() >= self.end_s:
            raise Over("")
        left_s = min(until_s, self.end_s) - time.monotonic()
        if self.watch < 0:
            left_s = min(left_s, _LOOK_S)
        for descriptor, event in self.poll.poll(max(0.0, left_s) * MILLISECONDS):
            if descriptor == 1 and event & (select.POLLHUP | select.POLLERR | select.POLLNVAL):
                raise Over("hangup")
            if descriptor == self.watch:
                raise Over("orphan")
            if self.line is not None and descriptor == self.line.socket.fileno():
                self.line.read()
        if posix.getppid() != self.parent:
            raise Over("orphan")

    # --- the answer --------------------------------------------------------------------

    def write(self, decision: "Json", render: "Callable[[Json], tuple[bytes, str]]") -> None:
        """Write the answer for the agent, then tell the desk; or tell it that it could not be."""
        try:
            if self.told:
                raise ValueError
            output, expects = render(decision)
            write_all(1, output)
        except (ValueError, OSError):
            self.say("agent.not_written", {"id": self.ask["id"], "reason": self.told or "bad"})
            return
        self.say("agent.written", {"id": self.ask["id"], "expects": expects})

    def say(self, method: str, params: "Json") -> None:
        """Tell the desk, if it is there; nothing waits for it."""
        if self.line is not None:
            try:
                self.line.send(dumps({"method": method, "params": params}))
            except OSError:
                return


def parent_watch(parent: int, ask: "Json") -> int:
    """Return a descriptor that is readable once the agent has ended, -1 where there is none."""
    pid = ask.get("agent_pid")
    try:
        return posix.pidfd_open(pid if isinstance(pid, int) and pid > 1 else parent)
    except (AttributeError, OSError):
        return -1


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything, however slowly it is read. Raises OSError."""
    while data:
        try:
            data = data[posix.write(descriptor, data) :]
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
            poll = select.poll()
            poll.register(descriptor, select.POLLOUT)
            poll.poll()


def fit(ask: "Json") -> None:
    """Cut what is shown to what a line may take: later rows first lose their ends."""
    rows = [members(row) for row in items(ask.get("input"))]
    bare = {**ask, "input": [{**row, "value": ""} for row in rows]}
    left = SHOWN_BYTES - len(dumps(bare))
    if left < 0:
        # Questions, forms and labels cannot be cut: what is not whole cannot be answered.
        for name in ("questions", "fields", "suggestions", "url", "input"):
            ask.pop(name, None)
        ask["unshowable"] = "it is too long to be shown"
        return
    for row in rows:
        left -= cut(row, left)


def cut(row: "Json", left: int) -> int:
    """Cut a row's value to a size in bytes of JSON, if need be; return what it takes."""
    value = text(row.get("value"))
    size = len(dumps(value))
    if not value or size <= left:
        return size
    keep = max(0, left - 2)
    shown = value[:keep]
    while len(dumps(shown)) > max(left, 2):
        shown = shown[: len(shown) * max(left, 1) // (len(dumps(shown)) + 1)]
    row["value"] = shown
    row["length"] = len(value)
    row["lost"] = True
    return len(dumps(shown))
