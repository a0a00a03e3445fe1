"""The way of an answer: what breaks on it, what is tried again, how long is waited."""

from __future__ import annotations

import json

import pytest

from sayso.channels import output
from sayso.channels.courier import Courier
from sayso.errors import BadReply, Gone, Refused, SaysoError, Unavailable
from sayso.wire.views import RequestView
from tests.channels.fake_desk import NOW_S, FakeDesk, choice, command, question, run, text, view, yesno

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.Output, "now_s", lambda self: NOW_S)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadReply("it does not fit", "mode"), 2),
        (Refused("this terminal was started from inside Claude Code"), 3),
        (Gone("answered in Telegram 3 s ago", "answered"), 6),
    ],
)
def test_errors_of_the_desk_become_words_and_codes(
    error: BadReply | Refused | Gone, code: int, capsys: Capture
) -> None:
    desk = FakeDesk(view())
    desk.script.append(error)
    assert run(desk, "allow", "3f2a") == code
    assert f"sayso: {error.text}" in capsys.readouterr().err


def test_words_of_an_error_are_made_visible_and_json_has_the_one_shape(capsys: Capture) -> None:
    desk = FakeDesk(view())
    desk.script.append(BadReply("no \x1b[2J", "mode"))
    run(desk, "allow", "3f2a")
    assert "␛[2J" in capsys.readouterr().err
    desk.script.append(BadReply("no", "mode"))
    assert run(desk, "allow", "3f2a", "--json") == 2
    told = json.loads(capsys.readouterr().out)
    assert told == {"ok": False, "error": "no", "code": "bad_request", "status": 400, "field": "mode"}


def test_case_2_a_broken_connection_is_tried_again_under_the_same_key() -> None:
    desk = FakeDesk(view())
    desk.script += [Unavailable("the connection broke"), ["answered", "delivered"]]
    assert run(desk, "allow", "3f2a") == 0
    keys = [params["reply"]["key"] for method, params in desk.calls if method == "desk.answer"]
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert desk.connections == 2


def test_case_2_a_second_break_is_told(capsys: Capture) -> None:
    desk = FakeDesk(view())
    desk.script += [Unavailable("the connection broke"), Unavailable("the connection broke")]
    assert run(desk, "allow", "3f2a") == 1
    assert "the connection broke" in capsys.readouterr().err


def test_no_desk_is_told(capsys: Capture) -> None:
    class Nowhere(FakeDesk):
        def connect(self) -> FakeDesk:
            raise Unavailable("no desk runs; start it with: sayso start")

    assert run(Nowhere(), "list") == 1
    assert "no desk runs" in capsys.readouterr().err


def test_a_silent_desk_is_no_endless_wait(capsys: Capture) -> None:
    class Silent(FakeDesk):
        def subscribe(self, after: str = "") -> None:
            pass

    desk = Silent()
    assert run(desk, "list") == 1
    assert desk.closed == 1
    assert "does not answer" in capsys.readouterr().err


def test_a_desk_of_another_version_is_told(capsys: Capture) -> None:
    class Newer(FakeDesk):
        def snapshot(self) -> dict[str, object]:
            return {"boot": "b1"}

    assert run(Newer(), "list") == 1
    assert "another version" in capsys.readouterr().err


def test_interrupted_by_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FakeDesk(view())

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(desk, "subscribe", stop)
    assert run(desk, "list") == 130


class Ticking:
    """A clock that moves by itself."""

    def __init__(self, step_s: float) -> None:
        self.now_s = 0.0
        self.step_s = step_s

    def __call__(self) -> float:
        self.now_s += self.step_s
        return self.now_s


def test_following_ends_in_time_whatever_the_desk_says() -> None:
    desk = FakeDesk(view())

    def chatter(timeout_s: float) -> dict[str, object]:
        desk.change(question())
        return FakeDesk.next_change(desk, timeout_s) or {}

    with Courier(desk.connect, Ticking(0.1)) as courier:
        desk.next_change = chatter  # pyright: ignore[reportAttributeAccessIssue]
        assert courier.follow(view().id).state == "pending"
    assert min(desk.timeouts) > 0


def test_once_handed_over_the_rest_is_awaited_only_briefly() -> None:
    desk = FakeDesk(view(state="delivered"))
    with Courier(desk.connect, Ticking(0.0)) as courier:
        desk.timeouts.clear()
        assert courier.follow(view().id).state == "delivered"
    assert desk.timeouts == [0.5]


def test_case_9_after_a_restart_the_request_is_awaited_to_come_back() -> None:
    desk = FakeDesk()
    with Courier(desk.connect, Ticking(0.1)) as courier:
        desk.script.append(Unavailable("the desk went away"))
        asked = view()

        def subscribe(after: str = "") -> None:
            FakeDesk.subscribe(desk)
            desk.views[asked.id] = asked
            desk.change(asked, "shown")

        desk.subscribe = subscribe
        assert courier.answer(asked.id, {"behavior": "allow"}).state == "delivered"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (view(), view(tool="Write")),
        (yesno(), yesno(title="Delete the shop?")),
        (choice(), choice(choices=choice().choices[:2])),
        (command(), command(unsafe=False)),
        (text(), text(default="other")),
    ],
)
def test_case_43_an_answer_is_not_sent_again_to_what_is_something_else_by_now(
    before: RequestView, now: RequestView
) -> None:
    desk = FakeDesk(before)
    with Courier(desk.connect, Ticking(0.1)) as courier:
        desk.script.append(Unavailable("the desk went away"))
        desk.views[before.id] = now
        with pytest.raises(Gone, match="something else"):
            courier.answer(before.id, {"behavior": "allow"})


def test_the_first_step_of_a_command_is_not_followed_and_is_sent_again_after_a_break() -> None:
    desk = FakeDesk(command())
    with Courier(desk.connect, Ticking(0.1)) as courier:
        desk.script.append(Unavailable("the desk went away"))
        assert courier.answer(command().id, {"behavior": "allow", "step": "ack"}).state == "pending"
    assert desk.replies == [{"behavior": "allow", "step": "ack"}] * 2


@pytest.mark.parametrize(("state", "raises"), [("pending", "answer again"), (None, "does not know")])
def test_an_answer_that_died_with_its_desk_is_told(state: str | None, raises: str) -> None:
    desk = FakeDesk(view())
    with Courier(desk.connect, Ticking(0.5)) as courier:
        desk.views.clear()
        if state:
            desk.views[view().id] = view(state=state)

        def broken(_left_s: float) -> dict[str, object]:
            desk.next_change = lambda left: FakeDesk.next_change(desk, left)  # pyright: ignore[reportAttributeAccessIssue]
            raise Unavailable("the desk went away")

        desk.next_change = broken  # pyright: ignore[reportAttributeAccessIssue]
        with pytest.raises(SaysoError, match=raises):
            courier.follow(view().id)


def test_what_was_handed_over_before_its_desk_died_is_handed_over() -> None:
    desk = FakeDesk(view(state="delivered"))
    with Courier(desk.connect, Ticking(0.0)) as courier:

        def broken(_left_s: float) -> dict[str, object]:
            raise Unavailable("the desk went away")

        desk.next_change = broken  # pyright: ignore[reportAttributeAccessIssue]
        assert courier.follow(view().id).state == "delivered"
