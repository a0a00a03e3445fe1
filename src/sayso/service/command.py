"""`sayso service install|uninstall|status`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.client.blocking import Desk
from sayso.client.places import places
from sayso.errors import SaysoError, Unavailable
from sayso.install import InstallRefused, files, stable
from sayso.running import http_words
from sayso.service.managers import Manager, manager, told

if TYPE_CHECKING:
    from sayso.client.places import Places

_ACTIVE_CODE = 0


def install(args: argparse.Namespace) -> int:
    """Write the service's file, have it started with each session, and start it now."""
    here = places()
    its = _manager(here)
    text = its.text(_command(args))
    if args.print:
        print(text, end="")
        return 0
    _refuse_private(here)
    if stable.is_volatile(Path(sys.executable), os.environ):
        raise SaysoError(
            f"sayso runs from {Path(sys.executable).parent}, which may be gone tomorrow, and the service "
            "with it. Install sayso to stay first: uv tool install sayso, or pipx install sayso."
        )
    if trouble := its.check(text):
        raise SaysoError(f"the unit would not be accepted: {trouble}")
    changed = write(its, text, here.state)
    print(f"Wrote {its.path}." if changed else f"{its.path} was there already; nothing changed.")
    if not _tell(its, its.enable):
        return 1
    if _answers(here):
        print("A desk runs already. To hand over to the service: `sayso stop`, then")
        print("\n".join(f"  {' '.join((its.program, *words))}" for words in its.start))
        return 0
    return 0 if _tell(its, its.start) else 1


def _command(args: argparse.Namespace) -> list[str]:
    # -P: whatever folder it is started in, no module of that folder is taken for one of ours.
    return [sys.executable, "-P", "-m", "sayso", "up", *http_words(args)]


def write(its: Manager, text: str, state: Path) -> bool:
    """Put the file in place; return whether it changed. Raises SaysoError: a foreign one is there."""

    def change(before: str | None) -> str:
        if before is not None and not its.is_own(before):
            raise InstallRefused("This was not written by sayso, so it stays. Move it away first.")
        return text

    try:
        edited = files.edit(its.path, change, state, its.is_own)
    except InstallRefused as error:
        raise SaysoError(str(error)) from None
    return edited.before != edited.after


def uninstall(_args: argparse.Namespace) -> int:
    """Stop the service and remove its file."""
    here = places()
    its = _manager(here)
    _refuse_private(here)
    text = _text(its)
    if text is None:
        print(f"There is no {its.path}; nothing changed.")
        return 0
    if not its.is_own(text):
        raise SaysoError(f"{its.path} was not written by sayso, so it stays.")
    stopped = _tell(its, its.stop)
    try:
        files.edit(its.path, lambda _: None, here.state, its.is_own)
    except InstallRefused as error:
        raise SaysoError(str(error)) from None
    print(f"Removed {its.path}.")
    return 0 if _tell(its, its.gone) and stopped else 1


def status(_args: argparse.Namespace) -> int:
    """Say whether the service is there and runs; 0 when it does."""
    here = places()
    its = _manager(here)
    text = _text(its)
    if text is None:
        print("The service is not installed: `sayso service install`.")
        return 1
    whose = "" if its.is_own(text) else ", which was not written by sayso"
    code, _ = told([its.program, *its.active])
    print(f"The service is installed: {its.path}{whose}.")
    print("It runs." if code == _ACTIVE_CODE else "It does not run.")
    if code != _ACTIVE_CODE and _answers(here):
        print("A desk runs all the same, started in another way.")
    return 0 if code == _ACTIVE_CODE else 1


def restarted() -> bool:
    """Have the manager restart the desk, where it is one of the service's; return whether it is.

    Ended behind the manager's back, the next desk would not be the service's any more.
    """
    here = places()
    its = _manager(here)
    if here.private or not its.path.exists() or told([its.program, *its.active])[0] != _ACTIVE_CODE:
        return False
    if not _tell(its, its.restart):
        return False
    print("The service starts the desk anew.")
    return True


def _manager(here: Places) -> Manager:
    return manager(os.environ, Path.home(), here.log)


def _refuse_private(here: Places) -> None:
    if here.private:
        raise SaysoError("the service is for the desk of your home, not for a private one: unset SAYSO_HOME")


def _text(its: Manager) -> str | None:
    try:
        return files.read(its.path).text
    except (InstallRefused, OSError) as error:
        raise SaysoError(str(error)) from None


def _tell(its: Manager, calls: Sequence[Sequence[str]]) -> bool:
    """Tell the manager; on a failure, the person what it said and what was meant."""
    for words in calls:
        code, said = told([its.program, *words])
        if code:
            print(f"sayso: {its.program} {' '.join(words)} failed: {said}", file=sys.stderr)
            return False
    return True


def _answers(here: Places) -> bool:
    try:
        Desk(str(here.socket)).close()
    except Unavailable:
        return False
    return True
