"""The locks hold what pyproject.toml asks for, by hash, and say nothing about where it came from."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.rules.tree import ROOT

PIN = re.compile(r"^([a-z0-9._-]+)==\S+(?: ; [^\\]+)? \\$")
NAME = re.compile(r"^[A-Za-z0-9._-]+")
LOCKS = ("requirements.lock", "requirements-dev.lock")


def pins(lock: str) -> dict[str, str]:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    found = ((PIN.match(line), line) for line in lines)
    return {match[1]: line for match, line in found if match}


def names(requirements: list[str]) -> set[str]:
    found = (NAME.match(requirement) for requirement in requirements)
    return {match[0].lower() for match in found if match}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_is_a_pin_a_hash_or_a_remark(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    strange = [
        line
        for line in lines
        if not (PIN.match(line) or re.match(r"^ {4}--hash=sha256:[0-9a-f]{64}|^ *#", line))
    ]
    assert strange == []
    assert pins(lock)


def test_what_is_asked_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = names(project["project"]["dependencies"])
    assert needed <= pins("requirements.lock").keys(), "run scripts/lock"
    tools = names(project["dependency-groups"]["dev"])
    assert needed | tools <= pins("requirements-dev.lock").keys(), "run scripts/lock"


def test_tests_run_with_what_users_get() -> None:
    tools = pins("requirements-dev.lock")
    users = pins("requirements.lock")
    assert {name: tools.get(name, "").split()[0] for name in users} == {
        n: p.split()[0] for n, p in users.items()
    }
