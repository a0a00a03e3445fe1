"""From what a person types to a reply to what a program asked itself.

Not here: the last word, which is the desk's; and requests of agents (`replies`). Pure.
Imports `core`, `direct`, `text`, `errors` and `wire.views`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.channels.direct import WAYS
from sayso.channels.text import visible
from sayso.core.direct import ACK, RUN, YESNO
from sayso.core.types import Kind
from sayso.errors import BadReply
from sayso.wire.views import RequestView

Reply = dict[str, object]


def valued(value: str) -> Reply:
    """Return the reply that gives a value."""
    return {"behavior": "allow", "value": value}


def stepped(step: str) -> Reply:
    """Return the reply of one step of a command: ack, then run."""
    return {"behavior": "allow", "step": step}


def is_ack(reply: Reply) -> bool:
    """Whether a reply only says that a command was understood."""
    return reply.get("step") == ACK


def reply(view: RequestView, words: Sequence[str], texts: Sequence[str]) -> Reply:
    """Return the reply that was typed.

    Args:
        words: what stands behind the id. texts: what was given as --text.

    Raises:
        BadReply: it does not fit the kind; says what does.
    """
    if view.kind == Kind.TEXT:
        if words or len(texts) != 1:
            raise BadReply(f"give one text: {WAYS[view.kind]}", "value")
        return valued(texts[0])
    if texts or len(words) != 1:
        raise _unfit(view)
    if view.kind == Kind.CHOICE:
        return valued(choice(view, words[0]))
    word = words[0].strip().lower()
    if view.kind == Kind.YESNO and word in YESNO:
        return valued(word)
    if view.kind == Kind.CONFIRM and word in (ACK, RUN):
        return stepped(word)
    raise _unfit(view)


def _unfit(view: RequestView) -> BadReply:
    field = "step" if view.kind == Kind.CONFIRM else "value"
    return BadReply(f"a {view.kind} is answered with: {WAYS[view.kind]}", field)


def choice(view: RequestView, word: str) -> str:
    """Return the id that is meant: the one written so, else the one with this number as shown.

    An id that is itself a number means that choice, not the one at that place.
    """
    ids = [choice.value for choice in view.choices]
    if word in ids:
        return word
    number = word.strip()
    if number.isascii() and number.isdigit() and 1 <= int(number) <= len(ids):
        return ids[int(number) - 1]
    raise BadReply(
        f"{visible(word)!r} is neither the id nor the number of a choice (1 to {len(ids)})", "value"
    )
