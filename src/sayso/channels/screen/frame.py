"""What the interactive screen looks like: a model in, exactly as many lines as there are rows out.

Tells the model which part of the card it shows, because nothing may be allowed before its
end was shown. Imports `model` and its neighbours, `base`, `card` and `text`.
"""

from __future__ import annotations

from sayso.channels.base import (
    LEAST_COLUMNS,
    LOUD,
    Line,
    asker,
    count,
    grant_lines,
    lined,
    note_line,
    short,
    state_words,
    what,
)
from sayso.channels.card import heading, question_lines, request_card, standing
from sayso.channels.screen.deck import waits
from sayso.channels.screen.model import Model
from sayso.channels.text import clip, visible, width
from sayso.wire.views import RequestView

LEAST_ROWS = 8
MOST_OUTCOMES = 3

HELP = (
    ("space, b", "page forward, back; arrows move by a line"),
    ("j, k", "the next card, the one before"),
    ("a", "allow; approve a plan; fill in a form; accept a link or a default"),
    ("d", "deny or cancel, with a reason; for a plan: say what should change"),
    ("s", "deny and stop the agent's turn"),
    ("c", "cancel what a server or a program asks for"),
    ("y, n", "yes or no, where a program asks for that"),
    ("1-9", "pick an option of a question; a choice or a suggestion, after Enter"),
    ("t, n", "write the answer in your own words; add a note to a question"),
    ("a, run", "a command: a says that you understand; then type run, and it runs"),
    ("Enter", "at a question: go on, and send when all are answered. Never allows"),
    ("arrows", "left and right go between the questions of a card"),
    ("r", "release: give it back to the agent's own prompt"),
    ("w", "away, on or off: agents wait longer for you"),
    ("x", "take away the lines on earlier answers"),
    ("q", "quit; nothing is decided by that"),
)


def frame(model: Model, columns: int, rows: int, now_s: float, wall_s: float) -> list[Line]:
    """Return the lines of the screen.

    Args:
        now_s: the model's clock. wall_s: seconds since 1970, for ages alone.
    """
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        words = clip(f"too small: {LEAST_COLUMNS} x {LEAST_ROWS} at least", columns)
        return [Line(words), *[Line("")] * (rows - 1)]
    bottom = _bottom(model, columns, now_s)[-(rows - 5) :]
    height = rows - 2 - len(bottom)
    body = _body(model, columns, wall_s)
    if model.help:
        part = body[:height]
    else:
        model.shown(len(body), height, now_s)
        part = body[model.top : model.top + height]
    filling = [Line("")] * (height - len(part))
    return [_title(model, columns), *part, *filling, _rule(model, len(body), height, columns), *bottom]


def _title(model: Model, columns: int) -> Line:
    waiting, notices = len(model.deck.pending()), len(model.deck.notices())
    parts = [
        "sayso",
        f"{waiting} waiting",
        count(notices, "notice") if notices else "",
        "away" if model.away else "",
    ]
    words = " · ".join(part for part in parts if part)
    if model.linked:
        return Line(clip(words, columns), "strong")
    return Line(clip(f"DESK AWAY, trying again · {words}", columns), "loud")


def _rule(model: Model, total: int, height: int, columns: int) -> Line:
    if model.help or total <= height:
        return Line("─" * columns, "faint")
    last = min(model.top + height, total)
    more = " · space shows more" if last < total else ""
    words = f"── lines {model.top + 1}-{last} of {total}{more} "
    return Line(words[:columns] + "─" * max(0, columns - width(words)), "loud" if more else "faint")


# --- the card --------------------------------------------------------------------------


def _body(model: Model, columns: int, wall_s: float) -> list[Line]:
    if model.help:
        return _help(columns)
    view = model.deck.current()
    if view is None:
        return [Line("Nothing waits for you.")]
    pending = model.deck.pending()
    place = f"{pending.index(view.id) + 1} of {len(pending)}" if view.id in pending else ""
    if view.kind != "question" or not waits(view):
        return request_card(view, columns, wall_s, place)
    return [
        *heading(view, columns, wall_s, place),
        *_question(model, view, columns),
        *standing(view, columns, wall_s),
    ]


def _question(model: Model, view: RequestView, columns: int) -> list[Line]:
    draft = model.draft()
    picked = frozenset(draft.picked.get(draft.place, ()))
    question = view.questions[draft.place]
    lines = [Line(""), *question_lines(question, draft.place, len(view.questions), columns, picked), Line("")]
    if words := draft.texts.get(draft.place):
        lines += [*lined(f"Your words: {visible(words)}", columns, style="strong"), Line("")]
    if note := draft.notes.get(draft.place):
        lines += [*lined(f"Your note: {visible(note)}", columns), Line("")]
    if len(view.questions) > 1:
        states = [
            f"{each + 1} {'answered' if draft.done(each) else 'open'}" for each in range(len(view.questions))
        ]
        lines += [*lined("Questions: " + ", ".join(states), columns, style="faint"), Line("")]
    return lines


def _help(columns: int) -> list[Line]:
    lines = lined("Keys (any key goes back)", columns, style="strong")
    for keys, about in HELP:
        first, *rest = lined(about, columns, " " * 10)
        lines += [Line(f"{keys:<10}{first.text[10:]}"), *rest]
    return lines


# --- below the card --------------------------------------------------------------------


def _bottom(model: Model, columns: int, now_s: float) -> list[Line]:
    lines: list[Line] = []
    outcomes = [view for view in model.deck.outcomes(now_s) if view.id != model.deck.front]
    for view in outcomes[:MOST_OUTCOMES]:
        style = "loud" if view.state in LOUD else "faint"
        words = f"{short(view.id)} {asker(view)} {what(view)}: {state_words(view)}"
        lines += lined(words, columns, style=style)
    lines += [note_line(note, columns) for note in model.news.told(now_s)]
    if model.linked:  # a desk that is away may have ended them
        lines += grant_lines(model.grants, columns, now_s)
    if model.note.text:
        lines += lined(visible(model.note.text), columns, style=model.note.style or "strong")
    view = model.deck.current()
    if model.step is not None and view is not None:
        if not waits(view):
            words = f"{state_words(view)}: what you type goes nowhere. Enter or Esc closes this."
            lines += lined(words, columns, style="loud")
        return lines + model.step.lines(view, columns)
    return lines + lined(_hints(view), columns, style="faint")


_DIRECT_HINTS = {
    "yesno": "y yes  n no",
    "choice": "1-9 choose",
    "text": "t write it",
    "confirm-command": "a I understand it",
}


def _hints(view: RequestView | None) -> str:
    common = "j/k next  w away  ? keys  q quit"
    if view is None or not waits(view):
        return common
    stop = "  s deny and stop" if view.interrupt else ""
    match view.kind:
        case "question":
            return f"1-9 pick  t your words  Enter send  d decline{stop}  r release  {common}"
        case "plan":
            return f"a approve  d say what should change{stop}  r release  {common}"
        case "yesno" | "choice" | "text" | "confirm-command":
            return f"{_DIRECT_HINTS[view.kind]}  d cancel  r release  {common}"
        case "elicitation":
            accept = "a accept" if view.url else "a fill in"
            return f"{accept}  d decline  c cancel  r release  {common}"
        case _:
            suggest = "  1-9 with a suggestion" if view.suggestions else ""
            return f"a allow{suggest}  d deny{stop}  r release  {common}"
