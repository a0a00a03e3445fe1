"""The words and lines that channels of plain text share: who, what, how it ended, a session.

Not here: a whole request (`card`), input, sockets, colours; `style` only names what a line
is. Everything an agent wrote passes through `text`: on one line of ours it holds no newline,
and longer text stands behind a rule, so that it can neither reach the terminal as a command
nor pass for words of ours. Imports `wire`, `core` and `text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sayso.channels.text import block, clip, visible, width, wrap
from sayso.core import direct
from sayso.core.states import State
from sayso.core.types import Row
from sayso.wire.protocol import METHODS, Power
from sayso.wire.views import AlertView, GrantView, MessageView, NoteView, RequestView, SessionView

SHORT_ID_CHARS = 8
LEAST_COLUMNS = 24
AGENTS = {"claude-code": "Claude Code", "codex": "Codex", "program": "a program"}
MODES = {
    "default": "the agent asks before each edit",
    "acceptEdits": "edits are accepted without asking",
    "auto": "the agent's auto mode decides what it asks",
}
"""What approving a plan with a mode leads to."""
_STATES = {
    "pending": "waits for an answer",
    "answered": "answered, on its way to the agent",
    "delivered": "handed to the agent; it has not shown yet what it did with it",
    "confirmed": "the agent acted on the answer",
    "overruled": "OVERRULED: the agent did something else than the answer says",
    "unconfirmed": "handed to the agent; nothing showed what it did with it",
    "lost": "LOST: as far as sayso knows, the answer never reached the agent",
    "expired": "timed out: nothing was decided here",
    "withdrawn": "no longer asked",
    "released": "given back to the agent's own prompt: nothing was decided here",
    "deferred": "not asked here: the agent asks in its terminal",
}
_MESSAGE_STATES = {
    "queued": "queued",
    "taken": "on its way: a hook of the agent has it",
    "handed_over": "handed to the agent",
    "dropped": "dropped",
    "uncertain": "UNCERTAIN: nobody knows whether the agent got it",
}
_PAUSES = {
    "soon": "the agent gets it after its next tool call, or at the end of its turn",
    "stop": "the agent gets it at the end of its turn",
}
GIST_COLUMNS = 60
"""How much of a message, or of a call, is shown where it is only named."""
TOOL_COLUMNS = 40
"""How much is shown of what a tool is called."""
NAME_COLUMNS = 60
"""How much is shown of what a branch or a worktree is called."""
LABEL_COLUMNS = 40
"""How much is shown of what a program calls itself."""
GIVEN_COLUMNS = 200
"""How much is shown of an answer where only its way is told; a text may be very long."""
_NO_QUOTES = str.maketrans("“”", '""')
DESTRUCTIVE = "DESTRUCTIVE, says the program that asks"
_ORIGINS = {
    "resume": "resumed session {}",
    "fork": "forked session {}",
    "clear": "session {}, begun by /clear",
}
"""How a session began, where it is not just new."""
_TOLD = {
    "overruled": "OVERRULED: ",
    "lost": "LOST: ",
    "expired": "",
    "withdrawn": "no longer asked: ",
    "released": "",
    "deferred": "not asked here: ",
}
"""What leads in the desk's own words, in the states of which it says more than `_STATES`."""
LOUD = frozenset({"overruled", "lost"})
HANDED_OVER = frozenset({"delivered", "confirmed", "unconfirmed"})


class Line(NamedTuple):
    """A line for a terminal. `style`: "", strong, faint or loud."""

    text: str
    style: str = ""


def short(request_id: str) -> str:
    """Return the beginning of an id, by which people name a request."""
    return visible(request_id[:SHORT_ID_CHARS])


def agent_name(agent: str) -> str:
    return AGENTS.get(agent, clip(agent, 40))


def asker(view: RequestView | NoteView) -> str:
    """Return who asks; what a program calls itself stands beside it, as its own claim.

    An agent is named because the program runs in it, which is all that is known.
    """
    name = agent_name(view.agent)
    if not view.is_own if isinstance(view, RequestView) else view.of_desk:
        return name
    within = name if view.agent == "program" else f"a program in {name}"
    label = clip(view.label.translate(_NO_QUOTES), LABEL_COLUMNS)  # or it could end its own quotation
    return within + (f" (calls itself “{label}”)" if view.label.strip() else "")


