"""Starting and ending desks, their health, and the devices: commands beside the channels'.

Imports the daemon for `up` alone; the others speak to a running desk.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.client.blocking import Desk
from sayso.client.places import Places, places, runtime_folder
from sayso.errors import Refused, Unavailable

if TYPE_CHECKING:
    from sayso.daemon.inside import MakeChannel
    from sayso.panes import Panes

START_S = 15.0
STOP_S = 10.0
LOG_MAX_BYTES = 1 << 20
_LOOK_S = 0.02


def up(args: argparse.Namespace) -> int:
    """Run a desk here until it is told to stop."""
    from sayso.daemon.http_bind import DEFAULT_PORT
    from sayso.daemon.http_lan import Wanted
    from sayso.daemon.lifecycle import Options
    from sayso.daemon.lifecycle import up as run_desk
    from sayso.intake.codex_server import CodexServer

    here = places()
    handler = _log_handler(here.log)
    logging.basicConfig(
        level=logging.INFO, handlers=[handler], format="%(asctime)s %(levelname)s %(message)s"
    )
    port = DEFAULT_PORT if args.port is None else args.port
    options = Options(
        port=None if args.no_http else port,
        public_url=args.public_url,
        lan=Wanted(
            listen=args.listen,
            tls_cert=args.tls_cert,
            tls_key=args.tls_key,
            insecure_lan=args.insecure_lan,
        ),
        agents_only=frozenset(args.agents_only),
        words=tuple(_options(args)),
        panes=partial(_panes, here),
        channels=_channels(args),
        intakes=(partial(CodexServer, env=dict(os.environ)),),
        push_loopback=args.push_loopback,
        telegram_api=args.telegram_api,
    )
    run_desk(here, options, lambda: print(f"sayso: the desk is open at {here.socket}", flush=True))
    return 0


def _channels(args: argparse.Namespace) -> tuple[MakeChannel, ...]:
    """Return the channels that run inside a desk."""
    from sayso.channels.notifier import Notifier
    from sayso.channels.push import pusher
    from sayso.channels.telegram.transport import telegram
    from sayso.channels.webhooks.channel import webhooks

    notifier = partial(Notifier, env=os.environ, platform=sys.platform)
    return notifier, pusher(args.public_url), telegram(runtime_folder()), webhooks


def _panes(here: Places, on_closed: Callable[[str], None]) -> Panes:
    """Return the panes of a desk: of the person's own tmux server, or of one of a private desk."""
    from sayso.daemon.access import MARK_PREFIXES, MARKS
    from sayso.panes import TMUX_SOCKET, Panes, Tmux

    # The desk may have been started from inside an agent; what it starts is not that agent's.
    marks = {*MARKS, *MARK_PREFIXES, *(name for name in os.environ if name.startswith(MARK_PREFIXES))}
    clean = {name: value for name, value in os.environ.items() if name not in marks}
    is_service = os.environ.get("SYSTEMD_EXEC_PID") == str(os.getpid())
    own = Tmux(str(here.socket.with_name(TMUX_SOCKET)) if here.private else "", clean, is_service)
    given = {"HT_SOCKET_PATH": str(here.socket), **_home(here)}
    return Panes(own, here.run, given, marks, on_closed)


def _log_handler(path: Path) -> logging.Handler:
    """Return what takes the log: standard error, or the desk's own file when that is where it leads."""
    try:
        leads_there = os.path.samestat(os.fstat(2), path.stat())
    except OSError:
        leads_there = False
    return _CappedLog(path, maxBytes=LOG_MAX_BYTES, backupCount=1) if leads_there else logging.StreamHandler()


class _CappedLog(RotatingFileHandler):
    """A log that keeps its last MiB and the one before; what the process prints moves along."""

    def doRollover(self) -> None:
        super().doRollover()
        with Path(self.baseFilename).open("ab") as fresh:
            for descriptor in (1, 2):
                os.dup2(fresh.fileno(), descriptor)


def start(args: argparse.Namespace) -> int:
    """Start a desk in the background, and wait until it answers."""
    here = places()
    try:
        health = _health(here.socket)
        if health is not None:
            print(f"A desk runs already (process {health['pid']}).")
            return 0
        return _start(_options(args), here)
    except Refused as error:  # a desk is there, and says nothing of itself to whom an agent started
        print(f"The desk is open. It answers nothing here: {error}")
        return 0


def _start(options: list[str], here: Places) -> int:
    here.state.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = here.log.stat().st_size if here.log.exists() else 0
    with here.log.open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sayso", "up", *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={**os.environ, **_home(here)},
            start_new_session=True,
        )
    until_s = time.monotonic() + START_S
    while (health := _health(here.socket)) is None:
        if process.poll() is not None or time.monotonic() > until_s:
            said = here.log.read_bytes()[before:].decode("utf-8", "replace").strip()
            print(f"sayso: the desk did not start; {here.log} says:\n{said}", file=sys.stderr)
            return 1
        time.sleep(_LOOK_S)
    print(f"The desk is open (process {health['pid']}). HTTP: {health['http']}")
    return 0


def _home(here: Places) -> dict[str, str]:
    """Return what leads the desk to a private home, wherever it is started."""
    return {"SAYSO_HOME": str(here.run.parent)} if here.private else {}


