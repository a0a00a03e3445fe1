"""What holds for every test: a home of its own, steady hypothesis settings, no skip that hides a gap.

Fixtures that only some tests need stand in a conftest of their folder.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

IS_CI = os.environ.get("CI") == "true"
# A skip in continuous integration must say that the test belongs to another system ("only on macOS").
HONEST_SKIP = "only on "
# Variables by which the developer's own agents, multiplexer, desktop and desk would leak into what is tested.
FOREIGN = ("ANTHROPIC", "CLAUDE", "CODEX", "DBUS", "DISPLAY", "OPENAI", "SAYSO", "TMUX", "WAYLAND")
HOME_FOLDERS = {
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
}

# Two busy cores make single examples slow, so there is no deadline. A red run must be repeatable.
hypothesis.settings.register_profile("sayso", deadline=None, derandomize=IS_CI, print_blob=True)
hypothesis.settings.load_profile("sayso")

_home = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Move the process, and with it all it starts, to an empty home: the developer's is never read."""
    _hear_signals()
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    agents = os.environ.get("SAYSO_AGENTS") or f"{cache}/sayso-test-agents"
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        del os.environ[name]
    home = config.stash[_home] = tempfile.mkdtemp(prefix="sayso-home-")
    os.environ.pop("XDG_RUNTIME_DIR", None)
    os.environ |= {name: f"{home}/{folder}" for name, folder in HOME_FOLDERS.items()}
    os.environ |= {"HOME": home, "SAYSO_AGENTS": agents}


def _hear_signals() -> None:
    """Let what the tests start be interrupted, although a shell that runs us in the background is deaf."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash.get(_home, ""), ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: Any) -> None:
    """Where everything is said to be installed, a test that cannot run is a failure."""
    if not IS_CI or report.outcome != "skipped" or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2].removeprefix("Skipped: ")
    if not reason.startswith(HONEST_SKIP):
        report.outcome = "failed"
        report.longrepr = f"skipped although CI=true: {reason}"
