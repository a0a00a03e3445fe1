"""Where Codex keeps its hooks, our launcher, and the edits of both.

Not here: what is put in (`codex`), trust (`codex_trust`), how a file is written (`files`). Imports the
standard library and its neighbours alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sayso.install import InstallRefused, codex, files, placements

Json = dict[str, Any]
_PLACED = "codex-placements"


@dataclass(frozen=True, slots=True)
class Home:
    """A home folder of Codex."""

    folder: Path

    @classmethod
    def of(cls, environ: Mapping[str, str], home: Path, cwd: Path) -> Home:
        """Return the one that Codex uses here; an empty variable counts as none."""
        return cls(cwd / (environ.get("CODEX_HOME") or home / ".codex"))

    @property
    def hooks(self) -> Path:
        return self.folder / "hooks.json"

    @property
    def config(self) -> Path:
        return self.folder / "config.toml"


def launcher(data: Path) -> Path:
    """Return the path of the launcher, which hooks name for good."""
    return data / "codex" / codex.LAUNCHER


def place_launcher(data: Path, text: str, state: Path) -> Path:
    """Write the launcher. Who can write to its folder decides what Codex runs: it is this user's alone."""
    path = launcher(data)
    files.make_folder(path.parent)
    if path.parent.stat().st_mode & 0o022:
        raise InstallRefused(f"Others may write to {path.parent}. Make it yours alone (chmod 700).")
    files.edit(path, lambda _: text, state, lambda _: True)
    return path


def install(home: Home, hooks: Json, state: Path) -> files.Edited:
    """Put hooks (of `codex.hook_settings`) into a home's `hooks.json`."""
    check_config(home)
    edited = files.edit(home.hooks, lambda text: codex.placement(text, hooks), state, codex.created)
    placements.note(state, home.hooks, _PLACED)
    return edited


def uninstall(home: Home, state: Path) -> files.Edited:
    """Take our hooks out of a home's `hooks.json`. A file that came with them goes, unless it is linked."""

    def change(text: str | None) -> str | None:
        if text is None or (_is_ours(text) and not home.hooks.is_symlink()):
            return None
        return codex.removal(text)

    edited = files.edit(home.hooks, change, state, _is_ours)
    placements.forget(state, home.hooks, _PLACED)
    return edited


def remove_launcher(data: Path, state: Path) -> list[Path]:
    """Remove the launcher, so that sessions that run are silent at once; unless other homes need it.

    Returns the `hooks.json` of those.
    """
    others = [path for path in placements.known(state, _PLACED) if holds_ours(path)]
    path = launcher(data)
    if not others and path.exists():
        files.edit(path, lambda _: None, state, lambda _: True)
    return others


def _is_ours(text: str) -> bool:
    return text.startswith(codex.hooktext.CREATED) and codex.created(text)


def holds_ours(path: Path) -> bool:
    """Tell whether a `hooks.json` can be read and holds hooks of ours."""
    try:
        return bool(codex.placed(files.read(path).text or "{}"))
    except (OSError, InstallRefused):
        return False


# --- config.toml, which is only looked at -------------------------------------------------------


def config_of(home: Home) -> Json:
    """Return what stands in `config.toml`; {} when there is none, or none that can be read."""
    try:
        return tomllib.loads(files.read(home.config).text or "")
    except (OSError, ValueError, InstallRefused):
        return {}


def hooks_in(config: Json) -> Json:
    """Return the hooks that stand in `config.toml` itself, by event."""
    found = config.get("hooks")
    events = cast("Json", found) if isinstance(found, dict) else {}
    return {name: groups for name, groups in events.items() if isinstance(groups, list)}


def check_config(home: Home) -> None:
    """Refuse where `config.toml` holds hooks of ours as well: Codex would run both."""
    groups: list[object] = [
        group for each in hooks_in(config_of(home)).values() for group in cast("list[object]", each)
    ]
    handlers: list[object] = []
    for group in groups:
        found: object = cast("Json", group).get("hooks") if isinstance(group, dict) else None
        handlers += cast("list[object]", found) if isinstance(found, list) else []
    if any(codex.own_command(handler) for handler in handlers):
        raise InstallRefused(
            f"{home.config} holds hooks of sayso's already, and Codex would run both. "
            "Remove them there first."
        )


def remarks(home: Home) -> list[str]:
    """Return what a person should know about a home's configuration."""
    config = config_of(home)
    said: list[str] = []
    if hooks_in(config):
        said.append(
            f"{home.config} holds hooks too. Codex runs those and these, and says at its start that there "
            "are two places."
        )
    if is_off(config):
        said.append(f"{home.config} switches hooks off (features.hooks = false): Codex runs none of these.")
    return said


def is_off(config: Json) -> bool:
    features = config.get("features")
    return isinstance(features, dict) and cast("Json", features).get("hooks") is False
