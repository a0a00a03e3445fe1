"""Pairing as the desk carries it out: codes opened, waited for, closed, exchanged for devices."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
import segno

from sayso.daemon import pair_methods as module
from sayso.daemon.devices import MAX_NAME_CHARS, Devices
from sayso.daemon.pair_methods import Addresses, Elapsed, Paired, Pairing, PairMethods, picture
from sayso.daemon.pairing import FREE_WRONG, MOST_WRONG, OPEN_S, PAUSE_S
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, TooMany, Unauthorized, Unavailable
from sayso.wire.protocol import Power

HERE = "http://127.0.0.1:7297"
ADMIN = Caller(power=Power.ADMIN, channel="cli", name="this computer", credential="uid 1")
NOBODY = Caller(power=Power.NONE, channel="web", name="", credential="")
WAIT_S = 5.0


class Stage:
    def __init__(self) -> None:
        self.now_s = 1000.0
        self.devices = Devices("")
        self.methods = PairMethods(self.devices, lambda: self.now_s)
        self.methods.addresses = Addresses(HERE)

    def open(self, **params: Any) -> Pairing:
        opened = self.methods.pairing(ADMIN, params)
        assert isinstance(opened, Pairing)
        return opened

    def pair(self, code: str, name: str = "") -> dict[str, Any]:
        return self.methods.pair(NOBODY, {"code": code, "name": name})

    async def wait(self, code_id: str) -> Paired:
        async with asyncio.timeout(WAIT_S):
            return await self.methods.pairing(ADMIN, {"wait": code_id})

    def waiting(self, code_id: str) -> asyncio.Task[Paired]:
        return asyncio.create_task(self.wait(code_id))


@pytest.fixture
def stage() -> Iterator[Stage]:
    made = Stage()
    with closing(made.devices):
        yield made


async def test_a_code_makes_a_device_of_the_power_it_was_opened_for(stage: Stage) -> None:
    opened = stage.open(power="see", name="wallboard")

    made = stage.pair(opened.code, "Firefox on Linux")

    device = stage.devices.check(made["token"])
    assert device == made["device"]
    assert device is not None
    assert (device.name, device.power) == ("wallboard", Power.SEE)


async def test_a_code_is_for_answering_unless_something_else_is_said(stage: Stage) -> None:
    opened = stage.open()

    assert opened.power == "answer"
    assert stage.pair(opened.code)["device"].power is Power.ANSWER


@pytest.mark.parametrize("power", ["", "none", "ask", "ADMIN", "root"])
async def test_powers_that_no_code_gives(stage: Stage, power: str) -> None:
    with pytest.raises(BadRequest) as caught:
        stage.open(power=power)

    assert caught.value.field == "power"


async def test_a_name_that_cannot_be_is_told_when_the_code_is_opened(stage: Stage) -> None:
    stage.devices.create("phone", Power.SEE)

    for name in ("phone", "x" * (MAX_NAME_CHARS + 1), "a\nb"):
        with pytest.raises(BadRequest) as caught:
            stage.open(name=name)
        assert caught.value.field == "name"


@pytest.mark.parametrize(
    ("proposed", "name"),
    [
        ("Safari on iPhone", "Safari on iPhone"),
        ("", "a browser"),
        ("\x1b[2J\u202e", "[2J"),
        ("  a\nb  ", "a b"),
        ("x" * 1000, "x" * MAX_NAME_CHARS),
    ],
)
async def test_a_device_may_name_itself_within_reason(stage: Stage, proposed: str, name: str) -> None:
    assert stage.pair(stage.open().code, proposed)["device"].name == name


async def test_devices_of_one_name_are_numbered(stage: Stage) -> None:
    names = [stage.pair(stage.open().code, "x" * MAX_NAME_CHARS)["device"].name for _ in range(3)]

    assert names == [
        "x" * MAX_NAME_CHARS,
        "x" * (MAX_NAME_CHARS - 6) + " 2",
        "x" * (MAX_NAME_CHARS - 6) + " 3",
    ]


async def test_links_carry_the_code_behind_the_number_sign(stage: Stage) -> None:
    stage.methods.addresses = Addresses(HERE, "https://desk.example")

    opened = stage.open()

    assert opened.url == f"https://desk.example/#code={opened.code}"
    assert opened.here == f"{HERE}/#code={opened.code}"
    assert opened.reachable


async def test_without_a_public_name_the_link_is_of_this_computer(stage: Stage) -> None:
    opened = stage.open()

    assert opened.url == opened.here
    assert not opened.reachable


async def test_where_http_is_off_there_is_nothing_to_pair_with(stage: Stage) -> None:
    stage.methods.addresses = Addresses()

    with pytest.raises(Unavailable, match="HTTP is off"):
        stage.open()


async def test_it_is_told_until_when(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.time, "time", lambda: 1_800_000_000.0)

    opened = stage.open()

    assert (opened.expires_s, opened.expires_at) == (OPEN_S, "2027-01-15T08:02:00.000Z")


# --- what becomes of a code ------------------------------------------------------------


async def test_who_waits_is_told_of_the_device(stage: Stage) -> None:
    opened = stage.open(name="phone")
    waiting = stage.waiting(opened.id)
    await asyncio.sleep(0)
    assert not waiting.done()

    made = stage.pair(opened.code)

    assert await waiting == Paired(state="used", device=made["device"])
    assert await stage.wait(opened.id) == Paired(state="used", device=made["device"])


async def test_a_code_is_closed_by_who_opened_it(stage: Stage) -> None:
    opened = stage.open()
    waiting = stage.waiting(opened.id)
    await asyncio.sleep(0)

    assert stage.methods.pairing(ADMIN, {"cancel": opened.id}) == Paired(state="closed")

    assert await waiting == Paired(state="closed")
    with pytest.raises(Unauthorized):
        stage.pair(opened.code)


async def test_a_code_that_was_never_is_closed(stage: Stage) -> None:
    assert stage.methods.pairing(ADMIN, {"cancel": "nothing"}) == Paired(state="closed")
    assert await stage.wait("nothing") == Paired(state="closed")


async def test_who_waits_is_told_of_the_end(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OPEN_S", 0.01)
    opened = stage.open()

    assert await stage.wait(opened.id) == Paired(state="closed")
    with pytest.raises(Unauthorized):
        stage.pair(opened.code)


async def test_who_waits_is_told_when_wrong_tries_closed_the_code(stage: Stage) -> None:
    opened = stage.open()
    waiting = stage.waiting(opened.id)
    await asyncio.sleep(0)
    for _ in range(MOST_WRONG):
        with pytest.raises(Unauthorized):
            stage.pair("wrong")
        stage.now_s += PAUSE_S

    assert await waiting == Paired(state="closed", tried=True)
    assert await stage.wait(opened.id) == Paired(state="closed", tried=True)


async def test_one_code_used_leaves_the_others_open(stage: Stage) -> None:
    one, other = stage.open(), stage.open()
    waiting = stage.waiting(other.id)
    await asyncio.sleep(0)

    stage.pair(one.code)

    await asyncio.sleep(0)
    assert not waiting.done()
    stage.pair(other.code)
    assert (await waiting).state == "used"


async def test_a_device_that_cannot_be_kept_ends_the_waiting(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _other = stage.open(), stage.open()
    waiting = stage.waiting(one.id)
    await asyncio.sleep(0)

    def fail(*_: object) -> None:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(stage.devices, "create", fail)
    with pytest.raises(Unavailable):
        stage.pair(one.code)

    assert await waiting == Paired(state="closed")


async def test_wrong_tries_are_few(stage: Stage) -> None:
    for _ in range(FREE_WRONG):
        with pytest.raises(Unauthorized):
            stage.pair("wrong")

    with pytest.raises(TooMany):
        stage.pair("wrong")


@pytest.mark.parametrize("params", [{}, {"code": 1}, {"code": "x", "name": 1}])
async def test_what_is_no_try(stage: Stage, params: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        stage.methods.pair(NOBODY, params)


# --- the picture -----------------------------------------------------------------------


def test_the_picture_is_the_code_square_by_square() -> None:
    text = "https://desk.example/#code=0123-4567"

    path, size = picture(text)

    dark: set[tuple[int, int]] = set()
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path):
        dark |= {(int(x) + each, int(y)) for each in range(int(width))}
    assert re.sub(r"M\d+ \d+h(\d+)v1h-\1z", "", path) == ""
    expected = segno.make(text, error="m", micro=False)
    assert size == len(expected.matrix) + 8
    assert dark == {(x + 4, y + 4) for y, row in enumerate(expected.matrix) for x, on in enumerate(row) if on}


# --- time ------------------------------------------------------------------------------


def test_time_passes_while_the_machine_sleeps_and_never_goes_back() -> None:
    monotonic, wall = [10.0], [1000.0]
    elapsed = Elapsed(lambda: monotonic[0], lambda: wall[0])

    monotonic[0], wall[0] = 11.0, 1001.0
    assert elapsed.now() == 1.0
    wall[0] = 1301.0  # slept
    assert elapsed.now() == 301.0
    wall[0] = 0.0  # somebody set the clock
    assert elapsed.now() == 301.0
    monotonic[0] = 12.0
    assert elapsed.now() == 302.0
