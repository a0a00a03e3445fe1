"""Agents' hooks over HTTP: what a hook was given comes in, what it prints goes back.

For hook commands that speak document 004, which name their session themselves. Whatever goes wrong
decides nothing: the answer is `{}`, and the agent asks in its terminal. Not here: connections and
credentials (`http_bridge`), what payloads mean (`agents`). Imports `agents`, `bridge`, `wire`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sayso.agents import claude_code, codex_hook
from sayso.core.admission import BYPASS_MODE
from sayso.core.digest import dumps, loads, members, text
from sayso.core.states import State
from sayso.core.types import Ask, Decision, EventType, HookEvent, Kind
from sayso.core.types import Bridge as Way
from sayso.daemon.bridge import Bridge, Outcome, asker_of
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, Gone, TooMany
from sayso.wire.codec import MAX_NAME_CHARS, decode_ask, decode_event, mask_event
from sayso.wire.interaction import HookQuery

NOTHING = b"{}"
CLAUDE_S = 110.0
"""Hook commands of document 004 give up after 120 s."""
CODEX_S = 25.0
"""Codex kills its hook after 30 s, and shows nothing meanwhile."""
UNNAMED = "unnamed"

_ACTIONS = {
    "session-start": "SessionStart",
    "session-end": "SessionEnd",
    "prompt-submit": "UserPromptSubmit",
    "stop": "Stop",
    "idle": "Stop",
    "notification": "Notification",
    "notify": "Notification",
    "permission-request": "PermissionRequest",
    "pre-tool-use": "PreToolUse",
}
"""What a caller names, where the payload does not say by itself."""
_MOVES_ON = {
    EventType.PROMPT: "new_prompt",
    EventType.STOP: "stopped",
    EventType.STOP_FAILED: "stopped",
    EventType.SESSION_END: "session_ended",
}
"""Events after which what was asked before is moot."""

Payload = dict[str, object]


Parse = Callable[[object, dict[str, str]], tuple[str, Payload] | None]
Render = Callable[[object, Payload], tuple[bytes, str]]


class Agent(Struct, frozen=True):
    """What an agent's module does, and how long its hook may wait here."""

    parse: Parse
    render: Render
    hold_s: float


CLAUDE = Agent(claude_code.parse, claude_code.render, CLAUDE_S)
CODEX = Agent(codex_hook.parse, codex_hook.render, CODEX_S)


class HookRoutes:
    """The two routes, of one bridge."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._runtime = bridge.runtime

    async def claude(self, caller: Caller, query: HookQuery, named: str, body: bytes) -> Outcome:
        return await self._hook(CLAUDE, caller, query, named, body)

    async def codex(self, caller: Caller, query: HookQuery, named: str, body: bytes) -> Outcome:
        return await self._hook(CODEX, caller, query, named, body)

    async def _hook(self, agent: Agent, caller: Caller, query: HookQuery, named: str, body: bytes) -> Outcome:
        """Return what the hook is to print. `named`: the session, as a header has it."""
        at_s = self._runtime.now()
        payload = _payload(body, query.action)
        session = _session(named, query, payload)
        parsed = agent.parse(payload, {}) if session else None
        try:
            if parsed is None:
                return Outcome(NOTHING)
            what, said = parsed
            if what == "event":
                event = decode_event(dumps({**said, "at_s": at_s}))[0]
                self._hear(caller, replace(event, session_id=self._bridge.mask(session)[0]))
                return Outcome(NOTHING)
            ask = replace(
                decode_ask(dumps(said))[0], session_id=session, surface_id=session, hold_s=agent.hold_s
            )
            return await self._ask(agent, caller, ask, payload)
        except (BadRequest, Gone, TooMany):  # it cannot be shown, or not now: the agent's own prompt decides
            return Outcome(NOTHING)

    def _hear(self, caller: Caller, event: HookEvent) -> None:
        asker, runtime = asker_of(caller), self._runtime
        reason = _MOVES_ON.get(event.type)
        if reason is not None and not event.agent_id:
            runtime.desk.move_on(event.session_id, asker, reason, event.at_s, runtime.now())
            runtime.settle()
        self._bridge.sessions.hear(asker, mask_event(event, self._bridge.mask))

    async def _ask(self, agent: Agent, caller: Caller, ask: Ask, payload: Payload) -> Outcome:
        if ask.agent == codex_hook.NAME and not self._runtime.settings.codex_approvals:
            return Outcome(NOTHING)
        if ask.mode == BYPASS_MODE and ask.kind != Kind.QUESTION:
            return Outcome(NOTHING)
        waiter = f"bridge:{secrets.token_hex(8)}"
        asked = replace(ask, id=secrets.token_hex(16))
        request = self._bridge.take_in(caller, asked, Way.HELD, waiter)
        if request.state is State.PENDING:
            request = await self._bridge.held(asked.id, waiter)
        decision = request.decision
        if decision is None:
            return Outcome(NOTHING)
        receipt = partial(self._bridge.receipt, asked.id, waiter)
        try:
            output, _expects = agent.render(payload, _plain(decision))
        except ValueError:  # it does not fit what the hook was given: the agent asks itself
            receipt(False)
            return Outcome(NOTHING)
        return Outcome(output, receipt)


def _payload(body: bytes, action: str) -> Payload:
    """Return what the hook was given, completed by what the caller says of it; {} for nothing of ours."""
    try:
        told = dict(members(loads(body)))
    except ValueError:
        return {}
    if not text(told.get("hook_event_name")):
        told["hook_event_name"] = _ACTIONS.get(action, "")
        if told["hook_event_name"] == "Notification" and "notification_type" not in told:
            told["notification_type"] = "idle_prompt"
    return told


def _session(named: str, query: HookQuery, payload: Payload) -> str:
    """Return what the session is called: by the caller, else by the agent; "" for nothing usable.

    The payload gets a name that its agent could have given it, where it has none.
    """
    own = text(payload.get("session_id")).strip()
    if payload and not own:
        payload["session_id"] = UNNAMED
    words = (named, query.session, query.session_id, own)
    name = next((word.strip() for word in words if word.strip()), "")
    return name if len(name) <= MAX_NAME_CHARS else ""


def _plain(decision: Decision) -> Payload:
    """Return a decision as a hook reads it from the desk's line."""
    return dict(members(loads(msgspec.json.encode(decision))))
