"""Checks of the agent's settings: are the hooks there, whole, alone, and will they be run?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import urlsplit

from sayso.doctor import codex_checks
from sayso.doctor.context import Context, Source, parts
from sayso.doctor.findings import Finding, fail, note, ok, worst
from sayso.install import InstallRefused, claude_code, claude_plugin

_AGAIN = "Run `sayso install claude-code` again."


def installed(context: Context) -> Finding:
    if not context.placed and codex_checks.concerns(codex_checks.Look(context)):
        return note("Claude Code has no hooks of sayso's; Codex is looked at below.")
    if not context.placed:
        return fail("No settings hold hooks of sayso's.", "Run `sayso install claude-code`.")
    return ok("Hooks are in " + ", ".join(str(source.path) for source in context.placed) + ".")


def whole(context: Context) -> Finding:
    """Something may have thinned the hooks, or an older sayso wrote them."""
    return worst((_whole(source) for source in context.placed), "Every event has its hook.")


def _whole(source: Source) -> Finding:
    have = {entry.event for entry in source.entries()}
    missing = [event.name for event in claude_code.EVENTS if event.name not in have]
    if missing:
        return fail(f"{source.path} lacks hooks for {', '.join(missing)}.", _AGAIN)
    command = source.entries()[0].command
    try:
        hooks = claude_code.hook_settings(*parts(command))
        is_same = claude_code.placement(source.text, hooks) == source.text
    except InstallRefused:
        is_same = False
    if is_same:
        return ok("")
    return fail(f"The hooks in {source.path} are not what this sayso writes there.", _AGAIN)


def one_command(context: Context) -> Finding:
    """Equal commands of several settings files are run once; others, and a plugin's, beside each other."""
    places = ", ".join(str(source.path) for source in context.placed)
    different = {entry.command for source in context.placed for entry in source.entries()}
    if len(different) > 1:
        return fail(
            f"{len(different)} different commands of sayso's are in {places}: the agent would run each.",
            "Keep one: `sayso uninstall claude-code` with --scope or --plugin, or install again everywhere.",
        )
    plugins = [source for source in context.placed if claude_plugin.is_hooks(source.path)]
    if plugins and len(plugins) < len(context.placed):
        return fail(
            f"A plugin and settings both hold the hooks ({places}): with both in use the agent asks twice.",
            "Keep one: `sayso uninstall claude-code`, or the same with --plugin DIR.",
        )
    return ok("The agent runs one command.")


def readable(context: Context) -> Finding:
    """Claude Code ignores a file that is not strict JSON as a whole, and says little about it."""
    found = [
        fail(
            f"Claude Code ignores {source.path} as a whole: {source.trouble}.",
            "Mend it (no comments, no comma after the last member).",
        )
        for source in (*context.own, *context.managed)
        if source.trouble
    ]
    return worst(found, "Every settings file can be read.")


def entries(context: Context) -> Finding:
    """One entry that Claude Code refuses makes it ignore every setting of that file."""
    return worst(
        (_entry_finding(source, trouble) for source in context.own for trouble in invalid(source)),
        "No hook entry makes Claude Code ignore a file.",
    )


def _entry_finding(source: Source, trouble: str) -> Finding:
    text = f"In {source.path}, {trouble}: Claude Code may ignore the whole file."
    todo = "Correct or remove that entry."
    return fail(text, todo) if source.entries() else note(text, todo)


def invalid(source: Source) -> Iterator[str]:
    """Yield what is wrong with hooks, by what was seen to be refused."""
    for event, _, handler in source.handlers():
        if not isinstance(handler, dict):
            yield f"a hook of {event} is not an object"
            continue
        fields = cast("dict[str, Any]", handler)
        timeout: object = fields.get("timeout", 1)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
            yield f"a hook of {event} has the timeout {timeout!r}, which must be above 0"
        if fields.get("type") == "command" and not isinstance(fields.get("command"), str):
            yield f"a hook of {event} has no command"
        if fields.get("type") == "http" and not _is_url(fields.get("url")):
            yield f"a hook of {event} has no valid URL"


def _is_url(value: object) -> bool:
    try:
        parsed = urlsplit(value if isinstance(value, str) else "")
    except ValueError:
        return False
    return parsed.scheme in ("http", "https") and bool(parsed.hostname)


def switched_on(context: Context) -> Finding:
    found = [
        fail(
            f'{source.path} says "disableAllHooks": true, so no hook runs.',
            "Remove that line." if source in context.own else "Ask whoever administers this computer.",
        )
        for source in (*context.own, *context.managed)
        if source.settings.get("disableAllHooks") is True
    ]
    return worst(found, "Hooks are not switched off.")


def managed(context: Context) -> Finding:
    """An organisation may allow its own hooks alone, or those of plugins."""
    found = [finding for source in context.managed if (finding := _managed(context, source))]
    fine = "No settings of an organisation stand in the way."
    return worst(found, fine)


def _managed(context: Context, source: Source) -> Finding | None:
    administrator = "Ask whoever administers this computer to allow sayso's hooks."
    if source.settings.get("allowManagedHooksOnly") is True:
        return fail(f"{source.path} allows hooks of your organisation only.", administrator)
    strict: object = source.settings.get("strictPluginOnlyCustomization")
    listed = isinstance(strict, list) and "hooks" in cast("list[object]", strict)
    if strict is True or listed:
        has_plugin = any(claude_plugin.is_hooks(placed.path) for placed in context.placed)
        text = f"{source.path} allows hooks from plugins only."
        todo = "Use `sayso install claude-code --plugin DIR`; your organisation may have to allow the plugin."
        return note(text) if has_plugin else fail(text, todo)
    return note(f"{source.path} holds settings of your organisation, which override yours.")


def config_folder(context: Context) -> Finding:
    """Sessions with another CLAUDE_CONFIG_DIR read other settings."""
    chosen = context.environ.get("CLAUDE_CONFIG_DIR")
    if not chosen:
        return ok("Claude Code reads its settings from the usual folder.")
    return note(
        f"CLAUDE_CONFIG_DIR is {chosen} here: what was looked at is for sessions that have it as well.",
        "Where sessions are started without it, run `sayso doctor` and `sayso install` without it.",
    )


def paths(context: Context) -> Finding:
    """The hooks take their socket from the settings and from nowhere else."""
    here = context.places
    found: list[Finding] = []
    for command in context.commands:
        for what, is_said, is_meant in (
            ("socket", command.socket, str(here.socket)),
            ("flag folder", command.flags, str(here.flags)),
        ):
            if is_said != is_meant:
                text = f"The settings name the {what} {is_said}; this desk's is {is_meant}."
                todo = f"{_AGAIN} If SAYSO_HOME is set by mistake, unset it."
                found.append(fail(text, todo))
    return worst(found, "Settings and desk name the same socket.")
