"""Messages from the command line: to which session, what is said of them, and the exit codes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from sayso.channels import letters, output
from sayso.errors import BadRequest, Gone, NotRunning
from sayso.wire.views import MessageView, SessionView
from tests.channels.fake_desk import BORN_AT, NOW_S, FakeDesk, builtins, run

Capture = pytest.CaptureFixture[str]
SHOP = "0c7d8e55-1111-2222-3333-444455556666"
BLOG = "0c9e0000-1111-2222-3333-444455556666"
AGENT = "claude-code"


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.Output, "now_s", lambda self: NOW_S)
    monkeypatch.setenv("COLUMNS", "200")


def session(session_id: str = SHOP, project: str = "shop", **fields: Any) -> SessionView:
    shape = {"state": "working", "since": BORN_AT, "cwd": f"/home/dev/{project}", "project": project}
    return SessionView(agent=AGENT, session_id=session_id, **{**shape, **fields})


def message(**fields: Any) -> dict[str, Any]:
    shape = {"agent": AGENT, "session_id": SHOP, "text": "look there", "queued_at": BORN_AT, "number": 5}
    return builtins(MessageView(**{**shape, **fields}))


def desk(*sessions: SessionView, messages: tuple[dict[str, Any], ...] = ()) -> FakeDesk:
    made = FakeDesk()
    made.sessions = [builtins(each) for each in sessions or (session(), session(BLOG, "blog"))]
    made.messages = list(messages)
    return made


# --- which session ----------------------------------------------------------------------


@pytest.mark.parametrize("named", [SHOP, "0c7d", "0C7D", " 0c7 ", "shop"])
def test_one_session_is_meant(named: str) -> None:
    assert letters.find(named, [session(), session(BLOG, "blog")]).session_id == SHOP


@pytest.mark.parametrize("named", ["", "  ", "sho", "zzz", "Shop"])
def test_none_is(named: str) -> None:
    with pytest.raises(Gone, match="sayso sessions"):
        letters.find(named, [session(), session(BLOG, "blog")])


@pytest.mark.parametrize("named", ["0c", "shop"])
def test_several_may_be_and_are_listed(named: str) -> None:
    with pytest.raises(BadRequest) as caught:
        letters.find(named, [session(), session(BLOG)])
    assert SHOP in caught.value.text
    assert BLOG in caught.value.text


def test_a_whole_id_is_clear_although_another_begins_with_it() -> None:
    assert letters.find("0c", [session("0c"), session()]).session_id == "0c"


def test_a_project_means_the_session_that_lives() -> None:
    assert letters.find("shop", [session(BLOG, state="ended"), session()]).session_id == SHOP


@pytest.mark.parametrize("named", ["shop-2", "web"])
def test_a_worktree_and_a_folder_are_names_too(named: str) -> None:
    other = session(BLOG, worktree="shop-2", cwd="/home/dev/shop-2/web")
    assert letters.find(named, [session(), other]).session_id == BLOG
    with pytest.raises(BadRequest, match="in shop in worktree shop-2"):
        letters.find("shop", [session(), other])


def test_of_one_id_in_two_processes_the_living_one_is_shown() -> None:
    both = [session(process="1:1"), session(process="2:2", state="ended")]
    assert letters.find(SHOP, both).process == "1:1"


# --- send -------------------------------------------------------------------------------


def test_send_queues_and_says_how_to_follow(capsys: Capture) -> None:
    shop = desk()
    assert run(shop, "send", "shop", "look there") == 0
    params = {"agent": AGENT, "session_id": SHOP, "text": "look there", "when": "soon"}
    assert shop.calls == [("desk.queue", params)]
    said = capsys.readouterr().out
    assert said.startswith("Claude Code in shop, session 0c7d8e55: queued: the agent gets it after its next")
    assert "sayso unsend 0c7d8e55" in said


def test_send_at_the_end_of_the_turn_what_standard_input_says(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = desk()
    monkeypatch.setattr("sys.stdin", io.StringIO("two\nlines\n"))
    assert run(shop, "send", "0c7d", "-", "--when", "stop") == 0
    assert (shop.calls[0][1]["text"], shop.calls[0][1]["when"]) == ("two\nlines", "stop")


def test_standard_input_that_is_no_text(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff"), encoding="utf-8"))
    assert run(desk(), "send", "0c7d", "-") == 2
    assert "no text" in capsys.readouterr().err


IDLE = {"reason": "idle", "why": "the session is idle"}
CASES: list[tuple[list[dict[str, Any]], int, str]] = [
    ([{"state": "taken"}, {"state": "handed_over"}], 0, "handed to the agent"),
    ([], 5, "queued: the agent gets it"),
    ([IDLE], 5, "queued: the session is idle"),
    ([{"state": "taken"}], 5, "on its way"),
    ([{"state": "taken"}, {"state": "uncertain", "why": "send it again"}], 7, "send it again"),
    ([{"state": "dropped", "why": "dropped: a new prompt was typed"}], 7, "dropped: a new prompt"),
    ([{"text": "newer", "number": 9}], 7, "A newer message took its place"),
    ([{"text": "older", "number": 2, "state": "dropped"}], 5, "queued"),
    ([{"session_id": BLOG, "state": "dropped"}], 5, "queued"),
]


@pytest.mark.parametrize(("steps", "code", "words"), CASES)
def test_send_and_wait(steps: list[dict[str, Any]], code: int, words: str, capsys: Capture) -> None:
    shop = desk()
    shop.later = [steps]
    assert run(shop, "send", "shop", "look there", "--wait", "30") == code
    assert words in capsys.readouterr().out


def test_waiting_ends(capsys: Capture) -> None:
    shop = desk()
    shop.later = [[{"state": "handed_over"}]]
    assert run(shop, "send", "shop", "look there", "--wait", "0", "--json") == 5
    assert json.loads(capsys.readouterr().out)["state"] == "queued"


@pytest.mark.parametrize("wrong", ["-1", "inf", "soon"])
def test_for_how_long_is_a_number(wrong: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        run(desk(), "send", "shop", "look there", "--wait", wrong)
    assert "how many seconds" in capsys.readouterr().err


def test_an_idle_session_is_an_end_of_its_own(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_desk: FakeDesk, _params: dict[str, Any]) -> Any:
        raise NotRunning("the session is idle: type it in its terminal")

    monkeypatch.setattr(FakeDesk, "_queue", refuse)
    assert run(desk(), "send", "shop", "look there") == 6
    assert "type it in its terminal" in capsys.readouterr().err


def test_a_desk_that_does_not_answer(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(FakeDesk, "next_change", lambda self, timeout_s: None)
    assert run(desk(), "send", "shop", "look there") == 1
    assert "does not answer" in capsys.readouterr().err


# --- unsend -----------------------------------------------------------------------------

TAKEN = message(state="taken")
BACK: list[tuple[dict[str, Any], list[dict[str, Any]], int, str]] = [
    (message(), [{"state": "dropped"}], 0, "Taken back"),
    (TAKEN, [{"state": "handed_over"}], 7, "handed to the agent"),
    (TAKEN, [{"state": "dropped"}], 0, "Taken back"),
    (TAKEN, [], 5, "on its way"),
    (message(), [{"text": "newer", "number": 9}], 7, "a newer message took its place"),
    (message(state="uncertain"), [{"state": "dropped"}], 0, "stays unknown"),
]


@pytest.mark.parametrize(("before", "steps", "code", "words"), BACK)
def test_unsend(
    before: dict[str, Any], steps: list[dict[str, Any]], code: int, words: str, capsys: Capture
) -> None:
    shop = desk(messages=(before,))
    shop.later = [steps]
    assert run(shop, "unsend", "shop") == code
    assert shop.calls == [("desk.unqueue", {"agent": AGENT, "session_id": SHOP})]
    assert words in capsys.readouterr().out


@pytest.mark.parametrize("messages", [(), (message(state="handed_over"),)])
def test_unsend_where_none_waits(messages: tuple[dict[str, Any], ...], capsys: Capture) -> None:
    shop = desk(messages=messages)
    assert run(shop, "unsend", "shop") == 6
    assert shop.calls == []
    said = capsys.readouterr().err
    assert "no message waits" in said
    assert ("handed to the agent" in said) is bool(messages)


# --- sessions ---------------------------------------------------------------------------


def test_sessions_show_the_message_and_where_it_stands(capsys: Capture) -> None:
    waits = message(text="look\x1b[2J there", **IDLE)
    assert run(desk(messages=(waits,)), "sessions") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("  message “look")
    assert lines[1].endswith("there”: queued: the session is idle")
    assert "\x1b" not in lines[1]
    assert len(lines) == 3


def test_sessions_in_json_have_it_beside_them(capsys: Capture) -> None:
    assert run(desk(messages=(TAKEN,)), "sessions", "--json") == 0
    shop, blog = json.loads(capsys.readouterr().out)
    assert shop["message"] == TAKEN
    assert "message" not in blog
