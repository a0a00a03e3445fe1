"""How the `ht` program, the public client of document 001, speaks; told again in Python.

One connection for each call, one line on it, and the first line that comes back is the answer, whatever
its id. What it makes of its words, of an answer, of an error and of a connection that ends are kept as
they are, its slips included: a desk has to live with them. Run as a program it is such a client, for a
test to kill. Not here: desks, people who answer, and what such a program never sends.
"""

from __future__ import annotations

import json
import math
import os
import socket
import sys
import time
from typing import Any, NamedTuple

KINDS = ("yesno", "choice", "text", "confirm-command")
WATCHDOG_S = 5.0
"""How long it waits for any answer but a person's."""
_CHUNK_BYTES = 1 << 16
_FAR = 1e21
"""From here on its numbers are written with an exponent."""


class Usage(Exception):
    """Words that it refuses by itself: nothing is sent."""


class Ended(NamedTuple):
    """What its caller sees."""

    code: int
    out: str
    err: str


# --- words to a line ---------------------------------------------------------------------


def parse(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return what stands alone, and the flags. A flag swallows what follows, unless that is one."""
    alone: list[str] = []
    flags: dict[str, str] = {}
    at = 0
    while at < len(words):
        word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
        dashes = 2 if word.startswith("--") else 1 if word.startswith("-") and len(word) == 2 else 0
        if not dashes:
            alone.append(word)
        else:
            flags[word[dashes:]] = after if after and not after.startswith("-" * dashes) else "true"
            at += flags[word[dashes:]] != "true"
        at += 1
    return alone, flags


def call(words: list[str], surface: str = "") -> tuple[str, dict[str, Any]]:
    """Return the method and the parameters of a command. Raises Usage."""
    alone, flags = parse(words[1:])
    verb = alone[0] if alone else ""
    if words[0] == "agent":
        return _agent_call(verb, alone[1:], flags)
    if verb in KINDS:
        return "agent.ask_user", _question(verb, alone[1:], flags, surface)
    given = {"request_id": alone[1]} if len(alone) > 1 and alone[1] else {}
    if verb == "pending":
        return "agent.ask_pending", _only(surface_id=flags.get("surface"))
    if verb == "answer" and given and len(alone) > 2:
        return "agent.ask_answer", {**given, "value": alone[2]}
    if verb == "cancel" and given:
        return "agent.ask_cancel", {**given, **_only(reason=flags.get("reason"))}
    raise Usage(verb)


def _question(kind: str, alone: list[str], flags: dict[str, str], surface: str) -> dict[str, Any]:
    surface, title = flags.get("surface") or surface, flags.get("title") or "".join(alone[:1])
    listed = flags.get("choices", "") if kind == "choice" else ""
    if not surface or not title or (kind == "choice" and not listed):
        raise Usage(kind)
    params: dict[str, Any] = {"surface_id": surface, "kind": kind, "title": title}
    params |= _only(body=flags.get("body"))
    if listed:
        params["choices"] = [_choice(part) for part in listed.split(",")]
    params |= _only(default=flags.get("default"))
    if flags.get("timeout"):
        params["timeout_ms"] = _whole(flags["timeout"])
    if flags.get("unsafe") == "true":
        params["unsafe"] = True
    return params | _only(agent_id=flags.get("agent"))


def _choice(part: str) -> dict[str, str]:
    name, *labels = part.split(":")
    return {"id": name.strip(), "label": (labels[0] if labels else name).strip()}


def _whole(text: str) -> float | int | None:
    """Return a number as it writes it; whatever is none, or has no end, is written as null."""
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return max(0, math.floor(number)) if number < _FAR else number


def _agent_call(verb: str, alone: list[str], flags: dict[str, str]) -> tuple[str, dict[str, Any]]:
    word = alone[0] if alone else None
    if verb in ("create", "new"):
        return "agent.create", {}
    if verb in ("split", "new-split"):
        return "agent.create_split", {"direction": word or "horizontal"}
    if verb == "close":
        ids = _only(agent_id=flags.get("agent") or word, surface_id=flags.get("surface") or word)
        return "agent.close", ids
    if verb in ("list", "count"):
        return f"agent.{verb}", {}
    raise Usage(verb)


def _only(**given: str | None) -> dict[str, str]:
    return {name: value for name, value in given.items() if value}


def line(method: str, params: dict[str, Any], name: str | int = "1") -> bytes:
    """Return the line of a call: the id is always the same string, and nothing says JSON-RPC."""
    whole = {"id": name, "method": method, "params": params}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


# --- a connection ------------------------------------------------------------------------


class Wire:
    """A connection to a desk: bytes out, lines back."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._rest = b""

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def next(self, within_s: float) -> bytes:
        """Return the next line with its end, b"" at the end of the connection. Raises TimeoutError."""
        until_s = time.monotonic() + within_s
        while b"\n" not in self._rest:
            self._socket.settimeout(max(0.001, until_s - time.monotonic()))
            try:
                more = self._socket.recv(_CHUNK_BYTES)
            except ConnectionResetError:
                more = b""
            if not more:
                return b""
            self._rest += more
        found, end, self._rest = self._rest.partition(b"\n")
        return found + end

    def close(self) -> None:
        self._socket.close()


class Ht:
    """One run of the program, from its words on. `surface`: where it runs, "" for nowhere known."""

    def __init__(self, path: str, *words: str, surface: str = "") -> None:
        self.words = list(words)
        self.method, params = call(self.words, surface)
        self.sent = line(self.method, params)
        self._wire = Wire(path)
        self._wire.send(self.sent)
        self._line = b""

    def line(self, within_s: float) -> bytes:
        """Return the line that it takes for its answer, b"" when the connection ends without one."""
        while not _is_json(self._line):
            self._line = self._wire.next(within_s)
            if not self._line:
                break
        self._wire.close()
        return self._line

    def ended(self, within_s: float) -> Ended:
        """Return what its caller sees, at its end."""
        return ended(self.method, self.line(within_s))

    def hang_up(self) -> None:
        """End it as its caller's Ctrl-C does."""
        self._wire.close()


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


# --- an answer to what its caller sees -----------------------------------------------------


def ended(method: str, found: bytes) -> Ended:
    """Return what its caller sees after this answer to a method."""
    if not found:
        return Ended(0, "", "")  # it never hears of this, and ends as if all were well
    said = json.loads(found)
    if said.get("error"):
        return Ended(1, "", f"{said['error']}\n")
    return _ENDS.get(method, _told)(said["result"])


def _asked(result: dict[str, Any]) -> Ended:
    value = result.get("value")
    if result["action"] == "ok" and isinstance(value, str):
        return Ended(0, f"{value}\n", "")
    if result["action"] == "timeout":
        return Ended(2, "", "timed out\n")
    reason = result.get("reason")
    return Ended(3, "", f"cancelled: {reason}\n" if reason else "cancelled\n")


def _resolved(result: dict[str, Any]) -> Ended:
    return Ended(0, "ok\n", "") if result["resolved"] else Ended(1, "no such id\n", "")


def _listed(result: dict[str, Any]) -> Ended:
    lines = [
        f"{one['request_id']:10} {one['kind']:16} {one['surface_id']}  {one['title']}"
        for one in result["pending"]
    ]
    return Ended(0, "".join(f"{text}\n" for text in lines or ["nothing pends"]), "")


def _told(result: Any) -> Ended:
    return Ended(0, f"{result if isinstance(result, str) else json.dumps(result)}\n", "")


_ENDS = {
    "agent.ask_user": _asked,
    "agent.ask_pending": _listed,
    "agent.ask_answer": _resolved,
    "agent.ask_cancel": _resolved,
}


def main() -> int:
    """Run it with the words of the command line, where HT_SOCKET_PATH and HT_SURFACE say."""
    run = Ht(os.environ["HT_SOCKET_PATH"], *sys.argv[1:], surface=os.environ.get("HT_SURFACE", ""))
    code, out, err = run.ended(3600 if run.method == "agent.ask_user" else WATCHDOG_S)
    sys.stdout.write(out)
    sys.stderr.write(err)
    return code


if __name__ == "__main__":
    sys.exit(main())
