"""A browser for all tests of this folder, a desk for each file, and nothing left over between two tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import Chromium
from tests.browser.scene import Scene


@pytest.fixture(scope="package")
def chromium() -> Iterator[Chromium]:
    try:
        chromium = Chromium()
    except FileNotFoundError as missing:
        pytest.fail(str(missing), pytrace=False)
    with chromium:
        yield chromium


@pytest.fixture(scope="module")
def standing(chromium: Chromium) -> Iterator[Scene]:
    with Scene(chromium) as scene:
        yield scene


@pytest.fixture
def scene(standing: Scene) -> Iterator[Scene]:
    """The desk of this file, with nothing waiting and no browser open."""
    yield standing
    standing.leave()
