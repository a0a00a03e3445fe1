"""Webhooks: which programs elsewhere are told what happens here, and what each may be told.

Added and removed on this computer alone, by its person: an address says where what agents ask is sent
to. A row that the desk did not seal is not taken up, and one that was removed does not come back by
being copied back. Not here: what is sent and when (a channel), connections (`web.webhook_send`).
"""

from __future__ import annotations

import base64
import secrets
import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import structs

from sayso.daemon.seal import Seal
from sayso.daemon.service import Caller
from sayso.daemon.settings import Database
from sayso.errors import BadRequest, Refused, TooMany, Unavailable
from sayso.web import webhook_send
from sayso.web.threads import in_thread
from sayso.wire.jsonrpc import convert
from sayso.wire.webhooks import (
    EVENTS,
    SECRET_PREFIX,
    Webhook,
    WebhookAdded,
    WebhooksParams,
    WebhookTested,
    WebhookView,
)

MOST = 32
RESOLVE_S = 5.0
_SECRET_BYTES = 32
_SCHEMA = """CREATE TABLE IF NOT EXISTS webhooks (
    id TEXT PRIMARY KEY, webhook TEXT NOT NULL, seal TEXT NOT NULL
)"""
_WRITE = "INSERT OR REPLACE INTO webhooks VALUES (?, ?, ?)"


class State(NamedTuple):
    """How far a webhook is with its events."""

    waiting: int = 0
    dropped: int = 0
    trouble: str = ""


class Sending(Protocol):
    """The channel that sends."""

    def state(self, hook_id: str) -> tuple[int, int, str]:
        """Return how many events wait, how many were dropped, and what is wrong."""
        ...

    async def test(self, hook: Webhook) -> WebhookTested: ...


