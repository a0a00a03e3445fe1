"""A desk, an agent beside it, and the hooks between them: real processes in a private home."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.desks import Home, Watcher
from tests.standin import StandIn


class Stage:
    """A private home with an agent. `home` may have a desk, or none."""

    def __init__(self, home: Home, agent: StandIn) -> None:
        self.home = home
        self.agent = agent

    def up(self) -> None:
        self.home.up("--agents-only", str(self.agent.pid))

    def watch(self) -> Watcher:
        return Watcher(self.home)


@pytest.fixture(scope="session")
def handlers() -> Iterator[dict[str, Any]]:
    """The hooks that the installer prints, for some home."""
    with Home() as home:
        yield {"home": str(home.path), "hooks": home.handlers()}


def _stage(handlers: dict[str, Any]) -> Iterator[Stage]:
    with Home() as home:
        # The copy of the hook stays where it is; the desk and the flags are this home's.
        text = json.dumps(handlers["hooks"]).replace(f"{handlers['home']}/run", f"{home.path}/run")
        with StandIn(json.loads(text)) as agent:
            yield Stage(home, agent)


@pytest.fixture
def stage(handlers: dict[str, Any]) -> Iterator[Stage]:
    """A home of the test's own, without a desk."""
    yield from _stage(handlers)


@pytest.fixture(scope="module")
def shared(handlers: dict[str, Any]) -> Iterator[Stage]:
    """A home with a desk, for tests that use sessions of their own and leave the desk alone."""
    for stage in _stage(handlers):
        stage.up()
        yield stage


@pytest.fixture
def watcher(shared: Stage) -> Iterator[Watcher]:
    with shared.watch() as watcher:
        yield watcher
