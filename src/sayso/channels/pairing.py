"""`sayso open` and `sayso pair`: a browser, here or elsewhere, gets access by a one-time code.

Both need the power to administer, which no agent has. Not here: codes, which the desk makes.
Imports `cli`, `output`, `qr`, `text`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sayso.channels import manual
from sayso.channels.cli import runner
from sayso.channels.output import DONE, GONE, Output
from sayso.channels.text import visible
from sayso.errors import SaysoError

POWERS = ("see", "answer", "admin")
_MAY = {
    "see": "see what agents ask",
    "answer": "see and answer what agents ask",
    "admin": "answer, and change settings and devices",
}
_SLACK_S = 10.0
"""How much longer than a code is good for the desk may take to say that it is over."""
_OPENER_S = 2.0
_ELSEWHERE = """\
This address is of this computer alone. To reach the desk from a phone, start it with a name that the \
phone knows (--public-url, behind tailscale serve or a proxy of yours) or with --listen."""


# --- this computer ---------------------------------------------------------------------


def _open(args: argparse.Namespace, out: Output) -> int:
    with args.connect() as desk:
        opened: dict[str, Any] = desk.call("desk.pairing", {"power": args.power, "name": args.name})
    out.json(opened)
    out.say(visible(opened["here"]))
    if args.print:
        return DONE
    command = opener(os.environ, sys.platform)
    if command and _opens([*command, opened["here"]]):
        out.say("It opens in your browser. The link works once, within two minutes.", "faint")
    else:
        out.say("Open that in a browser on this computer. It works once, within two minutes.", "faint")
    return DONE


def opener(environment: Mapping[str, str], platform: str) -> list[str]:
    """Return what opens a link in the person's browser; nothing where there is no screen."""
    if platform == "darwin":
        return ["open"]
    has_screen = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    names = ("xdg-open", "gio") if has_screen else ("wslview",)
    for name in names:
        if found := shutil.which(name, path=environment.get("PATH")):
            return [found, *(["open"] if name == "gio" else [])]
    return []


def _opens(command: list[str]) -> bool:
    """Start the person's browser; return whether that can be told to have worked."""
    nothing = subprocess.DEVNULL
    try:
        started = subprocess.Popen(
            command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
    except OSError:
        return False
    with suppress(subprocess.TimeoutExpired):  # some stay as long as the browser does
        return started.wait(_OPENER_S) == 0
    return True


# --- another device --------------------------------------------------------------------


def _pair(args: argparse.Namespace, out: Output) -> int:
    with args.connect() as desk:
        opened: dict[str, Any] = desk.call("desk.pairing", {"power": args.power, "name": args.name})
        out.json(opened)
        _show(opened, out)
        sys.stdout.flush()
        try:
            timeout_s = float(opened["expires_s"]) + _SLACK_S
            became: dict[str, Any] = desk.call("desk.pairing", {"wait": opened["id"]}, timeout_s)
        except KeyboardInterrupt:
            _cancel(args, opened["id"])
            raise
    out.json(became)
    if became["state"] != "used":
        why = "somebody tried too many wrong ones" if became.get("tried") else "nobody used it in time"
        out.say(f"The code is closed: {why}. `sayso pair` makes another one.")
        return GONE
    name = visible(became["device"]["name"])
    out.say(f"{name} may now {_MAY[opened['power']]}. `sayso token revoke NAME` takes that back.", "strong")
    return DONE


def _show(opened: dict[str, Any], out: Output) -> None:
    from sayso.channels import qr  # heavy, and only wanted here

    drawn = qr.lines(opened["url"], out.styled)
    if qr.columns(drawn) > out.columns:
        out.say("The terminal is too narrow for the QR code.", "faint")
    elif _writes_blocks():
        for line in drawn:
            out.say(line)
    out.say(f"On the other device, scan this or open:  {visible(opened['url'])}")
    out.say(f"Or give the page this code:  {visible(opened['code'])}")
    out.say(
        f"It works once, within two minutes; the device may then {_MAY[opened['power']]}. Waiting …", "faint"
    )
    if not opened["reachable"]:
        out.say(_ELSEWHERE)


def _writes_blocks() -> bool:
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _cancel(args: argparse.Namespace, code_id: str) -> None:
    """Close a code whose person has left; without a desk it is closed anyway."""
    with suppress(SaysoError), args.connect() as desk:
        desk.call("desk.pairing", {"cancel": code_id})


# --- the parsers -----------------------------------------------------------------------


def add_commands(subparsers: manual.Subparsers) -> None:
    """Add `open` and `pair`; each leaves `args.run`."""
    opening = subparsers.add_parser(
        "open",
        help="open the page in a browser on this computer",
        description="Print a link that opens the page in a browser on this computer, and open it.",
    )
    opening.add_argument("--print", action="store_true", help="print the link, and open nothing")
    opening.set_defaults(run=runner(_open))
    pair = subparsers.add_parser(
        "pair",
        help="give a phone or another computer access to the page",
        description="Show a QR code and a link for another device, and wait until it was used.",
    )
    pair.set_defaults(run=runner(_pair))
    for command, power in ((opening, "admin"), (pair, "answer")):
        command.add_argument(
            "--power", choices=POWERS, default=power, help=f"what the browser may do; {power} unless given"
        )
        command.add_argument("--name", default="", help="what the device is called; its page knows a name")
        command.add_argument("--json", action="store_true", help="one line of JSON, as the desk gives it")
