"""The generated pages are what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import bounds, pages


@pytest.mark.parametrize("name", pages.PAGES)
def test_the_page_is_what_the_code_says(name: str) -> None:
    assert (pages.FOLDER / name).read_text(encoding="utf-8") == pages.text_of(name), (
        "run python -m tests.docs"
    )


def test_no_section_of_the_bounds_is_empty() -> None:
    for title, (module, about) in bounds.ABOUT.items():
        assert len(bounds.section(title, module, about).splitlines()) > 6, title


def test_no_page_is_stale() -> None:
    assert pages.stale() == []


def test_a_page_that_is_missing_or_differs_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "FOLDER", tmp_path)
    assert pages.stale() == list(pages.PAGES)
    assert pages.write() == list(pages.PAGES)
    assert pages.write() == []
