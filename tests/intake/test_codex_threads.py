"""Threads of an app server, as sessions at the desk; and a person's words on their way to them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from sayso.core.states import State
from sayso.errors import NotRunning
from sayso.intake.codex_conversation import Conversation
from tests.intake.codex_stage import PROCESS, ROOT, TURN, Stage, described


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    stage = Stage()
    yield stage
    stage.close()


@pytest.fixture
async def bare() -> AsyncIterator[Stage]:
    """A conversation that has not begun."""
    stage = Stage(begins=False)
    yield stage
    stage.close()


def user_message(text: str, client_id: str | None = None) -> dict[str, Any]:
    content = [{"type": "text", "text": text, "text_elements": []}]
    return {"type": "userMessage", "id": f"u-{text}", "clientId": client_id, "content": content}


def page(*items: dict[str, Any], status: str = "inProgress") -> dict[str, Any]:
    return {"data": [{"id": TURN, "status": status, "items": list(items)}], "nextCursor": None}


# --- getting to know threads ---------------------------------------------------------------------


async def test_what_is_loaded_is_subscribed_to_with_nothing_changed(stage: Stage) -> None:
    (said,) = stage.link.said("thread/resume")
    assert said == {
        "threadId": ROOT,
        "excludeTurns": True,
        "initialTurnsPage": {"limit": 1, "itemsView": "full"},
    }
    session = stage.session()
    assert (session.agent, session.session_id, session.process) == ("codex", ROOT, PROCESS)
    assert (session.state, session.cwd, session.wakes) == ("idle", "/home/dev/project", True)
    assert stage.runtime.covers("codex", ROOT)
    assert not stage.runtime.covers("codex", "other")


async def test_who_comes_late_finds_the_turn_that_runs_with_its_prompt_and_its_calls(bare: Stage) -> None:
    change = {"path": "/a", "kind": {"type": "add"}, "diff": "x"}
    call = {"type": "fileChange", "id": "call_0001_00", "status": "inProgress", "changes": [change]}
    done = {**call, "id": "old", "status": "completed"}
    bare.link.loaded = [ROOT]
    bare.link.threads[ROOT] = {
        "thread": described(),
        "initialTurnsPage": page(user_message("fix it"), done, call),
    }
    bare.talk.begin()
    assert (bare.session().state, bare.session().prompt) == ("working", "fix it")
    bare.ask("file_change", itemId="call_0001_00")
    assert [row.value for row in bare.request().ask.input] == ["/a", "x"]


async def test_a_turn_that_has_just_begun_is_told_of_with_the_prompt_that_follows(bare: Stage) -> None:
    bare.link.loaded = [ROOT]
    bare.link.threads[ROOT] = {"thread": described(), "initialTurnsPage": page()}
    bare.talk.begin()
    assert (bare.session().state, bare.session().prompt) == ("working", "")
    bare.tell("item/started", threadId=ROOT, item=user_message("fix it"))
    assert bare.session().prompt == "fix it"


async def test_a_turn_that_is_over_leaves_its_prompt(bare: Stage) -> None:
    bare.link.loaded = [ROOT]
    last = page(user_message("fix it"), status="completed")
    bare.link.threads[ROOT] = {"thread": described(), "initialTurnsPage": last}
    bare.talk.begin()
    assert (bare.session().state, bare.session().prompt) == ("idle", "fix it")


async def test_a_new_thread_is_known_once_something_was_said_in_it(stage: Stage) -> None:
    stage.tell("thread/started", thread=described("new", sessionId="new"))
    stage.answer_call("thread/resume", error="no rollout found for thread id new")
    assert len(stage.sessions()) == 1
    stage.link.threads["new"] = {"thread": described("new", sessionId="new")}
    stage.tell("thread/status/changed", threadId="new", status={"type": "active", "activeFlags": []})
    assert {session.session_id for session in stage.sessions()} == {ROOT, "new"}
    stage.tell("thread/status/changed", threadId="new", status={"type": "idle"})
    assert len(stage.link.said("thread/resume")) == 3


async def test_threads_that_make_a_title_are_no_sessions(stage: Stage) -> None:
    stage.tell("thread/started", thread=described("title", ephemeral=True))
    stage.tell("thread/status/changed", threadId="title", status={"type": "active", "activeFlags": []})
    stage.ask(thread_id="title")
    assert len(stage.link.said("thread/resume")) == 1
    stage.link.threads["late"] = {"thread": described("late", ephemeral=True)}
    stage.tell("thread/status/changed", threadId="late", status={"type": "active", "activeFlags": []})
    stage.ask(thread_id="late", number=1)
    assert len(stage.sessions()) == 1
    assert stage.requests() == []


async def test_a_subagent_of_a_subagent_is_of_the_session_at_the_root(stage: Stage) -> None:
    stage.link.threads["child"] = {"thread": described("child", parentThreadId=ROOT)}
    stage.link.threads["grandchild"] = {
        "thread": described("grandchild", parentThreadId="child", sessionId="?")
    }
    stage.turn("child", "turn-2")
    stage.turn("grandchild", "turn-3")
    stage.ask(thread_id="grandchild")
    assert (stage.request().ask.session_id, stage.request().ask.agent_id) == (ROOT, "grandchild")
    stage.tell("thread/closed", threadId="grandchild")
    assert stage.request().state is State.WITHDRAWN
    assert stage.session().state == "idle"


async def test_a_server_that_takes_no_client_is_told_of(bare: Stage) -> None:
    bare.link.call = lambda method, params, then: bare.link.calls.append((method, params, then))
    bare.talk.begin()
    bare.answer_call("initialize", error="too old")
    assert bare.talk.trouble == "Codex takes no client: too old"
    assert not bare.link.is_open


# --- what happens in them ------------------------------------------------------------------------


async def test_a_session_works_from_turn_to_turn(stage: Stage) -> None:
    stage.turn()
    assert stage.session().state == "working"
    stage.tell("item/started", threadId=ROOT, item=user_message("do this"))
    stage.tell("item/started", threadId=ROOT, item=user_message("and that"))
    assert stage.session().prompt == "do this"  # what came later steers the turn
    stage.turn_over("failed")
    assert stage.session().state == "idle"
    stage.turn()
    stage.tell("item/started", threadId=ROOT, item=user_message("more", "sayso-1"))
    assert stage.session().prompt == "do this"  # our own words are no prompt that was typed


async def test_a_closed_thread_ends_its_session(stage: Stage) -> None:
    stage.tell("thread/closed", threadId=ROOT)
    assert (stage.session().state, stage.session().wakes) == ("ended", False)
    assert not stage.runtime.covers("codex", ROOT)
    stage.tell("thread/closed", threadId="never seen")


async def test_an_unloaded_thread_ends_its_session_and_comes_back(stage: Stage) -> None:
    stage.tell("thread/status/changed", threadId=ROOT, status={"type": "notLoaded"})
    assert stage.session().state == "ended"
    stage.tell("thread/status/changed", threadId=ROOT, status={"type": "idle"})
    assert (stage.session().state, stage.session().wakes) == ("idle", True)


async def test_without_a_process_the_lost_connection_ends_the_sessions(stage: Stage) -> None:
    other = Stage(begins=False)
    other.link.process = ""
    other.link.loaded, other.link.threads = [ROOT], {ROOT: {"thread": described()}}
    other.talk.begin()
    for one, state in ((stage, "idle"), (other, "ended")):  # of the first, the kernel tells the end
        one.talk.leave("cut_off")
        assert one.session().state == state
    other.close()


async def test_what_tells_nothing_is_passed_over(stage: Stage) -> None:
    stage.tell("warning", message="x")
    stage.tell("item/started", threadId=ROOT, item={"type": "agentMessage", "id": "m", "text": "hello"})
    stage.tell("item/completed", threadId=ROOT, item={"type": "agentMessage", "id": "m", "text": "hello"})
    stage.tell("thread/started", thread={})
    stage.tell("thread/status/changed", status={"type": "idle"})
    stage.tell("turn/started", threadId="unknown", turn={"id": "x"})
    stage.tell("turn/completed", threadId="unknown", turn={"id": "x"})
    stage.tell("item/started", threadId="unknown", item=user_message("x"))
    stage.item_over(thread_id="unknown")
    assert len(stage.sessions()) == 1


# --- messages ------------------------------------------------------------------------------------


async def test_a_message_begins_a_turn_where_none_runs(stage: Stage) -> None:
    stage.queue("hello")
    (said,) = stage.link.said("turn/start")
    assert said.pop("clientUserMessageId").startswith("sayso-")
    assert said == {"threadId": ROOT, "input": [{"type": "text", "text": "hello", "text_elements": []}]}
    assert stage.message().state == "taken"
    stage.answer_call("turn/start", {"turn": {"id": TURN}})
    assert stage.message().state == "handed_over"
    stage.turn()
    assert (stage.message().state, stage.session().state) == ("handed_over", "working")


async def test_a_message_for_the_end_waits_for_it_and_begins_the_next_turn(stage: Stage) -> None:
    stage.turn()
    stage.queue("and then", "stop")
    assert stage.message().state == "queued"
    stage.turn_over()
    assert len(stage.link.said("turn/start")) == 1
    assert stage.link.said("turn/steer") == []


async def test_a_prompt_that_is_typed_drops_a_message_that_waits(stage: Stage) -> None:
    stage.turn()
    stage.queue("and then", "stop")
    stage.observe_prompt("something else")
    assert (stage.message().state, stage.message().reason) == ("dropped", "new_prompt")


async def test_a_refused_message_is_queued_again_and_sent_at_the_next_moment_alone(stage: Stage) -> None:
    stage.turn()
    stage.queue("hello")
    stage.answer_call("turn/steer", error="no active turn to steer")
    assert stage.message().state == "queued"
    stage.talk.queued(ROOT, stage.message().number)
    assert len(stage.link.said("turn/steer", "turn/start")) == 1
    stage.turn_over()
    assert len(stage.link.said("turn/start")) == 1
    stage.answer_call("turn/start", error="busy")
    assert stage.message().state == "queued"
    assert stage.notes() == ["Codex took no message"]
    assert len(stage.link.said("turn/steer", "turn/start")) == 2


async def test_a_turn_that_ended_on_the_way_is_followed_by_a_new_one(stage: Stage) -> None:
    stage.turn()
    stage.queue("hello")
    stage.turn_over()
    assert stage.link.said("turn/start") == []  # not twice: its fate is not known yet
    stage.answer_call("turn/steer", error="no active turn to steer")
    assert len(stage.link.said("turn/start")) == 1


async def test_case_54_a_message_swallowed_by_a_lost_connection_is_uncertain_and_not_sent_again(
    stage: Stage,
) -> None:
    stage.queue("hello")
    stage.answer_call("turn/start")  # neither a result nor an error
    assert stage.message().state == "uncertain"
    stage.turn()
    stage.turn_over()
    assert len(stage.link.said("turn/steer", "turn/start")) == 1


async def test_nothing_is_sent_to_what_takes_no_words(bare: Stage) -> None:
    bare.link.loaded = [ROOT]
    bare.link.threads[ROOT] = {"thread": described(canAcceptDirectInput=False)}
    bare.talk.begin()
    with pytest.raises(NotRunning):
        bare.queue("hello")
    bare.turn()
    bare.queue("hello")
    assert bare.link.said("turn/steer", "turn/start") == []


async def test_a_message_for_another_session_is_none_of_ours(stage: Stage) -> None:
    stage.talk.queued("other", 1)
    assert stage.link.said("turn/steer", "turn/start") == []


async def test_a_message_that_waited_for_the_connection_is_handed_over_when_it_is_there(stage: Stage) -> None:
    stage.turn()
    stage.queue("later", "stop")
    stage.talk.leave("cut_off")
    talk = Conversation(stage.desk, stage.link)
    talk.begin()
    assert [said["input"][0]["text"] for said in stage.link.said("turn/start")] == ["later"]


async def test_a_newer_message_is_sent_once_the_one_before_has_arrived(stage: Stage) -> None:
    stage.turn()
    stage.queue("first")
    stage.queue("second")
    assert len(stage.link.said("turn/steer")) == 1
    stage.answer_call("turn/steer", {"turnId": TURN})
    assert [said["input"][0]["text"] for said in stage.link.said("turn/steer")] == ["first", "second"]
    ids = [said["clientUserMessageId"] for said in stage.link.said("turn/steer")]
    assert len(set(ids)) == 2
