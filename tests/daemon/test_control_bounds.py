"""What a caller on the control socket cannot make the desk keep, and what it does not count as."""

from __future__ import annotations

import asyncio

from tests.daemon.stage import WAIT_S, desk

LONG_ID = "x" * 100_000
MORE_THAN_IS_BUFFERED = 400


async def test_who_does_not_read_its_answers_is_not_listened_to() -> None:
    async with desk() as stage:
        deaf, other = await stage.peer(), await stage.peer()
        line = b'{"id": "%s", "method": "agent.event", "params": {}}\n' % LONG_ID.encode()
        for _ in range(MORE_THAN_IS_BUFFERED):
            deaf.send(line)
        try:
            await asyncio.wait_for(deaf.writer.drain(), 0.5)
        except TimeoutError:
            stopped = True
        else:
            stopped = False
        assert stopped
        assert (await other.call("desk.health"))["ok"]
        for _ in range(MORE_THAN_IS_BUFFERED):  # and heard again as soon as it reads
            answer = await asyncio.wait_for(deaf.reader.readline(), WAIT_S)
            assert answer.startswith(b'{"id":"xxx')


async def test_where_only_paired_devices_answer_a_local_screen_is_nobody_who_watches() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        await peer.call("desk.devices", {"create": "phone", "power": "admin"})
        await peer.call("desk.settings", {"settings": {"answers_from": "paired"}})
        await peer.call("desk.presence", {"present": True})
        assert not (await peer.call("desk.health"))["watched"]
