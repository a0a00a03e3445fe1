"""The requirements of sayso, in words, with the tests that hold them.

A row is `held` with the tests that fail without it, or `planned`. The rule about them is
`tests/rules/test_requirements.py`; `docs/reference/requirements.md` is made from them. Add the row
together with the code and its test; split one that is held only in part.
"""

from __future__ import annotations

from tests.required import (
    Requirement,
    asks,
    bridge,
    cases,
    cases_beyond,
    channels,
    codex_hooks,
    codex_server,
    desk,
    events_out,
    fuzz,
    hook_server,
    hooks,
    http,
    later,
    page,
    promise,
    python,
    socket,
    telegram,
)

__all__ = ["AREAS", "Requirement"]

AREAS: dict[str, tuple[Requirement, ...]] = {
    "The desk": desk.ROWS,
    "The control socket": socket.ROWS,
    "HTTP": http.ROWS,
    "Python": python.ROWS,
    "The hook server": hook_server.ROWS,
    "What programs ask": asks.ROWS,
    "The interaction bridge": bridge.ROWS,
    "Hooks and installation": hooks.ROWS,
    "Codex, through its app server": codex_server.ROWS,
    "Codex's hooks": codex_hooks.ROWS,
    "Channels": channels.CHANNELS,
    "Events out": events_out.ROWS,
    "The page": page.ROWS,
    "Telegram": telegram.ROWS,
    "What stays": promise.ROWS,
    "What nobody should send": fuzz.ROWS,
    "Numbers": channels.NUMBERS,
    "Cases: what went wrong elsewhere": cases.ROWS + cases_beyond.ROWS,
    "Later": later.ROWS,
}
