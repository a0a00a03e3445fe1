"""What other programs build on stays: things are added, nothing is taken away or changed."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from sayso.wire.protocol import PROTOCOL
from tests.promise.broken import broken
from tests.promise.public import public

PROMISED = Path(__file__).parents[1] / "golden" / "promise" / f"protocol-{PROTOCOL}.json"


def promised() -> dict[str, Any]:
    given: dict[str, Any] = json.loads(PROMISED.read_text(encoding="utf-8"))
    return given


def test_nothing_that_was_promised_is_gone_or_different() -> None:
    assert broken(promised(), public()) == []


def test_everything_public_is_promised() -> None:
    assert promised() == json.loads(json.dumps(public())), "add it with: python -m tests.promise"


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("methods", "desk.answer"), None, "methods: desk.answer: it is gone"),
        (("methods", "desk.list"), "admin", "methods: desk.list: it was 'see' and is 'admin'"),
        (("routes", "GET /api/events"), None, "routes: GET /api/events: it is gone"),
        (("shapes", "Reply"), None, "shapes: Reply: it is gone"),
        (("shapes", "Reply", "behavior"), None, "shapes: Reply.behavior: it is gone"),
        (("shapes", "Row", "length"), "string", "shapes: Row.length: it was"),
        (("shapes", "Row", "label"), "string", "shapes: Row.label: it was"),
        (("shapes", "Reply", "more"), "string!", "shapes: Reply.more: it is new"),
    ],
)
def test_what_breaks_it_is_told(path: tuple[str, ...], value: str | None, says: str) -> None:
    now = deepcopy(public())
    *way, last = path
    inner = now
    for name in way:
        inner = inner[name]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    (told,) = broken(promised(), now)
    assert told.startswith(says)


def test_adding_breaks_nothing() -> None:
    now = deepcopy(public())
    now["methods"]["desk.more"] = "see"
    now["routes"]["GET /api/more"] = "see"
    now["shapes"]["More"] = {"one": "string!"}
    now["shapes"]["Reply"]["more"] = "string"
    assert broken(promised(), now) == []


def test_another_protocol_is_another_promise() -> None:
    assert broken({**promised(), "protocol": PROTOCOL - 1}, {**public(), "methods": {}}) == []
