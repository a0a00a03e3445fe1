"""A hook that was given a message: it writes it for the agent and says so, or that it could not.

Loaded when there is a message, so that observers who find none do not pay for it. A hook
that is killed in here says nothing: the desk then takes the message for one that may have
been handed over. Light, like `hook_run`.
"""

from sayso.core.digest import dumps, loads, members, text
from sayso.intake.hook_ask import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sayso.client.line import Line


def pass_on(connection: "Line", answer: bytes, message: "Callable[[str], bytes]") -> None:
    """Write the message of an answer for the agent, and tell the desk what came of it."""
    words = text(members(members(loads(answer)).get("result")).get("message"))
    if not words:
        return
    try:
        write_all(1, message(words))
    except (ValueError, OSError):  # half a line is no message: the agent cannot read it
        connection.send(dumps({"method": "agent.not_written", "params": {"id": "", "reason": "bad"}}))
        return
    connection.send(dumps({"method": "agent.written", "params": {"id": ""}}))
