"""What can be imported from `sayso`, and that nothing is loaded before."""

from __future__ import annotations

import ast
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

import sayso
from sayso import digest, store

STUB = Path(sayso.__file__).with_suffix(".pyi")
PROBE = """
import sys
import sayso
from sayso import core
assert not {"sayso.store", "asyncio", "msgspec", "starlette"} & set(sys.modules)
from sayso import Store
assert sayso.Store is Store and "sayso.store" in sys.modules
"""


@pytest.mark.parametrize("name", store.__all__)
def test_every_public_name_is_one_of_the_package(name: str) -> None:
    assert getattr(sayso, name) is getattr(store, name)


def test_checkers_know_the_same_names() -> None:
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    imported = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    found = [(node.module, alias.name) for node in imported for alias in node.names]
    assert found == [("sayso", "ask"), ("sayso.store", "*")]


def test_other_names_are_none() -> None:
    for name in ("nothing", "Nothing", ""):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(sayso, name)


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    command = [sys.executable, "-c", PROBE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("METHOD_REQUEST", "agent.request"),
        ("METHOD_TAKE_MESSAGE", "agent.take-message"),
        ("AGENT_CLAUDE_CODE", "claude-code"),
        ("AGENT_CODEX", "codex"),
        ("KIND_PERMISSION", "permission"),
        ("KIND_QUESTION", "question"),
        ("BEHAVIOR_ALLOW", "allow"),
        ("BEHAVIOR_DENY", "deny"),
        ("MAX_VALUE", 4000),
        ("MAX_MESSAGE", 4000),
        ("MAX_QUESTIONS", 8),
        ("MAX_OPTIONS", 16),
        ("MAX_SUGGESTIONS", 16),
        ("DEFAULT_CODEX_WAIT", timedelta(seconds=25).total_seconds()),
        ("CLAUDE_HOLD", timedelta(hours=1).total_seconds()),
    ],
)
def test_constants(name: str, value: object) -> None:
    assert getattr(sayso, name) == value
    assert type(getattr(sayso, name)) is type(value)


def test_a_digest_is_of_the_call_and_not_of_its_writing() -> None:
    assert digest("Bash", b'{"a": 1, "b": [2]}') == digest("Bash", '{"b":[2],"a":1}')
    assert digest("Bash", "{}") != digest("Read", "{}")
    assert digest("Bash", '{"a": 1}') != digest("Bash", '{"a": 1.0}')
    asked = '{"questions": [{"question": "Which?"}]}'
    answered = '{"questions": [{"question": "Which?"}], "answers": {"Which?": "Red"}}'
    assert digest("AskUserQuestion", asked) == digest("AskUserQuestion", answered)


@pytest.mark.parametrize("text", ["", "{", "{} {}", "NaN", '"\ud800"', b"\xff"])
def test_what_is_not_json_has_no_digest(text: bytes | str) -> None:
    assert digest("Bash", text) == ""
