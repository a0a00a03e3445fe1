"""Reads a pattern's tree, to prove what no run over samples can: that it is linear and means one thing.

`re` has no public parser, so this leans on the one inside of it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_parser: Any = importlib.import_module("re._parser")
_constants: Any = importlib.import_module("re._constants")

# What RE2 understands as `re` does, whatever flags there are: no category, no dot, no look-around.
SHARED = {"LITERAL", "NOT_LITERAL", "IN", "RANGE", "NEGATE", "BRANCH", "SUBPATTERN", "MAX_REPEAT", "AT"}
ASCII = frozenset(map(chr, range(128)))


def parse(pattern: str) -> Any:
    return _parser.parse(pattern)


def operations(tree: Any) -> Iterator[tuple[str, Any]]:
    for operation, argument in tree:
        yield str(operation), argument
        for below in children(str(operation), argument):
            yield from operations(below)


def children(operation: str, argument: Any) -> list[Any]:
    if operation == "BRANCH":
        return list(argument[1])
    if operation in {"SUBPATTERN", "MAX_REPEAT", "MIN_REPEAT"}:
        return [argument[-1]]
    if operation == "IN":
        return [argument]
    return []


def characters(tree: Any) -> frozenset[str]:
    """Every ASCII character that the tree could take in somewhere."""
    found: frozenset[str] = frozenset()
    for operation, argument in tree:
        if operation == _constants.IN:
            found |= members(argument)
        elif operation == _constants.LITERAL:
            found |= {chr(argument)}
        elif operation == _constants.NOT_LITERAL:
            found |= ASCII - {chr(argument)}
        else:
            for below in children(str(operation), argument):
                found |= characters(below)
    return found


def members(items: Any) -> frozenset[str]:
    named: set[str] = set()
    for operation, argument in items:
        if operation == _constants.LITERAL:
            named.add(chr(argument))
        elif operation == _constants.RANGE:
            named |= set(map(chr, range(argument[0], argument[1] + 1)))
    is_negated = items[0][0] == _constants.NEGATE
    return ASCII - named if is_negated else frozenset(named)


def inner_runs(tree: Any, is_last: bool = True) -> Iterator[frozenset[str]]:
    """The characters of each unbounded repetition after which the pattern can still fail."""
    items = list(tree)
    for index, (operation, argument) in enumerate(items):
        is_end = is_last and all(can_be_empty(item) for item in items[index + 1 :])
        if str(operation) == "MAX_REPEAT" and argument[1] == _constants.MAXREPEAT:
            if not is_end:
                yield characters(argument[2])
            yield from inner_runs(argument[2], is_end)
        else:
            for below in children(str(operation), argument):
                if str(operation) != "IN":
                    yield from inner_runs(below, is_end)


def can_be_empty(item: Any) -> bool:
    operation, argument = item
    return str(operation) == "MAX_REPEAT" and argument[0] == 0
