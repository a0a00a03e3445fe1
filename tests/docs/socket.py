"""The page of the control socket, from the table of methods."""

from __future__ import annotations

from sayso.wire.protocol import METHODS, PROTOCOL, Method, Power
from tests.docs.markdown import code, fence, joined, table

GROUPS = {"agent.": "For hooks", "desk.": "For people"}


def page() -> str:
    """Return the page."""
    return joined(
        "# The control socket",
        """A Unix socket, mode 0600 in a folder of mode 0700, for this user alone. `sayso status` runs over
        it, and the hooks of the agents; `sayso up` prints where it is. Lines of JSON, each at most 1
        MiB to the desk:""",
        fence(
            '{"id": 1, "method": "desk.answer", "params": {"id": "3f2a…", "reply": {"behavior": "allow"}}}\n'
            '{"id": 1, "result": {"ok": true, "state": "answered"}}',
            "json",
        ),
        f"""With `"jsonrpc": "2.0"` beside the method the answer has it too, and an [error](errors.md) is an
        object; without it an error is a plain string. Requests on one connection run side by side, and
        those of a connection that closes are over. This is version {PROTOCOL} of the protocol: a hook
        that is newer than the desk decides nothing.""",
        *(section(title, prefix) for prefix, title in GROUPS.items()),
        *_exchange(),
        *_powers(),
    )


def section(title: str, prefix: str) -> str:
    """Return the methods of one side."""
    rows = [
        (code(name), method.power.name.lower(), about(method))
        for name, method in METHODS.items()
        if name.startswith(prefix)
    ]
    return joined(f"## {title}", table(("method", "power", "parameters and what it does"), rows))


def about(method: Method) -> str:
    """Return a method's words, and how long its answer may take."""
    more = " Waits." if method.holds else " Has no answer." if method.notifies else ""
    said, colon, rest = method.about.partition(": ")
    words = f"{code(said)}: {rest}" if colon and said.startswith("{") else method.about
    return words + "." + more


def _exchange() -> tuple[str, ...]:
    return (
        "## An ask, line by line",
        "`>` goes to the desk, `<` comes from it:",
        fence(
            '> {"id": 1, "method": "agent.request", "params": {"kind": "permission", …}}\n'
            '< {"method": "agent.pending", "params": {"id": "3f2a…"}}\n'
            '< {"id": 1, "result": {"behavior": "allow"}}\n'
            '> {"method": "agent.written", "params": {"id": "3f2a…", "expects": "…"}}'
        ),
        """A result of `{}` means that nothing was decided. A connection that closes without a result means
        that the desk starts anew: the hook asks again, under the same id. `agent.pending` comes within
        250 ms, or the desk counts as absent. The shapes are [Ask](shapes.md#ask),
        [Decision](shapes.md#decision) and [HookEvent](shapes.md#hookevent).""",
        """A subscriber is pushed `desk.change` with a [Change](shapes.md#change). The first is the
        snapshot, in pieces of at most 256 KiB, all but the last with `"more": true`.""",
    )


def _powers() -> tuple[str, ...]:
    means = {
        Power.ASK: "register requests, withdraw its own, report events",
        Power.SEE: "list, follow, read sessions",
        Power.ANSWER: "see; and decide, release, send messages",
        Power.ADMIN: "answer; and settings, devices, ending the desk",
    }
    rows = [(code(power.name.lower()), words) for power, words in means.items()]
    return (
        "## Powers",
        """A process of this user may ask. It may do more only if no agent started it: see [who may
        answer](../explanation/who-may-answer.md).""",
        table(("power", "may"), rows),
    )
