"""Where the settings of Claude Code are, what may keep hooks in them from running, and the edits of them.

Not here: what is put in (`claude_code`) and how a file is written (`files`).
Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from sayso.install import (
    InstallRefused,
    claude_code,
    claude_plugin,
    claude_rules,
    files,
    jsontext,
    placements,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

Scope = Literal["user", "project", "local"]
SCOPES: tuple[Scope, ...] = ("user", "project", "local")

# Where an organisation puts settings that override those of a person.
_MANAGED = Path("/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides which settings Claude Code reads: environment, home folder, where it is started."""

    environ: Mapping[str, str]
    home: Path
    cwd: Path
    managed: Path = _MANAGED

    def settings_path(self, scope: Scope) -> Path:
        if scope == "user":
            # An empty variable counts as none, for Claude Code as well.
            chosen = self.environ.get("CLAUDE_CONFIG_DIR") or self.home / ".claude"
            return self.cwd / chosen / "settings.json"
        return self.cwd / ".claude" / ("settings.json" if scope == "project" else "settings.local.json")

    def managed_paths(self) -> list[Path]:
        return [
            self.managed / "managed-settings.json",
            *sorted(self.managed.glob("managed-settings.d/*.json")),
        ]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, for a person to read."""

    path: Path
    action: Literal["created", "changed", "unchanged", "removed", "deleted", "absent"]
    backup: Path | None
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        done = {
            "created": f"Wrote {self.path} (it was not there before).",
            "changed": f"Put the hooks into {self.path}.",
            "unchanged": f"The hooks were in {self.path} already; nothing changed.",
            "removed": f"Took the hooks out of {self.path}.",
            "deleted": f"Removed {self.path}: nothing but the hooks was in it.",
            "absent": f"No hooks of sayso's in {self.path}; nothing changed.",
        }
        kept = [f"The file as it was first: {self.backup}"] if self.backup else []
        return [done[self.action], *kept, *(f"Warning: {warning}" for warning in self.warnings), *self.notes]


def install(
    hooks: dict[str, Any], where: Surroundings, state: Path, scope: Scope = "user", *, rules: bool = False
) -> Outcome:
    """Put hooks (of `claude_code.hook_settings`) into the settings of a scope; with `rules`, these too."""
    path = where.settings_path(scope)

    def change(text: str | None) -> str:
        after = claude_code.placement(text, hooks)
        return claude_rules.allowed(after) if rules else after

    edited = files.edit(path, change, state, _created)
    if edited.before is None:
        action = "created"
    else:
        action = "unchanged" if edited.before == edited.after else "changed"
    placements.note(state, path)
    warnings, notes = _told(where, state, path, edited.after or "")
    if scope == "project":
        notes = (
            *notes,
            "The paths in it are of this computer: for others who get the file, nothing happens.",
        )
    return Outcome(edited.path, action, edited.backup, warnings, notes)


def install_plugin(
    hooks: dict[str, Any], where: Surroundings, state: Path, folder: Path, version: str
) -> Outcome:
    """Write the hooks as a plugin folder."""
    path = where.cwd / folder / claude_plugin.HOOKS
    was_there = path.exists()
    changed = claude_plugin.write(where.cwd / folder, hooks, version, state)
    placements.note(state, path)
    action = ("changed" if was_there else "created") if changed else "unchanged"
    return Outcome(path, action, None, *_told(where, state, path, files.read(path).text or ""))


def uninstall_plugin(where: Surroundings, state: Path, folder: Path) -> Outcome:
    """Remove a plugin folder's files that are ours."""
    path = where.cwd / folder / claude_plugin.HOOKS
    removed = claude_plugin.remove(where.cwd / folder, state)
    placements.forget(state, path)
    return Outcome(path, "deleted" if removed else "absent", None, _still(where, state, path))


def uninstall(where: Surroundings, state: Path, scope: Scope = "user") -> Outcome:
    """Take our hooks out of the settings of a scope."""
    path = where.settings_path(scope)
    edited = files.edit(path, lambda text: _without(text, linked=path.is_symlink()), state, _created)
    if edited.after == edited.before:
        action = "absent"
    else:
        action = "deleted" if edited.after is None else "removed"
    placements.forget(state, path)
    return Outcome(edited.path, action, edited.backup, _still(where, state, path))


