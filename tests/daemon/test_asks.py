"""What programs ask themselves, over the control socket of a running desk."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.bounds import MAX_MESSAGE_CHARS
from sayso.daemon import asks
from sayso.wire.ask_user import MAX_BODY_CHARS
from tests.daemon.stage import Peer, Stage, desk, private_home, running

OWN_ID = "ab" * 16
LEAST = {"surface_id": "s:1", "kind": "yesno", "title": "Go on?"}
COMMAND = {**LEAST, "kind": "confirm-command", "body": "rm -r x", "unsafe": True}


async def asked(peer: Peer, request_id: str = OWN_ID, **fields: Any) -> int:
    """Ask under an id of one's own; return the call once it is pending."""
    number = peer.post("agent.ask_user", {**LEAST, "id": request_id, **fields})
    assert await peer.push("agent.pending") == {"id": request_id}
    return number


async def give(peer: Peer, value: str, request_id: str = OWN_ID) -> Any:
    return await peer.call("agent.ask_answer", {"request_id": request_id, "value": value})


async def ended(stage: Stage, request_id: str = OWN_ID) -> dict[str, Any]:
    """Return a request that is over, waiting for that."""
    person = await stage.peer()
    await person.call("desk.subscribe")
    while True:
        change = await person.push("desk.change")
        known = change.get("snapshot", {}).get("ended", [change.get("request", {})])
        for one in known:
            if one.get("id") == request_id and one["state"] not in ("pending", "answered"):
                return one


async def test_a_program_asks_and_its_call_brings_the_answer() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = peer.post("agent.ask_user", LEAST)
        pending: list[dict[str, Any]] = []
        while not pending:
            pending = (await person.call("agent.ask_pending"))["pending"]
        (one,) = pending
        assert (one["surface_id"], one["kind"], one["title"]) == ("s:1", "yesno", "Go on?")
        assert (await person.call("agent.ask_pending", {"surface_id": "s:2"}))["pending"] == []
        assert await give(person, "no", one["request_id"]) == {"resolved": True}
        answer = await peer.answer_to(call)
        assert answer["result"] == {"request_id": one["request_id"], "action": "ok", "value": "no"}
        assert peer.pushed == []  # who gave no id is told nothing but the answer
        assert (await ended(stage, one["request_id"]))["state"] == "delivered"


async def test_case_18_a_value_that_does_not_fit_leaves_it_pending() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = await asked(peer)
        refused = await give(person, "maybe")
        assert refused == {"resolved": False, "reason": "value must be yes or no"}
        assert await give(person, "yes") == {"resolved": True}
        assert await give(person, "yes") == {"resolved": False}
        assert await give(person, "yes", "req:1") == {"resolved": False}
        assert (await peer.answer_to(call))["result"]["value"] == "yes"


@pytest.mark.parametrize("params", [{}, {"request_id": OWN_ID}, {"request_id": OWN_ID, "value": 7}])
async def test_an_answer_names_what_it_lacks(params: dict[str, Any]) -> None:
    async with desk() as stage:
        person = await stage.peer()
        error = await person.error("agent.ask_answer", params)
        assert error["data"]["code"] == "bad_request"
        assert "value" in error["message"] or "request_id" in error["message"]


async def test_a_command_takes_two_steps_in_the_words_of_the_document() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = await asked(peer, **COMMAND)
        early = await give(person, "run")
        assert (early["resolved"], "acknowledge" in early["reason"]) == (False, True)
        assert await give(person, "ack") == {"resolved": False, "acknowledged": True}
        (shown,) = (await person.call("agent.ask_pending"))["pending"]
        assert (shown["body"], shown["unsafe"]) == ("rm -r x", True)  # in sight at the second step, too
        assert await give(person, "run") == {"resolved": True}
        assert (await peer.answer_to(call))["result"]["value"] == "run"


