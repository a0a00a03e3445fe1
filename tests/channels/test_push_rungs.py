"""What the channels after it know of a push: whether it got through."""

from __future__ import annotations

from msgspec.structs import replace

from tests.channels.test_push import (  # noqa: F401 - two of them are fixtures
    ONE,
    Scene,
    Subscriptions,
    at_once,
    phone,
    told,
    until,
)
from tests.web.push_service import Browser


async def test_case_46_what_got_through_is_known_and_what_did_not_is_not(phone: Browser) -> None:  # noqa: F811
    scene = Scene(Subscriptions(phone=phone))
    async with scene.running():
        scene.show(ONE)
        await told(phone)
        await until(lambda: ONE.id in scene.told)
        phone.status = 500
        scene.show(replace(ONE, id="2" * 32))
        await told(phone)
        await until(lambda: bool(scene.pusher.troubles()))
    assert scene.told == {ONE.id}
