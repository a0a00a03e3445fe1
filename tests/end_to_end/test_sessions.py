"""Sessions: errors, resumption, several at once, and print mode."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.web import WITHOUT_PREFLIGHT, trusting
from tests.lab.claude import Claude, make_home, make_project

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from tests.end_to_end.desk import Desk
    from tests.lab.fake_anthropic import FakeAnthropic
    from tests.lab.pages import Pages

pytestmark = pytest.mark.end_to_end


def test_an_error_of_the_models_server_ends_the_turn(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks(), env={"CLAUDE_CODE_MAX_RETRIES": "0"}) as tui:
        tui.say("hello SCN:hello")
        tui.wait_for("DONE hello")
        session_id = desk.wait_for(lambda: next(iter(desk.stream.sessions), None), "session")
        desk.wait_session("idle", session_id)
        tui.say("please SCN:api_error")
        desk.wait_session("working", session_id)
        tui.wait_for("API Error")
        desk.wait_session("idle", session_id)


def test_a_resumed_session_keeps_its_id_under_another_process(desk: Desk, claude: Claude) -> None:
    hooks = desk.hooks()
    with claude.tui(hooks) as tui:
        tui.say("please SCN:bash")
        first = desk.wait_request()
        desk.allow(first)
        tui.wait_for("DONE bash")
        desk.wait_state(first, "confirmed")
    before = desk.wait_session("ended", first["session_id"])
    with claude.tui(hooks, resume=first["session_id"]) as tui:
        tui.say("please SCN:write")
        second = desk.wait_request(tool="Write")
        assert second["session_id"] == first["session_id"]
        desk.allow(second)
        tui.wait_for("DONE write")
        desk.wait_state(second, "confirmed")
        after = desk.wait_session("idle", first["session_id"])
        assert after["process"] != before["process"]
    assert claude.made("touched", "written.txt")


def test_case_10_four_requests_at_once_in_each_of_two_sessions_answered_in_any_order(
    desk: Desk, claude: Claude, pages: Pages, fake_model: FakeAnthropic, root: Path
) -> None:
    hooks, env = desk.hooks(**WITHOUT_PREFLIGHT), trusting(pages)
    project = make_project(root / "other")
    other = Claude(claude.binary, make_home(root / "home2", project), project, claude.port)
    with claude.tui(hooks, env=env) as tui, other.tui(hooks, env=env) as tui2:
        tui.say("please SCN:four_fetches")
        tui2.say("please SCN:four_fetches")
        desk.wait_request(8)
        by_page = {(r["cwd"], r["input"][0]["value"].rpartition("/")[2]): r for r in desk.requests()}
        assert len(by_page) == 8
        here, there = str(claude.project), str(other.project)
        order = [(here, "three"), (there, "two"), (there, "four"), (here, "one")]
        order += [(there, "one"), (here, "four"), (here, "two"), (there, "three")]
        denied = {(here, "four"), (there, "two")}
        for name in order:
            if name in denied:
                desk.deny(by_page[name], "-m", f"not {name[1]}")
            else:
                desk.allow(by_page[name])
        tui.wait_for("DONE four_fetches")
        tui2.wait_for("DONE four_fetches")
        for name, request in by_page.items():
            desk.wait_state(request, "confirmed")
            assert desk.states(request) == ["pending", "answered", "delivered", "confirmed"], name
    told_last = [one["text"] for one in told.results(fake_model, "four_fetches")]
    assert sum(text.startswith("not ") for text in told_last) == 1  # of whichever session came last


def test_case_12_an_id_may_be_shortened_as_long_as_it_is_clear(
    desk: Desk, claude: Claude, pages: Pages
) -> None:
    with claude.tui(desk.hooks(**WITHOUT_PREFLIGHT), env=trusting(pages)) as tui:
        tui.say("please SCN:four_fetches")
        desk.wait_request(4)
        first = desk.requests()[0]
        others = [r["id"] for r in desk.requests()[1:]]
        length = next(n for n in range(1, 33) if not any(o.startswith(first["id"][:n]) for o in others))
        desk.run("allow", first["id"][:length])
        desk.wait_state(first, "confirmed")
        assert [r["state"] for r in desk.requests()[1:]] == ["pending"] * 3
        desk.run("allow", "", code=6)  # nothing typed means nothing


def test_print_mode_runs_what_a_person_allows(desk: Desk, claude: Claude) -> None:
    done: list[subprocess.CompletedProcess[str]] = []
    hooks = desk.hooks()
    with desk.somebody_watching():
        agent = threading.Thread(target=lambda: done.append(claude.print("please SCN:bash", hooks)))
        agent.start()
        request = desk.wait_request(tool="Bash")
        assert request["attended"] is False
        desk.allow(request)
        agent.join(20)
    assert claude.made("touched")
    assert done[0].stdout.strip() == "DONE bash"
    assert done[0].stderr == ""
    desk.wait_state(request, "confirmed")


def test_print_mode_tells_the_model_why_a_person_denied(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    hooks = desk.hooks()
    with desk.somebody_watching():
        agent = threading.Thread(target=lambda: claude.print("please SCN:bash", hooks))
        agent.start()
        desk.deny(desk.wait_request(), "-m", "Not here.")
        agent.join(20)
    assert told.result(fake_model, "bash") == {"text": "Not here.", "is_error": True}


def test_case_29_print_mode_that_nobody_watches_is_as_without_sayso(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    without = claude.print("please SCN:bash", {})
    plain = told.result(fake_model, "bash")
    fake_model.requests.clear()
    done = claude.print("please SCN:bash", desk.hooks())
    assert (done.stdout, done.stderr, done.returncode) == (without.stdout, without.stderr, without.returncode)
    assert told.result(fake_model, "bash") == plain
    assert plain["is_error"]
    assert not claude.made("touched")
    desk.wait_for(lambda: desk.requests(state="deferred", reason="nobody_watching") or None, "notice")
    desk.wait_for(lambda: None if desk.requests(notice=True) else True, "end of the notice")
