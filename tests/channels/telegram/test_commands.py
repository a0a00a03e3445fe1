"""The commands of the chat, and messages to sessions."""

from __future__ import annotations

import time

import pytest

from sayso.channels import notices, notifier
from sayso.channels.telegram import bell
from sayso.channels.telegram.commands import parsed
from sayso.channels.telegram.shower import UNSENT
from sayso.core.types import EventType, HookEvent
from sayso.wire.ask_user import Note
from sayso.wire.protocol import MuteParams
from tests.channels.telegram.stage import ADA, BOB, Person, Shown, Stage, running


def begin(stage: Stage, session_id: str, cwd: str = "/w/app") -> None:
    now = stage.runtime.now()
    event = HookEvent(
        agent="claude-code", session_id=session_id, type=EventType.PROMPT, at_s=now, cwd=cwd, prompt="fix it"
    )
    stage.runtime.desk.observe(event, now, f"{len(session_id)}:1")
    stage.runtime.settle()


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("/pending", ("pending", "")),
        ("/mute@sayso_bot 2h", ("mute", "2h")),
        ("/send s1 two\nlines", ("send", "s1 two\nlines")),
        ("/usr/bin", None),
        ("/unknown", None),
        ("pending", None),
    ],
)
def test_what_is_a_command(text: str, of: tuple[str, str] | None) -> None:
    assert parsed(text) == of


async def test_nothing_waits() -> None:
    async with running(ADA) as (_, ada):
        await ada.write("/pending")
        await ada.card("Nothing waits for you.")


async def test_few_are_shown_again_and_the_old_cards_point_down() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        old = await ada.card()
        data = old.buttons["Allow"]
        await ada.write("/pending")
        await ada.until(old, "Shown again below")
        new = await ada.card("touch x")
        assert new is not old
        assert (await ada.send_data(old.id, data))[1]
        assert (await ada.tap(new, "Allow"))[1] is False
        assert stage.state(asked) == "answered"


async def test_many_are_listed_and_each_can_be_shown() -> None:
    async with running(ADA) as (stage, ada):
        asked = [stage.ask(number=n << 100, session_id=f"s{n}") for n in range(1, 6)]
        await ada.bot.until(lambda: len(ada.sees()) == 5)
        await ada.write("/pending")
        listed = await ada.card("Claude Code wants to use Bash: touch x\n2. ")
        assert len(listed.buttons) == 5
        await ada.tap(listed, "Show 4")
        shown = await ada.bot.until(lambda: [one for one in ada.sees() if one.id > listed.id])
        await ada.tap(shown[0], "Deny")
        assert stage.state(asked[3]) == "answered"
        assert (await ada.tap(listed, "Show 4"))[1]


async def test_a_request_that_is_listed_in_a_group_is_shown_there() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        await ada.card()
        group = Person(stage, ADA, -5)
        await group.write("/pending@sayso_test_bot")
        await group.tap(await group.card(), "Allow")
        assert stage.state(asked) == "answered"
        await ada.until(ada.sees()[0], "telegram): allow")


# --- sessions ------------------------------------------------------------------------------


async def test_a_session_is_written_to_by_a_reply_and_the_message_is_followed() -> None:
    async with running(ADA) as (stage, ada):
        begin(stage, "s1")
        begin(stage, "session-two", "/w/site")
        await ada.write("/sessions")
        listed = await ada.card("session session-")
        await ada.tap(listed, "Write to 1: app")
        card = await ada.card("Reply to this message with what you want to tell it")
        assert card.force_reply
        await ada.write("use the other branch", card)
        told = await ada.card("To Claude Code in app, session s1: queued")
        assert stage.runtime.desk.take("claude-code", "s1", "t1", stage.runtime.now(), False, "2:1")
        stage.runtime.settle()
        await ada.until(told, "on its way")


async def test_a_message_is_sent_by_command_and_taken_back() -> None:
    async with running(ADA) as (stage, ada):
        begin(stage, "s1")
        await ada.write("/send app two\nlines")
        told = await ada.card("queued")
        kept = stage.runtime.desk.snapshot().messages["claude-code", "s1"]
        assert kept.text == "two\nlines"
        assert await ada.tap(told, "Take it back") == ("Taken back.", False)
        await ada.until(told, "dropped")
        assert told.keyboard == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("/send", "Say to whom, and what"),
        ("/send s1", "Say to whom, and what"),
        ("/send nobody hello", "no session is known"),
        (f"/send s1 {'x' * 4081}", "Not sent"),
    ],
)
async def test_what_cannot_be_sent_is_said(text: str, said: str) -> None:
    async with running(ADA) as (stage, ada):
        begin(stage, "s1")
        await ada.write(text)
        await ada.card(said)
        assert not stage.runtime.desk.snapshot().messages


