"""What an agent is offered: each tool with its arguments, and the question that it puts.

Arguments that do not fit are an error that names the field, and ask nobody. Not here:
what comes of a question. Imports msgspec, `errors`.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct

from sayso.errors import BadRequest

MIN_OPEN_S, MAX_OPEN_S = 60.0, 86_400.0
"""How long a question may stay open at least and at most: models ask for a second, or a year."""
INSTRUCTIONS = (
    "Questions to the person who runs you, who may be away from the terminal: they answer on their phone "
    "or elsewhere. Use these tools when you cannot go on without a decision or a fact from that person. "
    "A result with status `pending` is no answer: call ask_wait. Statuses `cancelled` and `timed_out` "
    "decide nothing; do not ask the same again by yourself."
)

Title: TypeAlias = Annotated[str, Meta(description="The question, in one line.")]
Body: TypeAlias = Annotated[
    str | None, Meta(description="What the person needs to know to decide; may have several lines.")
]
Unsafe: TypeAlias = Annotated[
    bool, Meta(description="True when a yes would do something that cannot be undone. Shown as such.")
]
Open: TypeAlias = Annotated[
    float | None,
    Meta(
        description="Seconds until the question closes unanswered, from 60 to 86400 (others are brought "
        "into that range). Leave it out to wait for as long as the person needs."
    ),
]


class AskYesno(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: Title
    body: Body = None
    default: Annotated[str | None, Meta(description='What is preselected: "yes" or "no".')] = None
    unsafe: Unsafe = False
    timeout_s: Open = None


class Option(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    id: Annotated[str, Meta(description="What you get back.")]
    label: Annotated[str | None, Meta(description="What the person reads; the id when left out.")] = None


class AskChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: Title
    choices: Annotated[list[Option], Meta(description="At least one; no two with the same id.")]
    body: Body = None
    default: Annotated[str | None, Meta(description="The id that is preselected.")] = None
    unsafe: Unsafe = False
    timeout_s: Open = None


class AskText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: Title
    body: Body = None
    default: Annotated[str | None, Meta(description="The text that is there to begin with.")] = None
    timeout_s: Open = None


class ConfirmCommand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    command: Annotated[
        str, Meta(description="The whole command, exactly as you would run it.", pattern=r"\S")
    ]
    title: Annotated[str, Meta(description="What it is for, in one line.")] = "May this command be run?"
    unsafe: Unsafe = False
    timeout_s: Open = None


class Notify(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: Annotated[str, Meta(description="What happened, in one line.")]
    body: Annotated[str | None, Meta(description="More about it.")] = None


class AskWait(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    request_id: Annotated[str, Meta(description="From a result with status `pending`.")]


Arguments: TypeAlias = AskYesno | AskChoice | AskText | ConfirmCommand | Notify | AskWait


class Tool(Struct, frozen=True, kw_only=True):
    """A row of the table. `kind`: of the question that it puts, "" for none. `repeats`: calling it
    twice is as calling it once."""

    takes: type[Struct]
    title: str
    about: str
    kind: str = ""
    repeats: bool = False

    @property
    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments, in one piece."""
        (reference,), parts = msgspec.json.schema_components([self.takes], ref_template="{name}")
        return cast("dict[str, Any]", _whole(parts[reference["$ref"]], parts))


def _whole(part: Any, parts: dict[str, Any]) -> Any:
    """Return a piece of schema with what it refers to in place: not every agent follows a reference."""
    if isinstance(part, list):
        return [_whole(item, parts) for item in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    members = cast("dict[str, Any]", part)
    if "$ref" in members:
        rest = {name: value for name, value in members.items() if name != "$ref"}
        return {**_whole(parts[members["$ref"]], parts), **rest}
    return {name: _whole(value, parts) for name, value in members.items()}


TOOLS: dict[str, Tool] = {
    "ask_yesno": Tool(
        takes=AskYesno,
        kind="yesno",
        title="Ask the person: yes or no",
        about='Ask the person a question that "yes" or "no" answers.',
    ),
    "ask_choice": Tool(
        takes=AskChoice,
        kind="choice",
        title="Ask the person to choose",
        about="Have the person choose one of several options. The result's value is its id.",
    ),
    "ask_text": Tool(
        takes=AskText,
        kind="text",
        title="Ask the person for a text",
        about="Ask the person for words of their own. The result's value is what they wrote, which may be "
        "nothing.",
    ),
    "confirm_command": Tool(
        takes=ConfirmCommand,
        kind="confirm-command",
        title="Have the person confirm a command",
        about="Show the person a command that they have to confirm in two steps. Nothing is run by this "
        'tool: value "run" says that you may run the command, exactly as it was shown.',
    ),
    "notify": Tool(
        takes=Notify,
        title="Tell the person",
        about="Tell the person something that needs no answer, wherever they are. Returns at once.",
    ),
    "ask_wait": Tool(
        takes=AskWait,
        title="Go on waiting for the person",
        about="Wait on for the answer to a question whose result was `pending`. Asks nothing anew.",
        repeats=True,
    ),
}


def decode(name: str, arguments: dict[str, Any]) -> Arguments:
    """Return the arguments of a call. Raises BadRequest, naming the field at fault."""
    tool = TOOLS.get(name)
    if tool is None:
        raise BadRequest(f"there is no tool {name}; there are {', '.join(TOOLS)}")
    try:
        return cast("Arguments", msgspec.convert(arguments, tool.takes))
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$")
        field = path.rstrip("`").lstrip(".")
        raise BadRequest(f"{text} ({field})" if field else text, field) from None


def question(name: str, arguments: Arguments) -> dict[str, Any]:
    """Return the parameters of `agent.ask_user` for a tool that asks."""
    words: dict[str, Any] = msgspec.to_builtins(arguments)
    open_s = words.pop("timeout_s", None)
    if open_s is not None:
        words["timeout_ms"] = min(max(open_s, MIN_OPEN_S), MAX_OPEN_S) * 1000
    if "command" in words:
        words["body"] = words.pop("command")
    asked = {member: value for member, value in words.items() if value not in (None, False)}
    return {"kind": TOOLS[name].kind, **asked}
