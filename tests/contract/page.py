"""A person at the page, in a real browser: one who points, and one who has a keyboard alone.

What they do follows from the reply that the row gives over HTTP; on the page they find what belongs to it
by what it is called, as a reader of screens does. Not here: what they answer, the browser itself.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from playwright.sync_api import Locator, expect

from sayso.core.types import DIRECT, Kind
from tests.browser.chromium import Chromium
from tests.contract.rows import Row
from tests.desks import Home

Json = dict[str, Any]
WORDS_OF_DENY = ("Deny…", "Deny", "Deny and stop")
WORDS_OF_CANCEL = ("Cancel…", "Cancel it", "")
WORDS_OF_NO = {
    Kind.QUESTION: ("Do not answer…", "Deny", "Deny and stop"),
    Kind.PLAN: ("Keep planning…", "Send it back", "Send it back and stop"),
}
"""What leads to the reason, what then sends it, and what also stops the turn."""
MOST_TABS = 80


class Page:
    """At a page of one's own, paired by a one-time link. `name`: what the desk knows it by."""

    name = ""

    def __init__(self, home: Home) -> None:
        self._chromium = Chromium().__enter__()
        try:
            with home.desk() as desk:
                address = desk.call("desk.health", {})["http"]
            self.tab = self._chromium.tab(address)
            self.tab.pair(home.sayso("open", "--print", "--name", self.name).stdout.split()[-1])
        except BaseException:
            self._chromium.__exit__(None, None, None)
            raise

    def close(self) -> None:
        flaws = self.tab.closed()
        self._chromium.__exit__(None, None, None)
        assert flaws == []

    def answer(self, request: Json, row: Row) -> None:
        reply = row.http or {}
        self.open(request["id"])
        if row.ack:
            self.press("I understand the command", "a")
            expect(self.tab.button("Run it")).to_be_enabled()
        self.steps(request, row, reply)
        said = "anded to the program" if row.kind in DIRECT else "anded to the agent"
        expect(self.tab.card).to_contain_text(said)

    def steps(self, request: Json, row: Row, reply: Json) -> None:
        if reply["behavior"] == "deny" or (reply["behavior"] == "cancel" and row.kind in DIRECT):
            self.refuse(row, reply)
        elif reply["behavior"] == "cancel":
            self.press("Cancel")
        elif row.kind is Kind.PERMISSION:
            self.allow(request, reply)
        elif row.kind is Kind.QUESTION:
            self.reply_to(reply["answers"], request["questions"])
        elif row.kind is Kind.PLAN:
            self.approve(request, reply)
        elif row.kind is Kind.ELICITATION:
            self.fill_in(request, reply.get("content"))
        else:
            self.give(request, reply)

    # --- what each does in their own way ---------------------------------------------------

    def open(self, request_id: str) -> None:
        raise NotImplementedError

    def press(self, label: str, key: str = "") -> None:
        """Press the button with this label; a key does the same."""
        raise NotImplementedError

    def choose(self, item: Locator, number: int = 0) -> None:
        """Choose an item of a list; its number does the same."""
        raise NotImplementedError

    def write(self, field: Locator, text: str, key: str = "") -> None:
        """Write into a field; a key leads there."""
        raise NotImplementedError

    # --- what is on the card ---------------------------------------------------------------

    def item(self, label: str, role: Literal["radio", "checkbox"] = "radio") -> Locator:
        return self.tab.card.get_by_role(role, name=label)

    def field(self, label: str) -> Locator:
        return self.tab.card.get_by_label(label)

    # --- kinds -----------------------------------------------------------------------------

    def refuse(self, row: Row, reply: Json) -> None:
        if row.kind is Kind.ELICITATION:
            self.press("Decline")
            return
        lead, go, stop = WORDS_OF_NO.get(row.kind, WORDS_OF_CANCEL if row.kind in DIRECT else WORDS_OF_DENY)
        self.press(lead, "d")
        if reply.get("message"):
            self.write(self.tab.card.locator("textarea"), reply["message"])
        self.press(stop if reply.get("interrupt") else go)

    def allow(self, view: Json, reply: Json) -> None:
        if "suggestion" in reply:
            number = int(reply["suggestion"])
            self.choose(self.item(view["suggestions"][number]["label"]), number + 1)
        self.press("Allow, and ask for this" if "suggestion" in reply else "Allow", "a")

    def reply_to(self, answers: list[Json], questions: list[Json]) -> None:
        for at, (answer, question) in enumerate(zip(answers, questions, strict=True)):
            role = "checkbox" if question["multi_select"] else "radio"
            labels = [option["label"] for option in question["options"]]
            for label in answer.get("picked", ()):
                self.choose(self.item(label, role), labels.index(label) + 1)
            if "text" in answer:
                self.choose(self.item("In my own words", role), len(labels) + 1)
                self.write(self.field("Your own words"), answer["text"])
            if "notes" in answer:
                self.press("Add a note", "n")
                self.write(self.field("A note beside your answer"), answer["notes"])
            if len(answers) > 1:
                self.press("Look over the answers" if at + 1 == len(answers) else "Next question")
        self.press("Send the answers" if len(answers) > 1 else "Answer")

    def approve(self, view: Json, reply: Json) -> None:
        if "plan" in reply:
            self.press("Edit")
            self.write(self.field("The plan, as you would have it"), reply["plan"])
        number = view["modes"].index(reply["mode"])
        self.choose(self.tab.card.get_by_role("radio").nth(number), number + 1)
        self.press("Approve as edited" if "plan" in reply else "Approve")

    def fill_in(self, view: Json, content: Json | None) -> None:
        for field in view.get("fields", ()):
            value, name = (content or {})[field["name"]], field.get("title") or field["name"]
            group = self.tab.card.get_by_role("group", name=name)
            match field.get("type", "string"):
                case "boolean":
                    self.choose(group.get_by_role("radio", name="Yes" if value else "No", exact=True))
                case "choice":
                    self.choose(group.get_by_role("radio", name=value))
                case _:
                    self.write(self.field(name), str(value))
        self.press("Send the form" if content else "Accept: I will open it")

    def give(self, view: Json, reply: Json) -> None:
        if view["kind"] == "confirm-command":
            self.run()
        elif view["kind"] == "text":
            self.write(self.field("Your text"), reply["value"])
            self.press("Send")
            if not reply["value"]:
                self.press("Send an empty text")
        elif view["kind"] == "choice":
            values = [choice["value"] for choice in view["choices"]]
            number = values.index(reply["value"])
            self.choose(self.tab.card.get_by_role("radio").nth(number), number + 1)
            self.press("Answer", "a")
        else:
            label = reply["value"].capitalize()
            is_default = view.get("default") == reply["value"]
            self.press(f"{label} (default)" if is_default else label, label[0].lower())

    def run(self) -> None:
        """Have the command run that was acknowledged."""
        raise NotImplementedError


