"""The hooks as a plugin folder of Claude Code, for `claude --plugin-dir` or a marketplace of one's own.

The commands in it are those of every other placement, word for word. Claude Code runs equal commands of
several settings files once, but those of a plugin beside those of settings: one of the two is enough.
Files that are not ours are never written over, and stay when the plugin goes.

Not here: what the hooks are (`claude_code`) and how a file is written (`files`).
Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from sayso.install import InstallRefused, claude_code, files, jsontext

if TYPE_CHECKING:
    from pathlib import Path

NAME = "sayso"
MANIFEST = ".claude-plugin/plugin.json"
HOOKS = "hooks/hooks.json"
README = "README.md"
LICENSE = "LICENSE"
ABOUT = "Answer what Claude Code asks, from wherever you are: it waits for your say-so."

_README = """# sayso

This plugin lets Claude Code ask through sayso. When it needs a permission, has a question, a plan or a form,
the desk on this computer shows it, and you answer from another terminal or another device. The dialog in
Claude Code's own terminal stays, and whoever answers first decides.

## What it needs

The hooks name absolute paths of this computer: a Python, a copy of sayso's hook, the desk's socket. So the
folder is of use here alone. Write it anew with `sayso install claude-code --plugin` after you moved sayso.

## What happens without a desk

Nothing. The hooks print nothing and end, and Claude Code asks in its own terminal, as without the plugin.
`sayso doctor` tells whether everything fits together.

## How it goes

`sayso uninstall claude-code --plugin` with this folder's path removes these files.
"""
_LICENSE = """MIT License

Copyright (c) 2026 The sayso authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""


def is_hooks(path: Path) -> bool:
    """Tell whether a path is that of a plugin's hooks, and not of settings."""
    return path.as_posix().endswith(f"/{HOOKS}")


def contents(hooks: dict[str, Any], version: str) -> dict[str, str]:
    """Return the text of every file of the plugin, by its path in the folder."""
    manifest = {
        "name": NAME,
        "version": version,
        "description": ABOUT,
        "author": {"name": "The sayso authors"},
        "license": "MIT",
        "keywords": ["permissions", "approval", "hooks"],
    }
    return {
        MANIFEST: json.dumps(manifest, indent=2) + "\n",
        HOOKS: json.dumps({"description": ABOUT, "hooks": hooks}, ensure_ascii=False, indent=2) + "\n",
        README: _README,
        LICENSE: _LICENSE,
    }


def write(folder: Path, hooks: dict[str, Any], version: str, state: Path) -> bool:
    """Write the plugin, or bring it up to date; return whether anything changed.

    Raises InstallRefused, with nothing written, when a file in the way is not ours.
    """
    wanted = contents(hooks, version)
    for name in wanted:
        text = files.read(folder / name).text
        if text is not None and not _is_ours(name, text):
            raise InstallRefused(
                f"{folder / name} is not one of sayso's. Choose a folder that is empty, or not there yet."
            )
    edits = [
        files.edit(folder / name, lambda _, text=text: text, state, lambda _: True)
        for name, text in wanted.items()
    ]
    return any(edit.before != edit.after for edit in edits)


def remove(folder: Path, state: Path) -> bool:
    """Remove the plugin's files, and the folders that are empty then; return whether there was one."""
    texts = {name: files.read(folder / name).text for name in (MANIFEST, HOOKS, README, LICENSE)}
    ours = [name for name, text in texts.items() if text is not None and _is_ours(name, text)]
    if MANIFEST not in ours and HOOKS not in ours:
        return False
    for name in ours:
        files.edit(folder / name, lambda _: None, state, lambda _: True)
    for each in (folder / ".claude-plugin", folder / "hooks", folder):
        with suppress(OSError):  # something else is in it
            each.rmdir()
    return True


def _is_ours(name: str, text: str) -> bool:
    """Tell whether a file was written by this module, of any version."""
    if name == LICENSE:
        return text == _LICENSE
    if name == README:
        return text.startswith("# sayso\n")
    value = _parsed(text)
    if name == MANIFEST:
        return value.get("name") == NAME and value.get("description") == ABOUT
    return value.get("description") == ABOUT and _are_own(value.get("hooks"))


def _are_own(events: object) -> bool:
    """Tell whether all hooks are ours: one that a person added must not go with them."""
    if not isinstance(events, dict):
        return False
    text = json.dumps({"hooks": events})
    return bool(claude_code.placed(text)) and claude_code.removal(text) == "{}"


def _parsed(text: str) -> dict[str, Any]:
    try:
        value: object = json.loads(text.removeprefix(jsontext.BOM))
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
