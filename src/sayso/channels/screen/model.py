"""The interactive screen as a state machine: keys, changes and results in, actions out.

Pure: no terminal, no socket, no clock; time is an argument. What it looks like is `frame`'s
matter, which tells `shown` what it has put before the person's eyes. The rules that keep an
answer deliberate all live here: nothing is allowed before its end was shown, Enter never
allows, a key just after another card came is ignored, a paste is no key.
Imports the rest of this folder, `base`, `direct`, `replies`, `values`, `core`, `errors` and
`wire.views`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sayso.channels import replies, values
from sayso.channels.base import Line, settled_words
from sayso.channels.direct import default_number
from sayso.channels.screen.actions import Action, Away, Quit, Redraw, Release, Send, Suspend
from sayso.channels.screen.deck import NEVER_S, waits
from sayso.channels.screen.direct_steps import Blank, Choose, Run, Text
from sayso.channels.screen.editor import Editor
from sayso.channels.screen.results import Accepted, Answered, Closed, Worded
from sayso.channels.screen.state import Screen
from sayso.channels.screen.steps import (
    Form,
    Mode,
    Reason,
    Result,
    Review,
    Step,
    Suggest,
    Unseen,
    Words,
    pasted,
)
from sayso.core.direct import ACK
from sayso.core.types import DIRECT, Kind
from sayso.errors import BadReply
from sayso.wire.views import RequestView

GUARD_S = 0.3
"""A key this soon after something else came before the person's eyes was not meant for it."""
INTERRUPTED = 130
CALM = frozenset({"j", "k", "q", "?", "x", "up", "down", " ", "b", "page-up", "page-down"})
"""Keys that answer nothing, so that they need no guard."""
SCROLLS = frozenset({"up", "down", " ", "b", "page-up", "page-down"})
_WAYS: dict[str, str] = {
    Kind.YESNO: "y or n answers it; d cancels it.",
    Kind.CHOICE: "Choose by a number; Enter then answers. d cancels it.",
    Kind.TEXT: "t writes the text; d cancels it.",
    Kind.CONFIRM: "a says that you understand the command; d cancels it. Enter never runs it.",
}
"""What answers the kinds that programs ask themselves, for who tries another key."""


