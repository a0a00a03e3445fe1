"""The command `sayso mcp`: what it takes, and how long a call of a tool may last.

The SDK is imported when the command runs. Imports argparse, `errors`.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sayso.errors import Unavailable

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

LIMIT_S = 50.0
"""The SDK that most clients are made with gives up on a tool after 60 s, unless it is told otherwise."""
AGENT_LIMITS = ("MCP_TOOL_TIMEOUT",)
"""Where agents say, in milliseconds, how long a tool may take. Claude Code's; its servers inherit it."""
_MARGIN_S, _MARGIN = 5.0, 0.2
"""What is left of an agent's own limit for the result: seconds, or this part of a short one."""
_ABOUT = "the desk as tools of an agent that speaks MCP (which starts this itself)"


def add_command(commands: Commands) -> None:
    """Add `sayso mcp` to the program."""
    mcp = commands.add_parser("mcp", help=_ABOUT)
    mcp.add_argument(
        "--limit",
        type=_seconds,
        metavar="SECONDS",
        help=f"how long one call of a tool waits for the person before it says that the question is still "
        f"open; default {LIMIT_S:.0f}, or a little less than the agent's MCP_TOOL_TIMEOUT",
    )
    mcp.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until the agent ends."""
    import asyncio

    try:
        from sayso.intake.mcp.server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise Unavailable("this command needs the MCP SDK: pip install 'sayso[mcp]'") from None
    if sys.stdin.isatty():
        print("sayso mcp: an agent starts this, and speaks MCP to it; Ctrl-C ends it", file=sys.stderr)
    # Agents end their servers with SIGINT: the system closes our connection, and the desk withdraws.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(serve(args.socket, limit_s(args.limit, os.environ)))
    return 0


def limit_s(given_s: float | None, env: Mapping[str, str]) -> float:
    """Return how long a call may wait: as given, but never as long as the agent's own limit."""
    limits = [LIMIT_S if given_s is None else given_s]
    for name in AGENT_LIMITS:
        outer_s = _milliseconds(env.get(name, "")) / 1000
        if outer_s:
            within_s = outer_s - min(_MARGIN_S, outer_s * _MARGIN)
            limits = [within_s] if given_s is None else [given_s, within_s]
    return min(limits)


def _milliseconds(text: str) -> float:
    """Return a number of milliseconds, or 0 for what is none."""
    try:
        value = float(text)
    except ValueError:
        return 0
    return value if value > 0 and math.isfinite(value) else 0


def _seconds(text: str) -> float:
    value = _milliseconds(text)
    if not value:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value
