"""Somebody before the screen: presses keys, reads what is shown, hears what is asked of the shell."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from sayso.channels.screen.actions import Action, Send
from sayso.channels.screen.frame import frame
from sayso.channels.screen.model import Model
from sayso.core.types import Settings
from sayso.wire.views import (
    AlertView,
    Change,
    GrantView,
    MessageView,
    NoteView,
    RequestView,
    Snapshot,
)
from tests.channels.fake_desk import NOW_S

Views = tuple[RequestView, ...]
A = TypeVar("A", bound=Action)


class Person:
    """Time passes only by `wait` and between key presses."""

    def __init__(self, *views: RequestView, ended: Views = (), columns: int = 80, rows: int = 24):
        self.columns, self.rows = columns, rows
        self.now_s = 100.0
        self.keys_made = 0
        self.model = Model(self._key_of, self.now_s)
        self.actions: list[Action] = []
        self.views: dict[str, RequestView] = {}
        self.snapshot(*views, ended=ended)

    def _key_of(self) -> str:
        self.keys_made += 1
        return f"key{self.keys_made}"

    # --- what the desk tells

    def snapshot(
        self, *views: RequestView, ended: Views = (), boot: str = "b1", notes: tuple[NoteView, ...] = ()
    ) -> None:
        self.views = {each.id: each for each in (*views, *ended)}
        told = Snapshot(
            boot=boot,
            seq=1,
            requests=views,
            ended=ended,
            sessions=(),
            messages=(),
            settings=Settings(),
            notes=notes,
        )
        self._take(Change(type="snapshot", boot=boot, seq=1, snapshot=told))

    def change(self, view: RequestView, kind: str = "changed") -> None:
        self.views[view.id] = view
        self._take(Change(type=kind, boot="b1", seq=2, request=view))

    def moves(self, request_id: str, state: str, **changes: Any) -> None:
        self.change(msgspec.structs.replace(self.views[request_id], state=state, **changes))

    def setting(self, **changes: Any) -> None:
        self._take(Change(type="settings", boot="b1", seq=2, settings=Settings(**changes)))

    def message(self, **fields: Any) -> None:
        """A message to a session came as far as this."""
        shape = {"agent": "claude-code", "session_id": "0c7d8e55-1111", "text": "look there", "queued_at": ""}
        self._take(Change(type="message", boot="b1", seq=2, message=MessageView(**{**shape, **fields})))

    def alert(self, **fields: Any) -> None:
        """An agent tried something that only people may."""
        shape = {"method": "desk.answer", "at": "", "agent": "claude-code", "project": "shop"}
        self._take(Change(type="alert", boot="b1", seq=2, alert=AlertView(**{**shape, **fields})))

    def note(self, **fields: Any) -> None:
        """A program wanted the person to know something."""
        shape = {"agent": "program", "title": "Backup done", "at": "", "project": "shop"}
        self._take(Change(type="note", boot="b1", seq=2, note=NoteView(**{**shape, **fields})))

    def grants(self, *grants: GrantView) -> None:
        """So much is allowed for a while."""
        self._take(Change(type="grants", boot="b1", seq=2, grants=grants))

    def _take(self, change: Change) -> None:
        self.actions += self.model.take(change, self.now_s)
        self.look()

    def takes(self) -> None:
        """The desk takes the last answer."""
        if self.replies[-1].get("step") == "ack":
            self.actions += self.model.acknowledged(self.sends[-1].request_id, self.now_s)
            self.look()
            return
        self.actions += self.model.sent(self.sends[-1].request_id, self.now_s)
        self.look()

    # --- what the person does

    def wait(self, passed_s: float) -> None:
        self.now_s += passed_s
        self.actions += self.model.tick(self.now_s)
        self.look()

    def press(self, *names: str, after_s: float = 1.0) -> None:
        for name in names:
            self.now_s += after_s
            self.actions += self.model.key(name, self.now_s)
            self.look()

    def write(self, text: str) -> None:
        self.press(*text)

    def paste(self, text: str) -> None:
        self.actions += self.model.paste(text, self.now_s)
        self.look()

    def look(self) -> str:
        """Return what is on the screen."""
        lines = frame(self.model, self.columns, self.rows, self.now_s, NOW_S)
        assert len(lines) == self.rows
        return "\n".join(line.text for line in lines)

    def loud(self) -> str:
        lines = frame(self.model, self.columns, self.rows, self.now_s, NOW_S)
        return "\n".join(line.text for line in lines if line.style == "loud")

    # --- what came of it

    def of(self, kind: type[A]) -> list[A]:
        return [action for action in self.actions if isinstance(action, kind)]

    @property
    def sends(self) -> list[Send]:
        return self.of(Send)

    @property
    def replies(self) -> list[dict[str, Any]]:
        return [{name: value for name, value in send.reply.items() if name != "key"} for send in self.sends]
