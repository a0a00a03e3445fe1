"""What the words of `sayso ask` ask: values, choices, bodies, and where it is asked from."""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.channels import ask_manual
from tests.channels.asked import PlayedDesk, ended

YESNO = ("yesno", "--title", "Deploy?")


@pytest.fixture
def desk() -> Iterator[PlayedDesk]:
    with PlayedDesk() as desk:
        yield desk


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("yesno", "--title", "x"), {}),
        (("yesno", "--title", "--x"), {"title": "--x"}),
        (("yesno", "--title", "-"), {"title": "-"}),
        (("yesno", "--title=x=y"), {"title": "x=y"}),
        (("yesno", "--title", "x", "--body", "--force"), {"body": "--force"}),
        (("yesno", "--body", "--title", "--title", "x"), {"body": "--title"}),
        (("yesno", "--title", "x", "--body", "-- --\n-"), {"body": "-- --\n-"}),
        (("confirm-command", "--unsafe", "--title", "x"), {"unsafe": True}),
        (("--unsafe", "confirm-command", "--title", "x"), {"unsafe": True}),
        (("--title", "x", "--unsafe", "confirm-command"), {"unsafe": True}),
        (("confirm-command", "--title", "x", "--unsafe", "--body", "rm"), {"unsafe": True, "body": "rm"}),
        (("text", "--title", "x", "--default", "--all"), {"default": "--all"}),
        (("yesno", "--title", "x", "--default", "no"), {"default": "no"}),
        (("yesno", "--title", "x", "--timeout", "1500"), {"timeout_ms": 1500}),
        (("yesno", "--title", "x", "--timeout", "0.5"), {"timeout_ms": 0.5}),
        (("yesno", "--title", "x", "--timeout", "0"), {}),
        (("yesno", "--title", "x", "--body", "", "--default", "", "--agent", ""), {}),
        (("yesno", "--title", "x", "--agent", "claude:1"), {"agent_id": "claude:1"}),
        (("yesno", "--title", "x", "--agent-id", "claude:1"), {"agent_id": "claude:1"}),
        (("yesno", "--title", "x", "--surface", "surface:3"), {"surface_id": "surface:3"}),
    ],
)
def test_words_and_what_they_ask(
    desk: PlayedDesk, words: tuple[str, ...], expected: dict[str, object]
) -> None:
    """A value is a value, whatever it begins with; the danger sign neither gets lost nor takes a word."""
    asking, peer = desk.asked(*words, env={**desk.env, "SAYSO_SURFACE": "s"})
    params = dict(peer.params)
    assert len(params.pop("id")) == 32
    assert Path(params.pop("cwd")).resolve() == Path.cwd()
    usual = {"surface_id": "s", "kind": params["kind"], "title": "x"}
    assert params == usual | expected
    peer.end("cancel")
    assert ended(asking)[0] == 3


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"SAYSO_SURFACE": "pane:1", "TMUX_PANE": "%3"}, "pane:1"),
        ({"SAYSO_SURFACE": "", "TMUX_PANE": "%3"}, "%3"),
    ],
)
def test_case_60_it_says_where_it_is_asked_from(desk: PlayedDesk, env: dict[str, str], expected: str) -> None:
    _, peer = desk.asked(*YESNO, env=desk.env | env)
    assert peer.params["surface_id"] == expected


def test_case_60_without_a_place_it_is_the_process(desk: PlayedDesk) -> None:
    asking, peer = desk.asked(*YESNO)
    assert peer.params["surface_id"] == f"cli:{asking.pid}"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--choices", "a,b"), [{"id": "a"}, {"id": "b"}]),
        (
            ("--choices", "a:First, b : Second"),
            [{"id": "a", "label": "First"}, {"id": "b", "label": "Second"}],
        ),
        (("--choices", "a:at 10:30"), [{"id": "a", "label": "at 10:30"}]),
        (("--choices", r"a:one\, two,b"), [{"id": "a", "label": "one, two"}, {"id": "b"}]),
        (
            ("--choices", r"a\:1:x\\,b:C:\temp"),
            [{"id": "a:1", "label": "x\\"}, {"id": "b", "label": r"C:\temp"}],
        ),
        (("--choices", "a", "--choices", "b:"), [{"id": "a"}, {"id": "b"}]),
        (("--choices", "--all,--none"), [{"id": "--all"}, {"id": "--none"}]),
        (("--choice", "a", "--choice", "b=x: y, z"), [{"id": "a"}, {"id": "b", "label": "x: y, z"}]),
        (("--choice", "a:1,2"), [{"id": "a:1,2"}]),
        (("--choice", r"a\=1=\\host\x=y"), [{"id": "a=1", "label": r"\\host\x=y"}]),
        (("--choice", "--c=--d"), [{"id": "--c", "label": "--d"}]),
        (("--choice", "c", "--choices", "a,b", "--choice", "d"), [{"id": i} for i in "cabd"]),
    ],
)
def test_labels_keep_their_colons_and_commas(
    desk: PlayedDesk, words: tuple[str, ...], expected: list[dict[str, str]]
) -> None:
    """The origin split at every colon, so a label lost its end."""
    _, peer = desk.asked("choice", "--title", "x", *words)
    assert peer.params["choices"] == expected


