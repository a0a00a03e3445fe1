"""Snapshots in pieces that fit a line, and whole again."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Answerer, Row, Settings
from sayso.wire.chunks import LISTS, join, split
from sayso.wire.jsonrpc import encode_push
from sayso.wire.protocol import MAX_CHUNK_BYTES
from sayso.wire.views import (
    AlertView,
    Change,
    GrantView,
    MessageView,
    NoteView,
    RequestView,
    SessionView,
    Snapshot,
)


def request(number: int, value: str) -> RequestView:
    return RequestView(
        id=f"{number:032x}",
        agent="claude-code",
        session_id="s",
        kind="permission",
        tool="Bash",
        created_at="2026-01-01T00:00:00.000Z",
        input=(Row(label="Command", value=value),),
        suggestions=(),
        questions=(),
        state="pending",
    )


def change(pending: int, ended: int, others: int, value: str = "ls") -> Change:
    at = "2026-01-01T00:00:00.000Z"
    snapshot = Snapshot(
        boot="b",
        seq=9,
        requests=tuple(request(number, value) for number in range(pending)),
        ended=tuple(request(1000 + number, value) for number in range(ended)),
        sessions=tuple(
            SessionView(agent="a", session_id=f"s{number}", state="idle", since=at)
            for number in range(others)
        ),
        messages=tuple(
            MessageView(agent="a", session_id=f"s{number}", text=value, queued_at=at)
            for number in range(others)
        ),
        settings=Settings(),
        alerts=tuple(AlertView(method="desk.answer", at=at, agent=f"a{number}") for number in range(others)),
        notes=tuple(NoteView(agent="program", title="t", at=at, body=value) for _ in range(others)),
        grants=tuple(
            GrantView(
                id=f"g{number}",
                agent="a",
                session_id="s",
                tool="Bash",
                what=value[:200],
                by=Answerer(channel="page"),
                until=at,
            )
            for number in range(others)
        ),
    )
    return Change(type="snapshot", boot="b", seq=9, snapshot=snapshot)


def pieces_of(whole: Change, limit_bytes: int = MAX_CHUNK_BYTES) -> list[dict[str, Any]]:
    """Return the pieces as they come out of the wire."""
    return [sent(piece) for piece in split(whole, limit_bytes)]


def sent(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_every_list_of_a_snapshot_is_cut_into_pieces() -> None:
    snapshot = change(1, 1, 1).snapshot
    lists = [name for name in Snapshot.__struct_fields__ if isinstance(getattr(snapshot, name), tuple)]
    assert lists == list(LISTS)


def test_what_is_no_snapshot_goes_as_it_is() -> None:
    small = Change(type="settings", boot="b", seq=1, settings=Settings())
    assert pieces_of(small) == [sent(small)]


def test_a_snapshot_that_fits_is_one_piece() -> None:
    whole = change(3, 2, 2)
    (piece,) = pieces_of(whole)
    assert "more" not in piece
    assert piece == sent(whole)
    assert join([piece]) == piece


def test_an_empty_snapshot_is_one_piece() -> None:
    (piece,) = pieces_of(change(0, 0, 0))
    assert piece["snapshot"]["requests"] == []


@given(
    pending=st.integers(0, 30),
    ended=st.integers(0, 10),
    others=st.integers(0, 10),
    limit_bytes=st.integers(2000, 6000),
    value=st.text(max_size=100),
)
def test_in_pieces_and_whole_again(
    pending: int, ended: int, others: int, limit_bytes: int, value: str
) -> None:
    whole = change(pending, ended, others, value)
    pieces = pieces_of(whole, limit_bytes)
    assert [piece.get("more", False) for piece in pieces] == [True] * (len(pieces) - 1) + [False]
    assert all(len(encode_push("desk.change", piece)) <= limit_bytes for piece in pieces)
    assert all(any(piece["snapshot"][name] for name in LISTS) for piece in pieces[:-1])
    assert join(pieces) == sent(whole)


def test_no_piece_of_a_full_desk_is_longer_than_the_wire_allows() -> None:
    whole = change(400, 300, 100, "é" * 4000)
    pieces = pieces_of(whole)
    sizes = [len(encode_push("desk.change", piece)) for piece in pieces]
    assert len(pieces) > 10
    assert max(sizes) <= MAX_CHUNK_BYTES
    assert sorted(sizes)[1] > MAX_CHUNK_BYTES * 0.9  # and all but the last are well filled
    assert join(pieces) == sent(whole)


def test_what_is_longer_by_itself_stands_alone() -> None:
    pieces = pieces_of(change(3, 0, 0, "x" * 4000), 2000)
    assert [len(piece["snapshot"]["requests"]) for piece in pieces] == [1, 1, 1]
