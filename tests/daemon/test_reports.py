"""What nobody caught, in the log: where it was, once in a while, and never what it was about."""

from __future__ import annotations

import asyncio
import errno
from typing import Any

import pytest

from sayso.daemon import reports
from sayso.daemon.reports import MOST_KEPT, Reports


def failed(words: str) -> dict[str, Any]:
    try:
        raise ZeroDivisionError(words)
    except ZeroDivisionError as error:
        return {"message": words, "exception": error}


async def test_it_says_where_and_not_what(caplog: pytest.LogCaptureFixture) -> None:
    Reports()(asyncio.get_running_loop(), failed("rm -rf secret"))

    assert "ZeroDivisionError at failed:" in caplog.text
    assert "secret" not in caplog.text


async def test_the_same_is_said_once_in_a_while(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, loop = Reports(), asyncio.get_running_loop()
    for _ in range(3):
        report(loop, {"message": "it broke"})
    assert caplog.messages == ["it broke"]

    monkeypatch.setattr(reports, "AGAIN_S", 0.0)
    report(loop, {"message": "it broke"})

    assert caplog.messages == ["it broke"] * 2


async def test_what_was_said_is_not_kept_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    report, loop = Reports(), asyncio.get_running_loop()
    for number in range(MOST_KEPT + 1):
        report(loop, {"message": str(number)})
    report(loop, {"message": "0"})

    assert caplog.messages[-1] == "0"


async def test_no_file_left_is_said_in_words(caplog: pytest.LogCaptureFixture) -> None:
    full = {"message": "accept", "exception": OSError(errno.EMFILE, "Too many open files")}
    Reports()(asyncio.get_running_loop(), full)

    assert "ulimit -n" in caplog.text
