"""The routes of the interaction bridge, rows of the one table (`http_routes`).

Paths and names are document 004's. Not here: what they do (`bridge`, `hook_routes`), how they are
served (`http_bridge`). Imports `wire` and `http_route`.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sayso.daemon.http_route import Route
from sayso.wire import interaction as wire
from sayso.wire.protocol import Power

BASE = "/agents/interaction"
SESSION_HEADER = "x-aimux-session-id"
"""How hook clients of document 004 name their session."""


class Done(Struct, frozen=True, kw_only=True):
    """It was taken."""

    ok: bool = True


def _route(method: str, bridge: str, power: Power, about: str, **more: Any) -> Route:
    fields: dict[str, Any] = {"path": f"{BASE}/{bridge}", **more}
    return Route(method=method, call="", bridge=bridge, power=power, about=about, **fields)


def _ask(method: str, bridge: str, about: str, **more: Any) -> Route:
    """Return a route that programs call who ask: an ask-only token in the address is enough."""
    return _route(method, bridge, Power.ASK, about, basic=True, **more)


def _hook(agent: str, about: str) -> Route:
    fields: dict[str, Any] = {"query": wire.HookQuery, "headers": (SESSION_HEADER,), "raw": True}
    return _ask("POST", agent, about, path=f"/hooks/{agent}", holds=True, **fields)


BRIDGE_ROUTES: tuple[Route, ...] = (
    _ask(
        "POST",
        "register",
        "Leaves a request with the desk; its answer is fetched with wait.",
        body=wire.RegisterBody,
        result=wire.Answered,
        errors=(409,),
    ),
    _ask(
        "POST",
        "request",
        "Asks and waits for the answer; at once `watching` false where nobody is there who could give one.",
        body=wire.RequestBody,
        result=wire.Answered,
        holds=True,
        errors=(409,),
    ),
    _ask(
        "GET",
        "wait",
        "Waits for a request's end. For who registered it this fetches the answer; others only listen.",
        query=wire.WaitQuery,
        result=wire.Answered,
        holds=True,
        errors=(409,),
    ),
    _ask(
        "POST",
        "notify",
        "Tells the person something that waits for nothing.",
        body=wire.NotifyBody,
        result=Done,
    ),
    _route(
        "POST",
        "respond",
        Power.ANSWER,
        "Answers a request, whichever way it came. What says nothing or does not fit leaves it pending.",
        body=wire.RespondBody,
        result=wire.Answered,
        errors=(409,),
    ),
    _route(
        "GET",
        "pending",
        Power.SEE,
        "The pending requests in document 004's words, oldest first.",
        query=wire.PendingQuery,
        result=wire.Listed,
    ),
    _route(
        "GET",
        "stream",
        Power.SEE,
        "Server-sent events in document 004's words. A reader that may answer counts as somebody watching.",
        holds=True,
        events="ready has {pending}; interaction and note an Alert; resolved, withdrawn, released {request}.",
    ),
    _route(
        "GET",
        "desktop_state",
        Power.SEE,
        "The sessions with what each wants of its person, the pending requests, and alerts.",
        path="/desktop-state",
        result=wire.DesktopState,
    ),
    _hook("claude", "Takes the input of a Claude Code hook and answers with its output, {} for no decision."),
    _hook("codex", "The same for a Codex hook, where the setting codex_approvals is on."),
)
