"""The check that an edit of hooks or permission rules leaves everything else as it was.

It reads with the standard library's parser and looks at values, so that the edit of the text is not its
own judge. Knows the shape of a `hooks` object and of the rules, and from the caller what is ours.
Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from sayso.install import InstallRefused, jsontext

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    IsOurs = Callable[[object], bool]

_REFUSED = "The edit would have changed settings that are not sayso's; nothing was written."


def check(before: str, after: str, is_ours: IsOurs, *, places: bool = False) -> None:
    """Refuse an edit of hooks that would change, move or lose anything that is not ours.

    With `places`, groups that hold nothing but a place may come.
    """
    if _rest(_loads(before), is_ours, places) != _rest(_loads(after), is_ours, places):
        raise InstallRefused(_REFUSED)


def check_rules(before: str, after: str, ours: Collection[str]) -> None:
    """Refuse an edit of `permissions.allow` that would change, move or lose anything that is not ours."""
    if _rest_of_rules(_loads(before), ours) != _rest_of_rules(_loads(after), ours):
        raise InstallRefused(_REFUSED)


class _Pairs(list[tuple[str, Any]]):
    """An object with its members in their order, duplicates and all. Never equal to an array."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Pairs) and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None


class _Number(str):
    """A number as it is written. Never equal to a string."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Number) and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def _loads(text: str) -> Any:
    text = text.removeprefix(jsontext.BOM)
    return json.loads(text, object_pairs_hook=_Pairs, parse_int=_Number, parse_float=_Number)


def _array(value: object) -> list[Any] | None:
    return cast("list[Any]", value) if isinstance(value, list) and not isinstance(value, _Pairs) else None


def _rest(root: _Pairs, is_ours: IsOurs, places: bool) -> _Pairs:
    """Return settings without what is ours, and without lists of hooks that hold nothing (any more)."""
    kept = _Pairs()
    for key, value in root:
        if key == "hooks" and isinstance(value, _Pairs):
            events = ((event, _rest_of_groups(groups, is_ours, places)) for event, groups in value)
            if full := _Pairs((event, groups) for event, groups in events if _array(groups) != []):
                kept.append((key, full))
        else:
            kept.append((key, value))
    return kept


def _rest_of_groups(groups: object, is_ours: IsOurs, places: bool) -> object:
    if (items := _array(groups)) is None:
        return groups
    rest = [_rest_of_group(group, is_ours) for group in items if not _is_all_ours(group, is_ours)]
    return [group for group in rest if not places or group != _Pairs([("hooks", [])])]


def _is_all_ours(group: object, is_ours: IsOurs) -> bool:
    """Tell whether a group holds handlers, and only ours."""
    if not isinstance(group, _Pairs):
        return False
    lists = [value for key, value in group if key == "hooks"]
    handlers = _array(lists[0]) if len(lists) == 1 else None
    return bool(handlers) and all(_is_ours(handler, is_ours) for handler in handlers or [])


def _rest_of_group(group: object, is_ours: IsOurs) -> object:
    if not isinstance(group, _Pairs):
        return group
    return _Pairs(
        (key, _rest_of_handlers(value, is_ours) if key == "hooks" else value) for key, value in group
    )


def _rest_of_handlers(handlers: object, is_ours: IsOurs) -> object:
    if (items := _array(handlers)) is None:
        return handlers
    return [handler for handler in items if not _is_ours(handler, is_ours)]


def _is_ours(handler: object, is_ours: IsOurs) -> bool:
    return isinstance(handler, _Pairs) and is_ours(dict(handler))


def _rest_of_rules(root: _Pairs, ours: Collection[str]) -> _Pairs:
    """Return settings without our rules, and without the containers of rules that hold nothing (any more)."""
    kept = _Pairs()
    for key, value in root:
        if key == "permissions" and isinstance(value, _Pairs):
            lists = ((name, _others(each, ours) if name == "allow" else each) for name, each in value)
            if full := _Pairs((name, each) for name, each in lists if (name, _array(each)) != ("allow", [])):
                kept.append((key, full))
        else:
            kept.append((key, value))
    return kept


def _others(rules: object, ours: Collection[str]) -> object:
    if (items := _array(rules)) is None:
        return rules
    return [rule for rule in items if isinstance(rule, _Number) or rule not in ours]
