"""Every kind of an agent's request and every answer it takes: asked how, said how on each channel, told how.

`says` is what the hook prints, whole. A channel without a way of its own for an answer is None
there, and `GAPS` of the test must name it. Not here: desks, and how a channel is worked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sayso.agents.claude_answers import NO_REASON
from sayso.core.types import Kind
from tests.desks import sample

Dict = dict[str, Any]
Keys = tuple[tuple[str, str], ...]
"""What the screen must show before the keys are typed, and the keys; "" is the card itself."""
ENTER = "\r"
BASH, RULES = "PermissionRequest.Bash", "PermissionRequest.Bash.rules"
ASKS, PLAN = "PermissionRequest.AskUserQuestion", "PermissionRequest.ExitPlanMode"
FORM, LINK = "Elicitation.form", "Elicitation.url"
BOTH: list[Dict] = sample(ASKS)["tool_input"]["questions"]
ONE, MANY = BOTH
COLOUR, FEATURES = ONE["question"], MANY["question"]
EDITED = '# Plan\n1. do "another" thing: größer\n'
WHY = 'Not there: use "other"'
WHY_KEYS = (("", "d"), ("Enter denies it", WHY + ENTER))


class Row(NamedTuple):
    """One answer. `cli`: the words, with ID for the request's id; `stdin` goes along with them.

    `ack`: a command, whose first step comes before: on the screen it is among the keys.
    """

    kind: Kind
    name: str
    payload: Dict
    says: Dict
    cli: tuple[str, ...] | None
    watch: Keys | None
    http: Dict | None
    stdin: str = ""
    ack: bool = False

    def answer(self, channel: str) -> Any:
        return self._asdict()[channel]


def _decided(**decision: Any) -> Dict:
    return {"hookEventName": "PermissionRequest", "decision": decision}


def _denied(message: str, **more: Any) -> Dict:
    return _decided(behavior="deny", message=message, **more)


def _elicited(action: str, **more: Any) -> Dict:
    return {"hookEventName": "Elicitation", "action": action, **more}


def _questions(*questions: Dict) -> Dict:
    return sample(ASKS, tool_input={"questions": list(questions)})


def _answered(questions: list[Dict], answers: Dict, **annotations: Any) -> Dict:
    updated = {"questions": questions, "answers": answers, **annotations}
    return _decided(behavior="allow", updatedInput=updated)


def _planned(plan: str = "", mode: str = "") -> Dict:
    updated = sample(PLAN)["tool_input"]
    decision: Dict = {"behavior": "allow", "updatedInput": {**updated, "plan": plan or updated["plan"]}}
    if mode:
        decision["updatedPermissions"] = [{"type": "setMode", "mode": mode, "destination": "session"}]
    return _decided(**decision)


PERMISSIONS = (
    Row(
        Kind.PERMISSION,
        "allowed",
        sample(BASH),
        _decided(behavior="allow"),
        ("allow", "ID"),
        (("touch /home/dev/project/x1 && echo done", "a"),),
        {"behavior": "allow"},
    ),
    Row(
        Kind.PERMISSION,
        "allowed with a suggestion",
        sample(RULES),
        _decided(behavior="allow", updatedPermissions=sample(RULES)["permission_suggestions"]),
        ("allow", "ID", "--suggestion", "1"),
        (("", "1"), ("Enter allows it", ENTER)),
        {"behavior": "allow", "suggestion": "0"},
    ),
    Row(
        Kind.PERMISSION,
        "denied with a reason",
        sample(BASH),
        _denied(WHY),
        ("deny", "ID", "-m", WHY),
        WHY_KEYS,
        {"behavior": "deny", "message": WHY},
    ),
    Row(
        Kind.PERMISSION,
        "denied",
        sample(BASH),
        _denied(NO_REASON["permission"]),
        ("deny", "ID"),
        (("", "d"), ("Enter denies it", ENTER)),
        {"behavior": "deny"},
    ),
    Row(
        Kind.PERMISSION,
        "denied and stopped",
        sample(BASH),
        _denied(WHY, interrupt=True),
        ("deny", "ID", "--stop", "-m", WHY),
        (("", "s"), ("stops the turn", WHY + ENTER)),
        {"behavior": "deny", "message": WHY, "interrupt": True},
    ),
)
QUESTIONS = (
    Row(
        Kind.QUESTION,
        "one option",
        _questions(ONE),
        _answered([ONE], {COLOUR: "Blue"}, annotations={COLOUR: {"preview": "BLUE PREVIEW"}}),
        ("answer", "ID", "2"),
        (("", "2"), ("", ENTER)),
        {"behavior": "allow", "answers": [{"picked": ["Blue"]}]},
    ),
    Row(
        Kind.QUESTION,
        "several options",
        _questions(MANY),
        _answered([MANY], {FEATURES: '"A, first", C'}),
        ("answer", "ID", "1,3"),
        (("", "1"), ("", "3"), ("", ENTER)),
        {"behavior": "allow", "answers": [{"picked": ["A, first", "C"]}]},
    ),
    Row(
        Kind.QUESTION,
        "own words",
        _questions(ONE),
        _answered([ONE], {COLOUR: "neither: grün"}),
        ("answer", "ID", "--text", "neither: grün"),
        (("", "t"), ("Your own words.", "neither: grün" + ENTER), ("Your words: neither", ENTER)),
        {"behavior": "allow", "answers": [{"text": "neither: grün"}]},
    ),
    Row(
        Kind.QUESTION,
        "several questions and a note",
        _questions(*BOTH),
        _answered(
            BOTH,
            {COLOUR: "Red", FEATURES: "B, C"},
            annotations={COLOUR: {"preview": "RED PREVIEW", "notes": "for now"}},
        ),
        ("answer", "ID", "1", "2,3", "--notes", "1:for now"),
        (
            ("", "1"),
            ("1 answered", "n"),
            ("A note beside", "for now" + ENTER),
            ("Your note: for now", ENTER),
            (FEATURES, "2"),
            ("2 answered", "3"),
            ("", ENTER),
        ),
        {
            "behavior": "allow",
            "answers": [{"picked": ["Red"], "notes": "for now"}, {"picked": ["B", "C"]}],
        },
    ),
    Row(
        Kind.QUESTION,
        "declined",
        _questions(ONE),
        _denied(WHY),
        ("deny", "ID", "-m", WHY),
        WHY_KEYS,
        {"behavior": "deny", "message": WHY},
    ),
)
PLANS = (
    *(
        Row(
            Kind.PLAN,
            f"approved into {mode}",
            sample(PLAN),
            _planned(mode="" if mode == "default" else mode),
            ("allow", "ID", "--mode", mode),
            (("1. do it", "a"), ("Approve the plan. After it", key)),
            {"behavior": "allow", "mode": mode},
        )
        for mode, key in (("default", "m"), ("acceptEdits", "e"), ("auto", "u"))
    ),
    Row(
        Kind.PLAN,
        "edited",
        sample(PLAN),
        _planned(EDITED, "acceptEdits"),
        ("allow", "ID", "--mode", "acceptEdits", "--plan-file", "-"),
        None,
        {"behavior": "allow", "mode": "acceptEdits", "plan": EDITED},
        stdin=EDITED,
    ),
    Row(
        Kind.PLAN,
        "sent back",
        sample(PLAN),
        _denied(WHY),
        ("answer", "ID", "--text", WHY),
        (("", "d"), ("What should change", WHY + ENTER)),
        {"behavior": "deny", "message": WHY},
    ),
    Row(
        Kind.PLAN,
        "denied and stopped",
        sample(PLAN),
        _denied(NO_REASON["plan"], interrupt=True),
        ("deny", "ID", "--stop"),
        (("", "s"), ("stops the turn", ENTER)),
        {"behavior": "deny", "interrupt": True},
    ),
)
FILLED = {"name": "Ada", "age": 36, "ok": False, "color": "blue"}
ELICITATIONS = (
    Row(
        Kind.ELICITATION,
        "form accepted",
        sample(FORM),
        _elicited("accept", content=FILLED),
        ("answer", "ID", "--set", "name=Ada", "--set", "age=36", "--set", "ok=no", "--set", "color=blue"),
        (
            ("Please give your name", "a"),
            ("Field 1 of 4", "Ada" + ENTER),
            ("Field 2 of 4", "36" + ENTER),
            ("Field 3 of 4", "no" + ENTER),
            ("Field 4 of 4", "2" + ENTER),
            ("This goes to the server:", "a"),
        ),
        {"behavior": "allow", "content": FILLED},
    ),
    Row(
        Kind.ELICITATION,
        "form declined",
        sample(FORM),
        _elicited("decline"),
        ("answer", "ID", "--decline"),
        (("", "d"),),
        {"behavior": "deny"},
    ),
    Row(
        Kind.ELICITATION,
        "form cancelled",
        sample(FORM),
        _elicited("cancel"),
        ("answer", "ID", "--cancel"),
        (("", "c"),),
        {"behavior": "cancel"},
    ),
    Row(
        Kind.ELICITATION,
        "link accepted",
        sample(LINK),
        _elicited("accept"),
        ("allow", "ID"),
        (("http://127.0.0.1:1/login", "a"),),
        {"behavior": "allow"},
    ),
    Row(
        Kind.ELICITATION,
        "link declined",
        sample(LINK),
        _elicited("decline"),
        ("deny", "ID"),
        (("", "d"),),
        {"behavior": "deny"},
    ),
)
ROWS: tuple[Row, ...] = (*PERMISSIONS, *QUESTIONS, *PLANS, *ELICITATIONS)
