"""Decide by rules what Claude Code may do without asking, and what not at all. The rest it asks you itself.

claude --settings "$(python examples/policy.py --settings)"        in one terminal
python examples/policy.py                                          in another
"""

import json
import sys
from contextlib import suppress
from pathlib import Path

from sayso.hook_server.blocking import HookEvent, HookServer

URL_FILE = Path.home() / ".local/state/hook-policy/url"
HARMLESS = ["git status", "git diff", "git log --oneline -10"]
"""Whole commands: one that only begins like these may go on in any way."""
LOCKED = ["package-lock.json", "uv.lock"]


def decide(event: HookEvent) -> None:
    """Answer an event, or drop it: then Claude Code asks, or not, as without this program."""
    path = event.args.get("file_path")
    if is_harmless(event):
        event.allow()
    elif event.tool in ("Edit", "Write") and isinstance(path, str) and Path(path).name in LOCKED:
        event.deny("Lock files are not edited by hand here: run the package manager.")
    else:
        event.drop()


def is_harmless(event: HookEvent) -> bool:
    if event.tool == "Bash":
        return event.args.get("command") in HARMLESS
    return event.tool == "Read" and is_inside(event.args.get("file_path"), event.cwd)


def is_inside(path: object, folder: str) -> bool:
    """Whether a path leads into a folder, wherever links lead."""
    if not isinstance(path, str) or not folder:
        return False
    with suppress(OSError, ValueError):
        return Path(folder, path).resolve().is_relative_to(Path(folder).resolve())
    return False


def main() -> None:
    server = HookServer(url_file=URL_FILE)
    if "--settings" in sys.argv:
        program, *arguments = server.command()
        hook = {"type": "command", "command": program, "args": arguments, "timeout": 10}
        print(json.dumps({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}))
        return
    with server:
        print("Deciding.", flush=True)
        for event in server.events():
            decide(event)
            # As JSON, since a command may hold what a terminal would obey.
            print(event.ending, json.dumps([event.tool, event.args]), flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