def where(view: RequestView | SessionView) -> str:
    """Return where an agent works, in names: the project, its branch, its worktree."""
    parts = [visible(view.project or view.cwd or "?")]
    if view.branch:
        parts.append(f"on {clip(view.branch, NAME_COLUMNS)}")
    if view.worktree:
        parts.append(f"in worktree {clip(view.worktree, NAME_COLUMNS)}")
    return " ".join(parts)


def age(since: str, now_s: float) -> str:
    """Return how long ago an instant of the wire was, in words; "" when it names none."""
    try:
        passed_s = now_s - datetime.fromisoformat(since).timestamp()
    except ValueError:
        return ""
    return span(max(passed_s, 0.0))


def span(length_s: float) -> str:
    minutes, seconds = divmod(int(length_s), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} days"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def lined(text: str, columns: int, indent: str = "", style: str = "") -> list[Line]:
    """Return words of ours, wrapped; continuations are indented as the first line is."""
    room = max(columns, LEAST_COLUMNS) - width(indent)
    return [Line((indent + piece).rstrip(), style) for piece in wrap(text, room)]


def quoted(text: str, columns: int, indent: str = "  ", style: str = "") -> list[Line]:
    """Return a text of an agent behind its rule."""
    room = max(columns, LEAST_COLUMNS) - len(indent)
    return [Line(indent + row, style) for row in block(text, room)]


def what(view: RequestView) -> str:
    """Return what the agent wants, in a few words."""
    match view.kind:
        case "permission":
            return f"wants to use {clip(view.tool, 40)}"
        case "question":
            return "asks a question" if len(view.questions) < 2 else f"asks {len(view.questions)} questions"
        case "plan":
            return "wants its plan approved"
        case "elicitation":
            return f"passes on what {clip(view.tool, 40) or 'a server'} asks for"
        case "yesno" | "choice" | "text" | "confirm-command":
            return _DIRECT_WANTS[view.kind] + (" (DESTRUCTIVE, it says)" if view.unsafe else "")
        case other:
            return f"asks ({clip(other, 40)})"


_DIRECT_WANTS = {
    "yesno": "asks yes or no",
    "choice": "asks you to choose",
    "text": "asks for a text",
    "confirm-command": "asks to run a command",
}


def is_cut(row: Row) -> bool:
    """Return whether there is more of the row than its value."""
    return row.lost or row.length > len(row.value)


def suggestions(view: RequestView) -> list[tuple[int, str]]:
    """Return the suggestions that may be chosen, with their numbers; a blank one never may."""
    return [(n, visible(each.label)) for n, each in enumerate(view.suggestions, 1) if each.label.strip()]


def outcome(view: RequestView, columns: int) -> list[Line]:
    """Return how it ended, or how far its answer has come, in words."""
    style = "loud" if view.state in LOUD else "strong"
    words = state_words(view)
    lines = lined(words[:1].upper() + words[1:], columns, style=style)
    said = answer_words(view)
    return lines + lined(f"The answer{said}", columns) if said else lines


def answer_words(view: RequestView) -> str:
    """Return who answered and what, as in " (Ada's phone, page): allow"; "" before an answer."""
    by = f" ({_by(view)})" if view.by else ""
    given = _given(view)
    return f"{by}: {given}" if given else ""


def _given(view: RequestView) -> str:
    if view.kind == "text" and view.value == "":
        return "an empty text"
    return clip(view.asked, GIVEN_COLUMNS) if view.kind == "text" else visible(view.asked)


def settled_words(view: RequestView) -> str:
    """Return the state in words, and whose answer led to it: who comes second learns who won."""
    said = answer_words(view)
    return state_words(view) + (f"; the answer{said}" if said else "")


def state_words(view: RequestView) -> str:
    """Return the state in words; the desk's own words follow where they say more."""
    if view.notice and view.reason == "bypass_mode":
        return f"left to {agent_name(view.agent)}: {visible(view.ending or view.reason)}"
    if view.notice:
        return f"{agent_name(view.agent)} waits in its terminal: {visible(view.ending or view.reason)}"
    words = _STATES.get(view.state, visible(view.state))
    if view.is_own and view.state in ("answered", "delivered", "unconfirmed"):
        return visible(view.ending) or direct.ENDINGS[State(view.state)]
    if view.kind == "elicitation" and view.state in HANDED_OVER:
        words = "handed to the agent; it does not show what became of it"
    more = visible(view.ending or view.reason.replace("_", " ")).removeprefix(f"{view.state}: ")
    return _TOLD[view.state] + more if more and view.state in _TOLD else words


