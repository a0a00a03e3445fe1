"""Lines for the control socket: calls of every method with fitting and other parameters, and what is no call.

Not here: whom they are sent to.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from sayso.core.types import DIRECT, EventType
from sayso.wire.protocol import MAX_LINE_BYTES, METHODS
from tests.properties.ask_params import TEXT, TREES

LEFT_OUT = {"desk.stop", "agent.create", "agent.create_split"}
"""What ends the desk, or starts programs."""
CALLABLE = sorted(set(METHODS) - LEFT_OUT)
OWN_ID = "0" * 32
AGENTS = st.sampled_from(["claude-code", "codex", "", "x" * 300]) | TEXT
NUMBERS = (
    st.integers(-2, 2)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([2**53, -(10**30), 1e308, 2**63, 2**64])
)
ROWS = st.lists(
    st.fixed_dictionaries({"label": TEXT, "value": TEXT | st.sampled_from(["y" * 5000, "\u202e", "\0"])}),
    max_size=4,
)
EVENT_TYPES = st.sampled_from([str(kind.value) for kind in EventType])
FITTING: dict[str, st.SearchStrategy[Any]] = {
    "id": st.sampled_from([OWN_ID, "", "nobody"]) | TEXT,
    "request_id": st.sampled_from([OWN_ID, ""]) | TEXT,
    "agent": AGENTS,
    "session_id": st.sampled_from(["s1", "s2", "", "../../x"]) | TEXT,
    "kind": st.sampled_from(["permission", "question", "plan", "elicitation", *sorted(DIRECT)]) | TEXT,
    "tool": st.sampled_from(["Bash", "ExitPlanMode"]) | TEXT,
    "input": ROWS,
    "questions": st.lists(st.dictionaries(TEXT, TREES, max_size=3), max_size=2),
    "suggestions": st.lists(TEXT, max_size=20),
    "type": EVENT_TYPES | TEXT,
    "at_s": NUMBERS,
    "started_s": NUMBERS,
    "started_at": NUMBERS | st.sampled_from(["2026-01-01T00:00:00Z", "9999-12-31T23:59:59+14:00", "now"]),
    "agent_pid": st.integers(-1, 2**31) | NUMBERS,
    "hold_s": NUMBERS,
    "hold": st.sampled_from(["parallel", "exclusive"]) | TEXT,
    "resumed": st.booleans(),
    "journal": st.lists(TEXT, max_size=3),
    "responses": st.lists(TEXT, max_size=4),
    "expects": TEXT,
    "reason": st.sampled_from(["term", "hangup", "orphan"]) | TEXT,
    "reply": st.fixed_dictionaries(
        {"behavior": st.sampled_from(["allow", "deny", "cancel"])},
        optional={
            "message": TEXT,
            "answers": TREES,
            "content": TREES,
            "for_s": NUMBERS,
            "unseen": st.booleans(),
        },
    )
    | TREES,
    "row": st.integers(-1, 3) | NUMBERS,
    "present": st.booleans(),
    "open": st.lists(TEXT, max_size=3),
    "after": st.sampled_from(["", "x-1", "-", "x-" + "9" * 50]) | TEXT,
    "text": TEXT | st.just("z" * 4001),
    "when": st.sampled_from(["soon", "stop"]) | TEXT,
    "away": st.booleans(),
    "settings": st.dictionaries(
        st.sampled_from(
            ["away", "exclusive_wait_s", "unattended_wait_s", "notice_content", "codex_approvals"]
        ),
        NUMBERS | st.booleans() | TEXT,
        max_size=2,
    ),
    "list": st.booleans(),
    "revoke": TEXT,
    "wait": TEXT,
    "cancel": TEXT,
    "code": TEXT,
    "ticket": TEXT,
    "behavior": st.sampled_from(["allow", "deny"]) | TEXT,
    "surface_id": TEXT,
    "title": TEXT,
    "value": st.sampled_from(["yes", "ack", "run"]) | TEXT,
}
PARAMS = st.one_of(
    st.fixed_dictionaries({}, optional=FITTING),
    st.dictionaries(st.sampled_from(sorted(FITTING)), TREES, max_size=4),
    TREES,
)
ASKS = st.fixed_dictionaries(
    {name: FITTING[name] for name in ("agent", "session_id", "kind", "tool", "input")},
    optional={name: FITTING[name] for name in ("id", "hold", "resumed", "started_at", "questions")},
)
EVENTS = st.fixed_dictionaries(
    {name: FITTING[name] for name in ("agent", "session_id", "type", "at_s")},
    optional={name: FITTING[name] for name in ("tool", "responses", "reason", "agent_pid")},
)
PLAIN, STRICT = {}, {"jsonrpc": "2.0"}
FORMS = st.sampled_from([PLAIN, PLAIN, STRICT, {"jsonrpc": "1.0"}, {"jsonrpc": 2}])
CALLS = st.one_of(
    st.tuples(st.sampled_from(CALLABLE) | st.sampled_from(["", "desk", "agent.nothing"]) | TEXT, PARAMS),
    st.tuples(st.just("agent.request"), ASKS),
    st.tuples(st.just("agent.event"), EVENTS),
)
DEEP = 100_000
NOT_CALLS = [
    b"\xff\xfe\xfd",
    b"\xed\xa0\x80",
    b"\0\0\0",
    b"null",
    b"[]",
    b"{}",
    b"{",
    b'"x"',
    b"\xef\xbb\xbf{}",
    b"[" * DEEP,
    b'{"id":1,"method":"desk.list","params":' + b"[" * DEEP + b"]" * DEEP + b"}",
    b'{"id":1,"method":"agent.request","params":' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}",
    b'{"id":1,"method":"agent.request","params":{"agent":"a","session_id":"s","kind":"permission","x":'
    + b"[" * 900
    + b"]" * 900
    + b"}}",
    b'{"id":' + b"9" * 5000 + b',"method":"desk.health"}',
    b'{"id":1e999,"method":"desk.health"}',
    b'{"id":{"a":1},"method":"desk.health"}',
    b'{"id":1,"method":"desk.health","params":[1]}',
    b'{"id":1,"method":7}',
    b'{"id":1,"method":"\\ud800"}',
    b'{"id":"\\udfff","method":"agent.event","params":{"agent":"\\ud800"}}',
    b'{"id":1,"method":"desk.health"} {"id":2,"method":"desk.health"}',
    b'{"jsonrpc":"2.0","method":"agent.event","params":"\xc3\x28"}',
    b"GET / HTTP/1.1",
    b"\r",
    b"",
]


def call(number: int, method: str, params: Any, form: dict[str, Any]) -> bytes:
    return json.dumps({"id": number, "method": method, "params": params, **form}).encode()


def of_size(size_bytes: int) -> bytes:
    """Return a call that is a line of this size, without its end."""
    begin, end = b'{"id":"big","method":"desk.health","params":{"x":"', b'"}}'
    return begin + b"x" * (size_bytes - len(begin) - len(end)) + end


SIZES = [MAX_LINE_BYTES - 1, MAX_LINE_BYTES, MAX_LINE_BYTES + 1]
