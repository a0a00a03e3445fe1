"""The command that a pane runs, from the words of a person to a program that is there.

Imports the standard library and `tmux`.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from sayso.panes.tmux import PaneError

_CHOOSE = "choose what panes run, for example: sayso settings pane_program claude"
_ENV = "/usr/bin/env"


def words_of(program: str) -> list[str]:
    """Return the words of a command. Raises PaneError when it has none."""
    try:
        words = shlex.split(program)
    except ValueError as error:
        raise PaneError(f"pane_program cannot be read ({error}); {_CHOOSE}") from None
    if not words or "\0" in program:
        raise PaneError(f"pane_program names no program; {_CHOOSE}")
    first = str(Path(words[0]).expanduser()) if words[0].startswith("~/") else words[0]
    return [first, *words[1:]]


def find(word: str, path: str) -> str | None:
    """Return the absolute path of a program; a link's own name, which is the program's."""
    found = shutil.which(word, path=path)
    return str(Path(found).absolute()) if found is not None else None


def missing(word: str) -> PaneError:
    return PaneError(f"{word} is not installed, or not on the desk's PATH; give its whole path, or {_CHOOSE}")


def with_environment(words: list[str], given: Mapping[str, str], unset: Iterable[str]) -> list[str]:
    """Return the command that runs these words with some variables set and others taken away.

    More than one word, so that tmux hands it to no shell; and not by tmux's own options, since
    a server that an agent started hands on the agent's marks, and only this takes them away.
    """
    without = [part for name in sorted(unset) for part in ("-u", name)]
    return [_ENV, *without, *(f"{name}={value}" for name, value in given.items()), *words]