class Webhooks:
    """The webhooks of one desk.

    Args:
        database: "" keeps them in memory.
        key: the file of the key that seals them; "" likewise.
    """

    def __init__(self, database: str = "", key: str = "") -> None:
        self.sending: Sending | None = None
        self._database = Database(database, _SCHEMA)
        self._seal = Seal("" if self._database.in_memory else key)
        self._watchers: list[Callable[[], None]] = []
        self._foreign = 0
        self._known = self._load()
        if self._seal.unsettled:  # a crash came between: what was removed shall not be believed again
            self._rewrite("")

    def troubles(self) -> list[str]:
        """Return what is wrong with what is kept, in words."""
        said = list(self._seal.troubles)
        if self._foreign:
            said.append(f"webhooks that this desk did not add, and that are told nothing: {self._foreign}")
        return said

    # --- for the channel that sends ----------------------------------------------------

    def all(self) -> dict[str, Webhook]:
        """Return those that are told, by id."""
        return {hook.id: hook for hook in self._known.values() if not hook.ended}

    def ended(self) -> list[Webhook]:
        """Return those whose receiver wanted no more."""
        return [hook for hook in self._known.values() if hook.ended]

    def watch(self, on_change: Callable[[], None]) -> None:
        """Have `on_change` called when one comes or goes."""
        self._watchers.append(on_change)

    def end(self, hook_id: str) -> None:
        """Note that a receiver wants no more."""
        hook = self._known.get(hook_id)
        if hook is None or hook.ended:
            return
        self._known[hook_id] = structs.replace(hook, ended=True)
        self._tell()
        self._rewrite(hook_id)

    # --- the method --------------------------------------------------------------------

    async def call(self, caller: Caller, params: dict[str, Any]) -> Any:
        """Carry out `desk.webhooks`."""
        if not caller.pid:
            raise Refused(
                "where events are sent to is said on this computer alone: sayso webhook add URL, in its shell"
            )
        given = convert(params, WebhooksParams)
        if given.add is not None:
            return await self._add(given.add, given)
        if given.remove is not None:
            return {"webhook": self._remove(self._find(given.remove))}
        if given.test is not None:
            return await self._test(self._find(given.test))
        return {"webhooks": [self._view(hook) for hook in self._known.values()]}

    async def _add(self, url: str, given: WebhooksParams) -> WebhookAdded:
        strange = [name for name in given.events if name not in EVENTS]
        if strange:
            raise BadRequest(f"there is no event {strange[0][:80]!r}; there is {', '.join(EVENTS)}", "events")
        await _check(url)
        if len(self._known) >= MOST:
            raise TooMany(f"there are {MOST} webhooks already: remove one first")
        hook = Webhook(
            id=secrets.token_hex(4),
            url=url,
            secret=SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode(),
            events=tuple(dict.fromkeys(given.events)),
            content=given.content,
        )
        try:
            self._database.connection.execute(_WRITE, self._row_of(hook))
        except (OSError, sqlite3.Error) as error:
            raise Unavailable(f"the webhook cannot be kept ({error})") from None
        self._known[hook.id] = hook
        self._tell()
        return WebhookAdded(webhook=self._view(hook), secret=hook.secret)

    def _remove(self, hook: Webhook) -> WebhookView:
        view = self._view(hook)
        del self._known[hook.id]
        self._tell()
        if not self._rewrite(hook.id, gone=True):
            raise Unavailable(
                f"{hook.id} is told nothing more until the desk starts again, but would be then, since the "
                "database could not be changed: mend it, and remove the webhook after that start"
            )
        return view

    async def _test(self, hook: Webhook) -> WebhookTested:
        if self.sending is None:
            raise Unavailable("this desk sends nothing to webhooks")
        if hook.ended:
            raise BadRequest("its receiver wanted no more: remove it, and add it anew", "test")
        return await self.sending.test(hook)

    def _find(self, beginning: str) -> Webhook:
        found = [hook for hook in self._known.values() if beginning and hook.id.startswith(beginning)]
        if len(found) != 1:
            which = "no" if not found else "more than one"
            raise BadRequest(f"{which} webhook's id begins with {beginning[:80]!r}", "id")
        return found[0]

    def _view(self, hook: Webhook) -> WebhookView:
        state = State(*self.sending.state(hook.id)) if self.sending is not None else State()
        return WebhookView(
            id=hook.id,
            url=webhook_send.shown(hook.url),
            events=hook.events or tuple(EVENTS),
            content=hook.content,
            ended=hook.ended,
            waiting=state.waiting,
            dropped=state.dropped,
            trouble=state.trouble,
        )

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()

    # --- what is kept ------------------------------------------------------------------

    def _row_of(self, hook: Webhook) -> tuple[str, str, str]:
        row = msgspec.json.encode(hook)
        return hook.id, row.decode(), self._seal.sign(row)

    def _rewrite(self, hook_id: str, gone: bool = False) -> bool:
        """Seal every row anew, since one changed that must not come back; return whether that worked."""
        connection = self._database.connection
        try:
            if not self._seal.unsettled:  # else the rows still carry the key before
                self._seal.renew()
            connection.execute("BEGIN IMMEDIATE")
            try:
                if gone:
                    connection.execute("DELETE FROM webhooks WHERE id = ?", (hook_id,))
                connection.executemany(_WRITE, [self._row_of(hook) for hook in self._known.values()])
                connection.execute("COMMIT")
            except (OSError, sqlite3.Error):
                connection.rollback()
                raise
            self._seal.settle()
        except (OSError, sqlite3.Error):
            return False
        return True

    def _load(self) -> dict[str, Webhook]:
        try:
            rows = self._database.connection.execute("SELECT * FROM webhooks ORDER BY rowid").fetchall()
        except sqlite3.Error:
            rows = []
        found: dict[str, Webhook] = {}
        for hook_id, row, seal in rows:
            hook = self._own(str(row), str(seal))
            if hook is None or hook.id != hook_id:
                self._foreign += 1
            else:
                found[hook.id] = hook
        return found

    def _own(self, row: str, seal: str) -> Webhook | None:
        if not self._seal.fits(row.encode(errors="replace"), seal):
            return None
        try:
            return msgspec.json.decode(row, type=Webhook)
        except msgspec.DecodeError:
            return None

    def close(self) -> None:
        self._database.close()


async def _check(url: str) -> None:
    """Raises BadRequest for an address that no webhook can have. An https one may lead nowhere yet."""
    target = webhook_send.target_of(url)
    if target.secure:
        return
    try:
        wrong = await in_thread(lambda: webhook_send.why_not_plain(target), RESOLVE_S, "resolve")
    except TimeoutError:
        wrong = f"{target.name} takes too long to look up"
    if wrong:
        raise BadRequest(wrong, "add")
