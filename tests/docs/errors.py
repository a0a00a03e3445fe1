"""The page of errors, from the tree of classes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso import errors
from sayso.errors import SaysoError
from tests.docs.markdown import code, fence, joined, prose, table

FIELDS = {"field": "the path of the field at fault", "state": "how the request ended"}


def page() -> str:
    """Return the page."""
    drawn = re.search(r"::\n\n(.*?)\n\nWhat", prose(errors.__doc__), re.DOTALL)
    assert drawn is not None
    rows = [
        (code(error.__name__), code(error.code), str(error.status), str(error.rpc), prose(error.__doc__))
        for error in tree(SaysoError)
    ]
    return joined(
        "# Errors",
        """Every error is one of these, on every wire. It leaves nothing behind: who is told of one has
        changed no state.""",
        fence(re.sub(r"^ {4}", "", drawn.group(1), flags=re.MULTILINE)),
        table(("error", "code", "HTTP status", "JSON-RPC code", "what it means"), rows),
        "Over HTTP:",
        fence('{"ok": false, "error": "words for a person", "code": "request_gone", "status": 409}', "json"),
        'Over the socket, to a caller that says `"jsonrpc": "2.0"`:',
        fence(
            '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "words for a person",\n'
            ' "data": {"code": "request_gone", "status": 409, "state": "withdrawn"}}}',
            "json",
        ),
        """To any other caller `error` is the words alone, a plain string. Some errors say more beside the
        words:""",
        table(("member", "what it says"), [(code(name), words) for name, words in FIELDS.items()]),
        "A route that exists for another method is `unknown_method` with status 405.",
    )


def tree(top: type[SaysoError]) -> Iterator[type[SaysoError]]:
    """Yield the errors of `sayso.errors`, parents first."""
    yield top
    for below in top.__subclasses__():
        if below.__module__ == errors.__name__:
            yield from tree(below)
