"""What is asked through a store, how it is answered, and what ends it otherwise."""

from __future__ import annotations

import asyncio

import pytest

from sayso import (
    AGENT_CODEX,
    CLAUDE_HOLD,
    MAX_VALUE,
    Answer,
    Ask,
    BadRequest,
    Decision,
    Gone,
    Option,
    Question,
    Reply,
    Row,
    Settings,
    Store,
)
from sayso.core.types import Hold
from tests.store.stage import (
    AGENT,
    ALLOW,
    BEGAN_S,
    DENY,
    NOTHING,
    SESSION,
    permission,
    question,
    result,
    staged,
)


async def test_an_ask_waits_until_it_is_answered() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1", suggestions=("always ls",)))
        (request,) = stage.store.list()[0]
        assert (request.id, request.tool, request.kind) == ("r1", "Bash", "permission")
        assert [(one.id, one.label) for one in request.suggestions] == [("0", "always ls")]
        assert not asking.done()
        stage.store.answer("r1", Reply(behavior="allow", suggestion="0"))
        assert await result(asking) == Decision(behavior="allow", suggestion=0)
        assert stage.store.list() == ((), ())


async def test_a_question_is_answered_in_positions() -> None:
    with staged() as stage:
        asking = await stage.ask(question(id="r1"))
        stage.store.answer("r1", Reply(behavior="allow", answers={"Which colour?": "Blue"}))
        assert await result(asking) == Decision(behavior="allow", answers=(Answer(picked=(1,)),))


async def test_what_is_answered_is_gone() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1"))
        stage.store.answer("r1", DENY)
        assert (await result(asking)).message == "not today"
        with pytest.raises(Gone):
            stage.store.answer("r1", ALLOW)
        with pytest.raises(Gone):
            stage.store.answer("never", ALLOW)
        with pytest.raises(Gone):
            stage.store.release("r1")


async def test_a_reply_that_does_not_fit_leaves_it_pending() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1"))
        with pytest.raises(BadRequest, match="suggestion"):
            stage.store.answer("r1", Reply(behavior="allow", suggestion="7"))
        assert stage.ids() == ["r1"]
        stage.store.answer("r1", ALLOW)
        assert (await result(asking)).behavior == "allow"


async def test_released_it_decides_nothing() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1"))
        stage.store.release("r1")
        assert await result(asking) == NOTHING
        assert stage.ids() == []


async def test_cancelling_withdraws_it() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1"))
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert stage.ids() == []
        with pytest.raises(Gone):
            stage.store.answer("r1", ALLOW)


async def test_closing_lets_go_of_who_waits() -> None:
    with staged() as stage:
        asking = await stage.ask(permission())
    assert await result(asking) == NOTHING


@pytest.mark.parametrize(
    "ask",
    [
        permission(unshowable="its input is no object"),
        question(questions=(Question(question="Same?", options=(Option(label="a"), Option(label="a"))),)),
        question(questions=(Question(question=" "),)),
    ],
)
async def test_what_cannot_be_shown_safely_decides_nothing_at_once(ask: Ask) -> None:
    with staged() as stage:
        assert await result(await stage.ask(ask)) == NOTHING
        assert stage.ids() == []


async def test_what_is_no_ask_is_refused() -> None:
    with staged() as stage:
        with pytest.raises(BadRequest, match="session_id"):
            await stage.store.ask(permission(session_id=""))
        asking = await stage.ask(permission(id="r1"))
        with pytest.raises(BadRequest, match="taken"):
            await stage.store.ask(permission(id="r1"))
        stage.store.release("r1")
        assert await result(asking) == NOTHING


async def test_the_list_has_the_oldest_first() -> None:
    with staged() as stage:
        stage.now_s = BEGAN_S + 9
        later = await stage.ask(permission(id="late", started_s=BEGAN_S + 2))
        early = await stage.ask(permission(id="early", started_s=BEGAN_S + 1))
        assert stage.ids() == ["early", "late"]
    assert [await result(later), await result(early)] == [NOTHING, NOTHING]


async def test_a_long_value_is_cut_and_its_whole_is_read_before_it_is_allowed() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1", input=(Row(label="Command", value="x" * 5000),)))
        (row,) = stage.store.list()[0][0].input
        assert (len(row.value), row.length) == (MAX_VALUE, 5000)
        with pytest.raises(BadRequest, match="read it first"):
            stage.store.answer("r1", ALLOW)
        assert stage.store.row("r1", 0).value == "x" * 5000
        stage.store.answer("r1", ALLOW)
        assert (await result(asking)).behavior == "allow"


# --- Codex -------------------------------------------------------------------------------


async def test_codex_is_not_shown_unless_the_person_chose_it() -> None:
    with staged() as stage:
        assert await result(await stage.ask(permission(agent=AGENT_CODEX))) == NOTHING
        stage.store.set_settings(Settings(codex_server=True))
        assert await result(await stage.ask(permission(agent=AGENT_CODEX))) == NOTHING
        stage.store.set_settings(Settings(codex_approvals=True))
        asking = await stage.ask(permission(id="r1", agent=AGENT_CODEX))
        stage.store.answer("r1", ALLOW)
        assert (await result(asking)).behavior == "allow"


async def test_switching_codex_off_withdraws_what_waits() -> None:
    with staged() as stage:
        stage.store.set_settings(Settings(codex_approvals=True))
        codex = await stage.ask(permission(id="codex", agent=AGENT_CODEX))
        claude = await stage.ask(permission(id="claude"))
        stage.store.set_settings(Settings(codex_approvals=False, codex_server=True))
        assert await result(codex) == NOTHING
        assert stage.ids() == ["claude"]
    assert await result(claude) == NOTHING


