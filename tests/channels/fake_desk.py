"""A desk that answers from a script, in the shape of the blocking client; and requests to show."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec

from sayso.channels.cli import add_commands
from sayso.core.types import Choice, Field, Option, Question, Row, Settings
from sayso.errors import SaysoError
from sayso.wire.views import RequestView, SuggestionView

BORN_AT = "2026-11-30T12:00:00.000Z"
NOW_S = 1796040012.0
"""12 seconds later."""

Answering = Callable[[dict[str, Any]], Any]


def builtins(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def view(request_id: str = "3f2a91bc" + "0" * 24, **changes: Any) -> RequestView:
    shape: dict[str, Any] = {
        "id": request_id,
        "agent": "claude-code",
        "session_id": "0c7d8e55-1111-2222-3333-444455556666",
        "kind": "permission",
        "tool": "Bash",
        "created_at": BORN_AT,
        "input": (Row(label="Command", value="git push origin main", code=True),),
        "suggestions": (),
        "questions": (),
        "state": "pending",
        "cwd": "/home/dev/shop",
        "project": "shop",
        "prompt": "publish the fix",
        "interrupt": True,
    }
    return RequestView(**{**shape, **changes})


def question(request_id: str = "77aa0000" + "0" * 24, **changes: Any) -> RequestView:
    asked = Question(
        question="Which database?",
        header="Storage",
        options=(Option(label="SQLite", description="one file"), Option(label="Postgres, 17")),
    )
    return view(
        request_id,
        **{"kind": "question", "tool": "AskUserQuestion", "input": (), "questions": (asked,), **changes},
    )


def plan(request_id: str = "99bb0000" + "0" * 24, **changes: Any) -> RequestView:
    rows = (Row(label="Plan", value="# Move the shop\n\n1. Copy the data\n2. Switch over"),)
    modes = ("default", "acceptEdits", "auto")
    return view(
        request_id, **{"kind": "plan", "tool": "ExitPlanMode", "input": rows, "modes": modes, **changes}
    )


def elicitation(request_id: str = "55cc0000" + "0" * 24, **changes: Any) -> RequestView:
    fields = (
        Field(
            name="name",
            title="Your name",
            required=True,
            description="as on the invoice",
            minimum=1,
            maximum=40,
        ),
        Field(name="age", type="integer", minimum=0, maximum=150),
        Field(name="news", type="boolean", default=False),
        Field(
            name="size",
            type="choice",
            choices=(Choice(value="s", label="Small"), Choice(value="l", label="Large")),
        ),
        Field(name="tags", type="choices", choices=(Choice(value="a"), Choice(value="b, c")), maximum=2),
    )
    rows = (Row(label="Message", value="Who orders?"),)
    return view(
        request_id,
        **{
            "kind": "elicitation",
            "tool": "shop-server",
            "input": rows,
            "fields": fields,
            "interrupt": False,
            **changes,
        },
    )


ASKED: dict[str, Any] = {
    "agent": "program",
    "session_id": "%3",
    "surface_id": "%3",
    "tool": "",
    "input": (),
    "prompt": "",
    "interrupt": False,
    "branch": "main",
    "label": "deploy.sh",
}
"""What every request has in common that a program asks itself."""


def yesno(request_id: str = "aa110000" + "0" * 24, **changes: Any) -> RequestView:
    rows = (Row(label="Details", value="14 commits since Monday"),)
    shape = {**ASKED, "kind": "yesno", "title": "Deploy the shop?", "input": rows}
    return view(request_id, **{**shape, **changes})


def choice(request_id: str = "bb220000" + "0" * 24, **changes: Any) -> RequestView:
    choices = (
        Choice(value="eu:1", label="Frankfurt"),
        Choice(value="1", label="Dublin"),
        Choice(value="cancel", label="cancel"),
    )
    shape = {**ASKED, "kind": "choice", "title": "Where to?", "choices": choices, "default": "1"}
    return view(request_id, **{**shape, **changes})


def text(request_id: str = "cc330000" + "0" * 24, **changes: Any) -> RequestView:
    shape = {**ASKED, "kind": "text", "title": "What changed?", "default": "small fixes"}
    return view(request_id, **{**shape, **changes})


def command(request_id: str = "dd440000" + "0" * 24, **changes: Any) -> RequestView:
    rows = (Row(label="Command", value="psql -c 'drop table orders_old'", code=True),)
    shape = {**ASKED, "kind": "confirm-command", "title": "Drop the old orders", "input": rows}
    return view(request_id, **{**shape, "unsafe": True, **changes})


def suggested(*labels: str) -> tuple[SuggestionView, ...]:
    return tuple(SuggestionView(str(index), label) for index, label in enumerate(labels))


class FakeDesk:
    """Every connection sees the same requests. `script`: what an answer leads to.

    `script` holds, for each call of desk.answer, a list of states that the request goes
    through, or an error to raise instead. `later`: for each call of desk.queue or
    desk.unqueue, what then changes of the session's message, one step each.
    """

    def __init__(self, *views: RequestView, ended: tuple[RequestView, ...] = ()) -> None:
        self.views = {each.id: each for each in views}
        self.ended = {each.id: each for each in ended}
        self.script: deque[list[str] | SaysoError] = deque()
        self.rows: dict[tuple[str, int], Row] = {}
        self.sessions: list[dict[str, Any]] = []
        self.messages: list[dict[str, Any]] = []
        self.alerts: list[dict[str, Any]] = []
        self.notes: list[dict[str, Any]] = []
        self.grants: list[dict[str, Any]] = []
        self.later: list[list[dict[str, Any]]] = []
        self.settings: dict[str, Any] = builtins(Settings())
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.timeouts: list[float] = []
        self.connections = 0
        self.changes: deque[dict[str, Any]] = deque()
        self.seq = 1
        self.closed = 0

    # --- the client's interface

    def connect(self) -> FakeDesk:
        self.connections += 1
        return self

    def __enter__(self) -> FakeDesk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.closed += 1

    def fileno(self) -> int:
        raise AssertionError("nothing here polls")

    def subscribe(self, after: str = "") -> None:
        self.changes.clear()
        self.changes.append({"type": "snapshot", "boot": "b1", "seq": self.seq, "snapshot": self.snapshot()})

    def next_change(self, timeout_s: float) -> dict[str, Any] | None:
        self.timeouts.append(timeout_s)
        return self.changes.popleft() if self.changes else None

    def call(self, method: str, params: dict[str, Any], timeout_s: float = 10) -> Any:
        self.calls.append((method, params))
        return getattr(self, "_" + method.partition(".")[2])(params)

    # --- what it does

    def snapshot(self) -> dict[str, Any]:
        return {
            "boot": "b1",
            "seq": self.seq,
            "requests": [builtins(each) for each in self.views.values()],
            "ended": [builtins(each) for each in self.ended.values()],
            "sessions": self.sessions,
            "messages": list(self.messages),
            "settings": self.settings,
            "alerts": self.alerts,
            "notes": self.notes,
            "grants": self.grants,
        }

    def change(self, request: RequestView, kind: str = "changed") -> None:
        self.seq += 1
        self.changes.append({"type": kind, "boot": "b1", "seq": self.seq, "request": builtins(request)})

    def move(self, request_id: str, state: str, **changes: Any) -> None:
        moved = msgspec.structs.replace(self.views[request_id], state=state, **changes)
        self.views[request_id] = moved
        self.change(moved, "resolved" if state == "answered" else "changed")

    def _answer(self, params: dict[str, Any]) -> Any:
        planned = self.script.popleft() if self.script else ["answered", "delivered"]
        if isinstance(planned, SaysoError):
            raise planned
        if params["reply"].get("step") == "ack":
            return {"ok": True, "state": "pending", "acknowledged": True}
        for state in planned:
            self.move(params["id"], state)
        return {"ok": True, "state": "answered"}

    def _row(self, params: dict[str, Any]) -> Any:
        return builtins(self.rows[params["id"], params["row"]])

    def _release(self, params: dict[str, Any]) -> Any:
        return {}

    def _sessions(self, params: dict[str, Any]) -> Any:
        return {"sessions": self.sessions}

    def _queue(self, params: dict[str, Any]) -> Any:
        message = {
            "queued_at": BORN_AT,
            "number": 5,
            "state": "queued",
            "when": "soon",
            "reason": "",
            "why": "",
            **params,
        }
        self._message(message)
        return message

    def _unqueue(self, params: dict[str, Any]) -> Any:
        self._message(self.messages[-1])
        return {"ok": True}

    def _ungrant(self, params: dict[str, Any]) -> Any:
        return {"ok": True}

    def _message(self, message: dict[str, Any]) -> None:
        """Tell of a message, and of what the script says that becomes of it."""
        for step in [{}, *(self.later.pop(0) if self.later else [])]:
            self.seq += 1
            message = {**message, **step}
            self.messages = [message]
            self.changes.append({"type": "message", "boot": "b1", "seq": self.seq, "message": message})

    def _settings(self, params: dict[str, Any]) -> Any:
        self.settings.update(params.get("settings", {}))
        return dict(self.settings)

    @property
    def replies(self) -> list[dict[str, Any]]:
        """Return the replies given, without their keys."""
        given = [params["reply"] for method, params in self.calls if method == "desk.answer"]
        return [{name: value for name, value in reply.items() if name != "key"} for reply in given]


def run(desk: FakeDesk, *words: str) -> int:
    """Run a command as `main` does."""
    parser = argparse.ArgumentParser(prog="sayso")
    add_commands(parser.add_subparsers(required=True))
    args = parser.parse_args(words)
    args.connect = desk.connect
    return args.run(args)
