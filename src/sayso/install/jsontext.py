"""Small changes to JSON text that leave every other byte of it as it was.

Values are found by their place in the text, so that what nobody asked to change keeps its order, its
layout, its number literals and its duplicate keys. Whatever `append` puts in, `cut` takes out again,
byte for byte.

Not a JSON library: no values are made here but strings, keys and the text of what is put in.
Imports the standard library alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NoReturn

BOM = "\ufeff"
# Deeper than any settings file; keeps the recursion of both parsers far from Python's limit.
DEPTH_MAX = 100

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_NEWLINE = re.compile(r"\r?\n")


class NotJson(ValueError):
    """The text is not JSON. Says what was met, and where."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value: its place in the text and, of an object or array, what it holds."""

    kind: str  # "object", "array", "string" or "other"
    start: int
    end: int
    children: tuple[Child, ...] = ()

    def last(self, key: str) -> Node | None:
        """Find a member by its name. Of several the last counts, as for everyone who reads JSON."""
        return next((child.value for child in reversed(self.children) if child.key == key), None)


@dataclass(frozen=True, slots=True)
class Child:
    """A member of an object, from its key on, or an item of an array."""

    start: int
    key: str | None
    value: Node

    @property
    def end(self) -> int:
        return self.value.end


def parse(text: str) -> Node:
    """Find the values in the text. Strict, as agents are: no comments, no trailing commas."""
    reader = _Reader(text, 1 if text.startswith(BOM) else 0)
    return reader.document()


class _Reader:
    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at

    def document(self) -> Node:
        root = self._value(0)
        self._skip_space()
        if self._at != len(self._text):
            self._fail("more text after the end")
        return root

    def _skip_space(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _peek(self) -> str:
        self._skip_space()
        return self._text[self._at : self._at + 1]

    def _fail(self, what: str) -> NoReturn:
        line = self._text.count("\n", 0, self._at) + 1
        column = self._at - self._text.rfind("\n", 0, self._at)
        raise NotJson(f"{what} (line {line}, column {column})")

    def _take(self, mark: str) -> None:
        if (met := self._peek()) != mark:
            self._fail(f"{mark!r} expected, {met!r} met" if met else f"{mark!r} expected, the text ends")
        self._at += 1

    def _value(self, depth: int) -> Node:
        if depth > DEPTH_MAX:
            self._fail(f"more than {DEPTH_MAX} levels")
        match self._peek():
            case "{":
                return self._container("object", "}", depth)
            case "[":
                return self._container("array", "]", depth)
            case '"':
                return self._token("string", _STRING)
            case _:
                return self._token("other", _SCALAR)

    def _token(self, kind: str, pattern: re.Pattern[str]) -> Node:
        if not (found := pattern.match(self._text, self._at)):
            met = self._peek()
            self._fail("a broken string" if kind == "string" else f"a value expected, {met!r} met")
        self._at = found.end()
        return Node(kind, found.start(), found.end())

    def _container(self, kind: str, closer: str, depth: int) -> Node:
        start = self._at
        self._at += 1
        children: list[Child] = []
        if self._peek() != closer:
            children.append(self._child(kind, depth))
            while self._peek() == ",":
                self._at += 1
                children.append(self._child(kind, depth))
        self._take(closer)
        return Node(kind, start, self._at, tuple(children))

    def _child(self, kind: str, depth: int) -> Child:
        if kind == "array":
            value = self._value(depth + 1)
            return Child(value.start, None, value)
        if self._peek() != '"':
            self._fail("a name in quotes expected")
        name = self._token("string", _STRING)
        self._take(":")
        return Child(name.start, json.loads(self._text[name.start : name.end]), self._value(depth + 1))


def same_line(text: str, node: Node) -> bool:
    """Tell whether what a container holds begins on the line of its opening bracket."""
    return "\n" not in lead(text, node)


def lead(text: str, node: Node) -> str:
    """Return the white space between an opening bracket and the first child."""
    return text[node.start + 1 : node.children[0].start] if node.children else ""


def newline(text: str) -> str:
    """Return the line end that the text uses: that of its first line."""
    found = _NEWLINE.search(text)
    return found.group() if found else "\n"


def indent_of(text: str, parents: tuple[Node, ...]) -> str | None:
    """Return the indentation of what the last of the parents holds; None means: all in one line.

    An empty container follows its parent's layout, one step deeper; an empty document is laid out freely.
    """
    *above, node = parents
    if node.children:
        return None if same_line(text, node) else lead(text, node).rpartition("\n")[2]
    if not above:
        return unit(text, node)
    outer = indent_of(text, tuple(above))
    return None if outer is None else outer + unit(text, parents[0])


def unit(text: str, root: Node) -> str:
    """Return one step of indentation, as the document uses it."""
    if not root.children or same_line(text, root):
        return "  "
    return lead(text, root).rpartition("\n")[2]


def render(text: str, value: object, indent: str | None, step: str) -> str:
    """Write a value in the manner of the text: over several lines, or all in one."""
    if indent is None:
        return json.dumps(value, ensure_ascii=False, separators=_signs(text, indent))
    lines = json.dumps(value, ensure_ascii=False, indent=step)
    return lines.replace("\n", newline(text) + indent)


def _signs(text: str, indent: str | None) -> tuple[str, str]:
    """Return what stands between items, and between name and value: minified text gets no blanks."""
    return (",", ":") if indent is None and ": " not in text else (", ", ": ")


def append(text: str, parents: tuple[Node, ...], key: str | None, value: object) -> str:
    """Put a value behind everything that the last of the parents holds.

    An empty container other than the document itself gets a mark before the new child: a blank line,
    or a blank. It says that the container is not ours, so that `cut` knows to leave it, empty, behind.
    """
    *above, node = parents
    indent = indent_of(text, parents)
    line = newline(text)
    comma, colon = _signs(text, indent)
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + colon
    new = name + render(text, value, indent, unit(text, parents[0]))
    if node.children:
        at = node.children[-1].end
        return text[:at] + (comma if indent is None else f",{line}{indent}") + new + text[at:]
    at = node.start + 1
    if indent is None:
        return f"{text[:at]} {new}{text[at:]}"
    mark = line if above else ""
    return f"{text[:at]}{mark}{line}{indent}{new}{line}{_closing(text, parents)}{text[at:]}"


def marked(text: str, node: Node) -> bool:
    """Tell whether a container was there, empty, before `append` put something in."""
    first = lead(text, node)
    return first == " " or first.startswith(newline(text) * 2)


def cut(text: str, parents: tuple[Node, ...], index: int) -> str:
    """Take out one of the things that the last of the parents holds."""
    node = parents[-1]
    child = node.children[index]
    if index:
        return text[: node.children[index - 1].end] + text[child.end :]
    if len(node.children) > 1:
        return text[: child.start] + text[node.children[1].start :]
    rest = text[child.end :]
    if not same_line(text, node):
        rest = rest.removeprefix(newline(text) + _closing(text, parents))
    return text[: node.start + 1] + rest


def _closing(text: str, parents: tuple[Node, ...]) -> str:
    """Return the indentation of a closing bracket: that of the line where the container began."""
    *above, _ = parents
    return (indent_of(text, tuple(above)) or "") if above else ""
