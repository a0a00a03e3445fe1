"""Checks of the bot: is it reached, by its own word and lately?"""

from __future__ import annotations

import time

from sayso.client.blocking import Desk
from sayso.doctor.context import HEALTH_S, Context, Json
from sayso.doctor.findings import Finding, fail, note, ok
from sayso.errors import SaysoError

FRESH_S = 90.0
"""A poll takes half a minute: an older round trip is none of a bot that is well."""
_MORE = "See docs/howto/telegram.md; `sayso telegram list` tells how it fares."


def telegram(context: Context) -> Finding:
    """Tell whether the bot receives; where nobody is paired there is nothing to be wrong."""
    if context.health is None:
        return ok("Telegram: nothing is known without a desk.")
    info = asked(context)
    if info is None:
        return note("The desk tells nothing of Telegram.", "Is it of this version? `sayso restart`.")
    return judged(info, time.time())


def asked(context: Context) -> Json | None:
    """Return what the desk says of its bot; None when it does not."""
    try:
        with Desk(str(context.places.socket)) as desk:
            info: Json = desk.call("desk.telegram", {"list": True}, timeout_s=HEALTH_S)
            return info
    except SaysoError:
        return None


def judged(info: Json, now_s: float) -> Finding:
    """Return what is to be made of the desk's word. `now_s`: seconds since 1970."""
    count = len(info.get("senders", ()))
    if not info["bot"] or not count:
        return ok("Telegram is off: nobody is paired.")
    health: Json = info.get("health", {})
    if words := health.get("words"):
        return fail(f"Telegram: {words}.", _MORE)
    age_s = now_s - health.get("reached_at", 0.0)
    if health.get("state") != "well" or age_s > FRESH_S:
        return fail(f"Telegram: @{info['bot']} has not received anything lately.", _MORE)
    heard_at = health.get("heard_at", 0.0)
    heard = f"; somebody wrote or tapped last {_ago(now_s - heard_at)}" if heard_at else ""
    return ok(f"Telegram: @{info['bot']} was reached {_ago(age_s)}, {count} paired{heard}.")


def _ago(length_s: float) -> str:
    if length_s < 120:
        return f"{max(length_s, 0):.0f} s ago"
    return f"{length_s / 60:.0f} min ago" if length_s < 7200 else f"{length_s / 3600:.0f} h ago"
