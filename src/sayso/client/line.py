"""A connection to the desk, line by line, for hooks: as light as it can be.

Speaks bytes; knows no method. Checks before a byte is sent that the socket, its folder
and the process behind it are this user's alone. Imports builtins and C modules alone,
since every import is paid for at every tool call.
"""

import _socket
import posix
import select
from sys import byteorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SOL_LOCAL, _LOCAL_PEERCRED = 0, 1  # macOS
_CHUNK = 65536
MILLISECONDS = 1000.0
MICROSECONDS = 1_000_000
TAKEN_S = 0.25
"""How long a hook lets a desk take to accept a connection, or a line."""


class Absent(Exception):
    """There is no desk to speak to, or it is not ours."""


class Busy(Absent):
    """Somebody listens there, and takes nobody in."""


class Line:
    """An open connection. `ready` are the lines that were read and not yet taken."""

    def __init__(self, socket: "_socket.socket") -> None:
        self.socket = socket
        self.ready: list[bytes] = []
        self.closed = False
        self._rest: list[bytes] = []

    def send(self, data: bytes) -> None:
        """Send a whole line. Raises OSError; TimeoutError where it is not read in time."""
        self.socket.sendall(data + b"\n")

    def read(self) -> None:
        """Read what is there; sets `closed` at the end of the connection."""
        try:
            data = self.socket.recv(_CHUNK)
        except OSError:
            data = b""
        if not data:
            self.closed = True
            return
        self._rest.append(data)  # joined once: a list of all that waits may be long
        if b"\n" in data:
            lines = b"".join(self._rest).split(b"\n")
            self._rest = [lines.pop()]
            self.ready.extend(lines)

    def wait(self, until_s: float, now: "Callable[[], float]") -> "bytes | None":
        """Return the next line, or None at an instant of the clock `now` or the end."""
        poll = select.poll()
        poll.register(self.socket.fileno(), select.POLLIN)
        while not self.ready and not self.closed:
            left_s = until_s - now()
            if left_s <= 0:
                return None
            if poll.poll(left_s * MILLISECONDS):
                self.read()
        return self.ready.pop(0) if self.ready else None

    def close(self) -> None:
        self.socket.close()


def connect(path: str, taken_s: float = TAKEN_S) -> Line:
    """Return a connection to the desk at a socket. Raises Absent.

    `taken_s`: how long whoever listens there may take to let us in, and later to take a line.
    """
    try:
        _check_ours(path)
        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            connection.setsockopt(_socket.SOL_SOCKET, _socket.SO_SNDTIMEO, _timeval(taken_s))
            connection.connect(path)
            _check_peer(connection)
            connection.settimeout(taken_s)
        except BaseException:
            connection.close()
            raise
    except BlockingIOError as error:
        raise Busy(str(error)) from None
    except OSError as error:
        raise Absent(str(error)) from None
    return Line(connection)


def _timeval(seconds: float) -> bytes:
    # By the kernel's own clock: a socket with a timeout of Python's does not wait in connect.
    whole = int(seconds)
    rest = int((seconds - whole) * MICROSECONDS)
    return whole.to_bytes(8, byteorder) + rest.to_bytes(8, byteorder)


def _check_ours(path: str) -> None:
    uid = posix.getuid()
    folder = posix.stat(path.rpartition("/")[0])
    if folder.st_uid != uid or folder.st_mode & 0o077:
        raise Absent("the socket's folder is open to others")
    if posix.lstat(path).st_uid != uid:
        raise Absent("the socket is not ours")


def _check_peer(connection: "_socket.socket") -> None:
    if hasattr(_socket, "SO_PEERCRED"):
        found = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        uid = int.from_bytes(found[4:8], byteorder)
    else:
        found = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 8)
        uid = int.from_bytes(found[4:8], byteorder)
    if uid != posix.getuid():
        raise Absent("the desk is another user's")
