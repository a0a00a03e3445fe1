"""The methods that people's channels call: see, answer, administer. The `Service`.

Each checks its power here, whatever the way in has checked. Not here: bytes, hooks'
methods (`hooks`), who somebody is (`access`, `devices`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from inspect import isawaitable
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from sayso import __version__
from sayso.core.bounds import MOST_OPEN_CARDS
from sayso.core.states import State
from sayso.core.types import Presence, Row, Settings
from sayso.daemon import asks
from sayso.daemon.chats import Chats
from sayso.daemon.devices import Devices
from sayso.daemon.feed import Feed
from sayso.daemon.pair_methods import PairMethods
from sayso.daemon.pane_methods import METHODS as PANE_METHODS
from sayso.daemon.pane_methods import PaneMethods
from sayso.daemon.push import Pushes
from sayso.daemon.runtime import Runtime
from sayso.daemon.service import Caller
from sayso.daemon.shown import COMMANDS, shown_to
from sayso.daemon.webhooks import Webhooks
from sayso.errors import BadRequest, NotRunning, Refused, Unauthorized, Unavailable, UnknownMethod
from sayso.wire.codec import MAX_NAME_CHARS
from sayso.wire.jsonrpc import convert
from sayso.wire.protocol import (
    METHODS,
    PROTOCOL,
    AnswerParams,
    AwayParams,
    DevicesParams,
    IdParams,
    MuteParams,
    Power,
    PresenceParams,
    PushAnswerParams,
    QueueParams,
    RowParams,
    SessionParams,
    StopParams,
)
from sayso.wire.views import SessionView, Snapshot, message_view

Params = dict[str, Any]


class Health(Struct, frozen=True, kw_only=True):
    """What runs. `troubles`: what is wrong, in words; `http` the address, or why there is none.
    `options`: the words that `sayso up` was given, for a restart."""

    ok: bool
    version: str
    protocol: int
    boot: str
    pid: int
    started_at: str
    uptime_s: float
    pending: int
    watchers: int
    watched: bool
    totals: dict[str, int]
    answered_from: dict[str, int]
    http: str
    options: tuple[str, ...]
    troubles: tuple[str, ...]


class Me(Struct, frozen=True, kw_only=True):
    """Who calls: a device, or a program of this computer."""

    id: str
    name: str
    power: Power


class Methods:
    """The desk's `Service`: one for all ways in.

    Args:
        stop: ends the desk; told whether it comes back.
        troubles: returns what is wrong, in words.
    """

    def __init__(
        self,
        runtime: Runtime,
        devices: Devices,
        stop: Callable[[bool], None],
        troubles: Callable[[], list[str]],
    ) -> None:
        self.boot = runtime.boot
        self.http = "off"
        self.options: tuple[str, ...] = ()
        self.panes = PaneMethods(runtime, None)
        self.pairs = PairMethods(devices)
        self.pushes: Pushes | None = None
        self.chats: Chats | None = None
        self.webhooks: Webhooks | None = None
        self._runtime = runtime
        self._devices = devices
        self._stop = stop
        self._troubles = troubles
        devices.watch(self._end_grants)

    async def call(self, caller: Caller, method: str, params: Params) -> Any:
        """Carry out one method. Raises the errors of `sayso.errors`."""
        self.check_power(caller, method)
        do = _METHODS.get(method)
        if do is None:
            raise UnknownMethod(f"{method} cannot be called this way")
        result = do(self, caller, params)
        if isawaitable(result):
            result = await result
        self._runtime.settle()
        return result

    def check_power(self, caller: Caller, method: str) -> None:
        """Raises UnknownMethod, or Refused when the caller lacks the power."""
        row = METHODS.get(method)
        if row is None:
            raise UnknownMethod(f"there is no method {method}")
        if caller.power < row.power:
            need, have = row.power.name.lower(), caller.power.name.lower()
            raise Refused(f"{method} needs the power to {need}; {caller.name or 'you'} may {have}")

    def as_device(self, device_id: str, channel: str) -> Caller:
        """Return the caller that a device is, on a channel inside the desk. Raises Unauthorized."""
        for device in self._devices.list():
            if device.id == device_id and not device.foreign:
                return Caller(power=device.power, channel=channel, name=device.name, credential=device.id)
        raise Unauthorized("this device's access was taken back")

    def subscribe(self, caller: Caller, after: str) -> Feed:
        self.check_power(caller, "desk.subscribe")
        boot, _, number = after.rpartition("-")
        known = boot == self.boot and number.isascii() and number.isdigit()
        return self._runtime.subscribe(after if known else "", shown_to(caller))

    # --- see ---------------------------------------------------------------------------

    def requests(self, caller: Caller, _params: Params) -> Snapshot:
        return shown_to(caller).snapshot(self._runtime.snapshot())

    def row(self, caller: Caller, params: Params) -> Row:
        wanted = convert(params, RowParams)
        return self._runtime.desk.row(wanted.id, wanted.row, caller.credential)

    def sessions(self, _caller: Caller, _params: Params) -> dict[str, tuple[SessionView, ...]]:
        return {"sessions": self._runtime.snapshot().sessions}

    def health(self, _caller: Caller, _params: Params) -> Health:
        runtime = self._runtime
        now = runtime.now()
        return Health(
            ok=True,
            version=__version__,
            protocol=PROTOCOL,
            boot=runtime.boot,
            pid=os.getpid(),
            started_at=runtime.started_at,
            uptime_s=round(now - runtime.started_s, 3),
            pending=runtime.desk.pending_in_all(),
            watchers=runtime.watchers,
            watched=runtime.desk.watched_until() > now,
            totals=dict(sorted(runtime.totals.items())),
            answered_from=dict(sorted(runtime.answered_from.items())),
            http=self.http,
            options=self.options,
            troubles=tuple(self._troubles()),
        )

    def presence(self, caller: Caller, params: Params) -> dict[str, bool]:
        said = convert(params, PresenceParams)
        self.present(caller, said, f"{caller.channel} {caller.credential} {said.page[:MAX_NAME_CHARS]}")
        return {"ok": True}

    def present(self, caller: Caller, said: PresenceParams, watcher: str) -> None:
        """Note a channel's word on its person; one that cannot answer does not count."""
        runtime = self._runtime
        if caller.power < Power.ANSWER:
            return
        now = runtime.now()
        looked_at = tuple(one for one in said.open[:MOST_OPEN_CARDS] if len(one) <= MAX_NAME_CHARS)
        presence = Presence(present_s=now, open=looked_at) if said.present else None
        runtime.desk.watch(watcher, presence, now)

    # --- answer ------------------------------------------------------------------------

    def answer(self, caller: Caller, params: Params) -> dict[str, Any]:
        given = convert(params, AnswerParams)
        by = asks.answerer(caller)
        request = self._runtime.desk.answer(given.id, given.reply, by, self._runtime.now())
        said: dict[str, Any] = {"ok": True, "state": str(request.state)}
        if request.state is State.PENDING:
            said["acknowledged"] = True
        return said

    def ask_pending(self, caller: Caller, params: Params) -> dict[str, Any]:
        return asks.pending(self._runtime, caller, params)

    def ask_answer(self, caller: Caller, params: Params) -> dict[str, Any]:
        return asks.give(self._runtime, caller, params)

    def release(self, _caller: Caller, params: Params) -> dict[str, Any]:
        request = self._runtime.desk.release(convert(params, IdParams).id, self._runtime.now())
        return {"ok": True, "state": str(request.state)}

    def queue(self, _caller: Caller, params: Params) -> Any:
        given = convert(params, QueueParams)
        message = self._runtime.desk.queue(
            given.agent, given.session_id, given.text, given.when, self._runtime.now()
        )
        return message_view(message, self._runtime.clock)

    def unqueue(self, _caller: Caller, params: Params) -> dict[str, bool]:
        given = convert(params, SessionParams)
        self._runtime.desk.delete_message(given.agent, given.session_id, self._runtime.now())
        return {"ok": True}

    def mute(self, _caller: Caller, params: Params) -> dict[str, tuple[SessionView, ...]]:
        given = convert(params, MuteParams)
        if not self._sessions_of(given):
            raise NotRunning("no session is known by this id")
        self._runtime.mutes.change(given)
        return {"sessions": self._sessions_of(given)}

    def _sessions_of(self, given: MuteParams) -> tuple[SessionView, ...]:
        wanted = given.agent, given.session_id
        return tuple(
            one for one in self._runtime.snapshot().sessions if (one.agent, one.session_id) == wanted
        )

    def ungrant(self, _caller: Caller, params: Params) -> dict[str, bool]:
        self._runtime.desk.end_grant(convert(params, IdParams).id, self._runtime.now())
        return {"ok": True}

    def _end_grants(self, device_id: str) -> None:
        """A device was taken back: so is what it allowed for a while."""
        self._runtime.desk.end_grants_of(device_id, self._runtime.now())
        self._runtime.settle()

    def away(self, caller: Caller, params: Params) -> Settings:
        given = convert(params, AwayParams)
        after = self._runtime.desk.change({"away": given.away}, self._runtime.now())
        return shown_to(caller).settings(after)

    # --- administer --------------------------------------------------------------------

    def settings(self, caller: Caller, params: Params) -> Settings:
        given = params.get("settings")
        runtime = self._runtime
        if given is None:
            return runtime.desk.snapshot().settings
        if not isinstance(given, dict):
            raise BadRequest("settings must be an object", "settings")
        changes: dict[str, Any] = given  # pyright: ignore[reportUnknownVariableType]
        current = asdict(runtime.desk.snapshot().settings)
        whole = convert({**current, **changes}, Settings)
        self._check_way_back(whole)
        self._check_here(caller, whole)
        return runtime.desk.change(asdict(whole), runtime.now())

    def _check_here(self, caller: Caller, settings: Settings) -> None:
        """See that what this computer runs is said on this computer: a device may be in other hands."""
        before = self._runtime.settings
        for name in COMMANDS:
            if not caller.pid and getattr(settings, name) != getattr(before, name):
                raise Refused(f"{name} is a command, so it is set on this computer: sayso settings {name} …")

    def _check_way_back(self, settings: Settings) -> None:
        """See that who lets only paired devices answer has one that can undo it."""
        if settings.answers_from != "paired":
            return
        if not any(one.power is Power.ADMIN and not one.foreign for one in self._devices.list()):
            raise BadRequest(
                "make a device first that may undo this: sayso token create NAME --power admin",
                "answers_from",
            )

    def device(self, _caller: Caller, params: Params) -> Any:
        given = convert(params, DevicesParams)
        if given.create is not None:
            name = given.power.upper()
            if name not in Power.__members__:
                raise BadRequest("power is ask, see, answer or admin", "power")
            created = self._devices.create(given.create, Power[name])
            return {"device": created.device, "token": created.token}
        if given.revoke is not None:
            return {"device": self._devices.revoke(given.revoke)}
        return {"devices": self._devices.with_uses()}

    def me(self, caller: Caller, _params: Params) -> Me:
        return Me(id=caller.credential, name=caller.name, power=caller.power)

    def push(self, caller: Caller, params: Params) -> Any:
        if self.pushes is None:
            raise Unavailable("this desk sends nothing to devices")
        return self.pushes.call(caller, params)

    def push_answer(self, _caller: Caller, params: Params) -> dict[str, Any]:
        given = convert(params, PushAnswerParams)
        if self.pushes is None:
            raise Unavailable("this desk sends nothing to devices")
        caller, request_id = self.pushes.answering(given.ticket)
        return self.answer(caller, {"id": request_id, "reply": {"behavior": given.behavior}})

    def webhook(self, caller: Caller, params: Params) -> Any:
        if self.webhooks is None:
            raise Unavailable("this desk has no webhooks")
        return self.webhooks.call(caller, params)

    def telegram(self, caller: Caller, params: Params) -> Any:
        if self.chats is None:
            raise Unavailable("this desk has no bot")
        return self.chats.call(caller, params)

    def pairing(self, caller: Caller, params: Params) -> Any:
        return self.pairs.pairing(caller, params)

    def pair(self, caller: Caller, params: Params) -> Any:
        return self.pairs.pair(caller, params)

    def end(self, _caller: Caller, params: Params) -> dict[str, bool]:
        self._stop(convert(params, StopParams).restart)
        return {"ok": True}


