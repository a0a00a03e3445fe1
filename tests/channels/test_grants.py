"""What is allowed for a while, on the command line: given, listed, ended."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from sayso.channels import output
from sayso.core.types import Answerer, Row
from sayso.wire.views import GrantView
from tests.channels.fake_desk import NOW_S, FakeDesk, builtins, question, run, suggested, view

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.Output, "now_s", lambda self: NOW_S)
    monkeypatch.setenv("COLUMNS", "100")


def grant(grant_id: str = "3f2a91bc", left_s: float = 252.0, **changes: str) -> dict[str, object]:
    until = datetime.fromtimestamp(NOW_S + left_s, UTC).isoformat()
    given = {
        "agent": "claude-code",
        "session_id": "s1",
        "tool": "Bash",
        "what": "make test",
        "project": "shop",
    }
    by = Answerer(channel="page", name="Ada's phone")
    return builtins(GrantView(id=grant_id, by=by, until=until, **{**given, **changes}))


def desk(*grants: dict[str, object]) -> FakeDesk:
    made = FakeDesk(view())
    made.grants = list(grants)
    return made


@pytest.mark.parametrize(
    ("words", "for_s"), [("5m", 300.0), ("90s", 90.0), ("1h", 3600.0), ("60", 60.0), ("60m", 3600.0)]
)
def test_case_59_allow_for_a_while(words: str, for_s: float, capsys: Capture) -> None:
    waiting = FakeDesk(view())
    assert run(waiting, "allow", "3f2a", "--for", words) == 0
    assert waiting.replies == [{"behavior": "allow", "for_s": for_s}]
    assert "sayso grants --end 3f2a91bc" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("words", ["5", "59s", "61m", "2h", "0m"])
def test_case_59_a_while_has_bounds(words: str, capsys: Capture) -> None:
    waiting = FakeDesk(view())
    assert run(waiting, "allow", "3f2a", "--for", words) == 2
    assert waiting.replies == []
    assert "from 1 to 60 minutes" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["", "m", "5 m", "-5m", "5d", "5.5m", "٥m", "99999999m"])
def test_case_59_what_is_no_time_is_refused(words: str, capsys: Capture) -> None:
    waiting = FakeDesk(view())
    with pytest.raises(SystemExit) as caught:
        run(waiting, "allow", "3f2a", f"--for={words}")
    assert (caught.value.code, waiting.replies) == (2, [])
    assert "say for how long" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--suggestion", "1"], ["--unseen"]])
def test_case_59_only_by_itself_and_as_it_was_shown(more: list[str]) -> None:
    waiting = FakeDesk(view(suggestions=suggested("Always")))
    assert run(waiting, "allow", "3f2a", "--for", "5m", *more) == 2
    assert waiting.replies == []


def test_case_59_what_turns_out_to_be_lost_is_not_allowed_for_a_while() -> None:
    waiting = FakeDesk(view(input=(Row(label="Command", value="x", length=9),)))
    waiting.rows["3f2a91bc" + "0" * 24, 0] = Row(label="Command", value="x", length=9, lost=True)
    assert run(waiting, "allow", "3f2a", "--for", "5m") == 2
    assert waiting.replies == []


def test_case_59_a_question_is_not_allowed_for_a_while() -> None:
    waiting = FakeDesk(question())
    assert run(waiting, "allow", "77aa", "--for", "5m") == 2
    assert waiting.replies == []


def test_case_59_the_list_says_what_is_open(capsys: Capture) -> None:
    assert run(desk(grant()), "list") == 0
    words = "1 grant is open: Claude Code in shop uses Bash: make test, 4 min 12 s left"
    assert words in " ".join(capsys.readouterr().out.split())
    assert run(desk(grant(), grant("b")), "list") == 0
    assert "2 grants are open: sayso grants\n" in capsys.readouterr().out


def test_case_59_grants_are_listed_with_the_time_left(capsys: Capture) -> None:
    assert run(desk(grant(what="make \x1b[2J test")), "grants") == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == (
        "3f2a91bc · Claude Code in shop uses Bash · 4 min 12 s left · allowed by Ada's phone, page"
    )
    assert second.isprintable()
    assert run(desk(), "grants") == 0
    assert capsys.readouterr().out == "No grant is open.\n"


def test_case_59_grants_as_json(capsys: Capture) -> None:
    assert run(desk(grant()), "grants", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [grant()]


def test_case_59_one_is_ended_or_all(capsys: Capture) -> None:
    two = desk(grant("aa11"), grant("aa22"))
    assert run(two, "grants", "--end", "AA2") == 0
    assert two.calls == [("desk.ungrant", {"id": "aa22"})]
    assert "The next such call asks again" in " ".join(capsys.readouterr().out.split())
    assert run(two, "grants", "--end", "all", "--json") == 0
    assert [params["id"] for _method, params in two.calls] == ["aa22", "aa11", "aa22"]
    assert json.loads(capsys.readouterr().out) == two.grants
    assert run(desk(), "grants", "--end", "all") == 0
    assert capsys.readouterr().out == "No grant is open.\n"


@pytest.mark.parametrize(("which", "code"), [("aa", 2), ("bb", 6), ("", 6), (" ", 6)])
def test_case_59_which_one_is_meant_must_be_clear(which: str, code: int) -> None:
    two = desk(grant("aa11"), grant("aa22"))
    assert run(two, "grants", "--end", which) == code
    assert two.calls == []
