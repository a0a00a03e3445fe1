"""What the document describes and what it does not, sent to a whole desk: no mistake, nothing by halves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import requests
import schemathesis

from sayso.daemon.http_routes import ROUTES
from sayso.daemon.openapi import document
from tests.fuzz.victim import BOUND_S, Victim, check_error, examples, running

HELD = {route.path for route in ROUTES if route.holds}
HELD_S = 0.3
"""How long a person is waited for here."""
STREAMS = [route.path for route in ROUTES if route.events]
schema = schemathesis.openapi.from_dict(document()).exclude(path=STREAMS)
schema.config.generation.update(modes=list(schemathesis.GenerationMode))


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    with running() as victim, victim.bounded():
        yield victim


@schema.parametrize()
@examples(12)
def test_whatever_fits_the_document_or_does_not(case: schemathesis.Case, victim: Victim) -> None:
    before = victim.calmed()
    try:
        response = case.call(
            base_url=f"http://127.0.0.1:{victim.port}",
            headers={"Authorization": f"Bearer {victim.token}"},
            timeout=HELD_S if case.path in HELD else BOUND_S,
        )
    except requests.Timeout:
        assert case.path in HELD
        return

    assert response.status_code < 500 or response.status_code == 503
    if response.status_code >= 400:
        check_error(response.status_code, response.content)
        assert victim.state() == before
    else:
        case.validate_response(response)