def _without(text: str | None, *, linked: bool) -> str | None:
    """Return settings without what is ours. A file that came with it goes, unless a link leads to it."""
    if text is None or (_created(text) and not linked):
        return None
    return text if claude_code.is_blank(text) else claude_code.removal(claude_rules.without(text))


def _created(text: str) -> bool:
    """Tell whether a file came with what is ours, and holds nothing else."""
    return text.startswith(claude_code.CREATED) and claude_code.created(claude_rules.without(text))


# --- what a person should know ------------------------------------------------------------------


def _settings(path: Path) -> dict[str, Any] | None:
    """Read settings that are only looked at; None if there are none, or none that can be read."""
    try:
        text = files.read(path).text
        value: object = json.loads((text or "").removeprefix(jsontext.BOM))
    except (OSError, ValueError, RecursionError, InstallRefused):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _off(where: Surroundings) -> list[str]:
    paths = [*(where.settings_path(scope) for scope in SCOPES), *where.managed_paths()]
    return [
        f'{path} says "disableAllHooks": true, so Claude Code runs no hooks. It was left as it is: '
        "sayso works once that line is gone."
        for path in dict.fromkeys(paths)
        if (_settings(path) or {}).get("disableAllHooks") is True
    ]


def _managed(where: Surroundings) -> list[str]:
    warnings: list[str] = []
    for path in where.managed_paths():
        if not path.exists():
            continue
        if (_settings(path) or {}).get("allowManagedHooksOnly") is True:
            warnings.append(f"{path} allows hooks of your organisation only: those of sayso will not run.")
        elif _plugins_only((_settings(path) or {}).get("strictPluginOnlyCustomization")):
            warnings.append(
                f"{path} allows hooks from plugins only. Use --plugin, and have your organisation allow it."
            )
        else:
            warnings.append(f"{path} holds settings of your organisation, which override yours.")
    return warnings


def _plugins_only(value: object) -> bool:
    """Read strictPluginOnlyCustomization: true, or a list of what may come from plugins alone."""
    return value is True or (isinstance(value, list) and "hooks" in value)


def _told(where: Surroundings, state: Path, path: Path, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what may keep the hooks from working, and where else they are."""
    mine = claude_code.placed(text)
    warnings = [*_off(where), *_managed(where)]
    notes: list[str] = []
    for other, commands in _elsewhere(where, state, path):
        if commands == mine and claude_plugin.is_hooks(other) != claude_plugin.is_hooks(path):
            warnings.append(
                f"They are in {other} as well. Claude Code runs hooks of a plugin beside those of "
                "settings, so with both in use it would ask twice. Uninstall one of the two."
            )
        elif commands == mine:
            notes.append(f"They are in {other} as well, with the same command: Claude Code runs it once.")
        else:
            warnings.append(
                f"{other} holds other hooks of sayso's, with a different command: Claude Code would run "
                "both. Uninstall there, or install there again."
            )
    return tuple(warnings), tuple(notes)


def _still(where: Surroundings, state: Path, path: Path) -> tuple[str, ...]:
    return tuple(f"Hooks of sayso's are still in {other}." for other, _ in _elsewhere(where, state, path))


def _elsewhere(where: Surroundings, state: Path, mine: Path) -> list[tuple[Path, frozenset[tuple[str, ...]]]]:
    """Return the commands of ours in other places."""
    own = os.path.realpath(mine)
    others = {path: commands for path, commands in found(where, state) if os.path.realpath(path) != own}
    return list(others.items())


def found(where: Surroundings, state: Path) -> list[tuple[Path, frozenset[tuple[str, ...]]]]:
    """Return every place known that holds commands of ours, and these."""
    paths = [*(where.settings_path(scope) for scope in SCOPES), *placements.known(state)]
    result: list[tuple[Path, frozenset[tuple[str, ...]]]] = []
    for path in {os.path.realpath(path): path for path in reversed(paths)}.values():
        try:
            text = files.read(path).text
            commands = claude_code.placed(text) if text else frozenset[tuple[str, ...]]()
        except (OSError, InstallRefused):  # not JSON, not ours to read: Claude Code ignores it, too
            continue
        if commands:
            result.append((path, commands))
    return result[::-1]
