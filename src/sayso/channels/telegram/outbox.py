"""All that a bot says, in turn: within the rates, in order, once, and without losing any of it.

In each chat messages keep their order, and so do edits. A new card waits for no edit: those leave one
message free, and only after some seconds take turns. Of several edits of one message the newest goes, in
the place of the first. An answer to a tap waits for nothing. A server that
wants a pause gets it, and what it refused goes first after it; a network that is gone is waited for.
Where the connection broke before the answer came, a message is sent again: better twice than never.
Not here: what is said. Imports `api`, `pace`, `ports`.

Source: Telegram Bot API documentation, sendMessage, sendDocument, editMessageText, deleteMessage,
answerCallbackQuery.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from sayso.channels.telegram.api import Document
from sayso.channels.telegram.errors import ApiError, Unreachable
from sayso.channels.telegram.pace import Clock, Pace
from sayso.channels.telegram.ports import Entity, Keyboard, Undelivered

FIRST_BACKOFF_S, MOST_BACKOFF_S = 1.0, 60.0
TOAST_S = 10.0
"""A tap that was not answered for so long has been given up by its sender's program."""
MAX_TOAST_UNITS = 200
EDIT_S = 5.0
"""After so long an edit leaves no message free for what may come, and has its turn with what waits."""
_LONG_PAUSE_S = 20.0
_UNCHANGED = "message is not modified"
_TAKEN_BACK = "who was to get it was taken back"
_ENDED = "Telegram is off: nothing is sent any more"
Params = dict[str, Any]


class Api(Protocol):
    """The Bot API; raises ApiError and Unreachable."""

    async def call(self, method: str, params: Params, document: Document | None = None) -> Any: ...


class _Job:
    """Something to be sent; `message_id` of an edit, else 0."""

    def __init__(self, method: str, params: Params, document: Document | None = None) -> None:
        self.method = method
        self.params = params
        self.document = document
        self.since_s = 0.0
        """Of an edit: since when its message is to be edited."""
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def end(self, result: Any = None, error: Exception | None = None) -> None:
        if self.done.done():  # nobody waits for it any longer
            return
        if error is not None:
            self.done.set_exception(error)
        else:
            self.done.set_result(result)


class _Lane:
    """What waits for one chat."""

    def __init__(self) -> None:
        self.sends: deque[_Job] = deque()
        self.edits: dict[int, _Job] = {}
        self.is_busy = False
        self.under_way: _Job | None = None
        self._edit_was_last = False
        self._again: _Job | None = None

    def put_edit(self, message_id: int, job: _Job) -> None:
        older = self.edits.get(message_id)
        self.edits[message_id] = job  # in the place of the older one
        if older is not None:
            job.since_s = older.since_s
            older.end()

    def has_more(self) -> bool:
        """Return whether anything waits that somebody still wants."""
        while self.sends and self.sends[0].done.done():
            self.sends.popleft()
        self.edits = {key: job for key, job in self.edits.items() if not job.done.done()}
        if self._again is not None and self._again.done.done():
            self._again = None
        return bool(self._again or self.sends or self.edits)

    def only_edits_since(self) -> float | None:
        """Return since when the oldest of the edits waits; None where something else waits, too."""
        if self._again is not None or self.sends:
            return None
        return next(iter(self.edits.values())).since_s

    def take(self, now: float) -> _Job:
        """Return what is next: a message, unless an edit has waited long and it is its turn."""
        if self._again is not None:
            job, self._again = self._again, None
            return job
        oldest = next(iter(self.edits), None)
        if oldest is not None:
            is_late = now - self.edits[oldest].since_s >= EDIT_S
            self._edit_was_last = not self.sends or (is_late and not self._edit_was_last)
            if self._edit_was_last:
                return self.edits.pop(oldest)
        return self.sends.popleft()

    def put_back(self, job: _Job) -> None:
        """Have a job be the next again, unless a newer edit of its message waits already."""
        newer = self.edits.pop(job.params.get("message_id", 0), None)
        self._again = newer or job
        if newer is not None:
            job.end()

    def jobs(self) -> list[_Job]:
        first = [job for job in (self.under_way, self._again) if job is not None]
        return [*first, *self.sends, *self.edits.values()]