async def test_a_command_takes_two_steps_from_every_channel() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = await asked(peer, **COMMAND)
        ack, run = ({"id": OWN_ID, "reply": {"behavior": "allow", "step": step}} for step in ("ack", "run"))
        error = await person.error("desk.answer", run)
        assert error["data"]["field"] == "step"
        assert await person.call("desk.answer", ack) == {"ok": True, "state": "pending", "acknowledged": True}
        assert await person.call("desk.answer", run) == {"ok": True, "state": "answered"}
        assert (await peer.answer_to(call))["result"]["action"] == "ok"


async def test_case_43_what_was_not_shown_to_its_end_is_not_answered() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = await asked(peer, body="x" * 5000)
        assert "read it first" in (await give(person, "yes"))["reason"]
        (shown,) = (await person.call("agent.ask_pending"))["pending"]
        assert (shown["body"], "body_length" in shown) == ("x" * 5000, False)
        assert await give(person, "yes") == {"resolved": True}
        assert (await peer.answer_to(call))["result"]["value"] == "yes"


async def test_of_very_long_bodies_as_many_are_given_whole_as_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asks, "MOST_WHOLE_CHARS", 12_000)
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        for number in range(3):
            await asked(peer, f"{number}" * 32, body="x" * 5000)
        pending = (await person.call("agent.ask_pending"))["pending"]
        assert [len(one["body"]) for one in pending] == [5000, 5000, 4000]
        assert pending[2]["body_length"] == 5000
        assert "read it first" in (await give(person, "yes", "2" * 32))["reason"]
        await person.call("desk.row", {"id": "2" * 32, "row": 0})
        assert await give(person, "yes", "2" * 32) == {"resolved": True}


async def test_an_agents_own_request_is_answered_in_its_own_way() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        _, request_id = await hook.ask()
        assert "another way" in (await give(person, "yes", request_id))["reason"]
        assert await person.call("agent.ask_cancel", {"request_id": request_id}) == {"resolved": False}
        assert (await person.call("agent.ask_pending"))["pending"] == []
        assert (await person.call("desk.health"))["pending"] == 1


# --- ends ------------------------------------------------------------------------------------


async def test_a_timeout_is_told_as_one() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        answer = await peer.call("agent.ask_user", {**LEAST, "timeout_ms": 1})
        assert (answer["action"], set(answer)) == ("timeout", {"request_id", "action"})


async def test_a_caller_that_hangs_up_takes_its_question_along() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        await asked(peer)
        await peer.close()
        end = await ended(stage)
        assert (end["state"], end["ending"]) == ("withdrawn", "the program that asked has ended")


async def test_a_program_takes_its_own_back() -> None:
    async with desk() as stage:
        peer, sibling = await stage.peer(), await stage.peer()
        call = await asked(peer)
        cancel = {"request_id": OWN_ID, "reason": "not needed: ghp_0123456789012345678901234567890123456789"}
        assert await sibling.call("agent.ask_cancel", cancel) == {"resolved": True}
        result = (await peer.answer_to(call))["result"]
        assert result["action"] == "cancel"
        assert result["reason"].startswith("not needed: ghp_")
        assert "0123456789" not in result["reason"]
        assert await sibling.call("agent.ask_cancel", cancel) == {"resolved": False}
        assert (await ended(stage))["state"] == "withdrawn"


async def test_a_person_cancels_with_words() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = await asked(peer)
        reply = {"behavior": "cancel", "message": "ask me tomorrow"}
        await person.call("desk.answer", {"id": OWN_ID, "reply": reply})
        result = (await peer.answer_to(call))["result"]
        assert (result["action"], result["reason"]) == ("cancel", "ask me tomorrow")


async def test_release_decides_nothing_and_says_so() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = await asked(peer)
        await person.call("desk.release", {"id": OWN_ID})
        result = (await peer.answer_to(call))["result"]
        assert (result["action"], result["reason"]) == ("cancel", "given back: nothing was decided")


async def test_a_closed_pane_takes_its_questions_along() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        call = await asked(peer)
        runtime = stage.daemon.runtime
        runtime.desk.close_surface("s:1", runtime.now())
        runtime.settle()
        result = (await peer.answer_to(call))["result"]
        assert (result["action"], "pane" in result["reason"]) == ("cancel", True)


