"""Calls of tools through the SDK's own client, in both forms of the protocol that it speaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from sayso.client.aio import Desk
from sayso.intake.mcp import asks as asks_module
from sayso.intake.mcp.asks import Asks
from sayso.intake.mcp.server import server_of
from tests.client.fake_desk import FakeDesk, fake_desk

LONG_S = 60.0


class Pair:
    """A client of the tools, and the desk behind them."""

    def __init__(self, client: Client, desk: FakeDesk) -> None:
        self.client = client
        self.desk = desk

    def call(self, name: str, **arguments: Any) -> asyncio.Task[CallToolResult]:
        return asyncio.create_task(self.client.call_tool(name, arguments))

    async def asked(self, nth: int = 1) -> dict[str, Any]:
        return (await self.desk.asked(nth))[nth - 1]


@asynccontextmanager
async def pair(folder: Path, limit_s: float = LONG_S, mode: str = "auto") -> AsyncGenerator[Pair]:
    async with fake_desk(folder) as desk:
        asks = Asks(Desk(desk.path), limit_s)
        try:
            async with Client(server_of(asks, {"SAYSO_SURFACE": "here"}), mode=mode) as client:
                yield Pair(client, desk)
        finally:
            await asks.close()


def text(result: CallToolResult) -> str:
    (part,) = result.content
    assert isinstance(part, TextContent)
    return part.text


def told(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error
    members: dict[str, Any] = result.structured_content
    assert members["message"] == text(result)
    return {name: value for name, value in members.items() if name != "message"}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_tools_are_offered_as_such_that_change_nothing(tmp_path: Path, mode: str) -> None:
    async with pair(tmp_path, mode=mode) as both:
        tools = (await both.client.list_tools()).tools
        assert [tool.name for tool in tools][:4] == ["ask_yesno", "ask_choice", "ask_text", "confirm_command"]
        for tool in tools:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert tool.annotations.destructive_hint is False
            assert tool.annotations.idempotent_hint == (tool.name == "ask_wait")


CALLS: list[tuple[str, dict[str, Any], str, str]] = [
    ("ask_yesno", {"title": "Deploy?"}, "no", "The person answered: no"),
    ("ask_choice", {"title": "Which?", "choices": [{"id": "a"}]}, "a", "The person answered: a"),
    ("ask_text", {"title": "Why?"}, "so, and\nso", "The person answered: so, and\nso"),
    ("ask_text", {"title": "Why?"}, "", "The person answered with an empty text."),
    ("confirm_command", {"command": "ls"}, "run", "has not been run"),
]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("name", "arguments", "value", "words"), CALLS)
async def test_an_answer(
    tmp_path: Path, name: str, arguments: dict[str, Any], value: str, words: str, mode: str
) -> None:
    async with pair(tmp_path, mode=mode) as both:
        call = both.call(name, **arguments)
        asked = await both.asked()
        assert asked["surface_id"] == "here"
        assert asked["cwd"] == str(Path.cwd())
        assert asked["agent_id"] == "mcp"
        await both.desk.answer(asked["id"], action="ok", value=value)
        result = await call
        assert told(result) == {"status": "answered", "request_id": asked["id"], "value": value}
        assert words in text(result)


async def test_case_25_every_other_end_says_what_it_was_and_that_nothing_was_decided(tmp_path: Path) -> None:
    async with pair(tmp_path) as both:
        results: list[CallToolResult] = []
        for nth, end in enumerate(
            [{"action": "timeout"}, {"action": "cancel"}, {"action": "cancel", "reason": "not on a Friday"}],
            1,
        ):
            call = both.call("ask_yesno", title="Deploy?")
            await both.desk.answer((await both.asked(nth))["id"], **end)
            results.append(await call)
        statuses = [told(result)["status"] for result in results]
        assert statuses == ["timed_out", "cancelled", "cancelled"]
        assert all("Nothing was decided" in text(result) for result in results)
        assert all("Do not ask it again by yourself" in text(result) for result in results)
        assert not any("answered:" in text(result) for result in results)
        assert told(results[2])["reason"] == "not on a Friday"
        assert "not on a Friday" in text(results[2])


async def test_case_22_before_the_limit_the_call_says_that_the_question_is_open(tmp_path: Path) -> None:
    async with pair(tmp_path, limit_s=0.2) as both:
        first = await both.client.call_tool("ask_yesno", {"title": "Deploy?"})
        name = (await both.asked())["id"]
        assert told(first) == {"status": "pending", "request_id": name, "pending": True}
        assert "has not answered yet" in text(first)
        again = await both.client.call_tool("ask_wait", {"request_id": name})
        assert told(again) == told(first)
        assert both.desk.waiting == [name]
        wait = both.call("ask_wait", request_id=name)
        await both.desk.answer(name, action="ok", value="yes")
        assert told(await wait)["value"] == "yes"
        # A model that asks for the same result once more gets the same.
        assert told(await both.client.call_tool("ask_wait", {"request_id": name}))["value"] == "yes"
        assert len(both.desk.heard("agent.ask_user")) == 1


async def test_an_answer_between_two_calls_is_kept(tmp_path: Path) -> None:
    async with pair(tmp_path, limit_s=0.1) as both:
        name = told(await both.client.call_tool("ask_text", {"title": "Why?"}))["request_id"]
        await both.desk.answer(name, action="ok", value="so")
        assert told(await both.client.call_tool("ask_wait", {"request_id": name}))["value"] == "so"


async def test_waiting_for_what_was_never_asked(tmp_path: Path) -> None:
    async with pair(tmp_path) as both:
        result = await both.client.call_tool("ask_wait", {"request_id": "f" * 32})
        assert result.is_error
        assert "request_id" in text(result)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_call_that_is_cancelled_withdraws_its_question_alone(tmp_path: Path, mode: str) -> None:
    async with pair(tmp_path, mode=mode) as both:
        stays = both.call("ask_yesno", title="Stay?")
        kept = (await both.asked(1))["id"]
        goes = both.call("ask_yesno", title="Go?")
        await both.asked(2)
        goes.cancel()
        await both.desk.until(lambda: both.desk.waiting == [kept])
        assert len(both.desk.heard("agent.ask_cancel")) == 1
        await both.desk.answer(kept, action="ok", value="yes")
        assert told(await stays)["value"] == "yes"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_cancelling_one_wait_ends_that_wait_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    left = asyncio.Event()
    leave = Asks._leave  # pyright: ignore[reportPrivateUsage]

    def leaves(asks: Asks, asked: Any) -> None:
        leave(asks, asked)
        asks._limit_s = LONG_S  # pyright: ignore[reportPrivateUsage]
        left.set()

    monkeypatch.setattr(Asks, "_leave", leaves)
    async with pair(tmp_path, limit_s=0.1, mode=mode) as both:
        name = told(await both.client.call_tool("ask_yesno", {"title": "Deploy?"}))["request_id"]
        heard = asyncio.Event()

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            heard.set()

        arguments = {"request_id": name}
        wait = asyncio.create_task(both.client.call_tool("ask_wait", arguments, progress_callback=progress))
        await asyncio.wait_for(heard.wait(), 10)
        left.clear()
        wait.cancel()
        await asyncio.wait_for(left.wait(), 10)
        again = both.call("ask_wait", request_id=name)
        await both.client.call_tool("notify", {"title": "Meanwhile"})
        assert both.desk.waiting == [name]
        assert both.desk.heard("agent.ask_cancel") == []
        await both.desk.answer(name, action="ok", value="yes")
        assert told(await again)["value"] == "yes"


async def test_what_no_wait_attends_is_withdrawn_with_the_session(tmp_path: Path) -> None:
    async with fake_desk(tmp_path) as desk:
        asks = Asks(Desk(desk.path), 0.1)
        async with Client(server_of(asks, {})) as client:
            name = told(await client.call_tool("ask_yesno", {"title": "Deploy?"}))["request_id"]
            wait = asyncio.create_task(client.call_tool("ask_wait", {"request_id": name}))
            wait.cancel()
            assert desk.waiting == [name]
        await asks.close()
        await desk.until(lambda: not desk.waiting)


async def test_progress_is_told_to_whoever_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asks_module, "PROGRESS_S", 0.02)
    async with pair(tmp_path) as both:
        notes: list[tuple[float, str | None]] = []
        enough = asyncio.Event()

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            notes.append((progress, message))
            if len(notes) == 3:
                enough.set()

        arguments = {"title": "Deploy?"}
        call = asyncio.create_task(both.client.call_tool("ask_yesno", arguments, progress_callback=progress))
        await asyncio.wait_for(enough.wait(), 10)
        await both.desk.answer((await both.asked())["id"], action="ok", value="yes")
        await call
        passed = [note[0] for note in notes]
        assert passed == sorted(passed)
        assert {note[1] for note in notes} == {"waiting for the person: Deploy?"}


async def test_a_question_that_nobody_waits_for_any_more_is_withdrawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asks_module, "UNATTENDED_S", 0.2)
    async with pair(tmp_path, limit_s=0.05) as both:
        name = told(await both.client.call_tool("ask_yesno", {"title": "Deploy?"}))["request_id"]
        await both.desk.until(lambda: not both.desk.waiting)
        ended = told(await both.client.call_tool("ask_wait", {"request_id": name}))
        assert ended["status"] == "cancelled"
        assert "no longer waited" in ended["reason"]


async def test_a_note(tmp_path: Path) -> None:
    async with pair(tmp_path) as both:
        result = await both.client.call_tool("notify", {"title": "Built", "body": "in 3 min"})
        assert told(result) == {"status": "told"}
        (note,) = both.desk.heard("agent.notify")
        assert (note["title"], note["body"], note["surface_id"]) == ("Built", "in 3 min", "here")


@pytest.mark.parametrize("name", ["ask_yesno", "notify"])
async def test_without_a_desk_it_is_said_at_once(tmp_path: Path, name: str) -> None:
    asks = Asks(Desk(str(tmp_path / "nothing")), LONG_S)
    async with Client(server_of(asks, {})) as client:
        result = await client.call_tool(name, {"title": "Deploy?"})
    await asks.close()
    assert result.is_error
    assert "cannot be asked now: no desk is running" in text(result)
    assert "Nothing was decided" in text(result)


async def test_a_question_that_the_desk_does_not_take_is_not_called_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asks_module, "TAKEN_S", 0.1)
    async with pair(tmp_path) as both:
        both.desk.takes = False
        result = await both.client.call_tool("ask_yesno", {"title": "Deploy?"})
        assert result.is_error
        assert "did not take the question" in text(result)
        await both.desk.until(lambda: not both.desk.waiting)


async def test_a_desk_that_opens_later_is_found(tmp_path: Path) -> None:
    async with pair(tmp_path) as both:
        await both.desk.close()
        assert (await both.client.call_tool("notify", {"title": "Built"})).is_error
        await both.desk.open()
        assert not (await both.client.call_tool("notify", {"title": "Built"})).is_error


async def test_what_the_desk_or_the_tool_refuses_is_said_in_words(tmp_path: Path) -> None:
    async with pair(tmp_path) as both:
        data = {"code": "bad_request", "field": "title"}
        both.desk.refuses["agent.ask_user"] = {"message": "title must be one line", "data": data}
        refused = await both.client.call_tool("ask_yesno", {"title": "a\nb"})
        assert refused.is_error
        assert text(refused) == "Nobody was asked, because of the arguments: title must be one line"
        both.desk.refuses["agent.ask_user"] = {"message": "64 questions wait", "data": {"code": "too_many"}}
        full = await both.client.call_tool("ask_yesno", {"title": "?"})
        assert full.is_error
        assert text(full) == "Nobody was asked: 64 questions wait"
        strange = await both.client.call_tool("ask_yesno", {"title": "?", "titel": "?"})
        assert strange.is_error
        assert "titel" in text(strange)
