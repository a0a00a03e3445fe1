"""The script that an interpreter runs, from the words of its command line.

Many an agent is one: the process is called node, and its name is that of the first argument. Words alone are
looked at; no file is read. Imports the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

_JAVASCRIPT = re.compile(r"(?:node|nodejs|bun|deno)\Z")
_PYTHON = re.compile(r"python[0-9.]*\Z")
_SUFFIXES = frozenset({".js", ".cjs", ".mjs", ".ts"})
# Options whose value is a word of its own, so that it is not taken for the script.
_VALUED = frozenset(
    {"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "-W", "-X"}
)
_CODE = frozenset({"-", "-c", "-e", "-p", "-pe", "--eval", "--print"})
"""What stands after these is no script's name."""


def is_interpreter(program: str) -> bool:
    return bool(_JAVASCRIPT.match(program) or _PYTHON.match(program))


def names(words: Sequence[str]) -> set[str]:
    """Return the names that the script of a command line goes by; none when no interpreter runs one."""
    program = PurePosixPath(words[0]).name if words else ""
    if not is_interpreter(program):
        return set()
    script = _script(iter(words[1:]), subcommands=program in ("bun", "deno"))
    if not script:
        return set()
    path = PurePosixPath(script)
    found = {path.name, *([path.stem] if path.suffix in _SUFFIXES else [])}
    return found | _package(path.parts)


def _script(words: Iterator[str], *, subcommands: bool) -> str:
    """Return the first word that is no option: a path, or with -m a module."""
    for word in words:
        if word in _CODE:
            return ""
        if word == "-m":
            return next(words, "")
        if word in _VALUED:
            next(words, "")
        elif not word.startswith("-") and not (subcommands and word == "run"):
            return word
    return ""


def _package(parts: Sequence[str]) -> set[str]:
    """Return the package that a script belongs to: it may be called index.js."""
    if "node_modules" not in parts:
        return set()
    at = len(parts) - parts[::-1].index("node_modules")
    name = parts[at : at + 2] if parts[at : at + 1] and parts[at].startswith("@") else parts[at : at + 1]
    return {"/".join(name)} if name else set()
