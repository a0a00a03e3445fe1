"""The scenarios whose hooks are recorded, by name: what happens on a Stage.

Each is a function that drives one Stage; its docstring is the first line of its
golden file. `PLAYS` finds them all by the modules below. Not tests: what a play
must show is for the golden file and whoever reads it. May import the lab only.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from tests.lab.plays import asking, permissions, sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from tests.lab.stage import Stage


def _plays_of(module: ModuleType) -> Iterator[tuple[str, Callable[[Stage], None]]]:
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name[0] != "_":
            yield name, value


PLAYS: dict[str, Callable[[Stage], None]] = {
    name: play for module in (permissions, asking, sessions) for name, play in _plays_of(module)
}
