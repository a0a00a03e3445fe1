"""The bot, with a memory of what is on its way: a person may see a message before we are told which it is.

Not here: when it is sent. Imports `ports`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence

from sayso.channels.telegram.ports import Bot, Entity, Keyboard


class Sending:
    """The `Bot` of `ports`, over another one."""

    def __init__(self, bot: Bot) -> None:
        self.edit = bot.edit
        self.delete = bot.delete
        self.toast = bot.toast
        self._bot = bot
        self._under_way: dict[int, set[asyncio.Future[int]]] = {}

    async def send(
        self,
        chat_id: int,
        text: str,
        entities: Sequence[Entity] = (),
        keyboard: Keyboard | None = None,
        reply_to: int | None = None,
        force_reply: bool = False,
        silent: bool = False,
    ) -> int:
        sending = self._bot.send(chat_id, text, entities, keyboard, reply_to, force_reply, silent)
        return await self._noted(chat_id, sending)

    async def send_file(
        self, chat_id: int, name: str, data: bytes, caption: str, reply_to: int | None, silent: bool
    ) -> int:
        return await self._noted(chat_id, self._bot.send_file(chat_id, name, data, caption, reply_to, silent))

    async def _noted(self, chat_id: int, sending: Awaitable[int]) -> int:
        under_way = self._under_way.setdefault(chat_id, set())
        sent: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        under_way.add(sent)
        try:
            return await sending
        finally:
            under_way.discard(sent)
            sent.cancel()
            if not under_way:
                self._under_way.pop(chat_id, None)

    def is_sending(self, chat_id: int) -> bool:
        """Whether a message is on its way to a chat."""
        return chat_id in self._under_way

    async def settled(self, chat_id: int) -> None:
        """Return once everything that is on its way to a chat now was sent, and whoever sent it knows."""
        under_way = set(self._under_way.get(chat_id, ()))
        if under_way:
            await asyncio.wait(under_way)
        await asyncio.sleep(0)  # they go on before whoever waits for them here
