"""Every requirement that counts as held names tests, and they are there."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.requirements import AREAS, Requirement
from tests.rules.tree import ROOT

ROWS = [row for rows in AREAS.values() for row in rows]
IDS = [row.id for row in ROWS]
# Of the cases, those that what is built must hold.
CASES_BUILT = (*range(1, 11), 12, 13, *range(15, 19), *range(21, 31), 36, 43, 47, 48, 60)


@cache
def names_in(path: str) -> frozenset[str]:
    """Every test of a file, as its id goes on behind the path."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    return frozenset(_names(ast.parse(file.read_text(encoding="utf-8")).body, ""))


def _names(body: list[ast.stmt], within: str) -> list[str]:
    found: list[str] = []
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test_"):
                found.append(within + name)
            case ast.ClassDef(name=name) if name.startswith("Test"):
                found += _names(node.body, f"{within}{name}::")
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("Test"):
                found.append(within + name)  # a state machine of hypothesis
            case _:
                continue
    return found


def is_there(test: str) -> bool:
    path, _, name = test.partition("::")
    return name.partition("[")[0] in names_in(path)


def test_every_id_is_used_once() -> None:
    assert sorted({name for name in IDS if IDS.count(name) > 1}) == []
    assert [name for name in IDS if not re.fullmatch(r"[a-z]+-[0-9]{2}[a-z]?", name)] == []


def test_what_is_held_names_a_test() -> None:
    assert [row.id for row in ROWS if row.held and not row.tests] == []


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_every_test_that_is_named_is_there(row: Requirement) -> None:
    assert [test for test in row.tests if not is_there(test)] == []
    assert row.text.strip()
    assert len(set(row.tests)) == len(row.tests)


def test_a_row_of_a_case_is_held_by_tests_of_its_number() -> None:
    """Whoever looks for the tests of a case finds them by its number."""
    wrong: list[str] = []
    for row in ROWS:
        case = re.fullmatch(r"case-([0-9]{2})[a-z]?", row.id)
        if case and row.held:
            number = re.compile(rf"::test_case_(?:[0-9]{{2}}_)*0?{int(case[1])}_")
            wrong += [f"{row.id}: {test}" for test in row.tests if not number.search(test)]
    assert wrong == []


def test_every_case_that_is_built_has_a_row() -> None:
    numbers = {int(name.removeprefix("case-")[:2]) for name in IDS if name.startswith("case-")}
    assert set(CASES_BUILT) <= numbers


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("tests/rules/test_requirements.py::test_every_id_is_used_once", True),
        ("tests/rules/test_requirements.py::test_every_test_that_is_named_is_there[desk-01]", True),
        ("tests/rules/test_requirements.py::test_that_nobody_wrote", False),
        ("tests/rules/test_nowhere.py::test_every_id_is_used_once", False),
    ],
)
def test_a_test_is_found_by_its_id(test: str, expected: bool) -> None:
    assert is_there(test) is expected
