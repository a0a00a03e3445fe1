"""The stage that every test of panes plays on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.panes.stage import Stage, on_stage


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    async with on_stage() as made:
        yield made