def _by(view: RequestView) -> str:
    assert view.by is not None
    return visible(f"{view.by.name}, {view.by.channel}" if view.by.name else view.by.channel)


def summary(view: RequestView, columns: int) -> str:
    """Return the gist of a request on one line."""
    if view.questions:
        gist = view.questions[0].question
    elif view.title:
        gist = view.title
        if view.kind == "confirm-command" and view.input:
            gist += f": {view.input[0].value.strip()}"
    else:
        told = (view.tool, *view.tool.split("__"))  # `what` names the tool, and thus its server
        rows = [row.value for row in view.input if row.value.strip()]
        gist = next((value for value in rows if value not in told), rows[0] if rows else view.url)
    return clip(gist.strip(), columns) if gist.strip() else "(empty)"


def session_line(view: SessionView, columns: int, now_s: float) -> list[Line]:
    """Return a session: where it runs, what it does, since when, and its last prompt."""
    since = age(view.since, now_s)
    parts = [
        f"{agent_name(view.agent)} in {where(view)}",
        visible(view.state) + (f" for {since}" if since else ""),
        count(view.pending, "request waits", "requests wait") if view.pending else "",
        f"mode {visible(view.mode)}" if view.mode else "",
        "muted" if view.muted else "",
        _ORIGINS.get(view.origin, "session {}").format(short(view.session_id)),
    ]
    lines = lined(" · ".join(part for part in parts if part), columns, style="strong")
    if view.prompt:
        lines += lined(clip(view.prompt, columns - 2), columns, "  ")
    return lines


def message_words(view: MessageView) -> str:
    """Return where a message stands, and why, in words."""
    words = _MESSAGE_STATES.get(view.state, visible(view.state))
    if view.state == "queued" and not view.why:
        return f"{words}: {_PAUSES.get(view.when, visible(view.when))}"
    if view.state in ("queued", "dropped", "uncertain") and view.why:
        return f"{words}: {visible(view.why).removeprefix(f'{view.state}: ')}"
    return words


def message_line(view: MessageView) -> Line:
    """Return a message: the beginning of its text, and where it stands."""
    gist = clip(view.text.strip(), GIST_COLUMNS)
    style = "loud" if view.state == "uncertain" else ""
    return Line(f"message “{gist}”: {message_words(view)}", style)


def alert_line(view: AlertView) -> Line:
    """Return what an agent tried, in words: loud, and nothing that could be answered."""
    who = agent_name(view.agent) if view.agent else "A program that an agent started"
    place = f" in {visible(view.project)}" if view.project else ""
    session = f" (session {short(view.session_id)})" if view.session_id else ""
    words = f"{who}{place}{session} {_tries(view.method)}, and was refused"
    return Line(words, "loud")


def note_line(view: NoteView, columns: int) -> Line:
    """Return what a program wanted a person to know, on one line."""
    place = f" in {visible(view.project)}" if view.project else ""
    body = f": {view.body.strip()}" if view.body.strip() else ""
    # Cut before it is made visible as a whole: a body may be long.
    return Line(clip(f"Note of {asker(view)}{place}: {view.title.strip()}{body}"[: 4 * columns], columns))


def grant_lines(views: Sequence[GrantView], columns: int, now_s: float) -> list[Line]:
    """Return the line that says what is allowed for a while; none for nothing."""
    if not views:
        return []
    more = "sayso grants"
    if len(views) == 1:
        more = f"{grant_gist(views[0])}, {grant_left(views[0], now_s)} left"
    return lined(f"{count(len(views), 'grant is', 'grants are')} open: {more}", columns, style="faint")


def grant_left(view: GrantView, now_s: float) -> str:
    """Return how long a grant lasts, in words."""
    return span(max(0.0, datetime.fromisoformat(view.until).timestamp() - now_s))


def grant_call(view: GrantView) -> str:
    place = f" in {visible(view.project)}" if view.project else ""
    return f"{agent_name(view.agent)}{place} uses {clip(view.tool, TOOL_COLUMNS)}"


def grant_gist(view: GrantView) -> str:
    return f"{grant_call(view)}: {clip(view.what.strip(), GIST_COLUMNS)}"


def _tries(method: str) -> str:
    if method == "desk.answer":
        return "tried to answer by itself"
    row = METHODS.get(method)
    looks = row is not None and row.power is Power.SEE
    what_for = "look at what only you may see" if looks else "act in your place"
    return f"tried to {what_for} ({clip(method, 40)})"
