"""The page of events out: lines of `sayso watch --json`, and bodies of webhooks."""

from __future__ import annotations

from sayso.channels import stream
from sayso.channels.webhooks import delivery, told
from sayso.web.webhook_send import SEND_S
from sayso.wire import webhooks
from tests.docs.markdown import code, fence, joined, table

_OWN = frozenset({"snapshot", "session", "message", "settings", "grants", "alert", "note"})
"""Types of lines whose member has the same name."""
_MEMBER = {"session_forgotten": "session"}

_HEADERS = (
    ("`webhook-id`", "of the event, the same whenever it is tried again"),
    ("`webhook-timestamp`", "when it was sent, in seconds since 1970"),
    (
        "`webhook-signature`",
        """`v1,` and the base64 of an HMAC-SHA256 of `id.timestamp.body`; its key is what stands
        behind `whsec_` in the secret, decoded from base64""",
    ),
)
_EXAMPLE = """\
{"version": 1, "type": "request.shown", "timestamp": "2026-11-30T12:00:00.250Z", "boot": "9f…", "seq": 7,
 "data": {"request": {"id": "3f2a…", "agent": "claude-code", "kind": "permission", "state": "pending", …}}}"""


def page() -> str:
    """Return the page."""
    return joined(
        "# Events out",
        """What programs of yours are told of what happens: as lines of a command, or over HTTP. How to use
        it: [a status bar](../howto/status-bar.md), [webhooks](../howto/webhooks.md).""",
        *_promise(),
        *_stream(),
        *_webhooks(),
    )


def _promise() -> tuple[str, ...]:
    return (
        "## What stays as it is",
        """Within a version members and types are only ever added; none changes its meaning or goes. So
        ignore what you do not know, and take a member that is missing for what the [shapes](shapes.md) say
        under *otherwise*. If that promise had to be broken, the version would be raised.""",
    )


def _stream() -> tuple[str, ...]:
    rows = [(code(name), _member(name), about) for name, about in stream.LINES.items()]
    return (
        "## Lines of `sayso watch --json`",
        f"""One object of JSON a line, in ASCII, written at once; this is version {stream.VERSION}. A line is
        a [Change](shapes.md#change), as the desk tells it; [beside](shapes.md#beside) it stand `version`,
        `waiting` and `reconnected`.""",
        fence(
            '{"version": 1, "waiting": 1, "type": "snapshot", "boot": "9f…", "seq": 41, "snapshot": {…}}\n'
            '{"type": "resolved", "boot": "9f…", "seq": 42, "request": {…}, "waiting": 0}',
            "json",
        ),
        table(("type", "member", "what happened"), rows),
        """- **It goes on** when the desk ends and comes back: the next line is a snapshot with `reconnected`.
          What is not in it is over. If the desk does not come back within two seconds, a line of the type
          `absent` says so, once.
        - **It ends** when its reader does, at the latest a second later. Without a desk to begin with it ends
          after one line with `"ok": false` and what is wrong ([errors](errors.md)).
        - **It decides nothing and watches nothing**: who reads it does not count as a person who is there.
        - A reader that is too slow misses lines, and then gets a snapshot that stands for them.""",
    )


def _member(name: str) -> str:
    if name in _OWN:
        return code(name)
    return code(_MEMBER.get(name, "request")) if name != "absent" else "–"


def _webhooks() -> tuple[str, ...]:
    rows = [
        (code(name), about)
        for name, about in (*webhooks.EVENTS.items(), (webhooks.TEST, "a test of yours: no data"))
    ]
    pauses = ", ".join(_time(pause_s) for pause_s in delivery.PAUSES_S)
    return (
        "## Webhooks",
        f"""A `POST` with one event in JSON; this is version {webhooks.VERSION}. Headers and signature are
        those of the [Standard Webhooks](https://www.standardwebhooks.com) specification:""",
        table(("header", "what it says"), _HEADERS),
        table(("type", "what happened"), rows),
        fence(_EXAMPLE, "json"),
        "All members: [Event](shapes.md#event).",
        f"""- **Taken** is an event whose answer is 2xx, within {SEND_S:.0f} seconds. Of the answer nothing
          else counts: it decides nothing, and its body is not read. A redirect is not followed.
        - **Tried again** is one that is not taken, after {pauses}, each up to a fifth longer or shorter; then
          it is given up. An answer 429 or 503 may say otherwise with `Retry-After`, up to an hour.
        - **In order**: a webhook gets one event at a time, so one that is tried again holds up those after
          it, of this webhook alone. At most {delivery.MOST_WAITING} wait; then the oldest go.
        - **What never comes is seen**: `seq` goes on, and the next event has a `gap`. What waits lives in the
          desk's memory: it is lost when the desk ends, and the next event has another `boot`.
        - **410 ends it**: nothing more is sent.
        - **With the content `what`** at most {told.MOST_ROWS} rows are told, each value cut at
          {told.MOST_VALUE_CHARS:,} characters, masked, and with invisible characters written out.""",
    )


def _time(length_s: float) -> str:
    if length_s < 60:
        return f"{length_s:.0f} s"
    return f"{length_s / 60:.0f} min" if length_s < 3600 else f"{length_s / 3600:.0f} h"
