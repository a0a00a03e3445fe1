"""Fixtures of the end-to-end tests: the real Claude Code and the real Codex, and what they run in.

A missing agent fails the tests that need it, everywhere: a skip would hide that
nothing was proved. Not for tests of smaller pieces. May import the lab.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.desk import Desk
from tests.lab import claude as lab
from tests.lab.claude import Claude
from tests.lab.codex import Codex
from tests.lab.fake_anthropic import FakeAnthropic
from tests.lab.fake_openai import FakeOpenAI
from tests.lab.pages import Pages
from tests.lab.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import Iterator


def installed(name: str = "claude-code") -> Path:
    """Return an agent's binary. Fails the test where it is missing, or not cut off."""
    try:
        binary = lab.installed(name)
    except FileNotFoundError as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(f"the CI job must install the agents first: {missing}", pytrace=False)
        pytest.fail(f"the agents of the tests are missing, run make test: {missing}", pytrace=False)
    if not lab.cut_off():
        pytest.fail("real agents run under scripts/hermetic only: run make test", pytrace=False)
    return binary


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """The path of Claude Code in the version these tests are written for."""
    return installed()


@pytest.fixture(scope="session")
def codex_binary() -> Path:
    """The path of Codex in the version these tests are written for."""
    return installed("codex")


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder of this test alone, with a short path: the terminal shows paths in full."""
    with tempfile.TemporaryDirectory(prefix="sayso-e2e-", ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()


@pytest.fixture
def fake_model(root: Path) -> Iterator[FakeAnthropic]:
    """A scripted model that plays tests/lab/scenarios; {PROJECT} is the test's project."""
    with FakeAnthropic(variables={"PROJECT": str(root / "project")}) as fake:
        yield fake


@pytest.fixture
def claude(claude_binary: Path, root: Path, fake_model: FakeAnthropic) -> Claude:
    """Claude Code with a fresh home and project."""
    return Claude.create(claude_binary, root, fake_model.port)


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    """A scripted model for Codex; tests say what it plays."""
    with FakeOpenAI() as model:
        yield model


@pytest.fixture
def codex(codex_binary: Path, root: Path, model: FakeOpenAI) -> Codex:
    """Codex with a fresh home and project."""
    return Codex.create(codex_binary, root, model.port)


@pytest.fixture
def home(claude: Claude) -> Path:
    """The home folder the agent runs with."""
    return claude.home


@pytest.fixture
def project(claude: Claude) -> Path:
    """The folder the agent works in."""
    return claude.project


@pytest.fixture
def recorder(root: Path) -> Recorder:
    """Records of hooks that do what the test says."""
    return Recorder(root)


@pytest.fixture
def desk(root: Path) -> Iterator[Desk]:
    """A private desk that runs; it asks nobody's leave to take this process for a person."""
    desk = Desk(root / "desk")
    try:
        desk.up()
        yield desk
    finally:
        desk.close()


@pytest.fixture
def pages(root: Path, fake_model: FakeAnthropic) -> Iterator[Pages]:
    """Pages that the agent can fetch; {PAGES} in a scenario is their port."""
    with Pages(root) as pages:
        fake_model.variables["PAGES"] = str(pages.port)
        yield pages
