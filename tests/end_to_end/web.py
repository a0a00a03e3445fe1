"""Pages that the agent may fetch: the settings and the environment it needs for that.

May import the lab only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.lab.pages import Pages

# Without it a fetch asks a server of the maker first, which cannot be reached here.
WITHOUT_PREFLIGHT: dict[str, Any] = {"skipWebFetchPreflight": True}


def page(pages: Pages, name: str = "one") -> str:
    return f"https://127.0.0.1:{pages.port}/{name}"


def trusting(pages: Pages) -> dict[str, str]:
    """Return what makes the agent trust the certificate of these pages."""
    return {"NODE_EXTRA_CA_CERTS": str(pages.certificate)}
