"""Agents for which nothing can be installed: they are named, with what there is instead."""

from __future__ import annotations

import pytest

from sayso.daemon.access import NAMES, PROGRAMS
from sayso.install.others import INSTALLED, REACHES
from sayso.main import main


@pytest.mark.parametrize("agent", sorted(REACHES.keys() - set(INSTALLED)))
def test_case_33_what_cannot_be_answered_is_said_to_be_so(
    agent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", agent]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"there is nothing to install for {REACHES[agent].name}" in said.err
    assert REACHES[agent].how in said.err
    assert REACHES[agent].can in ("ask", "nothing")


def test_case_33_each_agent_that_is_known_by_its_program_has_a_row() -> None:
    names = {NAMES.get(program, program).removesuffix("-agent") for program in PROGRAMS}
    assert names == set(REACHES)
    assert all(REACHES[agent].can == "answer" for agent in INSTALLED)
