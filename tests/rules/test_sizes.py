"""Files and functions stay short enough to be read in one go."""

from __future__ import annotations

import ast
from statistics import median
from typing import TYPE_CHECKING

from tests.rules.tree import python_files, relative

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE_LINES = 400
FUNCTION_LINES = 40
MEDIAN_FUNCTION_LINES = 10


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """From `def` to the end, less the docstring: explaining more must never cost anything."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{relative(path)}:{node.lineno} {node.name}", body_lines(node)


def test_docstrings_do_not_count() -> None:
    tree = ast.parse('def f():\n    """One.\n\n    Two.\n    """\n    return 1\n')
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert body_lines(function) == 2


def test_no_file_is_long() -> None:
    files = python_files("src", "tests", "bench")
    lengths = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert "src/sayso/__init__.py" in lengths
    assert {name: lines for name, lines in lengths.items() if lines >= FILE_LINES} == {}


def test_no_function_is_long() -> None:
    sizes = dict(item for path in python_files("src") for item in functions(path))
    assert sizes
    assert {name: lines for name, lines in sizes.items() if lines >= FUNCTION_LINES} == {}


def test_the_usual_function_is_short() -> None:
    sizes = [lines for path in python_files("src") for _, lines in functions(path)]
    assert median(sizes) < MEDIAN_FUNCTION_LINES