def _pane(method: str, methods: Methods, _caller: Caller, params: Params) -> Any:
    return methods.panes.call(method, params)


_METHODS: dict[str, Callable[[Methods, Caller, Params], Any]] = {
    "agent.ask_pending": Methods.ask_pending,
    "agent.ask_answer": Methods.ask_answer,
    "desk.list": Methods.requests,
    "desk.row": Methods.row,
    "desk.sessions": Methods.sessions,
    "desk.health": Methods.health,
    "desk.presence": Methods.presence,
    "desk.answer": Methods.answer,
    "desk.release": Methods.release,
    "desk.queue": Methods.queue,
    "desk.unqueue": Methods.unqueue,
    "desk.mute": Methods.mute,
    "desk.ungrant": Methods.ungrant,
    "desk.away": Methods.away,
    "desk.settings": Methods.settings,
    "desk.devices": Methods.device,
    "desk.me": Methods.me,
    "desk.push": Methods.push,
    "desk.push_answer": Methods.push_answer,
    "desk.webhooks": Methods.webhook,
    "desk.telegram": Methods.telegram,
    "desk.pairing": Methods.pairing,
    "desk.pair": Methods.pair,
    "desk.stop": Methods.end,
    **{name: partial(_pane, name) for name in PANE_METHODS},
}
"""Which of us does what; a test holds it against the table of the protocol."""
