"""What other programs build on, read from the code's own tables: methods, routes, shapes, exit codes.

Not here: what was promised of it (`tests/golden/promise`), and the comparison (`test_promise`).
"""

from __future__ import annotations

import typing
from typing import Any

import msgspec

from sayso.daemon.http_routes import ROUTES
from sayso.wire.protocol import METHODS, PROTOCOL
from tests.docs.types import GROUPS, words


def public() -> dict[str, Any]:
    """Return what is public now, as JSON has it."""
    return {
        "protocol": PROTOCOL,
        "methods": {name: method.power.name.lower() for name, method in METHODS.items()},
        "routes": {f"{route.method} {route.path}": route.power.name.lower() for route in ROUTES},
        "shapes": {shape.__name__: members(shape) for group in GROUPS.values() for shape in group},
    }


def members(shape: type[msgspec.Struct]) -> dict[str, str]:
    """Return a shape's members and the type of each; "!" after it where it is always there."""
    hints = typing.get_type_hints(shape)
    return {
        field.encode_name: words(hints[field.name]) + ("!" if field.required else "")
        for field in msgspec.structs.fields(shape)
    }
