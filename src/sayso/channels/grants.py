"""What is allowed for a while, on the command line: listed with the time left, and ended.

Not here: how it is allowed (`replies`). Imports `base`, `courier`, `output`, `text`, `errors` and
`wire.views`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sayso.channels.base import Line, grant_call, grant_gist, grant_left, lined, short, span
from sayso.channels.courier import Courier
from sayso.channels.output import DONE, Output
from sayso.channels.text import clip, visible
from sayso.errors import BadRequest, Gone
from sayso.wire.views import GrantView

ALL = "all"


def run(args: argparse.Namespace, out: Output) -> int:
    """List the grants, or end some."""
    with Courier(args.connect) as courier:
        if args.end is None:
            out.json([courier.raw_grants[view.id] for view in courier.grants])
            _show(courier.grants, out)
            return DONE
        ended = find(args.end, courier.grants)
        for view in ended:
            courier.desk.call("desk.ungrant", {"id": view.id})
        out.json([courier.raw_grants[view.id] for view in ended])
    for view in ended:
        out.lines(
            lined(f"Ended: {grant_gist(view)}. The next such call asks again.", out.columns, style="strong")
        )
    if not ended:
        out.say("No grant is open.")
    return DONE


def find(wanted: str, views: Sequence[GrantView]) -> list[GrantView]:
    """Return the grant whose id begins so, or all of them. Raises BadRequest, Gone."""
    if wanted == ALL:
        return list(views)
    found = [view for view in views if wanted.strip() and view.id.lower().startswith(wanted.strip().lower())]
    if not found:
        raise Gone(f"no grant is open whose id begins with {visible(wanted)!r}; `sayso grants` lists them")
    if len(found) > 1:
        named = ", ".join(visible(view.id) for view in found)
        raise BadRequest(f"{visible(wanted)!r} is the beginning of {len(found)} ids: {named}", "id")
    return found


def _show(views: Sequence[GrantView], out: Output) -> None:
    if not views:
        out.say("No grant is open.")
    for view in views:
        by = f"{view.by.name}, {view.by.channel}" if view.by.name else view.by.channel
        left = f"{grant_left(view, out.now_s())} left"
        words = (short(view.id), grant_call(view), left, f"allowed by {visible(by)}")
        out.lines(lined(" · ".join(words), out.columns, style="strong"))
        out.say(f"    {clip(view.what.strip(), out.columns - 4)}")
    if views:
        out.say("")
        out.say("sayso grants --end ID ends one, --end all every one.", "faint")


def opened(request_id: str, for_s: float, columns: int) -> list[Line]:
    """Return what is said of a grant as it is given."""
    words = f"This very call is allowed for {span(for_s)}. To end it: sayso grants --end {short(request_id)}"
    return lined(words, columns, style="strong")
