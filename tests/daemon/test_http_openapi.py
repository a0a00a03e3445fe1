"""The document says what the server does: checked by asking the server what it says."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from sayso.daemon.http_routes import ROUTES
from sayso.daemon.openapi import document
from tests.daemon.http_stage import Stage, running

EXAMPLES = 15
EXCLUDED = {
    # What a payload or a response must hold depends on what is asked: no schema says that.
    **{
        f"/agents/interaction/{name}": [positive_data_acceptance]
        for name in ("register", "request", "notify", "respond")
    },
    # A hook is never told of an error: it would print it.
    **{key: [negative_data_rejection] for key in ("/hooks/claude", "/hooks/codex")},
}

STREAMS = [route.path for route in ROUTES if route.events]
schema = schemathesis.openapi.from_dict(document()).exclude(path=STREAMS)


@pytest.fixture(scope="module")
def stage() -> Generator[Stage]:
    """A server in a thread, since what asks is not asynchronous."""
    ready: list[tuple[Stage, asyncio.AbstractEventLoop]] = []
    up = threading.Event()

    async def run() -> None:
        async with running() as stage:
            ready.append((stage, asyncio.get_running_loop()))
            up.set()
            await stage.stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert up.wait(10)
    stage, loop = ready[0]
    yield stage
    loop.call_soon_threadsafe(stage.stop.set)
    thread.join(10)
    assert not thread.is_alive()


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_the_server_does_what_the_document_says(case: schemathesis.Case, stage: Stage) -> None:
    headers = {"Authorization": f"Bearer {stage.token}"}

    case.call_and_validate(
        base_url=f"http://127.0.0.1:{stage.port}",
        headers=headers,
        timeout=10,
        excluded_checks=EXCLUDED.get(case.path),
    )


def test_every_route_is_in_the_document() -> None:
    paths: dict[str, dict[str, Any]] = document()["paths"]

    documented = {(method.upper(), path) for path, operations in paths.items() for method in operations}
    assert documented == {(route.method, route.path.replace(":path", "")) for route in ROUTES}


def test_every_operation_names_its_power_and_its_errors() -> None:
    for operations in document()["paths"].values():
        for operation in operations.values():
            assert "power" in operation["description"]
            assert {"200", "401", "403", "503"} <= set(operation["responses"])


def test_every_reference_leads_somewhere() -> None:
    content = document()
    known = {f"#/components/schemas/{name}" for name in content["components"]["schemas"]}

    def references(node: Any) -> Generator[str]:
        if isinstance(node, dict):
            for key, value in node.items():  # pyright: ignore[reportUnknownVariableType]
                if key == "$ref":
                    yield str(value)  # pyright: ignore[reportUnknownArgumentType]
                else:
                    yield from references(value)
        elif isinstance(node, list):
            for value in node:  # pyright: ignore[reportUnknownVariableType]
                yield from references(value)

    used = set(references(content))
    assert used <= known
    assert "#/components/schemas/Reply" in used


async def test_the_server_serves_it() -> None:
    async with running() as stage:
        served = (await stage.http.get("/api/openapi.json")).content

    assert served == msgspec.json.encode(document())