async def test_a_stop_is_told_to_who_asked() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = await asked(peer)
        await person.call("desk.stop")
        result = (await peer.answer_to(call))["result"]
        assert (result["action"], result["reason"]) == ("cancel", "sayso was stopped: nothing was decided")


async def test_what_times_out_as_the_desk_ends_has_timed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async with desk() as stage:
        peer = await stage.peer()
        call = peer.post("agent.ask_user", {**LEAST, "timeout_ms": 60_000})
        assert len((await peer.call("agent.ask_pending"))["pending"]) == 1
        runtime = stage.daemon.runtime
        later_s = runtime.now() + 60
        monkeypatch.setattr(runtime, "now", lambda: later_s)
        stage.daemon.stop(True)
        assert (await peer.answer_to(call))["result"]["action"] == "timeout"


async def test_a_restart_keeps_what_can_find_its_way_back_and_ends_the_rest_in_words() -> None:
    here = private_home()
    async with running(here) as stage:
        with_id, without, person = await stage.peer(), await stage.peer(), await stage.peer()
        await asked(with_id)
        call = without.post("agent.ask_user", LEAST)
        assert len((await without.call("agent.ask_pending"))["pending"]) == 2
        await person.call("desk.stop", {"restart": True})
        result = (await without.answer_to(call))["result"]
        assert (result["action"], result["reason"]) == ("cancel", "the desk starts anew: ask again")
        assert await with_id.is_closed()  # without a word
    async with running(here) as stage:
        peer, person = await stage.peer(), await stage.peer()
        call = await asked(peer, resumed=True)
        assert await give(person, "yes") == {"resolved": True}
        assert (await peer.answer_to(call))["result"]["value"] == "yes"


async def test_case_12_an_id_is_taken_once() -> None:
    async with desk() as stage:
        peer, other = await stage.peer(), await stage.peer()
        await asked(peer)
        error = await other.error("agent.ask_user", {**LEAST, "id": OWN_ID})
        assert error["data"]["field"] == "id"


async def test_two_answers_at_once_are_one() -> None:
    async with desk() as stage:
        peer, ada, bob = await stage.peer(), await stage.peer(), await stage.peer()
        call = await asked(peer)
        yes = ada.post("agent.ask_answer", {"request_id": OWN_ID, "value": "yes"})
        no = bob.post("agent.ask_answer", {"request_id": OWN_ID, "value": "no"})
        answers = [await ada.answer_to(yes), await bob.answer_to(no)]
        said = [answer["result"]["resolved"] for answer in answers]
        assert sorted(said) == [False, True]
        value = (await peer.answer_to(call))["result"]["value"]
        assert value == ("yes" if said[0] else "no")


# --- bounds ----------------------------------------------------------------------------------


async def test_a_full_desk_says_so_at_once() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        await person.call("desk.settings", {"settings": {"pending_per_agent": 1}})
        await asked(peer)
        error = await peer.error("agent.ask_user", LEAST)
        assert (error["data"]["code"], error["data"]["status"]) == ("too_many", 503)
        # One that reads plain errors goes on after an error as if nobody had been to be asked.
        result = await peer.call("agent.ask_user", COMMAND)
        assert (result["action"], "too many" in result["reason"]) == ("cancel", True)


async def test_what_is_too_long_is_cancelled_for_who_would_go_on_after_an_error() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        long = {**COMMAND, "body": "rm -r x #" + "x" * MAX_BODY_CHARS}
        error = await peer.error("agent.ask_user", long)
        assert (error["data"]["code"], error["data"]["field"]) == ("bad_request", "body")
        result = await peer.call("agent.ask_user", long)
        assert (result["action"], "body has at most" in result["reason"]) == ("cancel", True)
        assert result["request_id"]


async def test_a_question_does_not_hold_up_what_is_called_after_it() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        call = peer.post("agent.ask_user", LEAST)
        (one,) = (await peer.call("agent.ask_pending"))["pending"]
        assert await give(peer, "yes", one["request_id"]) == {"resolved": True}
        assert any(message.get("id") == call for message in peer.pushed)


