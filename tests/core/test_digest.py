"""Reading and writing JSON, and what identifies a tool call."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core import digest as module
from sayso.core.digest import (
    NotJson,
    Number,
    canonical,
    digest,
    digest_json,
    digest_of,
    digest_text,
    dumps,
    items,
    loads,
    members,
    readable,
    shown,
    text,
)

if TYPE_CHECKING:
    from types import ModuleType

ANY_TEXT = st.text(st.characters())
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=20,
)


def again(monkeypatch: pytest.MonkeyPatch, *missing: str) -> ModuleType:
    """The module as an interpreter without these modules would load it."""
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    spec = importlib.util.spec_from_file_location("digest_again", Path(str(module.__file__)))
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


# --- reading -----------------------------------------------------------------------------------


def test_values_are_read() -> None:
    given_bytes = b' {"a": [1, -2.50, 1e400, "\\u00e4\xc3\xa4", true, false, null, {}, []]}\r\n\t'
    assert loads(given_bytes) == {
        "a": [Number("1"), Number("-2.50"), Number("1e400"), "ää", True, False, None, {}, []]
    }


def test_half_of_a_surrogate_pair_is_read() -> None:
    assert loads(b'"\\ud800x\\ud83d\\ude00"') == "\ud800x\U0001f600"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  ",
        b"{",
        b'{"a": 1',
        b'"abc',
        b"tru",
        b"nothing",
        b"{} {}",
        b"1 2",
        b"[1,]",
        b'{"a":}',
        b"{1: 2}",
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b'"\n"',
        b'"\\x"',
        b'"\\u12"',
        b"\xff",
        b'"\xed\xa0\x80"',
        b"\xef\xbb\xbf{}",
        '"ä"'.encode("utf-16"),
        b"\xc2\xa01",
        b"01",
        b"+1",
        b".5",
    ],
)
def test_what_is_not_json_is_refused(data: bytes) -> None:
    with pytest.raises(NotJson):
        loads(data)


def test_what_is_nested_without_end_is_refused() -> None:
    with pytest.raises(NotJson):
        loads(b"[" * 1_000_000 + b"]" * 1_000_000)


def test_numbers_longer_than_an_int_may_be_are_read() -> None:
    assert loads(b"9" * 5000) == Number("9" * 5000)


def test_a_number_is_what_was_written() -> None:
    assert Number("1") == Number("1")
    assert Number("1") != Number("1.0")
    assert Number("1") != 1
    assert len({Number("1"), Number("1"), Number("1.0")}) == 2
    assert repr(Number("1e2")) == "Number('1e2')"


# --- writing -----------------------------------------------------------------------------------


def test_values_are_written() -> None:
    value = {"b": [Number("1.0"), 2, 0.5, True, False, None, "ä\n\ud800"], "a": {}, "c": [], "d": (1,)}
    assert dumps(value) == (b'{"b":[1.0,2,0.5,true,false,null,"\\u00e4\\n\\ud800"],"a":{},"c":[],"d":[1]}')
    assert canonical({"b": 1, "a": {"d": 2, "c": 3}}) == b'{"a":{"c":3,"d":2},"b":1}'
    assert readable({"ä": "ö\ud800"}) == '{"ä":"ö\ufffd"}'


@pytest.mark.parametrize("value", [{1: 2}, b"bytes", float("nan"), float("inf"), -float("inf"), [object()]])
@pytest.mark.parametrize("write", [dumps, canonical, readable])
def test_what_has_no_json_is_refused(write: Any, value: object) -> None:
    with pytest.raises(NotJson):
        write(value)


def test_what_is_nested_too_deeply_is_not_written() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(NotJson):
        dumps(value)
    assert digest("Bash", value) == ""
    while value:  # from the outside in: letting go of it at once would exhaust the stack
        value = value.pop()  # type: ignore[assignment]


@given(TREES)
def test_writing_agrees_with_the_standard_library(value: Any) -> None:
    assert dumps(value) == json.dumps(value, separators=(",", ":")).encode()
    assert canonical(value) == json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


@given(TREES)
def test_what_was_written_is_read_and_written_alike(value: Any) -> None:
    assert dumps(loads(dumps(value))) == dumps(value)
    assert readable(loads(readable(value).encode())) == readable(value)


# --- what a value is ---------------------------------------------------------------------------


def test_of_the_wrong_kind_is_nothing() -> None:
    assert members({"a": 1}) == {"a": 1}
    assert members([1]) == {}
    assert list(items([1])) == [1]
    assert list(items((1,))) == [1]
    assert list(items("ab")) == []
    assert text("a") == "a"
    assert text(1) == ""


def test_what_is_shown_can_be_encoded() -> None:
    assert shown("plain") == "plain"
    assert shown("größer \U0001f600") == "größer \U0001f600"
    assert shown("a\ud800b\udfff") == "a\ufffdb\ufffd"


@given(ANY_TEXT)
def test_showing_keeps_the_length(value: str) -> None:
    assert len(shown(value)) == len(value)
    shown(value).encode()


# --- identity ----------------------------------------------------------------------------------


def test_a_digest_never_changes_between_releases() -> None:
    # A hook of one release meets a desk of another.
    assert digest("Bash", {"command": "ls"}) == (
        "f4a5d92a7233a1b2a3a01d8eb48c80562550ab429130c025ec0cb8a16416a2e9"
    )


def test_the_order_of_members_does_not_matter() -> None:
    assert digest_json("Bash", b'{"a":1,"b":{"c":2,"d":3}}') == digest_json(
        "Bash", b' { "b": {"d":3, "c":2}, "a":1 }'
    )


def test_numbers_count_as_written() -> None:
    written = [b"1", b"1.0", b"1e0", b"1E0", b"10000000000000000000001", b"10000000000000000000002", b'"1"']
    assert len({digest_json("t", b'{"n":' + number + b"}") for number in written}) == len(written)


def test_a_name_is_not_mistaken_for_input() -> None:
    assert digest("a", "b,c") != digest("a,b", "c")
    assert digest("a", None) != digest("a", "null")


def test_a_question_is_identified_by_its_questions() -> None:
    questions = [{"question": "Which?"}]
    asked = digest("AskUserQuestion", {"questions": questions})
    assert asked == digest("AskUserQuestion", {"questions": questions, "answers": {"Which?": "A"}})
    assert asked != digest("AskUserQuestion", {"questions": []})
    assert asked != digest("Other", {"questions": questions, "answers": {}})
    assert digest("AskUserQuestion", {}) != digest("AskUserQuestion", {"answers": {}})


def test_input_that_is_not_json_has_no_digest() -> None:
    assert digest_json("Bash", b"{") == ""
    assert digest("Bash", b"bytes") == ""


def test_texts_are_identified_to_the_letter() -> None:
    assert digest_text("a") == digest_text("a")
    assert len({digest_text(one) for one in ("a", "a ", "A", "\ud800", "\ufffd")}) == 5
    assert digest_of({"a": "1", "b": "2"}) == digest_of({"b": "2", "a": "1"})


# --- other interpreters ------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [("_sha2",), ("_sha2", "_sha256"), ("_json", "_sha2", "_sha256")])
def test_without_the_interpreters_own_modules(
    monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]
) -> None:
    other = again(monkeypatch, *missing)
    value = b'{"a":[1.0,"\\ud800\\u00e4",{"b":null}]}'
    assert other.canonical(other.loads(value)) == canonical(loads(value))
    assert other.digest_json("Bash", value) == digest_json("Bash", value)
    for bad in (b"NaN", b"{", b"1 2"):
        with pytest.raises(other.NotJson):
            other.loads(bad)


def test_with_the_module_of_newer_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    import hashlib

    monkeypatch.setitem(sys.modules, "_sha2", hashlib)
    assert again(monkeypatch).digest_json("Bash", b"{}") == digest_json("Bash", b"{}")
