"""The commands from arguments to exit code, against a scripted desk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso.channels import output
from sayso.core.types import Answerer, Row
from sayso.errors import NotSeen
from sayso.wire.views import SessionView
from tests.channels.fake_desk import (
    BORN_AT,
    NOW_S,
    FakeDesk,
    builtins,
    elicitation,
    plan,
    question,
    run,
    suggested,
    view,
)

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.Output, "now_s", lambda self: NOW_S)
    monkeypatch.setenv("COLUMNS", "80")


# --- seeing ----------------------------------------------------------------------------


def test_case_10_the_list_is_in_order_and_counts(capsys: Capture) -> None:
    notice = view("eeee" + "0" * 28, state="deferred", notice=True, ending="it cannot be shown here")
    desk = FakeDesk(view(), question(), ended=(notice, plan(state="confirmed")))
    assert run(desk, "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 of 2 · 3f2a91bc · Claude Code wants to use Bash · 12 s ago"
    assert lines[1] == "    git push origin main"
    assert lines[2].startswith("2 of 2 · 77aa0000 · Claude Code asks a question")
    assert lines[4] == "eeee0000 · Claude Code waits in its terminal: it cannot be shown here"
    assert "99bb0000" not in "".join(lines)


def test_an_empty_list_says_so(capsys: Capture) -> None:
    assert run(FakeDesk(), "list") == 0
    assert capsys.readouterr().out == "Nothing waits for you.\n"


def test_case_51_the_list_tells_what_an_agent_tried(capsys: Capture) -> None:
    desk = FakeDesk()
    desk.alerts = [{"method": "desk.queue", "at": "2026-01-01T00:00:00Z"}]
    assert run(desk, "list") == 0
    told = " ".join(capsys.readouterr().out.split())
    words = "A program that an agent started tried to act in your place (desk.queue), and was refused"
    assert told == f"{words} Nothing waits for you."


def test_json_lists_the_views_as_the_wire_has_them(capsys: Capture) -> None:
    hostile = view(tool="\x1b[2J\x7f\u202e")
    assert run(FakeDesk(hostile), "list", "--json") == 0
    written = capsys.readouterr().out
    assert json.loads(written) == [builtins(hostile)]
    assert written.isascii()
    assert written.rstrip("\n").isprintable()


def test_show_one_by_its_beginning_also_after_its_end(capsys: Capture) -> None:
    desk = FakeDesk(view(), ended=(question(state="confirmed", asked="SQLite"),))
    assert run(desk, "show", "77a") == 0
    assert "The agent acted on the answer" in capsys.readouterr().out
    assert run(desk, "show", "zzzz") == 6
    assert run(desk, "show", "") == 6  # a variable that is not set is not "all of them"
    assert "no request is known" in capsys.readouterr().err


def test_show_without_an_id_shows_all_that_waits(capsys: Capture) -> None:
    assert run(FakeDesk(view(), plan()), "show") == 0
    shown = capsys.readouterr().out
    assert "1 of 2 · 3f2a91bc" in shown
    assert "2 of 2 · 99bb0000" in shown
    assert run(FakeDesk(), "show") == 0
    assert "Nothing waits" in capsys.readouterr().out


def test_case_43_show_fetches_what_was_cut(capsys: Capture) -> None:
    desk = FakeDesk(view(input=(Row(label="Command", value="echo", length=21, code=True),)))
    desk.rows[view().id, 0] = Row(label="Command", value="echo; rm -rf ~ # tail", code=True)
    assert run(desk, "show", "3f2a") == 0
    shown = capsys.readouterr().out
    assert "rm -rf ~ # tail" in shown
    assert "not shown" not in shown


def test_sessions(capsys: Capture) -> None:
    desk = FakeDesk()
    assert run(desk, "sessions") == 0
    assert "No session" in capsys.readouterr().out
    session = SessionView(agent="codex", session_id="s1", state="working", since=BORN_AT, project="shop")
    desk.sessions = [builtins(session)]
    assert run(desk, "sessions") == 0
    assert "Codex in shop · working for 12 s" in capsys.readouterr().out
    assert run(desk, "sessions", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [builtins(session)]


# --- answering -------------------------------------------------------------------------


def test_allow_shows_the_whole_request_and_what_became_of_it(capsys: Capture) -> None:
    desk = FakeDesk(view(suggestions=suggested("Always allow `git push *`")))
    assert run(desk, "allow", "3f2a", "--suggestion", "1") == 0
    assert desk.replies == [{"behavior": "allow", "suggestion": "0"}]
    shown = capsys.readouterr().out
    assert "git push origin main" in shown
    assert "Handed to the agent" in shown
    assert "llowed" not in shown


def test_an_answer_carries_a_fresh_key_each_time() -> None:
    desk = FakeDesk(view(), plan())
    run(desk, "allow", "3f2a")
    run(desk, "allow", "99bb")
    keys = [params["reply"]["key"] for method, params in desk.calls if method == "desk.answer"]
    assert len(set(keys)) == 2
    assert all(len(key) == 32 for key in keys)


@pytest.mark.parametrize(
    ("states", "code", "words"),
    [
        (["answered", "delivered"], 0, "Handed to the agent"),
        (["answered", "delivered", "confirmed"], 0, "The agent acted on the answer"),
        (["answered", "unconfirmed"], 0, "nothing showed"),
        (["answered"], 5, "Not handed over yet"),
        ([], 5, "Not handed over yet"),
        (["answered", "lost"], 7, "LOST"),
        (["answered", "delivered", "overruled"], 7, "OVERRULED"),
        (["withdrawn"], 6, "No longer asked"),
    ],
)
def test_case_1_exit_codes_say_how_far_an_answer_came(
    states: list[str], code: int, words: str, capsys: Capture
) -> None:
    desk = FakeDesk(view())
    desk.script.append(states)
    assert run(desk, "allow", "3f2a") == code
    assert words in capsys.readouterr().out


def test_case_43_allow_shows_what_was_cut_before_it_answers(capsys: Capture) -> None:
    desk = FakeDesk(view(input=(Row(label="Command", value="echo", length=21, code=True),)))
    desk.rows[view().id, 0] = Row(label="Command", value="echo; rm -rf ~ # tail", code=True)
    assert run(desk, "allow", "3f2a") == 0
    assert [method for method, _ in desk.calls] == ["desk.row", "desk.answer"]
    assert "rm -rf ~ # tail" in capsys.readouterr().out


def test_case_43_json_shows_nothing_so_it_counts_as_unseen(capsys: Capture) -> None:
    desk = FakeDesk(view(input=(Row(label="Command", value="echo", length=21, code=True),)))
    desk.script.append(NotSeen("a part of it was not shown to you"))
    assert run(desk, "allow", "3f2a", "--json") == 2
    assert [method for method, _ in desk.calls] == ["desk.answer"]
    assert json.loads(capsys.readouterr().out)["code"] == "not_seen"


def test_case_43_what_turns_out_to_be_lost_needs_a_word(capsys: Capture) -> None:
    desk = FakeDesk(view(input=(Row(label="Command", value="echo", length=21, code=True),)))
    desk.rows[view().id, 0] = Row(label="Command", value="echo; rm", length=21, lost=True, code=True)
    assert run(desk, "allow", "3f2a") == 2
    assert "--unseen" in capsys.readouterr().err
    assert desk.replies == []
    assert run(desk, "allow", "3f2a", "--unseen") == 0
    assert desk.replies == [{"behavior": "allow", "unseen": True}]


def test_allow_a_plan_as_edited(tmp_path: Path, capsys: Capture) -> None:
    edited = tmp_path / "plan.md"
    edited.write_text("# Less\n", encoding="utf-8")
    desk = FakeDesk(plan())
    assert run(desk, "allow", "99bb", "--mode", "acceptEdits", "--plan-file", str(edited)) == 0
    assert desk.replies == [{"behavior": "allow", "mode": "acceptEdits", "plan": "# Less\n"}]
    assert run(desk, "allow", "99bb", "--plan-file", str(tmp_path / "none")) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_case_17_allow_of_a_question_is_refused_in_words(capsys: Capture) -> None:
    desk = FakeDesk(question())
    assert run(desk, "allow", "77aa") == 2
    assert "sayso answer" in capsys.readouterr().err
    assert desk.replies == []


@pytest.mark.parametrize("command", ["allow", "deny", "answer", "release"])
def test_answering_needs_an_id(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        run(FakeDesk(view()), command)
    assert ended.value.code == 2
    assert "ID" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["deny"], ["allow"], ["release"], ["answer"]])
def test_case_8_a_settled_request_says_how_it_was_settled(words: list[str], capsys: Capture) -> None:
    ended = view(state="withdrawn", reason="tool_ran", ending="answered in the terminal: it ran")
    desk = FakeDesk(ended=(ended,))
    assert run(desk, *words, "3f2a") == 6
    assert "answered in the terminal: it ran" in capsys.readouterr().err
    assert desk.calls == []


def test_who_comes_second_learns_who_won(capsys: Capture) -> None:
    won = Answerer(channel="page", name="Ada's phone")
    desk = FakeDesk(ended=(view(state="delivered", asked="deny: not today", by=won),))
    assert run(desk, "allow", "3f2a") == 6
    assert "the answer (Ada's phone, page): deny: not today" in capsys.readouterr().err


def test_case_12_the_beginning_of_an_ended_id_never_answers_another(capsys: Capture) -> None:
    desk = FakeDesk(view("3f2a" + "0" * 28), ended=(view("3f2b" + "0" * 28, state="confirmed"),))
    assert run(desk, "allow", "3f2") == 2
    assert "is the beginning of 2 ids" in capsys.readouterr().err
    assert desk.replies == []


def test_a_notice_has_no_buttons(capsys: Capture) -> None:
    desk = FakeDesk(view(state="deferred", notice=True, ending="it cannot be shown here"))
    assert run(desk, "allow", "3f2a") == 6
    assert "waits in its terminal" in capsys.readouterr().err


def test_deny_with_a_reason_and_stop() -> None:
    desk = FakeDesk(view())
    assert run(desk, "deny", "3f2a", "-m", "not on a Friday", "--stop") == 0
    assert desk.replies == [{"behavior": "deny", "message": "not on a Friday", "interrupt": True}]


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        (["77aa", "2"], {"behavior": "allow", "answers": [{"picked": ["Postgres, 17"]}]}),
        (["77aa", "--text", "none, really"], {"behavior": "allow", "answers": [{"text": "none, really"}]}),
        (["99bb", "--text", "use less"], {"behavior": "deny", "message": "use less"}),
        (["99bb", "use", "less"], {"behavior": "deny", "message": "use less"}),
        (["55cc", "--set", "name=Ada=1"], {"behavior": "allow", "content": {"name": "Ada=1", "news": False}}),
        (["55cc", "--decline"], {"behavior": "deny"}),
        (["55cc", "--cancel"], {"behavior": "cancel"}),
    ],
)
def test_answers_of_every_kind(words: list[str], reply: dict[str, object]) -> None:
    desk = FakeDesk(question(), plan(), elicitation())
    assert run(desk, "answer", *words) == 0
    assert desk.replies == [reply]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["3f2a", "1"], "sayso allow ID"),
        (["77aa", "--set", "a=b"], "is not answered with --set"),
        (["77aa", "--accept"], "is not answered with --accept"),
        (["55cc", "1"], "is not answered with numbers"),
        (["55cc"], "--set name=value"),
        (["55cc", "--accept"], "Your name is required"),
        (["55cc", "--accept", "--decline"], "choose one"),
        (["55cc", "--set", "name=a", "--cancel"], "choose one"),
        (["99bb"], "should change"),
    ],
)
def test_case_18_answers_that_do_not_fit_leave_it_waiting(
    words: list[str], told: str, capsys: Capture
) -> None:
    desk = FakeDesk(view(), question(), plan(), elicitation())
    assert run(desk, "answer", *words) == 2
    assert told in capsys.readouterr().err
    assert desk.replies == []


def test_release(capsys: Capture) -> None:
    desk = FakeDesk(view())
    assert run(desk, "release", "3f") == 0
    assert desk.calls == [("desk.release", {"id": view().id})]
    assert "nothing was decided" in capsys.readouterr().out
