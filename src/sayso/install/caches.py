"""Which environments live in a cache: made for one command, and removed without asking anybody.

`uvx` and `pipx run` make such ones, and so do builds. What is merely temporary (a folder in /tmp) is no
cache: whoever makes an environment there made it on purpose.

Not here: what follows from it. Imports the standard library alone.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

# Set by whoever keeps a cache elsewhere. pipx has none of its own: it takes XDG's, or ".cache" in its home.
VARIABLES = ("XDG_CACHE_HOME", "UV_CACHE_DIR", "PIP_CACHE_DIR")
# Environments in which pip and build make wheels; they are gone when the wheel is there.
_OF_BUILDS = ("pip-build-env-", "build-env-")
# The agreed mark of a folder that may be removed (bford.info/cachedir). uv and pipx leave it in their caches,
# which finds those that an option or a configuration file moved.
_TAG = "CACHEDIR.TAG"
_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"


def of_this(environ: Mapping[str, str]) -> Path | None:
    """Return the cache that this very sayso runs from; None when it was installed to stay."""
    return around(Path(sys.prefix), environ) or around(Path(__file__).parent, environ)


def words(cache: Path) -> str:
    """Return what a person should know who runs sayso from a cache."""
    return (
        f"This sayso runs from a cache ({cache}), as with uvx and pipx run. Once it is emptied, the desk is "
        "gone that the hooks ask, and the command that answers"
    )


def around(path: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the innermost cache around a path; None when it is in none."""
    roots = named(environ)
    for each in dict.fromkeys((path.absolute(), path.resolve())):
        for folder in (each, *each.parents):
            if is_called_one(folder, roots) or _is_marked(folder):
                return folder
    return None


def named(environ: Mapping[str, str]) -> frozenset[Path]:
    """Return the caches that the environment names. One that is not absolute counts for nobody but uv."""
    paths = [Path(environ[name]) for name in VARIABLES if environ.get(name)]
    return frozenset(each for path in paths for each in (path.absolute(), path.resolve()))


def is_called_one(folder: Path, roots: Collection[Path]) -> bool:
    """Tell by its path whether a folder is a cache."""
    return (
        folder in roots
        or folder.name == ".cache"
        or (folder.name == "Caches" and folder.parent.name == "Library")
        or folder.name.startswith(_OF_BUILDS)
    )


def _is_marked(folder: Path) -> bool:
    """Tell by its mark. That of an environment says nothing: uv marks all, since no backup needs them."""
    try:
        with (folder / _TAG).open("rb") as file:
            return file.read(len(_SIGNATURE)) == _SIGNATURE and not (folder / "pyvenv.cfg").exists()
    except OSError:
        return False
