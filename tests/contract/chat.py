"""A person in a chat of Telegram, who taps and types; at a Bot API server that keeps Telegram's limits.

What they do follows from the reply that the row gives over HTTP; they find buttons by what is written on
them. Each request is answered in a chat of its own, by somebody just paired: one chat takes a message a
second. Not here: what they answer.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from sayso.core.types import DIRECT, Kind
from tests.contract.rows import Row
from tests.desks import Home
from tests.telegram.bot_api import BotServer, served
from tests.telegram.chats import Message
from tests.telegram.paired import api, pair
from tests.telegram.people import Person as Account

Json = dict[str, Any]
_SERVERS: dict[Path, BotServer] = {}
NO = {
    Kind.PERMISSION: ("Deny", "Deny, and say why…", "Deny and stop…"),
    Kind.QUESTION: ("", "Do not answer…", ""),
    Kind.PLAN: ("", "Keep planning…", "Send it back and stop…"),
}
"""What says no at once, with words, and stops the turn."""
MODES = {"default": "…asks before each edit", "acceptEdits": "…without asking", "auto": "…auto mode"}


@contextmanager
def bots(home: Home) -> Generator[list[str]]:
    """A Bot API server for the desk of a home; the words that tell the desk where it is."""
    with served() as server:
        _SERVERS[home.path] = server
        try:
            yield api(server)
        finally:
            del _SERVERS[home.path]


class Chatting:
    """In a private chat with the bot."""

    name = "phone, in a chat"

    def __init__(self, home: Home) -> None:
        self._server = _SERVERS[home.path]
        self._desk = home.desk()
        self._accounts = count(4711)
        self._account = Account(self._server, next(self._accounts), self.name)
        pair(home, self._account)

    def close(self) -> None:
        with closing(self._desk):
            self._desk.call("desk.telegram", {"forget": True})

    def answer(self, request: Json, row: Row) -> None:
        self._pair_anew()
        reply = row.http or {}
        if row.ack:
            self._press("I understand the command")
            self._account.wait_text("You understood the command above")
        if reply["behavior"] != "allow":
            self._refuse(row, reply)
        else:
            self._allow(request, row, reply)

    def _pair_anew(self) -> None:
        opened = self._desk.call("desk.telegram", {"pair": True})
        self._desk.call("desk.telegram", {"revoke": str(self._account.id)})
        self._account = Account(self._server, next(self._accounts), self.name)
        self._account.write(opened["code"])

    # --- hands ---------------------------------------------------------------------------

    def _card(self, label: str) -> tuple[Message, str]:
        """Return the newest message with this button, and what it says; "…": what it says goes on so."""
        loosely, label = label.startswith("…"), label.removeprefix("…")

        def found() -> tuple[Message, str] | None:
            for message in reversed(self._account.sees()):
                for text in message.buttons:
                    if text.removeprefix("☐ ") == label or (loosely and label in text):
                        return message, text
            return None

        card: tuple[Message, str] = self._server.wait(found)
        return card

    def _press(self, label: str) -> None:
        card, button = self._card(label)
        query = self._account.tap(card, button)
        self._account.wait_answer(query)
        assert not query.is_alert, query.answer

    def _reply(self, text: str, label: str) -> None:
        """Reply to the card that has this button; Telegram takes away blanks at both ends."""
        self._account.write(text.strip(), reply_to=self._card(label)[0])

    # --- kinds ---------------------------------------------------------------------------

    def _refuse(self, row: Row, reply: Json) -> None:
        if row.kind is Kind.ELICITATION:
            self._press("Decline" if reply["behavior"] == "deny" else "Cancel")
            return
        at_once, worded, stopping = NO.get(row.kind, ("", "Cancel…", ""))
        message = reply.get("message", "")
        if at_once and not message and not reply.get("interrupt"):
            self._press(at_once)
            return
        self._press(stopping if reply.get("interrupt") else worded)
        if message:
            self._reply(message, "…without words")
        else:
            self._press("…without words")

    def _allow(self, request: Json, row: Row, reply: Json) -> None:
        if row.kind in DIRECT:
            self._give(request, row, reply)
        elif row.kind is Kind.QUESTION:
            self._answers(request["questions"], reply["answers"])
        elif row.kind is Kind.PLAN:
            self._approve(reply)
        elif row.kind is Kind.ELICITATION:
            self._fill_in(request, reply.get("content"))
        elif "suggestion" in reply:
            self._press(f"…Allow + {int(reply['suggestion']) + 1}")
            self._press("Allow, and ask for this")
        else:
            self._press("Allow")

    def _answers(self, questions: list[Json], answers: list[Json]) -> None:
        several = len(questions) > 1
        for question, answer in zip(questions, answers, strict=True):
            labels = [option["label"] for option in question["options"]]
            if "notes" in answer:
                self._press("Add a note…")
                self._reply(answer["notes"], "« Back")
                self._account.wait_text(f"Your note: {answer['notes']}")
            if "text" in answer:
                self._reply(answer["text"], "Answer in my own words…")
            for label in answer.get("picked", ()):
                number = labels.index(label) + 1
                self._press(f"{number}. {label}")
                if question["multi_select"]:
                    self._card(f"☑ {number}. {label}")  # what is sent is what they see
            if question["multi_select"]:
                self._press("Go on" if several else "Send the answer")
        if several:
            self._press("Send the answers")

    def _approve(self, reply: Json) -> None:
        if "plan" in reply:
            self._press("Edit the plan…")
            self._reply(reply["plan"], "« Back")
            self._account.wait_text("Your plan instead of the one above")
        self._press(MODES[reply["mode"]])

    def _fill_in(self, view: Json, content: Json | None) -> None:
        if content is None:
            self._press("Accept: I will open it")
            return
        self._press("Fill it in")
        for number, field in enumerate(view["fields"], 1):
            value = content[field["name"]]
            self._account.wait_text(f"Field {number} of {len(view['fields'])}")
            match field.get("type", "string"):
                case "boolean":
                    self._press("Yes" if value else "No")
                case "choice":
                    self._press(value)
                case _:
                    self._reply(str(value), "« Back")
        self._press("Send the form")

    def _give(self, request: Json, row: Row, reply: Json) -> None:
        match row.kind:
            case Kind.CONFIRM:
                self._press("Run it")
            case Kind.CHOICE:
                values = [choice["value"] for choice in request["choices"]]
                self._press(f"…{values.index(reply['value']) + 1}. ")
            case Kind.TEXT if not reply["value"]:
                self._press("Answer with an empty text…")
                self._press("Send it empty")
            case Kind.TEXT:
                self._reply(reply["value"], "Write it…")
            case _:
                self._press("…" + reply["value"].capitalize())
