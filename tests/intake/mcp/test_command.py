"""How long a call may wait, and what is said when the SDK is missing."""

from __future__ import annotations

import argparse
import importlib.abc
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

from sayso.intake.mcp import command
from sayso.main import main, parser


@pytest.mark.parametrize(
    ("given_s", "agent_ms", "limit_s"),
    [
        (None, None, 50),
        (None, "", 50),
        (None, "soon", 50),
        (None, "-1", 50),
        (None, "inf", 50),
        (None, "3000", 2.4),
        (None, "60000", 55),
        (None, "3600000", 3595),
        (20, None, 20),
        (20, "60000", 20),
        (300, "60000", 55),
    ],
)
def test_case_22_a_call_ends_before_the_agents_own_limit(
    given_s: float | None, agent_ms: str | None, limit_s: float
) -> None:
    env = {} if agent_ms is None else {"MCP_TOOL_TIMEOUT": agent_ms}
    assert command.limit_s(given_s, env) == pytest.approx(limit_s)


def test_the_option() -> None:
    assert parser().parse_args(["mcp"]).limit is None
    assert parser().parse_args(["mcp", "--limit", "2.5"]).limit == 2.5


@pytest.mark.parametrize("words", ["0", "-1", "nan", "soon"])
def test_an_option_that_is_no_time(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["mcp", f"--limit={words}"])
    assert ended.value.code == 2
    assert "no number of seconds" in capsys.readouterr().err


class _Without(importlib.abc.MetaPathFinder):
    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        if name.partition(".")[0] == self._name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.mark.parametrize("missing", ["mcp", "mcp_types"])
def test_without_the_sdk(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _hide(missing, monkeypatch)
    assert main(["mcp"]) == 1
    assert "pip install 'sayso[mcp]'" in capsys.readouterr().err


def test_another_missing_module_is_told_as_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    _hide("msgspec", monkeypatch)
    for name in [name for name in sys.modules if name.startswith("sayso.intake.mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ModuleNotFoundError, match="msgspec"):
        command.run(argparse.Namespace(limit=None, socket="nowhere"))


def _hide(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "sayso.intake.mcp.server", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Without(missing), *sys.meta_path])


def test_the_program_starts_without_loading_the_sdk() -> None:
    code = (
        "import sys; from sayso.main import parser; parser(); print({'mcp', 'pydantic'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.strip() == "set()"
