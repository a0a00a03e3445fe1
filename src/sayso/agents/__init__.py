"""The agents sayso speaks with: one module each, both directions.

Such a module turns an agent's payload into an ask or an event (`parse`) and a decision into what the agent
expects (`render`). It does no I/O. This file is loaded by every hook and imports nothing.
"""

AGENTS = {"claude-code": "sayso.agents.claude_code", "codex": "sayso.agents.codex_hook"}
"""Name of an agent -> the module for its hooks, which is not loaded here."""


class Unshowable(ValueError):
    """What an agent asks cannot be shown as it is; the text says why, in a sentence for people."""


class Unrenderable(ValueError):
    """A decision that does not fit the payload. Nothing must be written then: the agent asks itself."""


def tell_apart(words: list[str], reason: str) -> None:
    """See that a person can tell these apart, and that none is blank: white space tells nothing.

    Raises:
        Unshowable: with this reason.
    """
    seen = {" ".join(one.split()) for one in words}
    if len(seen) < len(words) or "" in seen:
        raise Unshowable(reason)