async def test_a_session_that_is_over_takes_no_message() -> None:
    async with running(ADA) as (stage, ada):
        begin(stage, "s1")
        await ada.write("/sessions")
        await ada.tap(await ada.card("session s1"), "Write to 1")
        card = await ada.card("Reply to this message")
        now = stage.runtime.now()
        end = HookEvent(agent="claude-code", session_id="s1", type=EventType.SESSION_END, at_s=now)
        stage.runtime.desk.observe(end, now, "2:1")
        stage.runtime.settle()
        await ada.write("hello", card)
        await ada.card("Not sent")


# --- quiet, help, and what need not be answered --------------------------------------------


@pytest.fixture
def called_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bell, "AWAY_S", 0.0)
    monkeypatch.setattr(notices, "GAP_S", 0.0)
    monkeypatch.setattr(notifier, "PRESENT_S", -1.0)  # who writes in a chat is there, and not called


def be_away(stage: Stage) -> None:
    stage.runtime.desk.change({"away": True}, stage.runtime.now())
    stage.runtime.settle()


async def calls(person: Person) -> list[Shown]:
    """Return what made a sound in somebody's chat, once there is any."""
    found: list[Shown] = await person.bot.until(lambda: [one for one in person.sees() if not one.silent])
    return found


@pytest.mark.usefixtures("called_at_once")
async def test_mute_takes_the_sound_and_nothing_else() -> None:
    async with running(ADA, BOB) as (stage, ada, bob):
        be_away(stage)
        await ada.write("/mute 2h")
        await ada.card("makes no sound for 1 h 59 min")
        assert 7100 < stage.chats.muted_until(ADA) - time.time() <= 7200
        stage.ask()
        assert (await ada.card()).silent
        card = await bob.card()
        (call,) = await calls(bob)
        assert (card.silent, call.reply_to, call.text.startswith("Claude Code in app")) == (
            True,
            card.id,
            True,
        )
        assert all(one.silent for one in ada.sees())
        await ada.write("/mute off")
        await ada.card("What comes makes a sound.")
        assert stage.chats.muted_until(ADA) == 0


@pytest.mark.usefixtures("called_at_once")
async def test_a_request_of_a_muted_session_makes_no_sound() -> None:
    async with running(ADA) as (stage, ada):
        be_away(stage)
        begin(stage, "s1")
        stage.runtime.mutes.change(MuteParams(agent="claude-code", session_id="s1"))
        stage.ask()
        assert (await ada.card()).silent
        stage.ask(session_id="s2")
        card = await ada.card("session s2")
        assert [call.reply_to for call in await calls(ada)] == [card.id]


@pytest.mark.usefixtures("called_at_once")
async def test_what_called_goes_when_it_was_answered_elsewhere() -> None:
    async with running(ADA) as (stage, ada):
        be_away(stage)
        asked = stage.ask()
        await calls(ada)
        stage.answer(asked, behavior="allow")
        await ada.bot.until(lambda: all(one.silent for one in ada.sees()))


async def test_mute_alone_changes_nothing_but_asks() -> None:
    async with running(ADA) as (stage, ada):
        await ada.write("/mute")
        asks = await ada.card("For how long")
        assert stage.chats.muted_until(ADA) == 0
        await ada.tap(asks, "8 hours")
        assert stage.chats.muted_until(ADA) > time.time() + 28_000
        await ada.tap(asks, "Sound on")
        assert stage.chats.muted_until(ADA) == 0
        await ada.write("/mute for ever")
        await ada.card("'for ever' is no length of time")


async def test_help_names_every_command() -> None:
    async with running(ADA) as (_, ada):
        await ada.write("/start")
        said = await ada.card("Words count only as a reply")
        assert all(f"/{name}" in said.text for name in ("pending", "sessions", "send", "mute", "help"))


async def test_notes_are_passed_on_many_in_one_message() -> None:
    async with running(ADA) as (stage, ada):
        await ada.write("/help")
        await ada.card("Words count")
        gate = ada.bot.gate()
        stage.runtime.note(Note(title="deployed", body="14 commits"), "program")
        await ada.card("deployed: 14 commits")
        for number in range(30):
            stage.runtime.note(Note(title=f"note {number}."), "program")
        stage.runtime.note(Note(title=UNSENT), "program")
        gate.set()
        told = await ada.card("note 0.")
        assert "note 19." in told.text
        assert "10 more: sayso list" in told.text


async def test_who_writes_is_there() -> None:
    async with running(ADA) as (stage, ada):
        assert not stage.inside.person_within(60)
        await ada.write("/help")
        assert stage.inside.person_within(60)
