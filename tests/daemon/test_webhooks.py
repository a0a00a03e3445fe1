"""Which webhooks there are: added here alone, kept sealed, and gone when they are gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from sayso.daemon import webhooks as module
from sayso.daemon.service import Caller
from sayso.daemon.webhooks import Webhooks
from sayso.errors import BadRequest, Refused, TooMany, Unavailable
from sayso.wire.protocol import Power
from sayso.wire.webhooks import EVENTS, Webhook, WebhookTested, WebhookView

LIGHT = "http://127.0.0.1:8080/light"
HERE = Caller(power=Power.ADMIN, channel="cli", name="this computer", credential="uid 1", pid=7)


class Stage:
    def __init__(self, folder: Path) -> None:
        self.database = folder / "sayso.db"
        self.key = folder / "webhooks.key"
        self.hooks = self.opened()

    def opened(self) -> Webhooks:
        return Webhooks(str(self.database), str(self.key))

    @contextmanager
    def again(self) -> Iterator[Webhooks]:
        with closing(self.opened()) as hooks:
            yield hooks

    async def call(self, **params: Any) -> Any:
        return await self.hooks.call(HERE, params)

    async def add(self, url: str = LIGHT, **params: Any) -> Webhook:
        added = await self.call(add=url, **params)
        return self.hooks.all()[added.webhook.id]

    def rows(self) -> list[tuple[str, str, str]]:
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute("SELECT * FROM webhooks").fetchall()

    def write(self, *row: str) -> None:
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute("INSERT OR REPLACE INTO webhooks VALUES (?, ?, ?)", row)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.hooks.close()


class Sending:
    def __init__(self) -> None:
        self.tested: list[str] = []

    def state(self, hook_id: str) -> tuple[int, int, str]:
        return 3, 1, "it answered 500"

    async def test(self, hook: Webhook) -> WebhookTested:
        self.tested.append(hook.id)
        return WebhookTested(ok=True, status=204)


async def test_one_is_added_and_its_secret_shown_once(stage: Stage) -> None:
    told: list[int] = []
    stage.hooks.watch(lambda: told.append(len(stage.hooks.all())))
    added = await stage.call(add="https://ada:pass@bot.example/hook?token=private", content="what")
    assert added.secret.startswith("whsec_")
    assert added.webhook == WebhookView(
        id=added.webhook.id, url="https://bot.example/hook?…", events=tuple(EVENTS), content="what"
    )
    listed = msgspec.json.encode(await stage.call()).decode()
    assert added.webhook.id in listed
    assert not [word for word in (added.secret, "pass@", "private") if word in listed]
    assert told == [1]


async def test_what_is_kept_is_the_same_after_a_restart(stage: Stage) -> None:
    hook = await stage.add(events=["alert", "note", "alert"])
    assert hook.events == ("alert", "note")
    with stage.again() as again:
        assert again.all() == {hook.id: hook}
        assert again.troubles() == []
    assert stage.key.stat().st_mode & 0o777 == 0o600
    assert stage.database.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"add": "http://8.8.8.8/"}, "add"),
        ({"add": "gopher://x/"}, "add"),
        ({"add": LIGHT, "events": ["request.*"]}, "events"),
        ({"add": LIGHT, "content": "everything"}, "content"),
        ({"remove": ""}, "id"),
        ({"remove": "nope"}, "id"),
        ({"test": "nope"}, "id"),
    ],
)
async def test_what_cannot_be_changes_nothing(stage: Stage, params: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as caught:
        await stage.call(**params)
    assert caught.value.field == field
    assert stage.hooks.all() == {}


async def test_a_name_is_looked_up_before_anything_goes_there_unencrypted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.add("http://localhost:8080/x")
    monkeypatch.setattr(module.webhook_send, "why_not_plain", lambda _: "it is elsewhere")
    with pytest.raises(BadRequest, match="it is elsewhere"):
        await stage.call(add="http://bot.example/x")
    await stage.add("https://bot.example/x")
    assert len(stage.hooks.all()) == 2


@pytest.mark.parametrize("params", [{}, {"add": LIGHT}, {"remove": "x"}, {"test": "x"}])
async def test_no_device_adds_or_sees_one(stage: Stage, params: dict[str, Any]) -> None:
    device = Caller(power=Power.ADMIN, channel="web", name="phone", credential="c1")
    with pytest.raises(Refused, match="on this computer alone"):
        await stage.hooks.call(device, params)


async def test_they_are_bounded(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 1)
    await stage.add()
    with pytest.raises(TooMany, match="remove one first"):
        await stage.add()


async def test_what_was_removed_does_not_come_back_by_being_copied_back(stage: Stage) -> None:
    kept, gone = await stage.add(), await stage.add()
    (row,) = (row for row in stage.rows() if row[0] == gone.id)
    assert (await stage.call(remove=gone.id[:5]))["webhook"].id == gone.id
    assert stage.hooks.all() == {kept.id: kept}
    stage.write(*row)
    with stage.again() as again:
        assert again.all() == {kept.id: kept}
        assert again.troubles() == ["webhooks that this desk did not add, and that are told nothing: 1"]


async def test_a_row_of_somebody_else_is_not_taken_up(stage: Stage) -> None:
    hook = await stage.add()
    (row,) = stage.rows()
    elsewhere = structs.replace(hook, url="https://thief.example/")
    stage.write(hook.id, msgspec.json.encode(elsewhere).decode(), row[2])
    stage.write("other", row[1], row[2])
    stage.write("more", "{}", "")
    with stage.again() as again:
        assert again.all() == {}
        assert len(again.troubles()) == 1


async def test_one_that_ended_stays_so(stage: Stage) -> None:
    hook, other = await stage.add(), await stage.add()
    (row,) = (row for row in stage.rows() if row[0] == hook.id)
    stage.hooks.end(hook.id)
    stage.hooks.end(hook.id)
    stage.hooks.end("unknown")
    assert list(stage.hooks.all()) == [other.id]
    assert [each.id for each in stage.hooks.ended()] == [hook.id]
    assert [view.ended for view in (await stage.call())["webhooks"]] == [True, False]
    with stage.again() as again:
        assert list(again.all()) == [other.id]
    stage.write(*row)
    with stage.again() as again:
        assert list(again.all()) == [other.id]


async def test_how_far_one_is_and_a_test_of_it(stage: Stage) -> None:
    hook = await stage.add()
    with pytest.raises(Unavailable):
        await stage.call(test=hook.id)
    stage.hooks.sending = sending = Sending()
    (view,) = (await stage.call())["webhooks"]
    assert (view.waiting, view.dropped, view.trouble) == (3, 1, "it answered 500")
    assert (await stage.call(test=hook.id)).ok
    assert sending.tested == [hook.id]
    stage.hooks.end(hook.id)
    with pytest.raises(BadRequest, match="wanted no more"):
        await stage.call(test=hook.id)


async def test_a_crash_while_one_is_removed_costs_no_other(stage: Stage) -> None:
    kept, gone = await stage.add(), await stage.add()
    (row,) = (row for row in stage.rows() if row[0] == gone.id)
    await stage.call(remove=gone.id)
    (settled,) = stage.key.read_text("ascii").split()
    stage.key.write_text(f"{'0' * 64}\n{settled}\n", "ascii")  # a new key, and nothing sealed with it yet
    with stage.again() as again:
        assert again.all() == {kept.id: kept}
    assert stage.key.read_text("ascii").split() == ["0" * 64]
    stage.write(*row)
    with stage.again() as again:
        assert again.all() == {kept.id: kept}


async def test_a_key_that_others_could_read_is_told(stage: Stage) -> None:
    await stage.add()
    stage.key.chmod(0o644)
    with stage.again() as again:
        assert "could be read by others" in again.troubles()[0]


async def test_a_database_that_cannot_be_written_is_told(stage: Stage) -> None:
    hook = await stage.add()
    with closing(sqlite3.connect(stage.database)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Unavailable, match="cannot be kept"):
            await stage.call(add=LIGHT)
        with pytest.raises(Unavailable, match="remove the webhook after that start"):
            await stage.call(remove=hook.id)
    assert stage.hooks.all() == {}


async def test_in_memory_they_end_with_the_desk() -> None:
    with closing(Webhooks()) as hooks:
        await hooks.call(HERE, {"add": LIGHT})
        assert len(hooks.all()) == 1
    with closing(Webhooks()) as hooks:
        assert hooks.all() == {}