def test_a_body_comes_from_standard_input(desk: PlayedDesk) -> None:
    asking = desk.ask(*YESNO, "--body", "-", stdin=subprocess.PIPE)
    assert asking.stdin is not None
    asking.stdin.write(b"one\n\n--two\n")
    asking.stdin.close()
    asking.stdin = None
    peer = desk.accept().pend()
    assert peer.params["body"] == "one\n\n--two"
    peer.end("ok", value="yes")
    assert ended(asking)[:2] == (0, b"yes\n")


def test_bytes_that_are_no_text_are_shown_as_such(desk: PlayedDesk) -> None:
    body = b"caf\xe9 \xff"
    asking = desk.ask("text", "--title", os.fsdecode(body), "--body", "-", stdin=subprocess.PIPE)
    assert asking.stdin is not None
    asking.stdin.write(body)
    asking.stdin.close()
    asking.stdin = None
    peer = desk.accept().pend()
    assert peer.params["body"] == "caf\ufffd \ufffd"
    assert "caf\ufffd" in peer.params["title"]


# --- the words alone -----------------------------------------------------------------------


def parsed(*words: str) -> argparse.Namespace:
    return ask_manual.parse(words, lambda _: 0)


@pytest.mark.parametrize(
    ("words", "value", "is_json"),
    [
        (("yes",), "yes", False),
        (("",), "", False),
        (("-5",), "-5", False),
        (("--",), "", None),
        (("--", "--"), "--", False),
        (("--force", "--json"), "--force", True),
        (("--json=x",), "--json=x", False),
        (("--", "--json"), "--json", False),
        (("--", "-h"), "-h", False),
    ],
)
def test_an_answer_is_taken_as_it_is(words: tuple[str, ...], value: str, is_json: bool | None) -> None:
    if is_json is None:
        with pytest.raises(SystemExit):
            parsed("answer", "3f2a", *words)
        return
    args = parsed("answer", "3f2a", *words)
    assert (args.id, args.value, args.json) == ("3f2a", value, is_json)


@given(st.text(st.characters(exclude_characters="\0")))
def test_any_text_is_a_value(value: str) -> None:
    assert parsed("yesno", "--title", value).title == value
    assert parsed("--body", value, "text", "--title", "x").body == value
    assert parsed("cancel", "3f2a", "--reason", value).reason == value
    assert parsed("answer", "3f2a", "--", value).value == value


@given(st.lists(st.tuples(st.text(min_size=1), st.text()), min_size=1))
def test_any_id_and_label_can_be_written(pairs: list[tuple[str, str]]) -> None:
    found = [ask_manual.choice(f"{written(name, '=')}={label}") for name, label in pairs]
    assert [(one["id"], one.get("label", "")) for one in found] == pairs
    stripped = [(f"a{name}b", f"a{label}b") for name, label in pairs]  # spaces around them do not count
    text = ",".join(f" {written(name, ',:')} : {written(label, ',:')} " for name, label in stripped)
    assert [(one["id"], one["label"]) for one in ask_manual.choices(text)] == stripped


def written(text: str, marks: str) -> str:
    for mark in ("\\", *marks):
        text = text.replace(mark, f"\\{mark}")
    return text


def test_every_option_with_a_value_takes_the_next_word() -> None:
    parser = argparse.ArgumentParser()
    ask_manual.fill(parser, lambda _: 0)
    (commands,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    every = [action for command in commands.choices.values() for action in command._actions]
    valued = {name for action in every if action.nargs != 0 for name in action.option_strings}
    assert valued == ask_manual.VALUED
