"""What the person chose, kept in the application's database (SQLite).

Nothing in here stops the desk: what cannot be read is left alone, told in words for the
log, and replaced by the default. One row a setting, its value as JSON, so that a row of
a newer sayso does no harm. Who may answer is the one setting that a foreign row could
open: a file beside the database says it too, and the stricter of the two holds. Not
here: which settings there are (`core.types`) and which values make sense
(`core.admission`). Imports msgspec and `core`.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
from msgspec import structs

from sayso.core.admission import checked
from sayso.core.types import Settings
from sayso.errors import BadRequest

_BUSY_S = 0.25
"""Called inline by the event loop, so somebody else's lock is not waited for long."""
PAIRED_SUFFIX = ".paired"
"""Of the empty file that is there as long as only paired devices may answer."""
_FIELDS = {field.name: field for field in structs.fields(Settings)}


class Database:
    """A connection, and what is wrong with it in words.

    Where the file cannot be used, the connection is to memory: everything works until
    the desk ends, and the file stays as it is for somebody to look at.
    """

    def __init__(self, path: str, schema: str) -> None:
        self.troubles: list[str] = []
        self.in_memory = not path
        try:
            self.connection = _open(path, schema)
        except (OSError, sqlite3.Error) as error:
            self.in_memory = True
            self.connection = _open("", schema)
            self.troubles.append(
                f"{path} cannot be used ({error}): what belongs there is kept in memory until the "
                "desk ends; mend it or move it away"
            )

    def close(self) -> None:
        self.connection.close()


def _open(path: str, schema: str) -> sqlite3.Connection:
    if path:
        _make_private(Path(path))
    connection = sqlite3.connect(path or ":memory:", timeout=_BUSY_S, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(schema)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _make_private(path: Path) -> None:
    """Make the file before SQLite does, which would let others read it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


class Store:
    """The settings in one database. An empty path keeps them in memory.

    `troubles` are words for the log, of opening, loading and saving.
    """

    def __init__(self, path: str) -> None:
        self._paired = Path(f"{path}{PAIRED_SUFFIX}") if path else None
        self._database = Database(
            path, "CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
        )
        self.troubles = self._database.troubles

    def load(self) -> Settings:
        """Return the settings; the default for each that is not there or not readable."""
        try:
            rows = self._database.connection.execute("SELECT name, value FROM settings").fetchall()
        except sqlite3.Error as error:
            self.troubles.append(f"the settings cannot be read ({error}): the defaults hold")
            rows = []
        settings = Settings()
        for name, value in rows:
            settings = self._with(settings, name, value)
        return self._stricter(settings)

    def _stricter(self, settings: Settings) -> Settings:
        """Let nobody but the desk itself take back that only paired devices answer."""
        kept = settings.answers_from == "paired"
        if self._paired is None or kept == self._paired.exists():
            return settings
        self.troubles.append(
            f"the settings and {self._paired} do not agree on whether only paired devices may answer, so "
            "something else than the desk changed one of them: only paired devices may, and one that may "
            "administer can change it. Without such a device, end the desk and move database and file away"
        )
        return structs.replace(settings, answers_from="paired")

    def _with(self, settings: Settings, name: object, value: object) -> Settings:
        field = _FIELDS.get(str(name))
        if field is None:
            self.troubles.append(f"the setting {str(name)[:80]!r} is unknown and left alone")
            return settings
        try:
            given = msgspec.json.decode(str(value), type=field.type)
            return checked(structs.replace(settings, **{field.name: given}))
        except (msgspec.DecodeError, RecursionError, BadRequest):
            self.troubles.append(f"the setting {field.name} is not readable: its default holds")
            return settings

    def save(self, settings: Settings) -> str:
        """Keep the settings, whole or not at all.

        Returns: "", or in words why they are not kept.
        """
        rows = [
            (name, msgspec.json.encode(value).decode()) for name, value in structs.asdict(settings).items()
        ]
        try:
            if settings.answers_from == "paired":  # first the file: a crash in between leaves the stricter
                self._mark()
            self._write(rows)
            if settings.answers_from != "paired" and self._paired is not None:
                self._paired.unlink(missing_ok=True)
        except (OSError, sqlite3.Error) as error:
            why = f"the settings hold until the desk ends, but are not kept ({error})"
            self.troubles.append(why)
            return why
        return ""

    def _write(self, rows: list[tuple[str, str]]) -> None:
        connection = self._database.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", rows)
            connection.execute("COMMIT")
        except sqlite3.Error:
            connection.rollback()
            raise

    def _mark(self) -> None:
        if self._paired is not None:
            self._paired.touch(mode=0o600)

    def close(self) -> None:
        self._database.close()
