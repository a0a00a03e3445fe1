"""What a caller is shown of what the desk knows: not every device that may see, sees everything.

A command that this computer runs is for who may administer; the text that a person wrote as an answer,
for the device that it was given on. Programs of this computer are shown all: the desk runs as they do.
Not here: who may call what (`wire.protocol`), texts that are masked for everybody (`mask`). Imports
`service`, `core.types`, `wire`.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from sayso.core.types import Kind, Settings
from sayso.daemon.service import Caller
from sayso.wire.protocol import Power
from sayso.wire.views import Change, RequestView, Snapshot

COMMANDS = ("on_request", "pane_program")
"""Settings that this computer runs. They can hold a token, or say where one is."""
HIDDEN = "…[hidden]"
"""Stands for an answer that is not shown; no person writes just that."""


class Shown(Struct, frozen=True):
    """What is shown: `commands` or "" for them; the texts that were given with `credential`, or None: all."""

    commands: bool
    credential: str | None

    def settings(self, settings: Settings) -> Settings:
        return settings if self.commands else replace(settings, **dict.fromkeys(COMMANDS, ""))

    def hides(self, view: RequestView) -> bool:
        """Whether the answer to a request is a text that was given elsewhere."""
        if self.credential is None or view.kind != Kind.TEXT or view.value is None:
            return False
        return view.by is None or view.by.credential != self.credential

    def request(self, view: RequestView) -> RequestView:
        return replace(view, value=HIDDEN, asked=HIDDEN) if self.hides(view) else view

    def snapshot(self, snapshot: Snapshot) -> Snapshot:
        return replace(
            snapshot,
            requests=tuple(map(self.request, snapshot.requests)),
            ended=tuple(map(self.request, snapshot.ended)),
            settings=self.settings(snapshot.settings),
        )

    def change(self, change: Change) -> Change:
        if change.snapshot is not None:
            return replace(change, snapshot=self.snapshot(change.snapshot))
        if change.settings is not None:
            return replace(change, settings=self.settings(change.settings))
        if change.request is not None:
            view = self.request(change.request)
            return change if view is change.request else replace(change, request=view)
        return change


ALL = Shown(commands=True, credential=None)
LEAVES = Shown(commands=True, credential="")
"""To channels inside the desk, which may tell it elsewhere: nobody's answer is given with no credential."""


def shown_to(caller: Caller) -> Shown:
    """Return what somebody is shown. Who has a process calls from this computer."""
    if caller.pid:
        return ALL
    return Shown(commands=caller.power >= Power.ADMIN, credential=caller.credential)