async def test_codex_waits_for_a_short_time() -> None:
    with Store(codex_wait=0.05) as store:
        store.set_settings(Settings(codex_approvals=True))
        asking = asyncio.create_task(store.ask(permission(agent=AGENT_CODEX, started_s=0.0)))
        assert await result(asking) == NOTHING


@pytest.mark.parametrize(("codex_wait", "wait_s"), [(None, 25.0), (10.0, 10.0), (60.0, 60.0)])
async def test_how_long_codex_waits(codex_wait: float | None, wait_s: float) -> None:
    with staged(codex_wait=codex_wait) as stage:
        stage.store.set_settings(Settings(codex_approvals=True))
        asking = await stage.ask(permission(id="r1", agent=AGENT_CODEX))
        stage.now_s = BEGAN_S + wait_s - 0.1
        stage.store.delete_message(AGENT, "any")  # whatever is called, what is due happens first
        assert stage.ids() == ["r1"]
        stage.now_s = BEGAN_S + wait_s
        stage.store.delete_message(AGENT, "any")
        assert stage.ids() == []
        assert await result(asking) == NOTHING


# --- masking -----------------------------------------------------------------------------


async def test_every_string_of_an_ask_is_masked() -> None:
    with staged(mask=lambda text: text.replace("secret", "***")) as stage:
        row = Row(label="secret", value="a secret")
        asking = await stage.ask(permission(input=(row,), suggestions=("allow secret",)))
        (request,) = stage.store.list()[0]
        assert (request.input[0].label, request.input[0].value) == ("***", "a ***")
        assert request.suggestions[0].label == "allow ***"
    assert await result(asking) == NOTHING


async def test_without_a_mask_it_is_kept() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(input=(Row(label="Key", value="ghp_" + "a1B2" * 9),)))
        assert stage.store.list()[0][0].input[0].value == "ghp_" + "a1B2" * 9
    assert await result(asking) == NOTHING


# --- what the program is told -------------------------------------------------------------


async def test_it_is_told_of_changes() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1"))
        assert stage.notified == 1
        stage.store.answer("r1", ALLOW)
        assert stage.notified == 2
        await result(asking)
        stage.store.queue(AGENT, SESSION, "hello")
        stage.store.delete_message(AGENT, SESSION)
        assert stage.notified == 4


async def test_a_session_that_was_answered_works() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1"))
        stage.now_s = BEGAN_S + 3
        stage.store.answer("r1", ALLOW)
        await result(asking)
        assert stage.told == [("answered", AGENT, SESSION, BEGAN_S + 3)]


@pytest.mark.parametrize(
    ("ask", "after_s", "told"),
    [
        (permission(), 5.0, True),
        (permission(agent_id="sub"), 5.0, False),
        (permission(hold_s=CLAUDE_HOLD), CLAUDE_HOLD - 10, False),
        (permission(agent="other"), 5.0, False),
    ],
)
async def test_a_hook_that_ends_long_before_its_time_was_interrupted(
    ask: Ask, after_s: float, told: bool
) -> None:
    with staged() as stage:
        asking = await stage.ask(ask)
        stage.now_s = BEGAN_S + after_s
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert stage.told == ([("interrupted", AGENT, SESSION, BEGAN_S + after_s)] if told else [])


async def test_a_denial_that_stops_the_turn_is_no_interruption() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1", interrupt=True))
        stage.store.answer("r1", Reply(behavior="deny", interrupt=True))
        assert (await result(asking)).interrupt
        assert [what for what, *_ in stage.told] == ["answered"]


async def test_what_it_does_not_want_to_know_it_is_not_told() -> None:
    with Store(now=lambda: BEGAN_S) as store:
        asking = asyncio.create_task(store.ask(permission(id="r1")))
        await asyncio.sleep(0)
        store.queue(AGENT, SESSION, "hello")
        assert store.take_message(AGENT, SESSION) is not None
        store.answer("r1", ALLOW)
        assert (await result(asking)).behavior == "allow"


async def test_a_mistake_of_the_programs_keeps_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_what: object) -> None:
        raise ValueError("what the program says of a request")

    with staged() as stage:
        stage.store.answered = fail
        asking = await stage.ask(permission(id="r1"))
        stage.store.answer("r1", ALLOW)
        assert stage.notified == 2
        assert (await result(asking)).behavior == "allow"
    assert "ValueError" in caplog.text
    assert "of a request" not in caplog.text


async def test_what_ask_returned_was_handed_over() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1"))
        stage.store.answer("r1", ALLOW)
        await result(asking)
        with pytest.raises(Gone, match="handed to the agent"):
            stage.store.answer("r1", ALLOW)


async def test_an_answer_that_its_asker_did_not_live_to_see_was_not_delivered() -> None:
    with staged() as stage:
        asking = await stage.ask(permission(id="r1"))
        stage.store.answer("r1", ALLOW)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        with pytest.raises(Gone, match="lost"):
            stage.store.answer("r1", ALLOW)
        assert [what for what, *_ in stage.told] == ["answered"]


async def test_an_exclusive_request_waits_for_this_program() -> None:
    """Somebody watches: the program itself."""
    with staged() as stage:
        asking = await stage.ask(permission(id="r1", hold=Hold.EXCLUSIVE))
        assert stage.ids() == ["r1"]
    assert await result(asking) == NOTHING
