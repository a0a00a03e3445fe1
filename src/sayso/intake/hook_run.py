"""A hook's run: read the payload, tell the desk of an event, or ask.

Light: builtins, C modules and our own light modules alone. Raises whatever goes wrong;
`hook` turns everything into silence. Not here: what asking takes (`hook_ask`), passing on a
message that an event's answer brings (`hook_message`), what payloads mean (`agents`).
"""

import posix
import time

from sayso.agents import AGENTS
from sayso.client.line import Absent, Line, connect
from sayso.core.digest import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Message = Callable[[str], bytes]
    """Makes the line with which the agent is handed a message."""

VERSION = 1
ACK_S = 0.25
_CHUNK = 1 << 20
_MOST_BYTES = 64 << 20
_MOST_JOURNAL_BYTES = 1 << 20
_UNSAID = ("prompt", "cwd", "mode", "takes")
"""Members of an event that its journal line leaves out: no content on the disk."""
_MESSAGE = b'"message"'
"""Stands in an answer that brings a message: the others need not be read."""
UNTAKEN = b'{"method":"agent.not_written","params":{"id":"","reason":"late"}}'


class Arguments:
    """The command line: which agent, and where the desk and the flags are."""

    def __init__(self, words: list[str]) -> None:
        self.agent = words[0]
        rest = words[1:]
        options = dict(zip(rest[::2], rest[1::2]))  # noqa: B905 - an odd one out is ignored
        self.socket = options["--socket"]
        self.flags = options.get("--flags", "")
        self.start = options.get("--start", "")
        self.home = options.get("--home", "")


def run(words: list[str], started_s: float) -> None:
    """Do what this start of the hook is for."""
    arguments = Arguments(words)
    payload = loads(read_all(0))
    env = environment()
    agent = __import__(AGENTS[arguments.agent], None, None, ["parse"])
    parsed = agent.parse(payload, env)
    if parsed is None:
        return
    what, said = parsed
    said["version"] = VERSION
    said["agent_pid"] = agent_pid(env, agent.PID_VARIABLE)
    if what == "ask":
        from sayso.intake.hook_ask import Asking

        said["started_s"] = started_s
        said["started_at"] = time.time() - (time.monotonic() - started_s)
        Asking(arguments.socket, arguments.flags, said).run(lambda d: agent.render(payload, d))
    else:
        said["at_s"] = started_s
        takes = agent.takes(payload)
        if takes:
            said["takes"] = True
        tell(arguments, said, (lambda words: agent.message(payload, words)) if takes else None)


def read_all(descriptor: int) -> bytes:
    """Return all of an input, up to a bound."""
    chunks: list[bytes] = []
    size = 0
    while size < _MOST_BYTES:
        chunk = posix.read(descriptor, _CHUNK)
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def environment() -> dict[str, str]:
    """Return the environment as text, whatever bytes it holds."""
    return {
        name.decode("utf-8", "replace"): value.decode("utf-8", "replace")
        for name, value in posix.environ.items()
    }


def agent_pid(env: dict[str, str], name: str) -> int:
    """Return the pid of the agent that started us: what it says under this name, else our parent's."""
    said = env.get(name, "")
    return int(said) if said.isascii() and said.isdigit() else posix.getppid()


def tell(arguments: Arguments, event: dict[str, object], message: "Message | None") -> None:
    """Tell the desk of an event; without one, leave a line in the session's flag, if it has one."""
    line = dumps({"id": 1, "method": "agent.event", "params": event})
    if hand_over(arguments.socket, line, message) is not False:
        return
    if arguments.start and event["type"] == "session-start":
        from sayso.intake import hook_start

        if event["reason"] in hook_start.BEGINS:
            hook_start.start(arguments.start, arguments.home)
    flag = flag_path(arguments.flags, event)
    if flag and append(flag, event):
        # A desk that came back meanwhile has read the flag before.
        hand_over(arguments.socket, line, message)


def hand_over(path: str, line: bytes, message: "Message | None") -> "bool | None":
    """Return whether a desk took a line; None when one is there that is slow to say so."""
    try:
        connection: Line = connect(path)
    except Absent:
        return False
    try:
        connection.send(line)
        answer = connection.wait(time.monotonic() + ACK_S, time.monotonic)
        if answer is not None:
            if message is not None and _MESSAGE in answer:
                from sayso.intake.hook_message import pass_on

                pass_on(connection, answer, message)
            return True
        if message is not None and not connection.closed:
            connection.send(UNTAKEN)  # whatever it gives us from now on, we are not there to write it
        return False if connection.closed else None
    except OSError:
        return False


def flag_path(folder: str, event: dict[str, object]) -> str:
    """Return the path of a session's flag. The adapter has checked the id, which names a file."""
    return f"{folder}/{event['session_id']}" if folder else ""


def append(flag: str, event: dict[str, object]) -> bool:
    """Append an event to a flag that is there; return whether it was."""
    kept = {name: value for name, value in event.items() if name not in _UNSAID}
    try:
        descriptor = posix.open(flag, posix.O_WRONLY | posix.O_APPEND | posix.O_NOFOLLOW)
    except OSError:
        return False
    if posix.fstat(descriptor).st_size < _MOST_JOURNAL_BYTES:  # nobody empties it before a desk is back
        posix.write(descriptor, dumps(kept) + b"\n")  # in one piece: other observers append too
    posix.close(descriptor)
    return True
