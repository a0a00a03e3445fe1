"""The page as it was built: its files, their kinds and how long a browser may keep them.

Not here: its sources (`web/` beside `src/`), the routes that serve it (`daemon.pages`).
Imports the standard library alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).with_name("static")
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
"""What is served at all, and as what."""
FOR_EVER = "public, max-age=31536000, immutable"
EACH_TIME = "no-cache"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the page. `path` is where it is served."""

    path: str
    body: bytes
    kind: str
    etag: str
    cache: str


def assets(folder: Path = STATIC) -> dict[str, Asset]:
    """Return the files of the page by the path at which each is served; none where it was not built."""
    found = (_asset(path, folder) for path in sorted(folder.rglob("*")) if path.suffix in KINDS)
    return {asset.path: asset for asset in found}


def _asset(path: Path, folder: Path) -> Asset:
    name = path.relative_to(folder).as_posix()
    body = path.read_bytes()
    return Asset(
        path="/" if name == "index.html" else f"/{name}",
        body=body,
        kind=KINDS[path.suffix],
        etag=f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        # Names below assets/ hold a digest of what they name.
        cache=FOR_EVER if name.startswith("assets/") else EACH_TIME,
    )
