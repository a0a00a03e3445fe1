"""Settings are kept, and nothing in their database stops the desk."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs

from sayso.core.types import Settings
from sayso.daemon.settings import Store

CHOSEN = Settings(away=True, exclusive_wait_s=40, notice_content="what", pending_per_agent=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "sayso.db"


@pytest.fixture
def kept(path: Path) -> Path:
    with closing(Store(str(path))) as store:
        assert store.save(CHOSEN) == ""
    return path


def write(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def loaded(path: Path) -> tuple[Settings, list[str]]:
    with closing(Store(str(path))) as store:
        return store.load(), store.troubles


def test_a_new_database_has_the_defaults(path: Path) -> None:
    assert loaded(path) == (Settings(), [])


def test_settings_come_back(kept: Path) -> None:
    assert loaded(kept) == (CHOSEN, [])


def test_every_setting_is_kept(path: Path) -> None:
    with closing(Store(str(path))) as store:
        store.save(Settings())
    with closing(sqlite3.connect(path)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM settings")}

    assert names == {field.name for field in structs.fields(Settings)}


def test_later_ones_replace_earlier_ones(kept: Path) -> None:
    with closing(Store(str(kept))) as store:
        store.save(Settings(codex_approvals=True))

    assert loaded(kept) == (Settings(codex_approvals=True), [])


def test_an_empty_path_is_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(Store("")) as store:
        assert store.save(CHOSEN) == ""
        assert store.load() == CHOSEN

    assert list(tmp_path.iterdir()) == []


def test_nobody_else_may_read_it(kept: Path) -> None:
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    kept.chmod(0o644)

    with closing(Store(str(kept))) as store:
        store.save(CHOSEN)
        files = {file.name: file.stat().st_mode & 0o777 for file in kept.parent.iterdir()}

    assert set(files.values()) == {0o600}
    assert len(files) == 3  # with the log of SQLite and its index


def test_it_is_written_ahead(path: Path) -> None:
    with closing(Store(str(path))), closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_unknown_setting_is_left_alone(kept: Path) -> None:
    write(kept, "INSERT INTO settings VALUES ('of_tomorrow', '1')")

    settings, troubles = loaded(kept)

    assert settings == CHOSEN
    assert len(troubles) == 1
    assert "of_tomorrow" in troubles[0]
    with closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("SELECT value FROM settings WHERE name = 'of_tomorrow'").fetchone() == (
            "1",
        )


@pytest.mark.parametrize("value", ["", "{", "1", '"yes"', "null", b"\xff", 7, "[" * 100_000])
def test_a_value_that_is_none_is_the_default(kept: Path, value: object) -> None:
    write(kept, "UPDATE settings SET value = ? WHERE name = 'away'", value)

    settings, troubles = loaded(kept)

    assert settings == structs.replace(CHOSEN, away=False)
    assert troubles == ["the setting away is not readable: its default holds"]


@pytest.mark.parametrize(
    ("name", "value"), [("exclusive_wait_s", "-1"), ("answers_from", '"everywhere"'), ("pending_in_all", "0")]
)
def test_a_value_that_makes_no_sense_is_the_default(kept: Path, name: str, value: str) -> None:
    write(kept, "UPDATE settings SET value = ? WHERE name = ?", value, name)

    settings, troubles = loaded(kept)

    assert settings == structs.replace(CHOSEN, **{name: getattr(Settings(), name)})
    assert troubles == [f"the setting {name} is not readable: its default holds"]


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\0" + b"\0" * 2000])
def test_what_is_no_database_is_left_as_it_is(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    with closing(Store(str(path))) as store:
        assert store.load() == Settings()
        assert store.save(CHOSEN) == ""
        assert store.load() == CHOSEN
        assert len(store.troubles) == 1
        assert str(path) in store.troubles[0]

    assert path.read_bytes() == content


def test_a_folder_in_its_place(path: Path) -> None:
    path.mkdir(parents=True)

    settings, troubles = loaded(path)

    assert settings == Settings()
    assert len(troubles) == 1


def test_another_table_of_that_name(path: Path) -> None:
    path.parent.mkdir()
    write(path, "CREATE TABLE settings (colour TEXT)")

    with closing(Store(str(path))) as store:
        assert store.load() == Settings()
        assert "not kept" in store.save(CHOSEN)
        assert len(store.troubles) == 2


def test_a_database_that_another_process_locks(kept: Path) -> None:
    with (
        closing(Store(str(kept))) as store,
        closing(sqlite3.connect(kept, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")

        assert "not kept" in store.save(Settings())
        assert store.load() == CHOSEN
        other.execute("ROLLBACK")
        assert store.save(Settings()) == ""


def test_settings_are_kept_whole_or_not_at_all(kept: Path) -> None:
    when = "BEFORE INSERT ON settings WHEN NEW.name = 'codex_server'"
    write(kept, f"CREATE TRIGGER no {when} BEGIN SELECT RAISE(ABORT, 'no'); END")

    with closing(Store(str(kept))) as store:
        assert "not kept (no)" in store.save(Settings())
        assert store.load() == CHOSEN
