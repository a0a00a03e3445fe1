"""The command that an agent runs as a hook: `python -I -S forward.py URL_FILE`.

It reads where the server is from a private file, sends it what stands on its input, and prints what the
server says. Whatever goes wrong it prints nothing and ends well, so that the agent asks by itself. It ends
when it is told to, and when the agent hung up or has ended; the end of its input means nothing. Alone in its
process and in a hurry: builtins and C modules only, and nothing of ours.
"""

import _socket
import fcntl
import posix
import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    import _signal

MOST_BYTES = 64 << 20
_CHUNK = 1 << 20
_LOOK_MS = 1000
"""How often to look at the parent where the kernel gives no sign of its end."""
_HUNG_UP = select.POLLHUP | select.POLLERR | select.POLLNVAL
_NOTHING = b"{}"


class Over(Exception):
    """There is nobody to ask, or nobody to answer."""


def main() -> None:
    """Forward a hook, and end."""
    try:
        for number in (_signal.SIGTERM, _signal.SIGHUP, _signal.SIGINT):
            _signal.signal(number, leave)
        parent = posix.getppid()
        body = read_all(0)
        if body:
            # Not before all was read, however long that took: the server may have ended meanwhile.
            host, port, token = where(sys.argv[1])
            write_all(ask(host, port, token, body, parent))
    except BaseException:  # noqa: BLE001 - the hook's top: silence is the contract
        pass
    posix._exit(0)  # pyright: ignore[reportPrivateUsage]


def leave(_number: int, _frame: object) -> None:
    posix._exit(0)  # pyright: ignore[reportPrivateUsage]


def where(path: str) -> "tuple[str, int, str]":
    """Return where the server is that lives now. Raises Over, OSError, ValueError."""
    if not lives(path + ".lock"):
        raise Over
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    found = posix.fstat(descriptor)
    if found.st_uid != posix.getuid() or found.st_mode & 0o077:
        raise Over
    url = posix.read(descriptor, 4096).decode("ascii").strip()
    start, _, token = url.partition("/hook?t=")
    scheme, _, address = start.partition("://")
    host, _, port = address.partition(":")
    if scheme != "http" or host != "127.0.0.1" or not token.isalnum():
        raise Over
    return host, int(port), token


def lives(path: str) -> bool:
    """Whether a server holds its lock: the port of one that ended may be anybody's."""
    descriptor = posix.open(path, posix.O_RDWR | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        posix.close(descriptor)
    return False


def read_all(descriptor: int) -> bytes:
    """Return all of an input. Raises Over beyond a bound: half of it would be another hook."""
    chunks: list[bytes] = []
    size = 0
    while chunk := posix.read(descriptor, _CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > MOST_BYTES:
            raise Over
    return b"".join(chunks)


def ask(host: str, port: int, token: str, body: bytes, parent: int) -> bytes:
    """Return what the server answers, b"" for nothing. Raises Over, OSError, ValueError."""
    server = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    server.connect((host, port))
    head = (
        f"POST /hook HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    server.sendall(head.encode("ascii") + body)
    return answer(received(server, parent))


def received(server: "_socket.socket", parent: int) -> bytes:
    """Return all that comes, until the server hangs up. Raises Over when the agent does so first."""
    poll = select.poll()
    poll.register(1, 0)  # errors and hang-ups come unasked
    poll.register(server.fileno(), select.POLLIN)
    watch = parent_watch(parent)
    if watch >= 0:
        poll.register(watch, select.POLLIN)
    chunks: list[bytes] = []
    while posix.getppid() == parent:
        for descriptor, event in poll.poll(None if watch >= 0 else _LOOK_MS):
            if descriptor == watch or (descriptor == 1 and event & _HUNG_UP):
                raise Over
            if descriptor == server.fileno():
                chunk = server.recv(_CHUNK)
                if not chunk:
                    return b"".join(chunks)
                chunks.append(chunk)
    raise Over


def parent_watch(parent: int) -> int:
    """Return a descriptor that is readable once the agent has ended, -1 where there is none."""
    try:
        return posix.pidfd_open(parent)
    except (AttributeError, OSError):
        return -1


def answer(response: bytes) -> bytes:
    """Return the body of a response that is whole and well, b"" where nothing was decided."""
    head, _, body = response.partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = [line[15:].strip() for line in lines if line.startswith(b"content-length:")]
    if not lines[0].startswith(b"http/1.1 200 ") or length != [str(len(body)).encode()]:
        raise Over
    return b"" if body.strip() == _NOTHING else body


def write_all(data: bytes) -> None:
    """Write everything, however slowly it is read."""
    while data:
        try:
            data = data[posix.write(1, data) :]
        except BlockingIOError:
            poll = select.poll()
            poll.register(1, select.POLLOUT)
            poll.poll()


if __name__ == "__main__":
    main()