class Pointing(Page):
    """Whoever points and clicks, or has a finger; of the keyboard, they use what writes text."""

    name = "phone, at the page"

    def open(self, request_id: str) -> None:
        self.tab.show(request_id)

    def press(self, label: str, key: str = "") -> None:
        self.tab.button(label).click()

    def choose(self, item: Locator, number: int = 0) -> None:
        item.check()

    def write(self, field: Locator, text: str, key: str = "") -> None:
        field.fill(text)

    def run(self) -> None:
        self.tab.button("Run it").click()


class Typing(Page):
    """Whoever has a keyboard and nothing else."""

    name = "laptop, at the page"

    def open(self, request_id: str) -> None:
        expect(self.tab.entry(request_id)).to_be_visible()
        self._type("j")
        expect(self.tab.page).to_have_url(re.compile(f"#/inbox/{request_id}$"))

    def press(self, label: str, key: str = "") -> None:
        button = self.tab.button(label)
        expect(button).to_be_enabled()
        if key:
            self._type(key)
        else:
            self._tab_to(button)
            self._type("Enter")

    def choose(self, item: Locator, number: int = 0) -> None:
        if 0 < number < 10 and not self._is_writing():
            self._rest()
            self._type(str(number))
        elif item.evaluate("(e) => e.type") == "checkbox":
            self._tab_to(item)
            self._type(" ")
        else:
            self._tab_to(item.locator("xpath=ancestor::fieldset").get_by_role("radio"))
            self._rest()
            while not item.evaluate("(e) => e.checked"):
                self._type("ArrowDown")
        expect(item).to_be_checked()

    def write(self, field: Locator, text: str, key: str = "") -> None:
        self._tab_to(field)
        self._type("ControlOrMeta+a")
        self.tab.page.keyboard.insert_text(text) if text else self._type("Delete")

    def run(self) -> None:
        self._rest()
        for key in "run":
            self._type(key)

    def _is_writing(self) -> bool:
        """Whether a key would be a letter now."""
        return (
            self.tab.card.locator("textarea:focus, input:not([type=radio], [type=checkbox]):focus").count()
            > 0
        )

    def _rest(self) -> None:
        """Wait until the card takes keys: what just changed must be seen before it counts."""
        expect(self.tab.card.locator(".settling")).to_have_count(0)

    def _type(self, key: str) -> None:
        self.tab.page.keyboard.press(key)

    def _tab_to(self, element: Locator) -> None:
        """Go from one element to the next until one of these has the focus."""
        is_there = "(all) => all.some((e) => e.getRootNode().activeElement === e)"
        for _ in range(MOST_TABS):
            if element.evaluate_all(is_there):
                return
            self._type("Tab")
        raise AssertionError(f"the key Tab does not lead to {element}")
