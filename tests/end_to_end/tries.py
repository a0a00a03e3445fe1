"""What an agent may try in order to decide, or to speak, for somebody else. Run by the agent's own shell:

    python tries.py WAY WHAT.json RESULT.json [TRY]

`double-fork` as the way leaves its ancestors before it tries; every other way is the shell's own doing.
WHAT.json says where the desk is and what waits there; RESULT.json gets what each try led to, in a word
or two. A program by itself: the standard library alone, and nothing of sayso.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

Json = dict[str, Any]
PATIENCE_S = 10.0
ALLOW = {"behavior": "allow"}
HELD = "held"


def main(way: str, what: str, result: str, only: str = "") -> None:
    if way == "double-fork":
        leave()
    place: Json = json.loads(Path(what).read_text())
    told = {name: attempt(place) for name, attempt in TRIES.items() if only in ("", name)}
    draft = Path(f"{result}.draft")
    draft.write_text(json.dumps(told))
    draft.rename(result)


def leave() -> None:
    """Become a child of the first process, with the environment as it is."""
    if os.fork():
        os._exit(0)
    os.setsid()
    parent = os.getpid()
    if os.fork():
        os._exit(0)
    end = time.monotonic() + PATIENCE_S
    while os.getppid() == parent and time.monotonic() < end:
        time.sleep(0.01)


# --- the command line, the socket, HTTP ----------------------------------------------------


def command(place: Json) -> str:
    words = [*place["sayso"], "allow", place["id"]]
    env = {**os.environ, **place["env"]}
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=30, check=False)
    return f"{done.returncode} {done.stderr.strip()}"


def call(place: Json, method: str, params: Json, more: str = "") -> str:
    """Return what the desk says to a call on a connection of its own: a code of an error, or the result."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(PATIENCE_S)
        link.connect(place["socket"])
        line = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        link.sendall(json.dumps(line).encode() + b"\n" + more.encode())
        if not method.startswith("agent.") or method in (
            "agent.request",
            "agent.event",
            "agent.take-message",
        ):
            said = json.loads(link.makefile().readline())
            if "error" in said:
                return said["error"]["data"]["code"]
            return HELD if said.get("method") == "agent.pending" else json.dumps(said["result"])
        # A receipt has no answer; a call behind it has one once the desk has read both.
        link.sendall(b'{"jsonrpc": "2.0", "id": 2, "method": "none"}\n')
        link.makefile().readline()
        return "read"


def post(place: Json, headers: dict[str, str]) -> str:
    url = f"{place['http']}/api/agent-requests/{place['id']}/answer"
    content = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, json.dumps(ALLOW).encode(), content, method="POST")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=PATIENCE_S) as response:
            return str(response.status)
    except urllib.error.HTTPError as error:
        return str(error.code)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def kept(place: Json) -> str:
    """Use what the database keeps of every device as if it were a token."""
    link = sqlite3.connect(f"file:{place['database']}?mode=ro", uri=True)
    rows = link.execute("SELECT id, hash, seal FROM devices").fetchall()
    link.close()
    told = {post(place, bearer(str(value))) for row in rows for value in row}
    return " ".join(sorted(told)) or "no device"


# --- in another's name ---------------------------------------------------------------------


def event(type_: str) -> Any:
    def attempt(place: Json) -> str:
        params = {
            **place["other"],
            "type": type_,
            "tool": "Write",
            "digest": place["digest"],
            "at_s": time.monotonic(),
        }
        told = {call(place, "agent.event", {**params, "version": 1, "agent_pid": pid}) for pid in pids(place)}
        return " ".join(sorted(told))

    return attempt


def pids(place: Json) -> list[int]:
    return [place["other_pid"], int(os.environ.get("CLAUDE_PID", "0")), os.getppid(), 0]


def take(place: Json) -> str:
    told = {
        call(place, "agent.take-message", {**place["other"], "agent_pid": pid, "version": 1})
        for pid in pids(place)
    }
    return " ".join(sorted(told))


def ask(place: Json, pid: int, **more: Any) -> str:
    params = {**place["other"], "kind": "permission", "tool": "Sly", "input": [], "version": 1}
    return call(place, "agent.request", {**params, "agent_pid": pid, **more})


TRIES: dict[str, Any] = {
    "command": command,
    "answer": lambda p: call(p, "desk.answer", {"id": p["id"], "reply": ALLOW}),
    "release": lambda p: call(p, "desk.release", {"id": p["id"]}),
    "look": lambda p: call(p, "desk.list", {}),
    "follow": lambda p: call(p, "desk.subscribe", {}),
    "settings": lambda p: call(p, "desk.settings", {"settings": {"away": True}}),
    "device": lambda p: call(p, "desk.devices", {"create": "mine", "power": "admin"}),
    "message": lambda p: call(p, "desk.queue", {**p["other"], "text": "go on"}),
    "end": lambda p: call(p, "desk.stop", {}),
    "no token": lambda p: post(p, {}),
    "wrong token": lambda p: post(p, bearer("sayso_" + "x" * 43)),
    "kept of tokens": kept,
    "tool ran": event("post-tool-use"),
    "turn ended": event("stop"),
    "new prompt": event("user-prompt-submit"),
    "session ended": event("session-end"),
    "written": lambda p: call(p, "agent.written", {"id": p["id"], "expects": ""}),
    "not written": lambda p: call(p, "agent.not_written", {"id": p["id"], "reason": "bad"}),
    "gone": lambda p: call(p, "agent.gone", {"id": p["id"], "reason": "term"}),
    "take": take,
    "same id": lambda p: ask(p, p["other_pid"], id=p["id"], resumed=True),
    "other agent": lambda p: ask(p, p["other_pid"]),
    "person": lambda p: ask(p, p["person_pid"]),
}

if __name__ == "__main__":
    main(*sys.argv[1:])
