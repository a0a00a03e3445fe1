"""What stands in the files that service managers read. Text alone; imports the standard library."""

from __future__ import annotations

import plistlib
from collections.abc import Sequence
from typing import cast
from xml.parsers.expat import ExpatError

UNIT = "sayso.service"
LABEL = "dev.sayso.desk"

_MARK = "Written by `sayso service install`; `sayso service uninstall` removes it."

# What is left out, and why:
# - ProtectProc, PrivateUsers, and what brings namespaces along for a user's unit (PrivateTmp, ProtectSystem,
#   ProtectHome): the desk reads its callers' ancestors and environments in /proc, and could not any more.
# - RestrictNamespaces: agents that the desk starts in a terminal of its own need them for their sandboxes.
_UNIT = """# {mark}
[Unit]
Description=sayso: the desk that answers what coding agents ask
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart={command}
WorkingDirectory=/
Restart=on-failure
RestartSec=1
# A restart ends without a word, and hooks wait for the next desk; a stop gives back what waits.
RestartKillSignal=SIGHUP
KillMode=mixed
TimeoutStopSec=15
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=default.target
"""


def systemd_unit(command: Sequence[str]) -> str:
    """Return the unit for a command with an absolute program."""
    return _UNIT.format(mark=_MARK, command=" ".join(map(_word, command)))


def _word(word: str) -> str:
    """Quote a word: systemd expands %, $ and backslashes, and splits at white space."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    plain = escaped and not set(escaped) & set(" \t'\";#")
    return escaped if plain else f'"{escaped}"'


def is_own_unit(text: str) -> bool:
    return text.startswith(f"# {_MARK}\n")


def launchd_plist(command: Sequence[str], log: str) -> str:
    """Return the property list of a launchd agent."""
    agent = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        # As with systemd: up again after a failure, not after `sayso stop`.
        "KeepAlive": {"SuccessfulExit": False},
        "WorkingDirectory": "/",
        "Umask": 0o077,
        "StandardOutPath": log,
        "StandardErrorPath": log,
    }
    text = plistlib.dumps(agent, sort_keys=False).decode()
    head, start, rest = text.partition("<plist")
    return f"{head}<!-- {_MARK} -->\n{start}{rest}"


def is_own_plist(text: str) -> bool:
    if f"<!-- {_MARK} -->" not in text:
        return False
    try:
        value: object = plistlib.loads(text.encode())
    except (ValueError, ExpatError):
        return False
    return isinstance(value, dict) and cast("dict[str, object]", value).get("Label") == LABEL