class Model(Screen):
    """The screen. `key_of` makes the key under which an answer counts once."""

    def __init__(self, key_of: Callable[[], str], now_s: float) -> None:
        super().__init__(now_s)
        self._key_of = key_of
        self._step_at_s = NEVER_S
        self._tens = False
        self._keys = self._table()

    # --- from the person

    def key(self, name: str, now_s: float) -> list[Action]:
        """Take a key press."""
        self.attention.pressed(now_s)
        control: dict[str, Action] = {"ctrl-c": Quit(INTERRUPTED), "ctrl-z": Suspend(), "ctrl-l": Redraw()}
        if name in control:
            return [control[name]]
        self.note = Line("")
        return self.after(self._key(name, now_s), now_s)

    def _key(self, name: str, now_s: float) -> list[Action]:
        if self.step is not None:
            return self._step_key(self.step, name, now_s)
        if self.help:
            self.help = False
            return []
        if name not in CALM and now_s - self.deck.front_at_s < GUARD_S:
            return self.say("That key came just as this card did, so it was ignored.")
        digit = int(name) if len(name) == 1 and name.isascii() and name.isdigit() else None
        if self._tens:
            self._tens = False
            if digit is not None or name == "enter":
                return self._toggle(1 if digit is None else 10 + digit)
        if digit is not None:
            return self._number(digit, now_s)
        run = self._keys.get(name)
        return run(now_s) if run else self.say("? shows the keys.")

    def paste(self, text: str, now_s: float) -> list[Action]:
        """Take a paste: text where text is typed, else nothing."""
        self.attention.pressed(now_s)
        if self.step is None:
            return self.say("A paste is not taken for keys.")
        self.step = pasted(self.step, text)
        return []

    def focus(self, here: bool, now_s: float) -> list[Action]:
        self.attention.focused(here)
        return self.after([], now_s)

    def _table(self) -> dict[str, Callable[[float], list[Action]]]:
        return {
            "a": self._allow,
            "d": self._deny,
            "s": self._stop,
            "c": self._cancel,
            "r": self._release,
            "t": lambda now_s: self._words(now_s, notes=False),
            "y": lambda now_s: self._yes_or_no("yes", now_s),
            "n": self._no_or_note,
            "enter": self._enter,
            "left": lambda _now_s: self._ask(self.draft().place - 1),
            "right": lambda _now_s: self._ask(self.draft().place + 1),
            " ": lambda _now_s: self._scroll(self.page_lines - 1),
            "page-down": lambda _now_s: self._scroll(self.page_lines - 1),
            "b": lambda _now_s: self._scroll(1 - self.page_lines),
            "page-up": lambda _now_s: self._scroll(1 - self.page_lines),
            "down": lambda _now_s: self._scroll(1),
            "up": lambda _now_s: self._scroll(-1),
            "j": lambda now_s: self.deck.move(1, now_s),
            "k": lambda now_s: self.deck.move(-1, now_s),
            "w": lambda _now_s: [Away(not self.away)] if self.linked else self._unlinked(),
            "x": self._dismiss,
            "?": self._help,
            "q": lambda _now_s: [Quit(0)],
        }

    # --- keys that answer nothing

    def _unlinked(self) -> list[Action]:
        return self.say("The desk is away: nothing can be sent. This screen waits for it to come back.")

    def _scroll(self, lines: int) -> list[Action]:
        self.top = max(0, self.top + lines)  # `shown` knows the end
        return []

    def _dismiss(self, now_s: float) -> list[Action]:
        self.deck.dismiss(now_s)
        self.news.dismiss(now_s)
        return []

    def _help(self, _now_s: float) -> list[Action]:
        self.help = True
        return []

    # --- answering

    def _waiting(self) -> RequestView | None:
        """Return the card in front if it waits; else say why nothing can be answered."""
        view = self.deck.current()
        if view is None:
            self.say("Nothing waits for you.")
        elif not waits(view):
            self.say(f"This one cannot be answered here: {settled_words(view)}. j goes on.")
        elif not self.linked:
            self._unlinked()
        else:
            return view
        return None

    def _readable(self, now_s: float) -> RequestView | None:
        """Return the card in front if it waits and was shown to its end."""
        view = self._waiting()
        if view is None:
            return None
        if self.deck.unread():
            self.say("The rest of it is still on its way.")
        elif self.seen_at_s is None:
            self.say("There is more of it: space shows the rest. Then it can be allowed.")
        elif now_s - self.seen_at_s < GUARD_S:
            self.say("That key came just as the end did, so it was ignored.")
        else:
            return view
        return None

    def _allow(self, now_s: float) -> list[Action]:
        view = self._readable(now_s)
        if view is None:
            return []
        if view.kind == "question":
            return self.say("Answer it with numbers, or t for your own words; Enter sends.")
        unseen = view.id in self.deck.unseen
        if any(row.lost for row in view.input) and not unseen:
            return self._open(Unseen(), now_s)
        if view.kind in DIRECT:
            return self._accept(view, now_s)
        if view.kind == "plan":
            return self._open(Mode(unseen), now_s)
        if view.kind == "elicitation" and not view.url:
            return self._open(Form.at(view, 0, {}), now_s)
        return self._reply(view, lambda: replies.allow(view, unseen=unseen))

    def _deny(self, now_s: float) -> list[Action]:
        view = self._waiting()
        if view is not None and view.kind == "elicitation":  # there is no reason to give
            return self._reply(view, lambda: replies.deny(view))
        return self._open(Reason(), now_s)

    def _stop(self, now_s: float) -> list[Action]:
        view = self._waiting()
        if view is not None and not view.interrupt:
            what = "cancels" if view.kind in DIRECT else "denies"
            return self.say(f"This one cannot be stopped by an answer; d {what}.")
        return self._open(Reason(stop=True), now_s)

    def _cancel(self, now_s: float) -> list[Action]:
        view = self._waiting()
        if view is not None and view.kind in DIRECT:
            return self._open(Reason(), now_s)
        if view is not None and view.kind != "elicitation":
            return self.say("Only what a server or a program asks for can be cancelled; d denies.")
        return self._reply(view, lambda: {"behavior": "cancel"}) if view is not None else []

    def _release(self, _now_s: float) -> list[Action]:
        view = self._waiting()
        return [Release(view.id)] if view is not None else []

    def _reply(self, view: RequestView, make: Callable[[], replies.Reply]) -> list[Action]:
        try:
            reply: dict[str, Any] = {**make(), "key": self._key_of()}
        except BadReply as error:
            return self.alarm(error.text)
        return [Send(view.id, reply)]

    # --- what programs ask themselves

    def _yes_or_no(self, value: str, now_s: float) -> list[Action]:
        view = self.deck.current()
        if view is None or view.kind != Kind.YESNO:
            return self.say("? shows the keys.")
        view = self._readable(now_s)
        return self._reply(view, lambda: values.valued(value)) if view is not None else []

    def _no_or_note(self, now_s: float) -> list[Action]:
        view = self.deck.current()
        if view is not None and view.kind == Kind.YESNO:
            return self._yes_or_no("no", now_s)
        return self._words(now_s, notes=True)

    def _accept(self, view: RequestView, now_s: float) -> list[Action]:
        """Take the default of a choice, or the first step of a command; nothing is decided yet."""
        if view.kind == Kind.CONFIRM:
            return self._reply(view, lambda: values.stepped(ACK))
        number = default_number(view) if view.kind == Kind.CHOICE else 0
        return self._open(Choose(str(number)), now_s) if number else self.say(_WAYS[view.kind])

    def acknowledged(self, request_id: str, now_s: float) -> list[Action]:
        """The desk took the first step of a command: the card is shown anew, for the second one."""
        if request_id == self.deck.front and self.step is None:
            self._open(Run(), now_s)
            self.top, self.seen_at_s = 0, None
        return self.after([], now_s)

    # --- numbers, words and Enter

    def _number(self, digit: int, now_s: float) -> list[Action]:
        view = self._waiting()
        if view is None:
            return []
        if view.kind == Kind.CHOICE:
            return self._open(Choose(str(digit)), now_s) if self._readable(now_s) else []
        if view.kind != "question":
            return self._suggest(view, digit, now_s)
        if digit == 1 and len(view.questions[self.draft().place].options) > 9:
            self._tens = True
            return self.say("1, or a second digit? Enter takes option 1.")
        return self._toggle(digit)

    def _toggle(self, number: int) -> list[Action]:
        view = self._waiting()
        if view is None:
            return []
        draft = self.draft()
        try:
            self.drafts[view.id] = draft.toggled(view.questions[draft.place], number)
        except BadReply as error:
            return self.say(error.text)
        return []

    def _suggest(self, view: RequestView, digit: int, now_s: float) -> list[Action]:
        if not view.suggestions or digit == 0:
            return self.say(_WAYS.get(view.kind, "? shows the keys."))
        if any(row.lost for row in view.input) and view.id not in self.deck.unseen:
            return self.say("A part of it cannot be shown: a comes first.")
        return self._open(Suggest(str(digit), view.id in self.deck.unseen), now_s)

    def _ask(self, index: int) -> list[Action]:
        view = self.deck.current()
        if view is not None and view.questions:
            self.drafts[view.id] = self.draft().at(index, len(view.questions))
            self.top = 0
        return []

    def _words(self, now_s: float, notes: bool) -> list[Action]:
        view = self._waiting()
        if view is None:
            return []
        if view.kind == Kind.TEXT and not notes:
            return self._open(Text(Editor.of(view.default)), now_s) if self._readable(now_s) else []
        if view.kind != "question":
            return self.say(
                _WAYS.get(view.kind, "Only a question is answered with words; d denies with a reason.")
            )
        draft = self.draft()
        before = (draft.notes if notes else draft.texts).get(draft.place, "")
        return self._open(Words(draft.place, Editor.of(before), notes), now_s)

    def _enter(self, _now_s: float) -> list[Action]:
        """Go on to the next open question, or send when none is left."""
        view = self._waiting()
        if view is None:
            return []
        if view.kind != "question":
            return self.say(_WAYS.get(view.kind, "Enter never allows; a does."))
        draft = self.draft()
        if not draft.done(draft.place):
            return self.say("Pick an option by its number, or t for your own words.")
        following = draft.next_open(len(view.questions))
        return self._reply(view, lambda: draft.reply(view)) if following is None else self._ask(following)

    # --- steps

    def _open(self, step: Step, now_s: float) -> list[Action]:
        """Begin a step, if the card in front can be answered at all."""
        if self._waiting() is not None:
            self.step, self._step_at_s = step, now_s
            self.deck.pinned = True
        return []

    def _step_key(self, step: Step, name: str, now_s: float) -> list[Action]:
        view = self.deck.current()
        if view is None or not waits(view):  # it ended meanwhile: what is typed must go nowhere
            if name in ("enter", "escape"):
                return self.close(now_s)
            self.step = pasted(step, name) if len(name) == 1 else step
            return []
        if isinstance(step, Run) and name in SCROLLS:
            return self._keys[name](now_s)
        guarded = isinstance(step, Review | Mode | Unseen | Blank | Run) and name != "escape"
        if guarded and now_s - self._step_at_s < GUARD_S:
            return self.say("That key came just as this question did, so it was ignored.")
        if guarded and self._readable(now_s) is None:
            return []
        if name == "enter" and (
            not self.linked or (isinstance(step, Suggest | Choose) and self._readable(now_s) is None)
        ):
            return self._unlinked() if not self.linked else []
        try:
            return self._result(view, step.key(name, view), now_s)
        except BadReply as error:
            return self.alarm(error.text)

    def _result(self, view: RequestView, result: Result, now_s: float) -> list[Action]:
        match result:
            case Answered(reply):
                return self._reply(view, lambda: reply)
            case Worded(index, text, notes):
                draft = self.draft()
                self.drafts[view.id] = draft.noted(index, text) if notes else draft.worded(index, text)
                return self.close(now_s)
            case Accepted():
                self.deck.unseen.add(view.id)
                self.say("Taken unseen. Now a allows it.")
                return self.close(now_s)
            case Closed():
                return self.close(now_s)
            case _:
                if type(result) is not type(self.step):
                    self._step_at_s = now_s
                self.step = result
                return []
