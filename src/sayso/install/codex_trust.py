"""Codex's own word on our hooks, and its own way to trust them or to forget that it did.

`codex app-server` is started for a moment and asked by its standard input and output, with the calls that its
terminal makes itself. Nothing here makes up a sum or writes `config.toml`; what is trusted or forgotten are
entries of ours alone, by the place and the command that the program itself names.

Not here: who may say yes to it (`codex_command`). Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from sayso import __version__
from sayso.install import codex
from sayso.install.codex_places import Home, config_of

Json = dict[str, Any]
PROGRAM = "codex"
METHODS = frozenset({"initialize", "initialized", "hooks/list", "config/batchWrite"})
"""All that is ever sent."""
_CALL_S = 20.0
_END_S = 5.0
_CHUNK = 1 << 16
_STATE = "hooks.state"


class Trouble(Exception):
    """The program is not there, or did not do what was asked; the text says which."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook of ours as Codex sees it. `trust`: trusted, untrusted, modified or managed."""

    key: str
    event: str
    command: str
    trust: str
    enabled: bool
    digest: str

    @property
    def works(self) -> bool:
        return self.enabled and self.trust in ("trusted", "managed")


class Server:
    """A short-lived app server of one home; use it with `with`. Raises Trouble."""

    def __init__(self, home: Home, environ: Mapping[str, str]) -> None:
        program = shutil.which(PROGRAM, path=environ.get("PATH"))
        if program is None:
            raise Trouble(f"there is no `{PROGRAM}` on this PATH")
        self.home = home
        self._number = 0
        self._left = b""
        try:
            self._process = subprocess.Popen(
                [program, "app-server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=home.folder,
                env=dict(environ),
            )
        except OSError as error:
            raise Trouble(f"{program} does not start ({error.strerror})") from None

    def __enter__(self) -> Self:
        try:
            client = {"name": "sayso", "title": "sayso", "version": __version__}
            self.call("initialize", {"clientInfo": client, "capabilities": {"experimentalApi": True}})
            self._send({"method": "initialized"})
        except Trouble:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it: the end of its input is enough, and it is not waited for long."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
        except OSError:
            self._process.kill()  # it has gone already
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def call(self, method: str, params: Json) -> Json:
        """Return the result of a call."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        end_s = time.monotonic() + _CALL_S
        while True:
            message = self._next(end_s)
            if message.get("id") != self._number or "method" in message:
                continue  # told to every client, and nothing that is asked of us
            result = message.get("result")
            if not isinstance(result, dict):
                raise Trouble(f"`{PROGRAM} app-server` refused {method}: {_words(message.get('error'))}")
            return cast("Json", result)

    def _send(self, message: Json) -> None:
        assert message["method"] in METHODS
        assert self._process.stdin is not None
        try:
            os.write(self._process.stdin.fileno(), json.dumps(message).encode() + b"\n")
        except OSError:
            raise Trouble(f"`{PROGRAM} app-server` ended at once") from None

    def _next(self, end_s: float) -> Json:
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        while b"\n" not in self._left:
            if not select.select([handle], [], [], max(0.0, end_s - time.monotonic()))[0]:
                raise Trouble(f"`{PROGRAM} app-server` did not answer within {_CALL_S:.0f} s")
            chunk = os.read(handle, _CHUNK)
            if not chunk:
                raise Trouble(f"`{PROGRAM} app-server` ended without an answer")
            self._left += chunk
        line, _, self._left = self._left.partition(b"\n")
        try:
            value: object = json.loads(line)
        except ValueError:
            raise Trouble(f"`{PROGRAM} app-server` speaks another language than JSON") from None
        return cast("Json", value) if isinstance(value, dict) else {}

    # --- hooks -------------------------------------------------------------------------

    def hooks(self) -> tuple[list[Hook], list[str]]:
        """Return our hooks in this home's own file, and what Codex says is wrong with that file."""
        listed: object = self.call("hooks/list", {"cwds": [str(self.home.folder)]}).get("data")
        found: list[Hook] = []
        warnings: list[str] = []
        for place in _dicts(listed):
            found += [hook for row in _dicts(place.get("hooks")) if (hook := self._own(row))]
            told = [*_texts(place.get("warnings")), *_texts(place.get("errors"))]
            warnings += [text for text in told if str(self.home.hooks) in text]
        return found, warnings

    def _own(self, row: Json) -> Hook | None:
        source, command = str(row.get("sourcePath")), str(row.get("command"))
        if row.get("source") != "user" or os.path.realpath(source) != os.path.realpath(self.home.hooks):
            return None
        if codex.own_words(command) is None:
            return None
        return Hook(
            key=str(row.get("key")),
            event=str(row.get("eventName")),
            command=command,
            trust=str(row.get("trustStatus")),
            enabled=row.get("enabled") is True,
            digest=str(row.get("currentHash")),
        )

    def trust(self, hooks: list[Hook]) -> None:
        """Trust hooks of ours, as they are."""
        value = {hook.key: {"trusted_hash": hook.digest} for hook in hooks}
        self._write([{"keyPath": _STATE, "value": value, "mergeStrategy": "upsert"}])

    def forget(self, keys: list[str]) -> None:
        """Forget what was said of hooks of ours: whoever stands in that place next shall not have it."""
        kept = _state(self.home)
        mine = [key for key in keys if key in kept and not set(key) & set('"\\')]
        edits = [_dropped(f'{_STATE}."{key}"') for key in mine]
        if edits:
            self._write(edits)
            self._tidy()

    def _tidy(self) -> None:
        """Take out the empty tables that this leaves behind."""
        hooks = config_of(self.home).get("hooks")
        if hooks == {"state": {}}:
            self._write([_dropped("hooks")])
        elif isinstance(hooks, dict) and cast("Json", hooks).get("state") == {}:
            self._write([_dropped(_STATE)])

    def _write(self, edits: list[Json]) -> None:
        self.call("config/batchWrite", {"edits": edits, "reloadUserConfig": True})


def _state(home: Home) -> Json:
    hooks = config_of(home).get("hooks")
    state: object = cast("Json", hooks).get("state") if isinstance(hooks, dict) else None
    return cast("Json", state) if isinstance(state, dict) else {}


def _dropped(path: str) -> Json:
    return {"keyPath": path, "value": None, "mergeStrategy": "replace"}


def _words(error: object) -> str:
    return str(cast("Json", error).get("message")) if isinstance(error, dict) else "no reason given"


def _dicts(value: object) -> list[Json]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Json", each) for each in listed if isinstance(each, dict)]


def _texts(value: object) -> list[str]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [each if isinstance(each, str) else json.dumps(each) for each in listed]


def program(environ: Mapping[str, str]) -> Path | None:
    """Return where Codex is."""
    found = shutil.which(PROGRAM, path=environ.get("PATH"))
    return Path(found) if found else None
