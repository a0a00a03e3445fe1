"""What programs ask themselves, answered from the command line against a scripted desk."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from sayso.channels import output
from sayso.core.types import Row
from sayso.errors import BadReply, NotSeen
from tests.channels.fake_desk import (
    NOW_S,
    FakeDesk,
    builtins,
    choice,
    command,
    run,
    text,
    view,
    yesno,
)

Capture = pytest.CaptureFixture[str]
EVERY = (yesno(), choice(), text(), command())


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.Output, "now_s", lambda self: NOW_S)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        (["aa11", "yes"], {"behavior": "allow", "value": "yes"}),
        (["aa11", "no"], {"behavior": "allow", "value": "no"}),
        (["bb22", "1"], {"behavior": "allow", "value": "1"}),
        (["bb22", "3"], {"behavior": "allow", "value": "cancel"}),
        (["bb22", "cancel"], {"behavior": "allow", "value": "cancel"}),
        (["bb22", "--cancel"], {"behavior": "cancel"}),
        (["cc33", "--text", ""], {"behavior": "allow", "value": ""}),
        (["cc33", "--text", "a\nb"], {"behavior": "allow", "value": "a\nb"}),
        (["cc33", "--text", "a", "--unseen"], {"behavior": "allow", "value": "a", "unseen": True}),
        (["dd44", "run"], {"behavior": "allow", "step": "run"}),
    ],
)
def test_answers_of_every_kind(words: list[str], reply: dict[str, Any], capsys: Capture) -> None:
    desk = FakeDesk(*EVERY)
    assert run(desk, "answer", *words) == 0
    assert desk.replies == [reply]
    assert "Handed to the program that asked" in capsys.readouterr().out


def test_a_text_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("two\nlines\n"))
    desk = FakeDesk(text())
    assert run(desk, "answer", "cc33", "--text", "-") == 0
    assert desk.replies == [{"behavior": "allow", "value": "two\nlines"}]


@pytest.mark.parametrize("asked", EVERY, ids=lambda asked: asked.kind)
def test_deny_cancels_with_a_reason(asked: Any, capsys: Capture) -> None:
    desk = FakeDesk(asked)
    assert run(desk, "deny", asked.id, "-m", "not today") == 0
    assert desk.replies == [{"behavior": "deny", "message": "not today"}]
    assert run(desk, "deny", asked.id, "--stop") == 6
    assert run(FakeDesk(asked), "deny", asked.id, "--stop") == 2
    assert "cannot be stopped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("prefix", "told"),
    [("aa11", "yes, or no"), ("bb22", "NUMBER"), ("cc33", "--text"), ("dd44", "ack, and then")],
)
def test_case_17_allow_is_refused_and_names_the_right_command(
    prefix: str, told: str, capsys: Capture
) -> None:
    desk = FakeDesk(*EVERY)
    assert run(desk, "allow", prefix) == 2
    assert told in capsys.readouterr().err
    assert desk.replies == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["aa11", "1"], "yes, or no"),
        (["aa11", "--text", "yes"], "is not answered with --text"),
        (["aa11", "yes", "--cancel"], "choose one"),
        (["bb22", "9"], "neither the id nor the number"),
        (["bb22", "--pick", "1:1"], "is not answered with --pick"),
        (["cc33", "words"], "is not answered with numbers"),
        (["cc33"], "--text"),
        (["dd44"], "ack, and then"),
        (["dd44", "yes"], "ack, and then"),
    ],
)
def test_case_18_answers_that_do_not_fit_leave_it_waiting(
    words: list[str], told: str, capsys: Capture
) -> None:
    desk = FakeDesk(*EVERY)
    assert run(desk, "answer", *words) == 2
    assert told in capsys.readouterr().err
    assert desk.replies == []


def test_an_acknowledged_command_is_shown_whole_and_says_what_comes_next(capsys: Capture) -> None:
    desk = FakeDesk(command())
    assert run(desk, "answer", "dd44", "ack") == 0
    assert desk.replies == [{"behavior": "allow", "step": "ack"}]
    shown = capsys.readouterr().out
    assert "  │ psql -c 'drop table orders_old'" in shown
    assert "DESTRUCTIVE, says the program that asks" in shown
    assert shown.endswith("nothing runs yet. To have it run, within 60 s:\n  sayso answer dd440000 run\n")
    assert run(desk, "answer", "dd44", "run") == 0
    shown = capsys.readouterr().out
    assert "  │ psql -c 'drop table orders_old'" in shown
    assert "Handed to the program that asked" in shown


def test_an_acknowledgement_in_json(capsys: Capture) -> None:
    assert run(FakeDesk(command()), "answer", "dd44", "ack", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {**builtins(command()), "acknowledged": True}


def test_run_alone_is_refused_by_the_desk(capsys: Capture) -> None:
    desk = FakeDesk(command())
    desk.script.append(BadReply("acknowledge the command first (ack), then have it run", "step"))
    assert run(desk, "answer", "dd44", "run") == 2
    assert "acknowledge the command first" in capsys.readouterr().err


def test_case_43_a_long_command_is_fetched_whole_at_both_steps(capsys: Capture) -> None:
    desk = FakeDesk(command(input=(Row(label="Command", value="echo", length=21, code=True),)))
    desk.rows[command().id, 0] = Row(label="Command", value="echo; rm -rf ~ # tail", code=True)
    for step in ("ack", "run"):
        assert run(desk, "answer", "dd44", step) == 0
        assert "rm -rf ~ # tail" in capsys.readouterr().out
    assert [method for method, _ in desk.calls] == ["desk.row", "desk.answer"] * 2


def test_case_43_json_shows_nothing_so_it_counts_as_unseen(capsys: Capture) -> None:
    desk = FakeDesk(yesno(input=(Row(label="Details", value="echo", length=21),)))
    desk.script.append(NotSeen("a part of it was not shown to you"))
    assert run(desk, "answer", "aa11", "yes", "--json") == 2
    assert json.loads(capsys.readouterr().out)["code"] == "not_seen"
    assert run(desk, "answer", "aa11", "yes", "--json", "--unseen") == 0
    assert desk.replies[-1] == {"behavior": "allow", "value": "yes", "unseen": True}


@pytest.mark.parametrize(
    ("states", "code", "words"),
    [
        (["answered", "delivered"], 0, "Handed to the program that asked"),
        (["answered"], 5, "Not handed over yet"),
        (["answered", "lost"], 7, "LOST"),
        (["withdrawn"], 6, "No longer asked"),
        (["expired"], 6, "imed out"),
    ],
)
def test_case_1_exit_codes_say_how_far_an_answer_came(
    states: list[str], code: int, words: str, capsys: Capture
) -> None:
    desk = FakeDesk(yesno())
    desk.script.append(states)
    assert run(desk, "answer", "aa11", "yes") == code
    assert words in capsys.readouterr().out


def test_nothing_is_waited_for_once_a_program_has_its_answer() -> None:
    desk = FakeDesk(yesno())
    assert run(desk, "answer", "aa11", "yes") == 0
    assert len(desk.timeouts) == 3  # the snapshot, answered, delivered


def test_release_gives_it_back_to_the_program(capsys: Capture) -> None:
    desk = FakeDesk(yesno())
    assert run(desk, "release", "aa") == 0
    assert "Given back to the program that asked" in capsys.readouterr().out


def test_case_60_the_list_tells_who_asks_what_and_notes(capsys: Capture) -> None:
    desk = FakeDesk(command(agent="claude-code"), choice(label="", agent="pi"), view())
    note = {"agent": "program", "title": "Backup\x1b done", "at": "", "label": "backup", "project": "shop"}
    desk.notes = [note, {**note, "body": "x" * 300}]
    assert run(desk, "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Note of a program (calls itself “backup”) in shop: Backup␛ done"
    assert (len(lines[1]), lines[1][-2:]) == (80, "x…")
    assert " ".join(lines[2:4]) == (
        "1 of 3 · dd440000 · a program in Claude Code (calls itself “deploy.sh”) asks to "
        "run a command (DESTRUCTIVE, it says) · 12 s ago"
    )
    assert lines[4] == "    Drop the old orders: psql -c 'drop table orders_old'"
    assert lines[5] == "2 of 3 · bb220000 · a program in pi asks you to choose · 12 s ago"
