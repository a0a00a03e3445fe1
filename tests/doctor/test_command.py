"""The table of checks, and what is printed of it."""

from __future__ import annotations

import argparse
import json

import pytest

from sayso.doctor import command, findings
from sayso.doctor.findings import Check, Finding, Level, fail, note, ok, worst
from tests.doctor.scene import Scene

FOUND = [("one", ok("Fine.")), ("two", note("Look.", "Do this.")), ("three", fail("Broken.", "Mend it."))]


def test_names_are_one_of_a_kind_and_every_check_says_something(scene: Scene) -> None:
    names = [check.name for check in command.CHECKS]
    assert len(set(names)) == len(names)
    for check in command.CHECKS:
        found = command.carried_out(check, scene.context())
        assert found.text.endswith((".", "?")), check.name
        assert found.level is not Level.FAIL or found.todo, check.name


def test_for_people() -> None:
    assert command.lines(FOUND) == [
        "ok    Fine.",
        "note  Look.",
        "      Do this.",
        "FAIL  Broken.",
        "      Mend it.",
        "",
        "1 wrong, 1 to know, 1 fine.",
    ]


def test_for_programs() -> None:
    said = json.loads(command.as_json(FOUND))
    assert said["ok"] is False
    assert said["findings"][1] == {"name": "two", "level": "note", "text": "Look.", "todo": "Do this."}
    assert json.loads(command.as_json(FOUND[:2]))["ok"] is True


@pytest.mark.parametrize(("count", "code"), [(1, 0), (2, 0), (3, 1)])
@pytest.mark.parametrize("as_json", [True, False])
def test_the_exit_code_tells_a_failure_from_a_note(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    count: int,
    code: int,
    as_json: bool,
) -> None:
    checks = tuple(Check(name, lambda _, found=found: found) for name, found in FOUND[:count])
    monkeypatch.setattr(command, "CHECKS", checks)
    assert command.run(argparse.Namespace(json=as_json)) == code
    assert capsys.readouterr().out.startswith("{" if as_json else "ok ")


def test_a_check_that_cannot_be_made_is_a_failure_of_its_own(scene: Scene) -> None:
    def broken(_: object) -> Finding:
        raise PermissionError(13, "Permission denied", "/x")

    found = command.carried_out(Check("broken", broken), scene.context())
    assert found.level is Level.FAIL
    assert "broken could not be made: Permission denied (/x)" in found.text


def test_several_findings_become_one() -> None:
    joined = worst([ok("x"), note("A.", "Do."), fail("B.", "Do.")], "Fine.")
    assert joined == Finding(Level.FAIL, "A. B.", "Do.")
    assert worst([ok("x")], "Fine.") == ok("Fine.")
    assert findings.worst([], "Fine.") == ok("Fine.")
