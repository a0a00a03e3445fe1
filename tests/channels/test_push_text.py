"""What fits into a push, and what may have buttons below it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sayso.channels import push as module
from sayso.channels.push import Push
from sayso.core.types import Row
from sayso.web import push_wire
from tests.channels.fake_desk import view

ONE = view("1" * 32)


def test_the_longest_message_is_cut() -> None:
    text = module._fitted(  # pyright: ignore[reportPrivateUsage]
        Push(type="request", title="界" * 200, body="界" * 1000, tag="1"), push_wire.MOST_TEXT_BYTES
    )

    assert len(text) <= push_wire.MOST_TEXT_BYTES
    assert "界" * 500 in text.decode()


def row(value: str, **more: Any) -> tuple[Row, ...]:
    return (Row(label="Command", value=value, code=True, **more),)


@pytest.mark.parametrize(
    "changes",
    [
        {"input": row("x" * 200)},
        {"input": row("ls", length=5000)},
        {"input": row("ls", lost=True)},
        {"input": row("ls ***", hidden=(3,))},
        {"input": row("a\nb\nc\nd")},
        {"input": row("ls \u202e")},
        {"input": row("ls" + " " * 60 + "x")},
        {"kind": "question"},
        {"kind": "plan"},
        {"unsafe": True},
        {"notice": True},
        {"confirmed": False},
    ],
)
def test_what_a_notice_does_not_show_whole_has_no_buttons(changes: dict[str, Any]) -> None:
    assert module.whole(ONE)
    assert module.whole(replace(ONE, **changes)) == ""
