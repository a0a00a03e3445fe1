"""Whatever comes over HTTP: an answer in one of two shapes, in time, and a desk that is as it was.

Every route of the table is tried, so one that is added is, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.daemon.http_route import Route
from sayso.daemon.http_routes import ROUTES
from tests.fuzz import requests as fuzz
from tests.fuzz.victim import BOUND_S, Victim, check_error, examples, running

QUIET_S = 0.15
"""From then on nothing more is taken to come from who waits for the rest of a request, or streams."""
TWISTS = ("method", "target", "version", "host", "credential", "type", "more", "body", "framing")
"""What may be wrong with a request; one or two of them at once, or the first would hide the others."""
WITH_BODY = [route for route in ROUTES if route.body is not None or route.raw]
HOSTS = [b"evil.test", b"", b"\xff", b"127.0.0.1"]
VERSIONS = ["1.0", "0.9", "2.0", "1.1.1", ""]


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    with running() as victim:
        yield victim


def plain_lines(victim: Victim) -> fuzz.Lines:
    """Return the lines of a head with which everything is well."""
    return [
        (b"Host", b"127.0.0.1:%d" % victim.port),
        (fuzz.NAME, b"Bearer " + victim.token.encode()),
        (b"Content-Type", b"application/json"),
        (b"Connection", b"close"),
    ]


class Sent(NamedTuple):
    """`is_whole`: the server can tell where it ends."""

    method: str
    data: bytes
    is_whole: bool


def drawn(victim: Victim, route: Route, data: st.DataObject) -> Sent:
    """Return a request of a route with a few things wrong."""
    twists = data.draw(st.sets(st.sampled_from(TWISTS), max_size=2))

    def one(twist: str, plain: object, others: st.SearchStrategy[object]) -> object:
        return data.draw(others) if twist in twists else plain

    method = str(one("method", route.method, st.sampled_from([*fuzz.METHODS, *fuzz.OTHER_METHODS])))
    target = str(one("target", fuzz.plain_target(route.path), fuzz.targets(route.path)))
    version = str(one("version", "1.1", st.sampled_from(VERSIONS)))
    body = data.draw(st.sampled_from(fuzz.BODIES) | st.binary(max_size=300)) if "body" in twists else b"{}"
    ways = fuzz.framings(body)
    framing = data.draw(st.sampled_from(ways if "framing" in twists else ways[: fuzz.HONEST]))
    host, good, kind, close = plain_lines(victim)
    others = fuzz.credentials(victim.token.encode(), victim.asker.encode())
    lines: fuzz.Lines = [
        (b"Host", data.draw(st.sampled_from(HOSTS))) if "host" in twists else host,
        *(data.draw(st.sampled_from(others)) if "credential" in twists else [good]),
        (b"Content-Type", data.draw(st.sampled_from(fuzz.TYPES))) if "type" in twists else kind,
        *(data.draw(st.sampled_from(fuzz.MORE_LINES)) if "more" in twists else []),
        *framing.lines,
        close,
    ]
    return Sent(method, fuzz.head(method, target, version, lines) + framing.body, framing.is_whole)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_request_with_a_few_things_wrong(victim: Victim, route: Route) -> None:
    @examples(15)
    @given(st.data())
    def try_it(data: st.DataObject) -> None:
        check(victim, drawn(victim, route, data))

    with victim.bounded():
        try_it()


@pytest.mark.parametrize("route", WITH_BODY, ids=lambda route: f"{route.method} {route.path}")
def test_a_body_that_nobody_should_send(victim: Victim, route: Route) -> None:
    head = plain_lines(victim)
    with victim.bounded():
        for body in fuzz.BODIES:
            framing = fuzz.framings(body)[0]
            lines = [*head, *framing.lines]
            target = fuzz.plain_target(route.path)
            check(victim, Sent(route.method, fuzz.head(route.method, target, "1.1", lines) + body, True))


def check(victim: Victim, sent: Sent) -> None:
    """Send a request: what comes back is well formed, and a refusal changed nothing."""
    before = victim.calmed()
    answers = fuzz.answers(fuzz.exchange(victim.port, sent.data, QUIET_S, BOUND_S), sent.method)
    assert answers or not sent.is_whole
    for answer in answers:
        assert answer.status < 500 or answer.status == 503, answer
        if answer.status >= 400 and answer.is_whole and answer.body:
            check_error(answer.status, answer.body)
    if all(answer.status >= 400 for answer in answers):
        assert victim.state() == before
