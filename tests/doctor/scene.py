"""A home with hooks in its settings, made of files alone, and the context of a doctor who looks at it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sayso
from sayso.client.places import places
from sayso.doctor.context import Context
from sayso.install import claude_code, claude_places, stable
from sayso.install.claude_places import Surroundings

PACKAGE = Path(sayso.__file__).parent
PYTHON = str(Path(sys.executable).resolve())


class Scene:
    """Files below a folder. `context` looks at them anew."""

    def __init__(self, root: Path) -> None:
        for name in ("home", "project", "desk"):
            (root / name).mkdir(mode=0o700)
        self.environ: dict[str, str] = {"PATH": "/usr/bin:/bin"}
        self.places = places({"SAYSO_HOME": str(root / "desk")})
        self.where = Surroundings(self.environ, root / "home", root / "project", root / "managed")
        self.hook = "/nowhere/sayso/intake/hook.py"
        self.python = PYTHON

    @property
    def hooks(self) -> dict[str, Any]:
        here = self.places
        return claude_code.hook_settings(self.python, self.hook, str(here.socket), str(here.flags))

    @property
    def user(self) -> Path:
        return self.where.settings_path("user")

    def copy_hook(self) -> None:
        """Put the real hook in its place, compiled."""
        placed = stable.place(PACKAGE, self.places.data, sayso.__version__, self.python)
        self.hook = str(placed.hook)

    def install(self, scope: claude_places.Scope = "user") -> None:
        claude_places.install(self.hooks, self.where, self.places.state, scope)

    def write(self, path: Path, value: Any) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2))
        return path

    def change(self, **members: Any) -> None:
        """Change members of the user's settings."""
        self.write(self.user, {**json.loads(self.user.read_text()), **members})

    def context(self, health: Mapping[str, Any] | None = None, why: str = "", runs: bool = False) -> Context:
        """Return a fresh context; with `health`, `why` or `runs` there is a desk that said so."""
        found = Context(self.environ, self.where, self.places, PACKAGE, sayso.__version__)
        found.__dict__["_asked"] = (
            dict(health) if health is not None else None,
            why,
            runs or health is not None or bool(why),
        )
        return found
