"""Events to bytes and back."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Settings
from sayso.wire import sse
from sayso.wire.sse import Comment, Event, Parser
from sayso.wire.views import Change, RequestView, SessionView


def parsed(stream: bytes, *cuts: int) -> list[Event | Comment]:
    parser, found, begin = Parser(), list[Event | Comment](), 0
    for cut in (*sorted(cuts), len(stream)):
        found.extend(parser.feed(stream[begin:cut]))
        begin = cut
    return found


def change(seq: int = 7, text: str = "") -> Change:
    session = SessionView(agent="claude-code", session_id="s", state="idle", since="", prompt=text)
    return Change(type="session", boot="b-1", seq=seq, session=session)


# --- writing ---------------------------------------------------------------------------


def test_a_change_is_one_event() -> None:
    (event,) = parsed(sse.encode(change()))

    assert isinstance(event, Event)
    assert (event.type, event.id) == ("session", "b-1-7")
    assert msgspec.json.decode(event.data, type=Change) == change()


@given(st.text())
def test_no_text_breaks_out_of_its_event(text: str) -> None:
    stream = sse.encode(change(text=text)) + sse.encode(change(8))

    first, second = parsed(stream)

    assert isinstance(first, Event)
    assert isinstance(second, Event)
    assert msgspec.json.decode(first.data, type=Change) == change(text=text)
    assert second.id == "b-1-8"


@pytest.mark.parametrize(
    ("text", "stream", "comments"),
    [
        ("bye", b": bye\n\n", [Comment("bye")]),
        ("", b": \n\n", [Comment("")]),
        ("a\nb", b": a\n: b\n\n", [Comment("a"), Comment("b")]),
    ],
)
def test_comments(text: str, stream: bytes, comments: list[Comment]) -> None:
    assert sse.comment(text) == stream
    assert parsed(stream) == comments


@pytest.mark.parametrize(
    ("last", "seen"),
    [
        ("b-1-0", True),
        ("b-1-17", True),
        ("", False),
        ("b-1", False),
        ("b-1-", False),
        ("b-2-17", False),
        ("17", False),
        ("-17", False),
        ("b-1-x", False),
        ("b-1-+1", False),
        ("b-1-٣", False),
        ("b-1-" + "9" * 19, False),
    ],
)
def test_only_an_id_of_this_run_resumes(last: str, seen: bool) -> None:
    assert sse.seen_by(last, "b-1") == (last if seen else "")


def test_a_boot_without_a_name_resumes_its_own() -> None:
    assert sse.seen_by(sse.event_id("", 3), "") == "-3"


# --- reading: the examples of the standard -----------------------------------------------


def test_lines_of_data_are_joined() -> None:
    assert parsed(b"data: YHOO\ndata: +2\ndata: 10\n\n") == [Event(type="message", data="YHOO\n+2\n10")]


def test_ids_stay_until_the_next() -> None:
    stream = b": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"

    assert parsed(stream) == [
        Comment("test stream"),
        Event(type="message", data="first event", id="1"),
        Event(type="message", data="second event", id=""),
        Event(type="message", data=" third event", id=""),
    ]


def test_events_without_data_are_none_and_the_last_may_be_unfinished() -> None:
    assert parsed(b"data\n\ndata\ndata\n\ndata:") == [
        Event(type="message", data=""),
        Event(type="message", data="\n"),
    ]
    assert parsed(b"event: a\n\ndata: b\n\n") == [Event(type="message", data="b")]


def test_a_space_after_the_colon_is_no_part_of_the_data() -> None:
    assert parsed(b"data:test\n\ndata: test\n\n") == [Event(type="message", data="test")] * 2


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_all_ends_of_lines_in_pieces(end: bytes, size: int) -> None:
    stream = end.join([b"event: a", b"data: 1", b"", b": c", b"data: 2", b"", b""])

    assert parsed(stream, *range(size, len(stream), size)) == [
        Event(type="a", data="1"),
        Comment("c"),
        Event(type="message", data="2"),
    ]


def test_a_mark_at_the_start_is_dropped_and_only_there() -> None:
    assert parsed(b"\xef\xbb\xbfdata: a\n\n") == [Event(type="message", data="a")]
    assert parsed(b"data: a\n\n\xef\xbb\xbfdata: b\n\n") == [Event(type="message", data="a")]


def test_ids_and_retries_that_are_none_are_ignored() -> None:
    parser = Parser()

    assert parser.feed(b"id: 1\nid: a\0b\nretry: 10x\nother: x\nretry: 30\nretry:\ndata: a\n\n") == [
        Event(type="message", data="a", id="1")
    ]
    assert parser.last_event_id == "1"
    assert parser.retry_ms == 30


def test_what_is_not_text_is_replaced() -> None:
    assert parsed(b"data: \xff\n\n") == [Event(type="message", data="\ufffd")]


def test_nothing_gives_nothing() -> None:
    parser = Parser()

    assert parser.feed(b"data: a\r") == []
    assert parser.feed(b"") == []
    assert parser.feed(b"\n") == []
    assert parser.feed(b"\r\n") == [Event(type="message", data="a")]


LINES = st.sampled_from([b"data: x\xc3\xa9", b"event: e", b"id: 7", b": c", b"", b"\xef\xbb\xbf", b"data"])
STREAMS = st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r", b"\r\n"]))).map(
    lambda lines: b"".join(part for line in lines for part in line)
)


@given(STREAMS, st.lists(st.integers(min_value=0, max_value=60)))
def test_pieces_make_no_difference(stream: bytes, cuts: list[int]) -> None:
    assert parsed(stream, *(cut for cut in cuts if cut < len(stream))) == parsed(stream)


def test_settings_and_snapshots_survive_the_way() -> None:
    sent = Change(type="settings", boot="b", seq=1, settings=Settings(away=True))

    (event,) = parsed(sse.encode(sent), 3, 20)

    assert isinstance(event, Event)
    assert msgspec.json.decode(event.data, type=Change) == sent


# --- in the words of document 001 ------------------------------------------------------


def test_what_a_program_asks_is_told_in_the_words_of_its_protocol_as_well() -> None:
    view = RequestView(
        id="r1",
        agent="program",
        session_id="s:1",
        kind="yesno",
        tool="",
        created_at="2026-01-01T00:00:00.000Z",
        input=(),
        suggestions=(),
        questions=(),
        state="pending",
        surface_id="s:1",
        title="Go on?",
    )
    (event,) = parsed(sse.encode_ask(Change(type="shown", boot="b-1", seq=8, request=view)))
    assert isinstance(event, Event)
    assert (event.type, event.id) == ("askUserEvent", "")
    told = msgspec.json.decode(event.data)
    assert (told["kind"], told["request"]["title"]) == ("shown", "Go on?")


def test_what_no_program_asks_is_not() -> None:
    assert sse.encode_ask(change()) == b""
