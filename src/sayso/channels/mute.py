"""`sayso mute`: nobody is called for a session, for a while or until that is taken back.

Imports `base`, `letters`, `output`.
"""

from __future__ import annotations

import argparse

from sayso.channels import letters
from sayso.channels.base import agent_name, lined, short, span, where
from sayso.channels.output import DONE, Output


def run(args: argparse.Namespace, out: Output) -> int:
    """Run the command and return its exit code."""
    with args.connect() as desk:
        view = letters.find(args.session, letters.Box(desk).sessions)
        asked = {"agent": view.agent, "session_id": view.session_id, "for_s": args.for_s, "off": args.off}
        told = desk.call("desk.mute", asked)
    out.json(told)
    who = f"{agent_name(view.agent)} in {where(view)} (session {short(view.session_id)})"
    if args.off:
        words = f"You are called for {who} again."
    else:
        length = f"for {span(args.for_s)}" if args.for_s is not None else "until you take that back"
        words = f"Nobody is called for {who} {length}; what it asks is shown as ever."
    out.lines(lined(words, out.columns, style="strong"))
    return DONE
