"""The methods that people call: each has a power, an implementation, and checks what it is given."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from sayso.core.bounds import MOST_OPEN_CARDS
from sayso.core.types import Answerer, Ask, EventType, HookEvent, Row, Settings
from sayso.daemon import methods as module
from sayso.daemon.asks import METHODS as ASK_METHODS
from sayso.daemon.control import Connection
from sayso.daemon.devices import Devices
from sayso.daemon.feed import Feed
from sayso.daemon.hooks import METHODS as HOOK_METHODS
from sayso.daemon.methods import Methods
from sayso.daemon.runtime import Runtime
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, Gone, NotRunning, NotSeen, Refused, UnknownMethod
from sayso.wire.protocol import METHODS, PROTOCOL, Power
from sayso.wire.views import Change, GrantView

IN_CONTROL = {"desk.subscribe", "askUserRequestSnapshot"}
"""Streams: each way in has its own."""


def caller(power: Power = Power.ADMIN) -> Caller:
    return Caller(power=power, channel="cli", name="this computer", credential="uid 1")


class Stage:
    def __init__(self) -> None:
        self.now_s = 1000.0
        self.stopped: list[bool] = []
        self.runtime = Runtime(Settings(), lambda _: "", None, now=lambda: self.now_s)
        self.devices = Devices("")
        self.methods = Methods(self.runtime, self.devices, self.stopped.append, lambda: ["a trouble"])

    async def call(self, method: str, by: Power = Power.ADMIN, **params: Any) -> Any:
        return await self.methods.call(caller(by), method, params)

    def ask(self, request_id: str = "a", value: str = "ls", process: str = "") -> None:
        ask = Ask(
            agent="claude-code",
            session_id="s1",
            kind="permission",
            id=request_id,
            tool="Bash",
            digest=value,
            cwd="/home/ada/shop",
            started_s=self.now_s,
            input=(Row(label="Command", value=value),),
        )
        self.runtime.desk.ask(ask, "waiter", self.now_s, process)
        self.runtime.settle()


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage()
    yield made
    made.runtime.end()
    made.devices.close()


# --- the table ---------------------------------------------------------------------------------


def test_every_method_has_a_power_and_an_implementation() -> None:
    here = set(module._METHODS)  # pyright: ignore[reportPrivateUsage]
    implemented = here | set(HOOK_METHODS) | set(ASK_METHODS)
    assert implemented | IN_CONTROL == set(METHODS)
    assert hasattr(Connection, "_subscribe")
    assert hasattr(Connection, "_tell_asks")


def test_case_51_what_is_heard_without_a_look_at_the_caller_may_do_no_more_than_ask() -> None:
    assert set(HOOK_METHODS) | set(ASK_METHODS) == {
        name for name, row in METHODS.items() if row.power is Power.ASK
    }


@pytest.mark.parametrize("method", [name for name, row in METHODS.items() if row.power > Power.ASK])
@pytest.mark.parametrize("power", [Power.NONE, Power.ASK, Power.SEE, Power.ANSWER, Power.ADMIN])
async def test_case_51_a_method_needs_its_power(stage: Stage, method: str, power: Power) -> None:
    if power >= METHODS[method].power:
        stage.methods.check_power(caller(power), method)
        return
    with pytest.raises(Refused, match=f"needs the power to {METHODS[method].power.name.lower()}"):
        await stage.call(method, power)
    assert stage.stopped == []


@pytest.mark.parametrize("method", ["", "desk.dance", "agent.request", "desk.subscribe", "__init__"])
async def test_what_cannot_be_called_this_way(stage: Stage, method: str) -> None:
    with pytest.raises(UnknownMethod):
        await stage.call(method)


async def test_a_stream_needs_the_power_to_see(stage: Stage) -> None:
    with pytest.raises(Refused):
        stage.methods.subscribe(caller(Power.ASK), "")
    stage.methods.subscribe(caller(Power.SEE), "").close()
    boot = stage.runtime.boot
    for after in (f"{boot}-0", f"{boot}-x", f"{boot}-", "nonsense", f"{boot}-²"):
        stage.methods.subscribe(caller(Power.SEE), after).close()


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("desk.row", {"id": "a"}, ""),
        ("desk.row", {"id": "a", "row": "x"}, "row"),
        ("desk.row", {"id": "a", "row": 5}, "row"),
        ("desk.row", {"id": "a", "row": -1}, "row"),
        ("desk.answer", {"id": "a", "reply": {"surprise": 1}}, "reply"),
        ("desk.answer", {"id": "a", "reply": {"behavior": 1}}, "reply.behavior"),
        ("desk.answer", {"id": "a", "reply": {}}, "behavior"),
        ("desk.release", {}, ""),
        ("desk.presence", {}, ""),
        ("desk.presence", {"present": "yes"}, "present"),
        ("desk.queue", {"agent": "a", "session_id": "s", "text": 1}, "text"),
        ("desk.unqueue", {"agent": "a"}, ""),
        ("desk.ungrant", {}, ""),
        ("desk.ungrant", {"id": 1}, "id"),
        ("desk.answer", {"id": "a", "reply": {"behavior": "allow", "for_s": "long"}}, "reply.for_s"),
        ("desk.answer", {"id": "a", "reply": {"behavior": "allow", "for_s": 300}}, "for_s"),
        ("desk.settings", {"settings": []}, "settings"),
        ("desk.settings", {"settings": {"surprise": 1}}, ""),
        ("desk.settings", {"settings": {"away": "yes"}}, "away"),
        ("desk.settings", {"settings": {"exclusive_wait_s": -1}}, "exclusive_wait_s"),
        ("desk.devices", {"create": "x", "power": "none"}, "power"),
        ("desk.devices", {"create": "x", "power": "everything"}, "power"),
        ("desk.devices", {"create": "x"}, "power"),
        ("desk.devices", {"create": "", "power": "see"}, "name"),
        ("desk.devices", {"revoke": "nobody"}, "id"),
        ("desk.devices", {"revoke": ""}, "id"),
        ("desk.stop", {"restart": "yes"}, "restart"),
        ("desk.away", {"away": 1}, "away"),
    ],
)
async def test_what_does_not_fit_names_its_field(
    stage: Stage, method: str, params: dict[str, Any], field: str
) -> None:
    stage.ask()
    with pytest.raises(BadRequest) as caught:
        await stage.call(method, **params)
    assert caught.value.field == field
    assert stage.runtime.desk.pending_in_all() == 1


# --- what they do ------------------------------------------------------------------------------


async def test_answering(stage: Stage) -> None:
    stage.ask()
    assert await stage.call("desk.answer", id="a", reply={"behavior": "allow", "key": "k"}) == {
        "ok": True,
        "state": "answered",
    }
    again = await stage.call("desk.answer", id="a", reply={"behavior": "allow", "key": "k"})
    assert again == {"ok": True, "state": "answered"}
    with pytest.raises(Gone):
        await stage.call("desk.answer", id="a", reply={"behavior": "allow"})
    with pytest.raises(Gone):
        await stage.call("desk.release", id="never")


async def test_case_43_a_cut_row_is_read_before_it_is_allowed(stage: Stage) -> None:
    stage.ask(value="x" * 5000)
    (shown,) = (await stage.call("desk.list")).requests
    assert (len(shown.input[0].value), shown.input[0].length) == (4000, 5000)
    with pytest.raises(NotSeen):
        await stage.call("desk.answer", id="a", reply={"behavior": "allow"})
    assert len((await stage.call("desk.row", id="a", row=0)).value) == 5000
    assert (await stage.call("desk.answer", id="a", reply={"behavior": "allow"}))["ok"]


async def test_releasing(stage: Stage) -> None:
    stage.ask()
    assert await stage.call("desk.release", id="a") == {"ok": True, "state": "released"}
    assert (await stage.call("desk.sessions"))["sessions"][0].session_id == "s1"


async def test_case_59_a_grant_is_told_and_ended(stage: Stage) -> None:
    stage.ask(process="7:70")
    feed = stage.runtime.listen()
    assert (await anext(feed)).snapshot is not None
    await stage.call("desk.answer", id="a", reply={"behavior": "allow", "for_s": 300})
    told = [change async for change in until(feed, "grants")][-1]
    assert told.grants is not None
    until_at = stage.runtime.clock.at(1300.0)
    assert told.grants == (
        GrantView(
            id="a",
            agent="claude-code",
            session_id="s1",
            tool="Bash",
            what="ls",
            by=Answerer(channel="cli", name="this computer", credential="uid 1"),
            until=until_at,
            project="shop",
        ),
    )
    assert (await stage.call("desk.list")).grants == told.grants
    stage.ask("b", process="7:70")
    (_, by_grant) = (await stage.call("desk.list")).ended
    words = f"allow, by the grant until {stage.runtime.clock.time_of_day(1300.0)}"
    assert (by_grant.state, by_grant.asked, by_grant.by) == ("answered", words, told.grants[0].by)
    health = await stage.call("desk.health")
    assert health.answered_from == {"a grant": 1, "this computer": 1}
    assert await stage.call("desk.ungrant", id="a") == {"ok": True}
    assert [change async for change in until(feed, "grants")][-1].grants == ()
    assert await stage.call("desk.ungrant", id="a") == {"ok": True}
    feed.close()


async def until(feed: Feed, type_: str) -> AsyncIterator[Change]:
    """Yield changes up to the first of a type."""
    async for change in feed:
        yield change
        if change.type == type_:
            return


async def test_case_59_a_grant_ends_with_its_device(stage: Stage) -> None:
    phone = stage.devices.create("phone", Power.ANSWER).device
    by = Caller(power=Power.ANSWER, channel="page", name="phone", credential=phone.id)
    stage.ask(process="7:70")
    await stage.methods.call(by, "desk.answer", {"id": "a", "reply": {"behavior": "allow", "for_s": 300}})
    assert len((await stage.call("desk.list")).grants) == 1
    await stage.call("desk.devices", revoke="phone")
    assert (await stage.call("desk.list")).grants == ()
    stage.ask("b", process="7:70")
    assert (await stage.call("desk.list")).requests[0].state == "pending"


async def test_messages(stage: Stage) -> None:
    session: dict[str, Any] = {"agent": "claude-code", "session_id": "s1"}
    with pytest.raises(NotRunning):
        await stage.call("desk.queue", **session, text="go on")
    prompt = HookEvent(**session, type=EventType.PROMPT, at_s=stage.now_s)
    stage.runtime.desk.observe(prompt, stage.now_s)
    assert (await stage.call("desk.queue", **session, text="go on")).state == "queued"
    assert await stage.call("desk.unqueue", **session) == {"ok": True}
    (message,) = stage.runtime.desk.snapshot().messages.values()
    assert message.state == "dropped"


async def test_presence_of_who_cannot_answer_does_not_count(stage: Stage) -> None:
    await stage.call("desk.presence", Power.SEE, present=True)
    assert not (await stage.call("desk.health")).watched
    await stage.call("desk.presence", Power.ANSWER, present=True, page="1")
    assert (await stage.call("desk.health")).watched
    await stage.call("desk.presence", Power.ANSWER, present=False, page="2")
    assert (await stage.call("desk.health")).watched
    await stage.call("desk.presence", Power.ANSWER, present=False, page="1")
    assert not (await stage.call("desk.health")).watched


async def test_what_is_kept_of_a_page_is_bounded(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []
    monkeypatch.setattr(stage.runtime.desk, "watch", lambda *words: kept.append(words))
    many = [f"card {number}" for number in range(2 * MOST_OPEN_CARDS)]
    await stage.call(
        "desk.presence", Power.ANSWER, present=True, page="p" * 10_000, open=["x" * 10_000, *many]
    )
    ((watcher, presence, _now),) = kept
    assert len(watcher) < 400
    assert presence.open == tuple(many[: MOST_OPEN_CARDS - 1])


async def test_who_follows_is_nobody_who_watches(stage: Stage) -> None:
    feed = stage.methods.subscribe(caller(Power.ADMIN), "")
    await stage.call("desk.list")
    health = await stage.call("desk.health")
    assert (health.watchers, health.watched) == (1, False)
    feed.close()


async def test_a_sign_of_a_person_does_not_last_for_ever(stage: Stage) -> None:
    await stage.call("desk.presence", present=True)
    stage.now_s += 121
    assert not (await stage.call("desk.health")).watched


async def test_settings(stage: Stage) -> None:
    assert await stage.call("desk.settings") == Settings()
    changed = await stage.call("desk.settings", settings={"exclusive_wait_s": 60, "away": True})
    assert changed == Settings(exclusive_wait_s=60.0, away=True)
    after = await stage.call("desk.away", Power.ANSWER, away=False)
    assert after == Settings(exclusive_wait_s=60.0, pane_program="")  # a command, which it is not shown
    assert await stage.call("desk.settings") == Settings(exclusive_wait_s=60.0)


async def test_only_who_can_undo_it_lets_paired_devices_alone_answer(stage: Stage) -> None:
    await stage.call("desk.devices", create="watch", power="answer")
    with pytest.raises(BadRequest, match="sayso token create NAME --power admin"):
        await stage.call("desk.settings", settings={"answers_from": "paired"})
    await stage.call("desk.devices", create="phone", power="admin")
    assert (await stage.call("desk.settings", settings={"answers_from": "paired"})).answers_from == "paired"


async def test_devices(stage: Stage) -> None:
    made = await stage.call("desk.devices", create="phone", power="answer")
    assert stage.devices.check(made["token"]) == made["device"]
    (listed,) = (await stage.call("desk.devices", list=True))["devices"]
    assert listed == msgspec.structs.replace(made["device"], used_at=listed.used_at)
    assert listed.used_at >= listed.created_at
    assert (await stage.call("desk.devices", revoke="phone"))["device"] == made["device"]
    assert stage.devices.check(made["token"]) is None


async def test_health(stage: Stage) -> None:
    stage.ask()
    stage.now_s += 5
    health = await stage.call("desk.health", Power.SEE)
    assert (health.ok, health.protocol, health.boot) == (True, PROTOCOL, stage.methods.boot)
    assert (health.pending, health.uptime_s, health.totals) == (1, 5.0, {"asked": 1})
    assert (health.http, health.troubles) == ("off", ("a trouble",))


async def test_stopping(stage: Stage) -> None:
    assert await stage.call("desk.stop") == {"ok": True}
    assert await stage.call("desk.stop", restart=True) == {"ok": True}
    assert stage.stopped == [False, True]


# --- what this computer runs -------------------------------------------------------------------


@pytest.mark.parametrize("name", module.COMMANDS)
async def test_a_command_is_set_on_this_computer_alone(stage: Stage, name: str) -> None:
    device = Caller(power=Power.ADMIN, channel="web", name="phone", credential="c1")
    with pytest.raises(Refused, match="on this computer"):
        await stage.methods.call(device, "desk.settings", {"settings": {name: "touch /tmp/x"}})
    here = Caller(power=Power.ADMIN, channel="cli", name="this computer", credential="uid 1", pid=7)
    after = await stage.methods.call(here, "desk.settings", {"settings": {name: "some program"}})
    assert getattr(after, name) == "some program"
    whole = msgspec.to_builtins(after)
    assert await stage.methods.call(device, "desk.settings", {"settings": whole}) == after
