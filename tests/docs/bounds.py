"""The page of bounds: constants of the code, with their docstrings."""

from __future__ import annotations

from types import ModuleType

from sayso.core import bounds
from sayso.daemon import changes, control, files, flags, http_bind, http_connection, notes
from sayso.wire import ask_user, codec, protocol
from tests.docs.markdown import code, constants, joined, table

ABOUT: dict[str, tuple[ModuleType, str]] = {
    "The desk": (bounds, "Of requests, replies, messages and the desk's patience."),
    "The wire": (protocol, "Of the control socket."),
    "What hooks send": (codec, "Beyond these, an ask is an error or is cut."),
    "What programs ask": (ask_user, "Beyond these, a question or a note is an error that names the field."),
    "Notes": (notes, "Of what programs want a person to know."),
    "Flags": (flags, "Of the files that tell gated hooks to speak."),
    "HTTP": (http_bind, "Of the server on the loopback."),
    "Connections over HTTP": (http_connection, "Of what comes before anybody showed a credential."),
    "Connections on the socket": (control, "Of all of them, and of one."),
    "Open files": (files, "Who is turned away before none is left."),
    "Channels": (changes, "Of what is kept for those that come back, or read slowly."),
}
NO_BOUNDS = {"PROTOCOL"}


def page() -> str:
    """Return the page."""
    return joined(
        "# Bounds",
        """The fixed numbers of sayso. A name says its unit: `_CHARS`, `_BYTES`, `_S` (seconds); without
        one it counts. What a person can change stands in [settings](settings.md).""",
        *(section(title, module, about) for title, (module, about) in ABOUT.items()),
    )


def section(title: str, module: ModuleType, about: str) -> str:
    """Return the numbers of one module."""
    rows = [
        (code(name), f"{value:,g}" if isinstance(value, float) else str(value), words or plain(name))
        for name, value, words in constants(module)
        if isinstance(value, int | float) and name not in NO_BOUNDS
    ]
    return joined(f"## {title}", about, table(("name", "value", "what it bounds"), rows))


def plain(name: str) -> str:
    """Return a constant's name in words."""
    return name.removeprefix("MAX_").removesuffix("_CHARS").lower().replace("_", " ")
