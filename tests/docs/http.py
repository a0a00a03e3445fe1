"""The page of HTTP routes, from their table."""

from __future__ import annotations

import re

from sayso.daemon.bridge_routes import BASE
from sayso.daemon.http_bind import DEFAULT_PORT
from sayso.daemon.http_connection import HEAD_S, MAX_HEAD_BYTES, MOST_AHEAD, MOST_BARE_BYTES
from sayso.daemon.http_routes import ROUTES, Route
from tests.docs.markdown import code, fence, joined, table
from tests.docs.types import link


def page() -> str:
    """Return the page."""
    rows = [
        (
            f"`{route.method} {plain(route)}`",
            route.power.name.lower(),
            link(route.body) if route.body is not None else "–",
            link(route.result) if route.result is not None else "–",
            route.about,
        )
        for route in ROUTES
    ]
    return joined(
        "# HTTP",
        f"""The desk listens on `127.0.0.1` and `[::1]`, port {DEFAULT_PORT} unless `--port` says otherwise,
        and on the loopback alone until `--listen` names one more address. Where another program holds the
        port, HTTP is off and `sayso status` says who has it.""",
        fence(
            f'curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:{DEFAULT_PORT}/api/agent-requests', "sh"
        ),
        table(("route", "power", "body", "result", "what it does"), rows),
        *_rules(),
    )


def plain(route: Route) -> str:
    """Return a route's path without the names of its converters."""
    return re.sub(r":\w+}", "}", route.path)


def _rules() -> tuple[str, ...]:
    return (
        "## What holds for every route",
        f"""- A credential in `Authorization: Bearer`; `sayso pair` or `sayso token create NAME` makes one. No
          cookie, and no token in an address. Without one there are only the parts of the page, which say
          nothing of requests, the exchange of a one-time code, and the button of a notice, whose ticket is
          good for one answer.
        - Programs that ask over the [interaction bridge](../howto/interaction-bridge.md), below `/agents/`
          and `/hooks/`, may send a token of the power ask as the password of `Authorization: Basic`, so that
          it can stand in their address. A token that may do more is not taken that way.
        - `Host` must be a name of ours (the loopback's, or that of `--public-url` or `--listen`); `Origin`
          and `Sec-Fetch-Site` must not be another site's.
        - A body is JSON and says so in `Content-Type`.
        - What comes before a body has at most {MAX_HEAD_BYTES // 1024} KiB, and comes within {HEAD_S:g} s; of
          all connections together {MOST_BARE_BYTES // 1024**2} MiB at most. Up to {MOST_AHEAD} requests may
          come before those ahead of them are answered; more of them wait.
        - An error has [one shape](errors.md). Beyond those of the route there are 401, 403, 413 and 503.
        - A GET changes nothing, but that reading a whole row notes that this device has read it.
        - The server notices within a second that a client of a held request has gone.""",
        "## The stream",
        f"""`GET {_stream().path}` sends server-sent events. The first is `snapshot`; each later one has the
        type of a [Change](shapes.md#change) and that as JSON. Ids are `<boot>-<number>`: with
        `Last-Event-ID` of the same run the stream goes on from there, of another it begins with a
        snapshot. A comment comes at least every 15 s. Read it with `fetch`, since `EventSource` cannot
        send the credential.""",
        f"""`GET {BASE}/stream` sends what there is in document 004's words: `ready` with all that is pending,
        `interaction` when something is asked, `resolved`, `withdrawn` and `released` with the request as it
        is then, and `note`. While a reader that may answer is there, somebody watches.""",
        f"""Bodies and results are described in [shapes](shapes.md), and as an OpenAPI document at
        {code("/api/openapi.json")}.""",
    )


def _stream() -> Route:
    (found,) = (route for route in ROUTES if route.call == "desk.subscribe")
    return found
