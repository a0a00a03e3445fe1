"""What takes as long as a person does, or longer, is awaited outside of the application's layers.

Middleware and routing would stay on the stack of every request that is held: most of its memory. An
endpoint leaves here what is to answer, and returns. Imports starlette's types.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Scope

_OUTSIDE = "sayso.outside"


def await_outside(scope: Scope, app: ASGIApp) -> None:
    """Have this application answer the request, once the endpoint has returned."""
    scope[_OUTSIDE] = app


def left_outside(scope: Scope) -> ASGIApp | None:
    """Return what was left to answer the request, and forget it."""
    app: ASGIApp | None = scope.pop(_OUTSIDE, None)
    return app
