"""Hooks of ours in the text of an agent's settings: how they are put in, and how they come out again.

The edits are text to text and know no files; `files` carries them out. Both agents keep their hooks in the
same shape: `hooks`, an event, a list of groups, each with a list of handlers. A reader takes the last of two
members with the same name.

Not here: which hooks, and how one of ours looks. Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from sayso.install import InstallRefused, foreign, jsontext

CREATED = "{\n\n"
"""How a file begins that came with our hooks: nobody else leaves a blank line there."""
EMPTY: dict[str, Any] = {"hooks": []}
"""A group that holds a place: see `HookText.keeps_places`."""
Json = dict[str, Any]


def is_blank(text: str) -> bool:
    """Tell whether a file holds nothing."""
    return not text.removeprefix(jsontext.BOM).strip(" \t\r\n")


class _Place(NamedTuple):
    """One entry of ours: the way down to the handler, as containers and the index in each of them."""

    parents: tuple[jsontext.Node, ...]  # document, hooks, list of an event, group, its hooks
    indexes: tuple[int, ...]
    command: tuple[str, ...]

    @property
    def event(self) -> str | None:
        return self.parents[1].children[self.indexes[1]].key

    @property
    def alone(self) -> bool:
        """Is it the only one of its group? Then the group is ours as well."""
        lists = [child for child in self.parents[3].children if child.key == "hooks"]
        return len(lists) == 1 and len(self.parents[4].children) == 1

    @property
    def is_last(self) -> bool:
        """Does nothing stand behind its group, for the same event?"""
        return self.indexes[2] == len(self.parents[2].children) - 1


@dataclass(frozen=True, slots=True)
class HookText:
    """The edits for one agent.

    Args:
        agent: its name, for people.
        own_command: returns the command of a handler of ours, of any version; None for another's.
        keeps_places: the agent knows hooks by their place in the list, so what stands behind an entry of
            ours must not move up when that goes: an empty group stays in its place.
    """

    agent: str
    own_command: Callable[[object], tuple[str, ...] | None]
    keeps_places: bool = False

    def placement(self, text: str | None, hooks: Json) -> str:
        """Put our hooks into the text of some settings; None means that there is no file yet.

        Entries of ours that are there already are replaced where they stand; the same twice changes nothing.
        """
        if text is None:
            return CREATED + json.dumps({"hooks": hooks}, ensure_ascii=False, indent=2)[2:] + "\n"
        after = self._without_strays(text, hooks)
        for event, (group,) in hooks.items():
            after = self._placed_one(after, event, group)
        self._check(text, after)
        if {event: groups for event, groups in self._effective(after).items() if groups} != hooks:
            raise InstallRefused(
                "The changed settings do not hold what was to be put in; nothing was written."
            )
        return after

    def removal(self, text: str) -> str:
        """Take our hooks out of the text of some settings, and what came with them."""
        after = text
        # From the end to the start, so that each step meets what the placing of this entry left behind.
        while places := self._own(after, self.parse(after)):
            after = self._cut(after, places[-1])
        self._check(text, after)
        return after

    def placed(self, text: str) -> frozenset[tuple[str, ...]]:
        """Return the different commands of ours in the text of some settings."""
        return frozenset(place.command for place in self._own(text, self.parse(text)))

    def created(self, text: str) -> bool:
        """Tell whether the file came with our hooks, and holds nothing else: then it goes with them."""
        return text.startswith(CREATED) and self.removal(text) == "{}\n"

    def parse(self, text: str) -> jsontext.Node:
        """Parse settings, or say why they are left alone."""
        if is_blank(text):
            raise InstallRefused(
                "The file is empty, so it is not JSON. Remove it, and a new one will be made."
            )
        try:
            root = jsontext.parse(text)
        except jsontext.NotJson as error:
            raise InstallRefused(
                f"These settings are not plain JSON: {error}. "
                f"{self.agent} ignores such a file as a whole; mend it first."
            ) from None
        if root.kind != "object":
            raise InstallRefused("These settings are JSON, but not an object { … }. Mend the file first.")
        return root

    def _check(self, before: str, after: str) -> None:
        foreign.check(before, after, self._is_own, places=self.keeps_places)

    def _is_own(self, handler: object) -> bool:
        return self.own_command(handler) is not None

    def _own(self, text: str, root: jsontext.Node) -> list[_Place]:
        """Find all entries of ours, in the order of the text."""
        found: list[_Place] = []
        # A place is a path through object, object, array, object, array.
        ways: list[tuple[tuple[jsontext.Node, ...], tuple[int, ...]]] = [((root,), ())]
        for keys in ({"hooks"}, None, None, {"hooks"}):
            ways = [
                ((*nodes, child.value), (*indexes, i))
                for nodes, indexes in ways
                for i, child in enumerate(nodes[-1].children)
                if keys is None or child.key in keys
            ]
        for nodes, indexes in ways:
            kinds = [node.kind for node in nodes]
            if kinds != ["object", "object", "array", "object", "array"]:
                continue
            for i, child in enumerate(nodes[-1].children):
                if command := self.own_command(_value(text, child.value)):
                    found.append(_Place(nodes, (*indexes, i), command))
        return found

    def _without_strays(self, text: str, hooks: Json) -> str:
        """Leave at most one entry of ours for each event, and only where it can be replaced as a whole."""
        while True:
            root = self.parse(text)
            kept: set[str | None] = set()
            strays: list[_Place] = []
            for place in self._own(text, root):
                if place.alone and place.event in hooks and place.event not in kept and _is_effective(place):
                    kept.add(place.event)
                else:
                    strays.append(place)
            if not strays:
                return text
            text = self._cut(text, strays[-1])

    def _placed_one(self, text: str, event: str, group: Json) -> str:
        root = self.parse(text)
        if (hooks := root.last("hooks")) is None:
            return jsontext.append(text, (root,), "hooks", {event: [group]})
        self._expect(hooks, "object", "hooks")
        if (groups := hooks.last(event)) is None:
            return jsontext.append(text, (root, hooks), event, [group])
        self._expect(groups, "array", f"hooks.{event}")
        for place in self._own(text, root):
            if place.parents[2] is groups:
                return _replaced(text, place, group)
        return jsontext.append(text, (root, hooks, groups), None, group)

    def _expect(self, node: jsontext.Node, kind: str, name: str) -> None:
        if node.kind != kind:
            raise InstallRefused(
                f"In these settings {name} is not an {kind}, so {self.agent} ignores it. Mend it first."
            )

    def _cut(self, text: str, place: _Place) -> str:
        """Take out an entry and every container around it that holds nothing else, unless it was there."""
        if not place.alone:
            return jsontext.cut(text, place.parents, place.indexes[4])
        if self.keeps_places and not place.is_last:
            return _replaced(text, place, EMPTY)
        level = 2  # the list that holds the group
        while (
            level
            and len(place.parents[level].children) == 1
            and not jsontext.marked(text, place.parents[level])
        ):
            level -= 1
        return jsontext.cut(text, place.parents[: level + 1], place.indexes[level])

    def _effective(self, text: str) -> Json:
        """Return our groups as the agent reads them: of members with the same name the last counts."""
        settings: Json = json.loads(text.removeprefix(jsontext.BOM))
        events = cast("dict[str, object]", settings["hooks"])
        lists = {
            event: cast("list[object]", groups)
            for event, groups in events.items()
            if isinstance(groups, list)
        }
        return {
            event: [group for group in groups if self._is_own_group(group)] for event, groups in lists.items()
        }

    def _is_own_group(self, group: object) -> bool:
        handlers: object = cast("Json", group).get("hooks") if isinstance(group, dict) else None
        return isinstance(handlers, list) and any(map(self._is_own, cast("list[object]", handlers)))


def _value(text: str, node: jsontext.Node) -> object:
    return json.loads(text[node.start : node.end])


def _is_effective(place: _Place) -> bool:
    """Is it in the list that the agent reads, and not in one that a later one of that name hides?"""
    root, hooks, events, *_ = place.parents
    return root.last("hooks") is hooks and hooks.last(place.event or "") is events


def _replaced(text: str, place: _Place, group: Json) -> str:
    old = place.parents[3]
    if _value(text, old) == group:
        return text
    indent = jsontext.indent_of(text, place.parents[:3])
    new = jsontext.render(text, group, indent, jsontext.unit(text, place.parents[0]))
    return text[: old.start] + new + text[old.end :]
