"""What a store keeps, where, and in which event loops it can be used."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

import pytest

from sayso import BadRequest, EventType, Row, Settings, Store
from sayso.core.bounds import KEEP_SILENT_S
from tests.store.stage import AGENT, BEGAN_S, NOTHING, SESSION, event, permission, result, staged


def test_settings_are_kept_in_a_database(tmp_path: Path) -> None:
    path = tmp_path / "app.db"
    with Store(database=path) as store:
        assert store.settings() == Settings()
        assert store.set_settings(Settings(codex_approvals=True)) == Settings(codex_approvals=True)
    with Store(database=str(path)) as store:
        assert store.settings().codex_approvals
    with Store() as store:
        assert store.settings() == Settings()


def test_a_setting_that_makes_no_sense_is_refused() -> None:
    with Store() as store:
        with pytest.raises(BadRequest, match="exclusive_wait_s"):
            store.set_settings(Settings(exclusive_wait_s=0))
        assert store.settings() == Settings()


def test_trouble_with_the_database_is_told_in_the_programs_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "app.db").write_text("no database at all, but something longer than its header is. " * 9)
    log = logging.getLogger("a program")
    with caplog.at_level(logging.WARNING), Store(database=tmp_path / "app.db", log=log) as store:
        assert store.settings() == Settings()
    assert {record.name for record in caplog.records} == {"a program"}


async def test_nothing_that_was_asked_is_on_the_disk(tmp_path: Path) -> None:
    with staged(database=tmp_path / "app.db") as stage:
        asking = await stage.ask(permission(id="r1", input=(Row(label="Command", value="rm -rf moon"),)))
        stage.store.queue(AGENT, SESSION, "hush, moon")
        stage.store.set_settings(Settings(away=True))
        kept = contents(tmp_path)
    assert await result(asking) == NOTHING
    assert any(b"away" in content for content in kept)
    assert not any(b"moon" in content for content in kept)


def contents(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.iterdir()]


def test_no_loop_is_needed_where_nobody_waits() -> None:
    with staged() as stage:
        stage.store.observe(event(EventType.PROMPT, BEGAN_S))
        stage.store.queue(AGENT, SESSION, "hello")
        assert stage.texts() == ["hello"]


def test_one_store_outlives_a_loop() -> None:
    """A timer that was set in a loop that has ended would never ring."""
    later_s = 0.0
    with Store(now=lambda: time.monotonic() + later_s) as store:

        async def begin() -> None:
            store.observe(event(EventType.PROMPT, time.monotonic()))

        async def wait() -> None:
            forgotten = asyncio.Event()
            store.notify = forgotten.set
            store.delete_message(AGENT, "any")
            await asyncio.wait_for(forgotten.wait(), 10)

        asyncio.run(begin())
        later_s = KEEP_SILENT_S - 0.2
        asyncio.run(wait())