class Outbox:
    """The `Bot` of `ports`."""

    def __init__(self, api: Api, clock: Clock | None = None) -> None:
        self._api = api
        self._clock = clock or Clock()
        self._pace = Pace()
        self._lanes: dict[int, _Lane] = {}
        self._changed = asyncio.Event()
        self._backoff_s = 0.0
        self._down_until = float("-inf")
        self._has_ended = False

    # --- saying ------------------------------------------------------------------------

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
        params = _content(chat_id, text, entities)
        params.update(_beside(reply_to, silent))
        if force_reply:
            params["reply_markup"] = {"force_reply": True, "selective": True}
        elif keyboard:
            params["reply_markup"] = _markup(keyboard)
        return _id_of(await self._queue(chat_id, _Job("sendMessage", params)))

    async def send_file(
        self, chat_id: int, name: str, data: bytes, caption: str, reply_to: int | None, silent: bool
    ) -> int:
        params: Params = {"chat_id": chat_id, "caption": caption, **_beside(reply_to, silent)}
        return _id_of(await self._queue(chat_id, _Job("sendDocument", params, Document(name, data))))

    async def edit(
        self,
        chat_id: int,
        message_id: int,
        text: str,
        entities: Sequence[Entity] = (),
        keyboard: Keyboard | None = None,
    ) -> None:
        params = {**_content(chat_id, text, entities), "message_id": message_id}
        params["reply_markup"] = _markup(keyboard or ())
        await self._queue(chat_id, _Job("editMessageText", params), message_id)

    async def delete(self, chat_id: int, message_id: int) -> None:
        params: Params = {"chat_id": chat_id, "message_id": message_id}
        # In the place of what would change it; and what is gone needs no other word.
        with suppress(Undelivered):
            await self._queue(chat_id, _Job("deleteMessage", params), message_id)

    async def toast(self, callback_id: str, text: str = "", alert: bool = False) -> None:
        params: Params = {"callback_query_id": callback_id}
        params.update({"text": _cut(text, MAX_TOAST_UNITS), "show_alert": alert} if text else {})
        until, pause_s = self._clock.now() + TOAST_S, FIRST_BACKOFF_S
        while True:
            try:
                await self._api.call("answerCallbackQuery", params)
                return
            except ApiError as error:
                if not error.is_passing and error.code != 429:
                    return  # it is too late for it, or it was answered
                pause_s = max(pause_s, error.retry_after_s)
            except Unreachable:
                pass
            if self._has_ended or self._clock.now() + pause_s > until:
                return
            await self._clock.wait(asyncio.Event(), pause_s)

    async def _queue(self, chat_id: int, job: _Job, message_id: int = 0) -> Any:
        if self._has_ended:
            raise Undelivered(_ENDED)
        lane = self._lanes.setdefault(chat_id, _Lane())
        if message_id:
            job.since_s = self._clock.now()
            lane.put_edit(message_id, job)
        else:
            lane.sends.append(job)
        self._changed.set()
        return await job.done

    # --- sending -----------------------------------------------------------------------

    async def run(self) -> None:
        """Send until cancelled; what waits then is not sent."""
        try:
            async with asyncio.TaskGroup() as group:
                while True:
                    self._changed.clear()
                    next_at = self._start_due(group.create_task)
                    length_s = None if next_at is None else max(0.0, next_at - self._clock.now())
                    await self._clock.wait(self._changed, length_s)
        finally:
            self._has_ended = True
            for job in [job for lane in self._lanes.values() for job in lane.jobs()]:
                job.end(error=Undelivered(_ENDED))
            self._lanes.clear()

    def drop(self, chat_id: int) -> None:
        """Send no message any more that waits for a chat; edits go on, they take away what is there."""
        lane = self._lanes.get(chat_id)
        for job in lane.jobs() if lane is not None else ():
            if not job.params.get("message_id"):
                job.end(error=Undelivered(_TAKEN_BACK))
        self._changed.set()

    def wake(self) -> None:
        """Try at once: the network is there again."""
        if self._backoff_s:
            self._backoff_s, self._down_until = 0.0, float("-inf")
            self._changed.set()

    def troubles(self) -> list[str]:
        """Return what is wrong, in words."""
        now = self._clock.now()
        pause_s = self._pace.held_until(now) - now
        return [f"Telegram takes messages again in {pause_s:.0f} s"] if pause_s > _LONG_PAUSE_S else []

    def _start_due(self, start: Callable[..., object]) -> float | None:
        """Start what is due; return when something will be, None while nothing waits for a time."""
        now, next_at = self._clock.now(), None
        for chat_id, lane in list(self._lanes.items()):
            if lane.is_busy:
                continue
            if not lane.has_more():
                del self._lanes[chat_id]
                continue
            due_at = max(self._free_at(chat_id, lane, now), self._down_until)
            if due_at <= now:
                lane.is_busy = True
                self._pace.take(chat_id, now)
                self._lanes[chat_id] = self._lanes.pop(chat_id)  # the others come before it now
                start(self._send(chat_id, lane, lane.take(now)))
            else:
                next_at = due_at if next_at is None else min(next_at, due_at)
        return next_at

    def _free_at(self, chat_id: int, lane: _Lane, now: float) -> float:
        free_at = self._pace.free_at(chat_id, now)
        if (since := lane.only_edits_since()) is None:
            return free_at
        return min(self._pace.free_at(chat_id, now, spare=1), max(free_at, since + EDIT_S))

    async def _send(self, chat_id: int, lane: _Lane, job: _Job) -> None:
        lane.under_way = job
        try:
            job.end(await self._api.call(job.method, job.params, job.document))
            self._backoff_s = 0.0
        except Unreachable:
            self._back_off(lane, job)
        except ApiError as error:
            self._refused(chat_id, lane, job, error)
        except asyncio.CancelledError:
            job.end(error=Undelivered(_ENDED))
            raise
        finally:
            lane.is_busy, lane.under_way = False, None
            self._changed.set()

    def _refused(self, chat_id: int, lane: _Lane, job: _Job, error: ApiError) -> None:
        if error.code == 429:
            self._pace.hold(chat_id, self._clock.now() + max(error.retry_after_s, FIRST_BACKOFF_S))
            lane.put_back(job)
        elif error.is_passing:
            self._back_off(lane, job)
        elif _UNCHANGED in error.description:
            job.end()
        else:
            job.end(error=Undelivered(words_of(error)))

    def _back_off(self, lane: _Lane, job: _Job) -> None:
        self._backoff_s = min(max(self._backoff_s * 2, FIRST_BACKOFF_S), MOST_BACKOFF_S)
        self._down_until = self._clock.now() + self._backoff_s
        lane.put_back(job)


