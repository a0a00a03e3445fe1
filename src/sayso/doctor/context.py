"""What the checks look at: settings as they are read, sayso's own places, the desk's word on itself.

Reading happens once, when a check first asks. Not here: what any of it means.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

from sayso.client.blocking import Desk
from sayso.client.places import Places
from sayso.errors import SaysoError, Unavailable
from sayso.install import InstallRefused, claude_code, files, jsontext, placements
from sayso.install.claude_places import SCOPES, Surroundings

Json = dict[str, Any]
HEALTH_S = 2.0


class Entry(NamedTuple):
    """One hook of ours in some settings: what is run, and the command behind its guard."""

    event: str
    argv: tuple[str, ...]
    command: tuple[str, ...]


class Command(NamedTuple):
    """The parts of a command of ours."""

    python: str
    hook: str
    socket: str
    flags: str
    start: str = ""
    home: str = ""


@dataclass(frozen=True)
class Source:
    """A file with settings. `trouble`: why Claude Code cannot read it; "" when it can."""

    path: Path
    text: str
    trouble: str = ""
    settings: Json = field(default_factory=dict[str, Any])

    def handlers(self) -> Iterator[tuple[str, object, object]]:
        """Yield event, group and handler of every hook, whatever they are."""
        for event, groups in _members(self.settings.get("hooks")):
            for group in _items(groups):
                hooks = cast("Json", group).get("hooks") if isinstance(group, dict) else None
                for handler in _items(hooks):
                    yield event, group, handler

    def entries(self) -> list[Entry]:
        """Return the hooks of ours."""
        found: list[Entry] = []
        for event, _, handler in self.handlers():
            if command := claude_code.own_command(handler):
                fields = cast("Json", handler)
                found.append(Entry(event, (fields["command"], *map(str, fields["args"])), command))
        return found


def _members(value: object) -> list[tuple[str, object]]:
    return list(cast("Json", value).items()) if isinstance(value, dict) else []


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def parts(command: tuple[str, ...]) -> Command:
    """Take a command of ours apart; what it lacks is empty."""
    at = command.index(claude_code.AGENT)
    words = command[at + 1 :]
    options = dict(zip(words[::2], words[1::2], strict=False))
    known = (options.get(name, "") for name in ("--socket", "--flags", "--start", "--home"))
    return Command(command[0], command[at - 1], *known)


def read(path: Path) -> Source | None:
    """Read a settings file; None if there is none."""
    try:
        text = files.read(path).text
    except (InstallRefused, OSError) as error:
        return Source(path, "", str(error))
    if text is None:
        return None
    if claude_code.is_blank(text):
        return Source(path, text)
    try:
        jsontext.parse(text)
        value: object = json.loads(text.removeprefix(jsontext.BOM))
    except (jsontext.NotJson, ValueError, RecursionError) as error:
        return Source(path, text, f"not plain JSON: {error}")
    if not isinstance(value, dict):
        return Source(path, text, "JSON, but not an object { … }")
    return Source(path, text, "", cast("Json", value))


@dataclass
class Context:
    """Everything a check may look at.

    Args:
        package: the folder of the sayso that runs.
    """

    environ: Mapping[str, str]
    where: Surroundings
    places: Places
    package: Path
    version: str
    session: str = field(default_factory=lambda: f"sayso-doctor-{secrets.token_hex(4)}")

    @cached_property
    def own(self) -> list[Source]:
        """The settings of the person and of this folder, and whatever else we wrote."""
        paths = [self.where.settings_path(scope) for scope in SCOPES]
        paths += placements.known(self.places.state)
        distinct = {path.resolve(): path for path in reversed(paths)}
        found = [read(path) for path in reversed(distinct.values())]
        return [source for source in found if source is not None]

    @cached_property
    def managed(self) -> list[Source]:
        """The organisation's."""
        found = [read(path) for path in self.where.managed_paths()]
        return [source for source in found if source is not None]

    @cached_property
    def placed(self) -> list[Source]:
        """Those of `own` that hold hooks of ours."""
        return [source for source in self.own if source.entries()]

    @cached_property
    def commands(self) -> list[Command]:
        """The different commands of ours."""
        every = [parts(entry.command) for source in self.placed for entry in source.entries()]
        return list(dict.fromkeys(every))

    @cached_property
    def _asked(self) -> tuple[Json | None, str, bool]:
        try:
            with Desk(str(self.places.socket)) as desk:
                return desk.call("desk.health", {}, timeout_s=HEALTH_S), "", True
        except Unavailable as error:
            return None, error.text, False
        except SaysoError as error:
            return None, error.text, True

    @property
    def health(self) -> Json | None:
        """What the desk says of itself; None when it does not, see `runs` and `why_no_health`."""
        return self._asked[0]

    @property
    def why_no_health(self) -> str:
        return self._asked[1]

    @property
    def runs(self) -> bool:
        """Whether a desk answered, be it that we may not ask."""
        return self._asked[2]