async def test_words_of_a_program_are_bounded() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        await asked(peer)
        for method, params, field in (
            ("agent.ask_cancel", {"request_id": OWN_ID, "reason": "x" * (MAX_MESSAGE_CHARS + 1)}, "reason"),
            ("agent.notify", {"title": "Built", "body": "x" * (MAX_MESSAGE_CHARS + 1)}, "body"),
        ):
            error = await peer.error(method, params)
            assert (error["data"]["code"], error["data"]["field"]) == ("bad_request", field)
        assert len((await peer.call("agent.ask_pending"))["pending"]) == 1


async def test_it_is_masked_and_what_would_go_back_hidden_is_refused() -> None:
    token = "ghp_0123456789012345678901234567890123456789"
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        await asked(peer, title=f"Use {token}?", body=f"export X={token}", agent_id=token)
        assert token not in str(await person.call("desk.list"))
        choices = {**LEAST, "kind": "choice", "choices": [{"id": token, "label": "x"}]}
        error = await peer.error("agent.ask_user", choices)
        assert error["data"]["field"] == "choices"
        assert token not in error["message"]


# --- notes and events ------------------------------------------------------------------------


async def test_a_note_is_told_masked_and_kept_a_while() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        await person.call("desk.subscribe")
        note = {
            "title": "Built",
            "body": "with password=hunter2hunter2",
            "agent_id": "ci",
            "cwd": "/srv/shop",
        }
        assert await peer.call("agent.notify", note) == {"ok": True}
        change = await person.push("desk.change", lambda change: change["type"] == "note")
        assert change["note"].items() >= {"title": "Built", "label": "ci", "project": "shop"}.items()
        assert "hunter2" not in str(change)
        assert (await peer.call("desk.list"))["notes"] == [change["note"]]


async def test_a_program_cannot_drown_a_person_in_notes() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        for number in range(20):
            await peer.call("agent.notify", {"title": f"note {number}"})
        error = await peer.error("agent.notify", {"title": "one more"})
        assert error["data"]["code"] == "too_many"


async def test_who_asks_for_the_snapshot_again_is_told_all_else_once() -> None:
    async with desk() as stage:
        peer, person = await stage.peer(), await stage.peer()
        for _ in range(3):
            assert await person.call("askUserRequestSnapshot") == {"ok": True}
            assert (await person.push("askUserEvent"))["kind"] == "snapshot"
        await asked(peer)
        await person.call("agent.ask_pending")
        await person.push("askUserEvent")
        await asked(peer, "cd" * 16)
        shown = await person.push("askUserEvent")
        assert shown["request"]["request_id"] == "cd" * 16


async def test_subscribers_are_told_in_the_words_of_the_document() -> None:
    async with desk() as stage:
        peer, person, other = await stage.peer(), await stage.peer(), await stage.peer()
        call = await asked(peer)
        assert await person.call("askUserRequestSnapshot") == {"ok": True}
        snapshot = await person.push("askUserEvent")
        assert (snapshot["kind"], [one["request_id"] for one in snapshot["pending"]]) == (
            "snapshot",
            [OWN_ID],
        )
        await give(other, "yes")
        response = {"request_id": OWN_ID, "action": "ok", "value": "yes"}
        assert await person.push("askUserEvent") == {
            "kind": "resolved",
            "request_id": OWN_ID,
            "response": response,
        }
        await peer.answer_to(call)
        await asked(peer, "cd" * 16, kind="text")
        shown = await person.push("askUserEvent")
        assert (shown["kind"], shown["request"]["request_id"]) == ("shown", "cd" * 16)


async def test_who_asked_hears_of_a_time_out_that_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.core.requests.KEEP_ENDED_COUNT", 0)
    async with desk() as stage:
        peer = await stage.peer()
        answer = await peer.call("agent.ask_user", {**LEAST, "id": OWN_ID, "timeout_ms": 1})
        assert answer == {"request_id": OWN_ID, "action": "timeout"}
