"""What must be true of what other programs build on: that it stays."""

from __future__ import annotations

from tests.required import Requirement, held

_HERE = "tests/promise/test_promise.py::test_"

ROWS: tuple[Requirement, ...] = (
    held(
        "promise-01",
        "Methods, routes and shapes of one version of the protocol are added, never taken away or changed.",
        "",
        _HERE + "nothing_that_was_promised_is_gone_or_different",
        _HERE + "everything_public_is_promised",
        _HERE + "what_breaks_it_is_told",
        _HERE + "adding_breaks_nothing",
    ),
)
