"""Answer what Claude Code asks in a terminal of your own: y allows, n denies, Enter leaves it to Claude Code.

claude --settings "$(python examples/approver.py --settings)"      in one terminal
python examples/approver.py                                        in another
"""

import asyncio
import json
import sys
import termios
from contextlib import suppress
from pathlib import Path

from sayso.hook_server import HookEvent, HookServer

URL_FILE = Path.home() / ".local/state/hook-approver/url"


async def typed() -> str:
    """Return the next line that is typed."""
    loop, line = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, line.set)
    try:
        await line.wait()
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline().strip().lower()


async def answer(event: HookEvent) -> None:
    with suppress(termios.error):  # it is no terminal
        termios.tcflush(sys.stdin, termios.TCIFLUSH)  # what was typed before was meant for something else
    # JSON, since a command may hold what a terminal would obey.
    print(
        f"\n{event.tool!r} in {event.cwd!r}\n{json.dumps(event.args, indent=2)}\nAllow? y/n ",
        end="",
        flush=True,
    )
    said, over = asyncio.create_task(typed()), asyncio.create_task(event.gone())
    await asyncio.wait({said, over}, return_when=asyncio.FIRST_COMPLETED)
    if over.done():
        print(f"\nNo answer is needed any more: {over.result()}.")
    elif said.result() == "y" and event.can_allow:
        print("Allowed." if event.allow() else "Too late.")
    elif said.result() == "n":
        print("Denied." if event.deny("The user denied this.") else "Too late.")
    else:
        print("Left to Claude Code." if event.drop() else "Too late.")
    said.cancel()
    over.cancel()


async def main() -> None:
    server = HookServer(url_file=URL_FILE)
    if "--settings" in sys.argv:
        program, *arguments = server.command()
        hook = {"type": "command", "command": program, "args": arguments, "timeout": 3600}
        print(json.dumps({"hooks": {"PermissionRequest": [{"hooks": [hook]}]}}))
        return
    async with server:
        print("Waiting.", flush=True)
        async for event in server.events():
            await answer(event)


with suppress(KeyboardInterrupt):
    asyncio.run(main())
