"""A hook server for Python programs: an agent calls its hooks, the program answers them.

No desk runs, and nothing is kept: the program is all there is between the agent and its answer.
`HookServer` is for asyncio; in `sayso.hook_server.blocking` there is the same for threads.

An event is answered once, and the agent acts on that. An event that is not answered decides nothing,
whichever way it ends, and then the agent asks by itself.
"""

from __future__ import annotations

from sayso.errors import BadReply
from sayso.hook_server.answers import HookResponse
from sayso.hook_server.errors import UnsafeFolder, UrlFileInUse
from sayso.hook_server.events import HookEvent
from sayso.hook_server.holds import Ending
from sayso.hook_server.server import HookServer

__all__ = [
    "BadReply",
    "Ending",
    "HookEvent",
    "HookResponse",
    "HookServer",
    "UnsafeFolder",
    "UrlFileInUse",
]
