"""A hook server that runs."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sayso.hook_server import HookServer


@pytest.fixture
async def server() -> AsyncIterator[HookServer]:
    async with HookServer() as server:
        yield server
