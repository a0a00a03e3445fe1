"""What Codex asks: its model's questions, and the forms of MCP servers.

May import `core.digest` and its siblings.
"""

from sayso.agents import Unrenderable, Unshowable, claude_forms, tell_apart
from sayso.agents.claude_asks import row
from sayso.agents.codex_approvals import position
from sayso.core.digest import is_array, items, members, shown, text

Dict = dict[str, object]

MAX_QUESTIONS = 8
MAX_OPTIONS = 16
NOTE = "user_note: "
"""What Codex's own terminal puts before a person's own words."""
OTHER = "None of the above"
"""What it picks where those words stand instead of an option."""

_QUESTION = ("id", "header", "question", "isOther", "isSecret", "options")
_PARAMS = ("threadId", "turnId", "itemId", "questions", "isBlocking", "autoResolutionMs")


# --- the model's questions -----------------------------------------------------------------------


def question(params: Dict, _item: Dict) -> Dict:
    """Return what is shown of questions.

    A secret is asked for in the terminal alone: what is answered here is kept for a while, and shown
    on every channel.
    """
    asked = [members(one) for one in items(params.get("questions"))]
    if not 0 < len(asked) <= MAX_QUESTIONS:
        raise Unshowable(f"it has {len(asked) or 'no'} questions")
    if any(one.get("isSecret") is not False for one in asked):
        raise Unshowable("it asks for a secret, which is typed in its terminal alone")
    rest = [row(name, params[name]) for name in params if name not in _PARAMS and params[name] is not None]
    made = [_question(one, number, rest) for number, one in enumerate(asked, 1)]
    tell_apart([text(one.get("id")) for one in asked], "two questions have the same name")
    tell_apart([text(one["question"]) for one in made], "two questions look alike")
    seen: Dict = {"tool": "request_user_input", "questions": made}
    if rest:
        seen["input"] = rest
    return seen


def _question(asked: Dict, number: int, rest: "list[Dict]") -> Dict:
    words, options = text(asked.get("question")), asked.get("options")
    if not words.strip():
        raise Unshowable("a question is empty")
    if options is not None and not is_array(options):
        raise Unshowable("the options of a question are not a list")
    if len(items(options)) > MAX_OPTIONS:
        raise Unshowable(f"a question has {len(items(options))} options")
    made: Dict = {"question": shown(words)}
    if text(asked.get("header")):
        made["header"] = shown(text(asked.get("header")))
    found = [_option(members(one)) for one in items(options)]
    tell_apart([text(one["label"]) for one in found], "two options look alike")
    if found:
        made["options"] = found
    rest += [row(f"Question {number}: {name}", asked[name]) for name in asked if name not in _QUESTION]
    return made


def _option(option: Dict) -> Dict:
    if not text(option.get("label")).strip() or not {"label", "description"}.issuperset(option):
        raise Unshowable("an option is not known here")
    made: Dict = {"label": shown(text(option.get("label")))}
    if text(option.get("description")):
        made["description"] = shown(text(option.get("description")))
    return made


def answer(params: Dict, _seen: Dict, decision: Dict) -> Dict:
    """Return the answers, under the names and with the labels that Codex sent."""
    asked = [members(one) for one in items(params["questions"])]
    given = [members(one) for one in items(decision.get("answers"))]
    if len(given) != len(asked):
        raise Unrenderable("every question needs an answer")
    pairs = zip(asked, given, strict=True)
    return {"answers": {text(one.get("id")): {"answers": _answered(one, said)} for one, said in pairs}}


def _answered(asked: Dict, said: Dict) -> "list[str]":
    """Return one question's answer as the terminal gives it: a label, and a person's own words as a note."""
    options = [members(one) for one in items(asked.get("options"))]
    picked, written = items(said.get("picked")), said.get("text")
    notes = text(said.get("notes"))
    if written is not None:
        if picked or not text(written).strip():
            raise Unrenderable("a text stands alone, and is not blank")
        other = [OTHER] if options and asked.get("isOther") is True else []
        return [*other, NOTE + text(written)]
    if len(picked) != 1:
        raise Unrenderable("a question takes one option")
    found = [text(options[position(picked[0], len(options))].get("label"))]
    return [*found, NOTE + notes] if notes.strip() else found


def answer_nothing(_params: Dict) -> Dict:
    """Return what the terminal sends where a person answers no question."""
    return {"answers": {}}


# --- forms ---------------------------------------------------------------------------------------


def form(params: Dict, _item: Dict) -> Dict:
    """Return what is shown of a form, or of an address to be visited."""
    server, mode = text(params.get("serverName")), params.get("mode")
    found = [row("MCP server", server), row("Message", text(params.get("message")))]
    meta = members(params.get("_meta"))
    found += [row(name, meta[name]) for name in meta if meta[name] is not None]
    if mode == "url":
        url = claude_forms.address(params.get("url"))
        return {"tool": shown(server), "input": [*found, row("Address", url, True)], "url": url}
    if mode != "form":
        raise Unshowable("it asks in a way that is not known here")
    return {
        "tool": shown(server),
        "input": found,
        "fields": claude_forms.fields(params.get("requestedSchema")),
    }


def fill_in(params: Dict, seen: Dict, decision: Dict) -> Dict:
    content = None
    if "url" not in seen:
        content = claude_forms.filled(params.get("requestedSchema"), seen, decision.get("content"))
    return _result("accept", content)


def decline(_params: Dict) -> Dict:
    return _result("decline")


def cancel() -> Dict:
    return _result("cancel")


def _result(action: str, content: "Dict | None" = None) -> Dict:
    return {"action": action, "content": content, "_meta": None}