def http_words(args: argparse.Namespace) -> list[str]:
    """Return what was said about HTTP, as words of a command line again."""
    words = [] if args.port is None else ["--port", str(args.port)]
    words += ["--no-http"] if args.no_http else []
    for option in ("public_url", "listen", "tls_cert", "tls_key"):
        given = getattr(args, option)
        words += [f"--{option.replace('_', '-')}", given] if given else []
    return [*words, *(["--insecure-lan"] if args.insecure_lan else [])]


def _options(args: argparse.Namespace) -> list[str]:
    options = [*http_words(args), *(["--push-loopback"] if args.push_loopback else [])]
    options += ["--telegram-api", args.telegram_api] if args.telegram_api else []
    return [*options, *(word for pid in args.agents_only for word in ("--agents-only", str(pid)))]


def stop(_args: argparse.Namespace) -> int:
    """End the desk; what waits goes back to the agents' own prompts."""
    return _end(restart=False)


def restart(args: argparse.Namespace) -> int:
    """End the desk without a word to the hooks, and start another like it, which they find."""
    from sayso.service import command

    options = _options(args)
    if not options and command.restarted():
        return 0
    here = places()
    health = _health(here.socket)
    if health is not None and not options:
        options = list(health.get("options", ()))
    return _end(restart=True) or _start(options, here)


def _end(restart: bool) -> int:
    here = places()
    try:
        with Desk(str(here.socket)) as desk:
            desk.call("desk.stop", {"restart": restart})
    except Unavailable:
        if not restart:
            print("No desk runs.")
        return 0
    until_s = time.monotonic() + STOP_S
    while _held(here.lock):
        if time.monotonic() > until_s:
            print("sayso: the desk has not ended yet", file=sys.stderr)
            return 1
        time.sleep(_LOOK_S)
    if not restart:
        print("The desk is closed; agents ask in their own terminals.")
    return 0


def _held(lock: Path) -> bool:
    """Whether a desk still has the home's lock."""
    import fcntl

    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _health(path: Path) -> dict[str, Any] | None:
    try:
        with Desk(str(path)) as desk:
            health: dict[str, Any] = desk.call("desk.health", {}, timeout_s=2)
            return health
    except Unavailable:
        return None


def status(args: argparse.Namespace) -> int:
    """Say whether a desk runs, since when, what waited, and what is wrong."""
    here = places()
    health = _health(here.socket)
    if args.json:
        print(json.dumps(health if health is not None else {"ok": False}))
        return 0 if health is not None else 1
    if health is None:
        print("No desk runs: agents ask in their own terminals. Start one with `sayso start`.")
        return 1
    print(
        f"The desk is open: sayso {health['version']}, process {health['pid']}, since {health['started_at']}."
    )
    print(f"Waiting: {health['pending']}. Watching: {'yes' if health['watched'] else 'nobody'}.")
    totals = ", ".join(f"{name} {count}" for name, count in health["totals"].items())
    print(f"Since then: {totals or 'nothing was asked'}.")
    if answered := ", ".join(f"{where} {count}" for where, count in health.get("answered_from", {}).items()):
        print(f"Answered from: {answered}.")
    print(f"HTTP: {health['http']}")
    for trouble in health["troubles"]:
        print(f"Trouble: {trouble}")
    return 0


# --- devices ---------------------------------------------------------------------------


def token_create(args: argparse.Namespace) -> int:
    """Make a device; print its token, which nothing keeps."""
    made = _devices({"create": args.name, "power": args.power})
    if args.json:
        print(json.dumps(made))
        return 0
    print(made["token"])
    print(f"That is the token of {args.name} ({args.power}); it is not shown again.", file=sys.stderr)
    return 0


def token_list(args: argparse.Namespace) -> int:
    """List the devices."""
    devices: list[dict[str, Any]] = _devices({"list": True})["devices"]
    if args.json:
        print(json.dumps(devices))
        return 0
    for device in devices:
        mark = "  NOT MADE BY THIS DESK, not honoured" if device.get("foreign") else f"  {_used(device)}"
        print(f"{device['id']}  {_POWERS.get(device['power'], '?'):6}  {device['name']}{mark}")
    if not devices:
        print("No devices. `sayso pair` brings one here, `sayso token create NAME` makes one for a program.")
    return 0


def _used(device: dict[str, Any]) -> str:
    """Return when a device was used last, to the quarter of an hour that is kept."""
    used_at = device.get("used_at", 0)
    return f"(used {time.strftime('%Y-%m-%d %H:%M', time.localtime(used_at))})" if used_at else "(never used)"


_POWERS = {0: "none", 1: "ask", 2: "see", 3: "answer", 4: "admin"}


def token_revoke(args: argparse.Namespace) -> int:
    """Take a device back."""
    gone = _devices({"revoke": args.name})["device"]
    print(json.dumps(gone) if args.json else f"{gone['name']} may do nothing any more.")
    return 0


def _devices(params: dict[str, Any]) -> dict[str, Any]:
    with Desk(str(places().socket)) as desk:
        result: dict[str, Any] = desk.call("desk.devices", params)
        return result
