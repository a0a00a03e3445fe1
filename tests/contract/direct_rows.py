"""Every kind that programs ask themselves, and every answer it takes: as in `rows`, which has agents' kinds.

`payload` are the parameters of `agent.ask_user`, `says` its result, but for the id. A row with `ack`
has its command acknowledged first; the screen's keys do both steps.
"""

from __future__ import annotations

from typing import Any

from sayso.core.types import Kind
from tests.contract.rows import ENTER, WHY, Dict, Keys, Row

CANCEL_KEYS: Keys = (("", "d"), ("Enter cancels it", WHY + ENTER))
PLACES = [
    {"id": "eu:1", "label": "Frankfurt"},
    {"id": "1", "label": "Dublin"},
    {"id": "a, b"},
    {"id": "cancel", "label": "None of them"},
]
MANY = [{"id": f"id{number}", "label": f"Place {number}"} for number in range(1, 13)]
COMMAND = "psql -c 'drop table orders'\nrm -r backup"
WORDS = 'neither: "grün", or <b>'


def _asked(kind: Kind, **more: Any) -> Dict:
    return {"kind": kind.value, "title": "What shall I do?", **more}


def _ok(value: str) -> Dict:
    return {"action": "ok", "value": value}


def _given(value: str) -> Dict:
    return {"behavior": "allow", "value": value}


def _cancelled(kind: Kind, **more: Any) -> tuple[Row, Row]:
    """Return the rows of a kind that is cancelled, with a reason and without."""
    return (
        Row(
            kind,
            "cancelled with a reason",
            _asked(kind, **more),
            {"action": "cancel", "reason": WHY},
            ("deny", "ID", "-m", WHY),
            CANCEL_KEYS,
            {"behavior": "deny", "message": WHY},
        ),
        Row(
            kind,
            "cancelled",
            _asked(kind, **more),
            {"action": "cancel"},
            ("answer", "ID", "--cancel"),
            (("", "c"), ("Enter cancels it", ENTER)),
            {"behavior": "cancel"},
        ),
    )


YESNO = (
    Row(
        Kind.YESNO,
        "yes",
        _asked(Kind.YESNO, body="14 commits\nsince Monday", default="no"),
        _ok("yes"),
        ("answer", "ID", "yes"),
        (("Its default: no", "y"),),
        _given("yes"),
    ),
    Row(Kind.YESNO, "no", _asked(Kind.YESNO), _ok("no"), ("answer", "ID", "no"), (("", "n"),), _given("no")),
    *_cancelled(Kind.YESNO),
)


def _chosen(name: str, value: str, typed: str, keys: Keys, choices: list[dict[str, str]], **more: Any) -> Row:
    asked = _asked(Kind.CHOICE, choices=choices, **more)
    return Row(Kind.CHOICE, name, asked, _ok(value), ("answer", "ID", typed), keys, _given(value))


CHOICES = (
    _chosen("an id with a colon", "eu:1", "eu:1", (("Frankfurt", "1"), ("The answer:", ENTER)), PLACES),
    _chosen("an id that is a number", "1", "1", (("", "2"), ("Dublin [1]", ENTER)), PLACES),
    _chosen("an id with a comma", "a, b", "3", (("", "3"), ("  3  a, b", ENTER)), PLACES),
    _chosen("an id called cancel", "cancel", "cancel", (("", "4"), ("  4  None of them", ENTER)), PLACES),
    _chosen("the default", "1", "2", (("(default)", "a"), ("  2  Dublin", ENTER)), PLACES, default="1"),
    _chosen(
        "one of many", "id12", "12", (("Place 12", "1"), ("  1  Place", "2"), ("  12  Place", ENTER)), MANY
    ),
    *_cancelled(Kind.CHOICE, choices=PLACES),
)
TEXTS = (
    Row(
        Kind.TEXT,
        "words",
        _asked(Kind.TEXT),
        _ok(WORDS),
        ("answer", "ID", "--text", WORDS),
        (("", "t"), ("Your text.", WORDS + ENTER)),
        _given(WORDS),
    ),
    Row(
        Kind.TEXT,
        "empty",
        _asked(Kind.TEXT),
        _ok(""),
        ("answer", "ID", "--text", ""),
        (("", "t"), ("Your text.", ENTER), ("an empty text", "e")),
        _given(""),
    ),
    Row(
        Kind.TEXT,
        "the default and more",
        _asked(Kind.TEXT, default="small fixes"),
        _ok("small fixes\nand one"),
        ("answer", "ID", "--text", "-"),
        (("", "t"), ("> small fixes", "\x1b[200~\nand one\x1b[201~"), ("and one", ENTER)),
        _given("small fixes\nand one"),
        stdin="small fixes\nand one\n",
    ),
    *_cancelled(Kind.TEXT),
)
COMMANDS = (
    Row(
        Kind.CONFIRM,
        "run",
        _asked(Kind.CONFIRM, body=COMMAND, unsafe=True),
        _ok("run"),
        ("answer", "ID", "run"),
        (("rm -r backup", "a"), ("Type run, and it runs", "run")),
        {"behavior": "allow", "step": "run"},
        ack=True,
    ),
    Row(
        Kind.CONFIRM,
        "cancelled after the first step",
        _asked(Kind.CONFIRM, body=COMMAND),
        {"action": "cancel", "reason": WHY},
        ("deny", "ID", "-m", WHY),
        (
            ("", "a"),
            ("Type run, and it runs", "\x1b"),
            ("a I understand it", "d"),
            ("cancels it", WHY + ENTER),
        ),
        {"behavior": "cancel", "message": WHY},
        ack=True,
    ),
    *_cancelled(Kind.CONFIRM, body=COMMAND),
)
ROWS: tuple[Row, ...] = (*YESNO, *CHOICES, *TEXTS, *COMMANDS)
