"""Who was shown which long text to its end: nobody allows what they could not read.

Pure; imports `types`.
"""

from __future__ import annotations

from sayso.core.bounds import MAX_VALUE_CHARS
from sayso.core.types import Request, Row
from sayso.errors import NotSeen


class Seen:
    """The rows served whole, of a request, by credential."""

    def __init__(self) -> None:
        self._all: dict[str, set[tuple[str, int]]] = {}

    def note(self, request_id: str, credential: str, index: int) -> None:
        self._all.setdefault(request_id, set()).add((credential, index))

    def check(self, request: Request, credential: str) -> None:
        """Return if this credential was served every row that a list cuts. Raises NotSeen."""
        seen = self._all.get(request.id, set())
        for index, row in enumerate(request.ask.input):
            if row.lost:
                raise NotSeen(f"{row.label!r} is too long to be shown whole: say that you allow it unseen")
            if is_cut(row) and (credential, index) not in seen:
                raise NotSeen(f"{row.label!r} was not shown to its end: read it first", f"input[{index}]")

    def forget(self, request_id: str) -> None:
        self._all.pop(request_id, None)


def is_cut(row: Row) -> bool:
    """Whether a row is longer than what a list shows of it."""
    return len(row.value) > MAX_VALUE_CHARS
