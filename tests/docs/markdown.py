"""Pieces of Markdown that several pages are put together from. Imports the standard library."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Sequence
from types import ModuleType


def cell(text: str) -> str:
    """Return a text as it may stand in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; cells are Markdown already, but for `|` and line ends."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(cell, line)) + " |" for line in lines)


def code(text: str) -> str:
    """Return a text as code within a line; one without a character is a dash."""
    if not text:
        return "–"
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def fence(text: str, language: str = "") -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def joined(*parts: str) -> str:
    """Return the parts of a page, a blank line between them. A part may be indented as a whole."""
    return "\n\n".join(inspect.cleandoc(part) for part in parts if part) + "\n"


def prose(text: str | None) -> str:
    """Return a docstring as paragraphs."""
    return inspect.cleandoc(text or "").strip()


def constants(module: ModuleType) -> list[tuple[str, object, str]]:
    """Return the constants of a module in order: name, value, and the docstring below it."""
    body = ast.parse(inspect.getsource(module)).body
    found: list[tuple[str, object, str]] = []
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name.isupper() and not name.startswith("_"):
                found.append((name, getattr(module, name), _docstring(after)))
            case _:
                continue
    return found


def _docstring(node: ast.stmt) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return prose(text)
        case _:
            return ""
