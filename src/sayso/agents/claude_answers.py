"""What Claude Code is told: one line of JSON, made of the objects it sent itself.

A decision names positions, so a rule, a question or an option goes back to the letter, whatever was
masked or cut where it was shown. What does not fit raises and is not written, and Claude Code then asks
in its terminal: nothing in here turns "nothing decided" into an allow. May import `core.digest` and
its siblings.
"""

from sayso.agents import Unrenderable
from sayso.agents.claude_asks import MODES, content
from sayso.core.digest import (
    Number,
    digest_of,
    digest_text,
    dumps,
    encode_basestring,
    items,
    members,
    text,
)

Dict = dict[str, object]

NOTES_ONLY = "(notes only)"
"""What Claude Code itself puts where a person wrote notes and picked nothing."""

NO_REASON = {
    "permission": "The user denied this and gave no reason.",
    "question": "The user declined to answer and gave no reason.",
    "plan": "The user did not approve this plan and gave no reason.",
}


def render(payload: Dict, decision: Dict) -> tuple[bytes, str]:
    """Return the line for this decision, and the digest an agreeing event will show ("" for none).

    Raises:
        Unrenderable: it does not fit the payload.
    """
    if payload.get("hook_event_name") not in ("PermissionRequest", "Elicitation"):
        raise Unrenderable("this event is not answered")
    seen = content(payload)
    kind, behavior = text(seen["kind"]), decision.get("behavior")
    if kind == "elicitation":
        return _elicited(payload, seen, decision)
    if behavior == "deny":
        return _deny(kind, decision)
    if behavior != "allow":
        raise Unrenderable("neither allow nor deny")
    if "unshowable" in seen:
        raise Unrenderable("what could not be shown is not allowed")
    made, expects = _ALLOWED[kind](payload, seen, decision)
    return _decided({"behavior": "allow", **made}), expects


def line(output: Dict) -> bytes:
    """Return the one line with which a hook of Claude Code speaks."""
    return dumps({"hookSpecificOutput": output}) + b"\n"


def _decided(decision: Dict) -> bytes:
    return line({"hookEventName": "PermissionRequest", "decision": decision})


def _deny(kind: str, decision: Dict) -> tuple[bytes, str]:
    message = decision.get("message", "")
    if not isinstance(message, str):
        raise Unrenderable("the message is not text")
    if not message.strip():
        message = NO_REASON[kind]
    made: Dict = {"behavior": "deny", "message": message}
    if decision.get("interrupt") is True:
        made["interrupt"] = True
    return _decided(made), digest_text(message)


def _permission(payload: Dict, seen: Dict, decision: Dict) -> tuple[Dict, str]:
    chosen = decision.get("suggestion")
    if chosen is None:
        return {}, ""
    labels = items(seen.get("suggestions"))
    index = _index(chosen, len(labels))
    if not labels[index]:
        raise Unrenderable("this suggestion is never offered")
    return {"updatedPermissions": [items(payload["permission_suggestions"])[index]]}, ""


def _plan(payload: Dict, seen: Dict, decision: Dict) -> tuple[Dict, str]:
    # The plan goes back as it came: its file may have changed since, and what a person
    # approved is what they read. Without any input Claude Code ignores the answer.
    updated = members(payload["tool_input"])
    plan, mode = decision.get("plan"), decision.get("mode") or "default"
    if plan is not None:
        if not text(plan).strip():
            raise Unrenderable("the edited plan is blank")
        updated = {**updated, "plan": plan}
    if mode not in MODES:
        raise Unrenderable("a plan is not approved into this mode")
    made: Dict = {"updatedInput": updated}
    if mode != "default":
        made["updatedPermissions"] = [{"type": "setMode", "mode": mode, "destination": "session"}]
    return made, ""


def _index(value: object, count: int) -> int:
    """Return a position, which a line from the desk carries as a number as written."""
    if isinstance(value, Number) and value.text.isdigit() and len(value.text) < 4:
        value = int(value.text)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise Unrenderable("a position lies outside of what was offered")
    return value


# --- questions ---------------------------------------------------------------------------------


def _question(payload: Dict, seen: Dict, decision: Dict) -> tuple[Dict, str]:
    asked = members(payload["tool_input"])
    questions = [members(one) for one in items(asked["questions"])]
    listed = [members(one) for one in items(decision.get("answers"))]
    if len(listed) != len(questions):
        raise Unrenderable("every question needs an answer")
    answers: Dict = {}
    annotations: Dict = {}
    for question, answer in zip(questions, listed, strict=True):
        words, note = _answer(question, answer)
        answers[text(question["question"])] = words
        if note:
            annotations[text(question["question"])] = note
    updated: Dict = {**asked, "answers": answers}
    if annotations:
        updated["annotations"] = annotations
    return {"updatedInput": updated}, digest_of(answers)


def _answer(question: Dict, answer: Dict) -> tuple[str, Dict]:
    """Return the answer in words and what goes along with it: a preview, a person's notes."""
    options = [members(one) for one in items(question.get("options"))]
    picked = [_index(one, len(options)) for one in items(answer.get("picked"))]
    several = question.get("multiSelect") is True
    written, notes = answer.get("text"), text(answer.get("notes"))
    note: Dict = {}
    if len(picked) == 1 and not several and isinstance(options[picked[0]].get("preview"), str):
        note["preview"] = options[picked[0]]["preview"]
    if notes.strip():
        note["notes"] = notes
    if written is not None:
        if picked or not text(written).strip():
            raise Unrenderable("a text stands alone, and is not blank")
        return text(written), note
    if not picked and notes.strip():
        return NOTES_ONLY, note
    if not picked or len(set(picked)) < len(picked) or (len(picked) > 1 and not several):
        raise Unrenderable("these options cannot be picked together")
    labels = [text(options[index]["label"]) for index in picked]
    return (joined(labels) if several else labels[0]), note


def joined(labels: list[str]) -> str:
    """Return several labels in one text, as Claude Code itself joins them: it can take them apart again."""
    return ", ".join(_quoted(label) if ", " in label or '"' in label else label for label in labels)


def _quoted(label: str) -> str:
    # As JSON.stringify does it: halves of surrogate pairs are escaped, other letters are not.
    return "".join(
        f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in encode_basestring(label)
    )


# --- forms -------------------------------------------------------------------------------------

_ACTIONS = {"allow": "accept", "deny": "decline", "cancel": "cancel"}


def _elicited(payload: Dict, seen: Dict, decision: Dict) -> tuple[bytes, str]:
    from sayso.agents import claude_forms

    action = _ACTIONS.get(text(decision.get("behavior")))
    if action is None:
        raise Unrenderable("neither accept, decline nor cancel")
    made: Dict = {"hookEventName": "Elicitation", "action": action}
    if action == "accept":
        if "unshowable" in seen:
            raise Unrenderable("what could not be shown is not accepted")
        if "url" not in seen:
            made["content"] = claude_forms.filled(
                payload.get("requested_schema"), seen, decision.get("content")
            )
    return line(made), ""


_ALLOWED = {"permission": _permission, "question": _question, "plan": _plan}