# --- shapes on the wire ----------------------------------------------------------------


def _content(chat_id: int, text: str, entities: Sequence[Entity]) -> Params:
    # Without a preview nobody's servers look up the links in what an agent asks.
    params: Params = {"chat_id": chat_id, "text": text, "link_preview_options": {"is_disabled": True}}
    return {**params, "entities": msgspec.to_builtins(entities)} if entities else params


def _beside(reply_to: int | None, silent: bool) -> Params:
    params: Params = {"disable_notification": True} if silent else {}
    if reply_to is not None:
        params["reply_parameters"] = {"message_id": reply_to, "allow_sending_without_reply": True}
    return params


def _markup(keyboard: Keyboard) -> Params:
    rows = [[{"text": one.text, "callback_data": one.data} for one in row] for row in keyboard]
    return {"inline_keyboard": rows}


def _id_of(result: Any) -> int:
    try:
        return int(result["message_id"])
    except (KeyError, TypeError, ValueError):
        raise Undelivered("Telegram took a message and did not say where it is") from None


def _cut(text: str, most_units: int) -> str:
    """Return a text of at most so many UTF-16 units, which says so where it was cut."""
    while len(text.encode("utf-16-le", "replace")) // 2 > most_units:
        text = text[:-2].rstrip() + "…"
    return text


def words_of(error: ApiError) -> str:
    """Return a refusal as a person is told of it."""
    if "bot was blocked" in error.description:
        return "the bot was blocked in Telegram: unblock it there"
    if "chat not found" in error.description or "can't initiate" in error.description:
        return "Telegram lets a bot write only to those who wrote to it first"
    if error.is_unknown_bot:
        return "Telegram does not know this bot's token any more: `sayso telegram pair --new-token`"
    return f"Telegram refused it: {error.description or error.code}"
