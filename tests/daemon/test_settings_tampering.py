"""Who may answer is not for another program to open: rows and files changed behind the desk's back."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from sayso.core.types import Settings
from sayso.daemon.settings import PAIRED_SUFFIX, Store
from tests.daemon.stage import private_home, running

PAIRED = Settings(answers_from="paired", away=True)
LOCAL = Settings(away=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sayso.db"


def marker_of(path: Path) -> Path:
    return path.with_name(path.name + PAIRED_SUFFIX)


def save(path: Path, settings: Settings) -> None:
    with closing(Store(str(path))) as store:
        assert store.save(settings) == ""


def loaded(path: Path) -> tuple[Settings, list[str]]:
    with closing(Store(str(path))) as store:
        return store.load(), store.troubles


def write(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def opened(path: Path) -> None:
    write(path, "UPDATE settings SET value = ? WHERE name = 'answers_from'", '"local"')


def deleted(path: Path) -> None:
    write(path, "DELETE FROM settings WHERE name = 'answers_from'")


def spoiled(path: Path) -> None:
    write(path, "UPDATE settings SET value = 'x' WHERE name = 'answers_from'")


def dropped(path: Path) -> None:
    write(path, "DROP TABLE settings")
    write(path, "CREATE TABLE settings (colour TEXT)")


def removed(path: Path) -> None:
    path.unlink()
    path.with_name(path.name + "-wal").unlink(missing_ok=True)


def no_database(path: Path) -> None:
    removed(path)
    path.write_bytes(b"this is no database" * 100)


def unmarked(path: Path) -> None:
    marker_of(path).unlink()


def test_the_choice_is_kept_and_taken_back(path: Path) -> None:
    save(path, PAIRED)
    assert marker_of(path).stat().st_mode & 0o777 == 0o600
    assert loaded(path) == (PAIRED, [])
    save(path, LOCAL)
    assert not marker_of(path).exists()
    assert loaded(path) == (LOCAL, [])


@pytest.mark.parametrize("change", [opened, deleted, spoiled, dropped, removed, no_database, unmarked])
def test_case_51_only_paired_devices_answer_until_the_desk_itself_is_told_otherwise(
    path: Path, change: Callable[[Path], None]
) -> None:
    save(path, PAIRED)
    change(path)
    settings, troubles = loaded(path)
    assert settings.answers_from == "paired"
    assert any("only paired devices may" in trouble for trouble in troubles)


def test_what_else_was_chosen_is_not_touched_by_that(path: Path) -> None:
    save(path, PAIRED)
    opened(path)
    assert loaded(path)[0] == PAIRED


def test_a_desk_in_memory_has_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(Store("")) as store:
        assert store.save(PAIRED) == ""
        assert store.load() == PAIRED
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_made_is_told(path: Path) -> None:
    with closing(Store(str(path))) as store:
        path.with_name(path.name + PAIRED_SUFFIX).symlink_to(path.parent / "none" / "there")
        assert "not kept" in store.save(PAIRED)
        assert "not kept" in store.troubles[0]


async def test_case_51_a_row_that_was_changed_opens_nothing_at_the_next_start() -> None:
    here = private_home()
    try:
        async with running(here, port=0) as stage:
            peer = await stage.peer()
            token = (await peer.call("desk.devices", {"create": "phone", "power": "admin"}))["token"]
            await peer.call("desk.settings", {"settings": {"answers_from": "paired"}})
        opened(here.database)
        async with running(here, port=0) as stage:
            peer = await stage.peer()
            health = await peer.call("desk.health")
            assert any("only paired devices may" in trouble for trouble in health["troubles"])
            _, request_id = await peer.ask()
            answer: dict[str, Any] = {"id": request_id, "reply": {"behavior": "allow"}}
            assert "only paired devices" in (await peer.error("desk.answer", answer))["message"]
            back = {"settings": {"answers_from": "local"}}
            assert "only paired devices" in (await peer.error("desk.settings", back))["message"]
            assert (await peer.error("desk.devices", {"create": "mine", "power": "admin"}))["code"]
            headers = {"Authorization": f"Bearer {token}"}
            async with httpx.AsyncClient(base_url=health["http"], headers=headers, trust_env=False) as phone:
                done = await phone.post(f"/api/agent-requests/{request_id}/answer", json=answer["reply"])
                assert done.json() == {"ok": True, "state": "answered"}
                changed = await phone.put("/api/agent-requests/settings", json=back["settings"])
                assert changed.json()["answers_from"] == "local"
            await peer.call("desk.settings", {"settings": {"away": True}})
        async with running(here) as stage:
            health = await (await stage.peer()).call("desk.health")
            assert health["troubles"] == []
    finally:
        shutil.rmtree(here.run.parent)
