"""The page of the Python API, from the docstrings and signatures of what `sayso` hands on."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import msgspec

from sayso import ask, hook_server, store
from sayso.ask import errors as ask_errors
from sayso.hook_server import blocking
from sayso.store import names
from tests.docs.markdown import code, constants, fence, joined, prose, table
from tests.docs.types import link

ASKING = ("yesno", "choice", "text", "confirm_command")
_SECTION = re.compile(r"^(Args|Raises|Returns):$")
_ITEM = re.compile(r"^(\w[\w, ]*): (.*)$")
_QUOTED = re.compile(r"(: |-> )'([^']*)'")


def page() -> str:
    """Return the page."""
    return joined(
        "# Python",
        """What `from sayso import …` offers: `ask` to programs that [ask a
        person](../howto/ask-from-a-script.md#from-python), `hook_server` to programs that [answer an agent's
        hooks](../howto/hook-server.md) without a desk, all else to programs that have the desk in their own
        process: [use it from Python](../howto/use-from-python.md). Instants in `…_s` are seconds of the
        store's clock, which is the machine's monotonic clock unless the program gives another.""",
        "## Store",
        about(store.Store),
        *(function(f"Store.{name}", member) for name, member in methods(store.Store)),
        "## Sessions",
        about(store.Sessions),
        *(function(f"Sessions.{name}", member) for name, member in methods(store.Sessions)),
        "## Functions",
        *(function(name, getattr(store, name)) for name in ("digest", "match")),
        "## Errors",
        table(("error", "when"), [(code(kind.__name__), prose(kind.__doc__)) for kind in errors()]),
        "All are of [one tree](errors.md): they have a text for people, a `code` and a `status`.",
        "## Shapes",
        table(("name", "what it holds"), shapes()),
        "## Constants",
        table(("name", "value", "meaning"), [(code(n), code(str(v)), words) for n, v, words in bounds()]),
        *asking(),
        *hooking(),
    )


def asking() -> Iterator[str]:
    """Yield the sections on asking a person."""
    yield f"## Ask a person\n\n{about(ask)}"
    yield from (function(f"ask.{name}", getattr(ask, name)) for name in ASKING)
    kinds = [ask.NotAnswered, ask.TimedOut, ask.Cancelled, ask.NoDesk]
    assert all(kind.__module__ == ask_errors.__name__ for kind in kinds)
    yield table(("error", "when"), [(code(f"ask.{kind.__name__}"), prose(kind.__doc__)) for kind in kinds])


def hooking() -> Iterator[str]:
    """Yield the sections on a hook server."""
    yield f"## Answer hooks\n\n{about(hook_server)}"
    for kind in (hook_server.HookServer, hook_server.HookEvent):
        name = f"hook_server.{kind.__name__}"
        yield joined(f"### {name}", about(kind), table(("member", "what it says"), properties(kind)))
        yield from (function(f"{name}.{each}", member) for each, member in methods(kind))
    yield function("hook_server.blocking.HookServer.next_event", blocking.HookServer.next_event)
    yield joined("### hook_server.HookResponse", about(hook_server.HookResponse))
    yield table(("`hook_server.Ending`", "when"), endings())
    kinds = [hook_server.BadReply, hook_server.UrlFileInUse, hook_server.UnsafeFolder]
    rows = [(code(f"hook_server.{kind.__name__}"), prose(kind.__doc__)) for kind in kinds]
    yield table(("error", "when"), rows)


def endings() -> list[tuple[str, str]]:
    """Return the ways in which an event ends, with what stands below each in the source."""
    source = inspect.getsource(hook_server.Ending)
    found: list[tuple[str, str]] = re.findall(r'^    ([A-Z]+) = ".*"\n    """(.*?)"""$', source, re.MULTILINE)
    assert [name for name, _ in found] == [one.name for one in hook_server.Ending]
    return [(code(name), words) for name, words in found]


def properties(of: type) -> list[tuple[str, str]]:
    """Return what a class says of itself, in its order."""
    found = [(name, one) for name, one in vars(of).items() if isinstance(one, property)]
    return [(code(name), prose(one.__doc__)) for name, one in found]


def methods(of: type) -> Iterator[tuple[str, object]]:
    """Yield what a class offers, in its order."""
    for name, member in vars(of).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            yield name, member


def function(name: str, member: object) -> str:
    """Return one function: its signature as code, and what it says of itself."""
    assert callable(member)
    waits = "async " if inspect.iscoroutinefunction(member) else ""
    signature = _QUOTED.sub(r"\1\2", str(inspect.signature(member)))  # annotations are strings here
    text = waits + name + re.sub(r"\(self(, )?", "(", signature, count=1)
    return joined(f"### {name}", fence(text, "python"), about(member))


def about(of: object) -> str:
    """Return a docstring, the items of its sections as a list."""
    lines: list[str] = []
    for line in prose(of.__doc__).splitlines():
        item = _ITEM.match(line.strip()) if line.startswith("    ") and not line.startswith("     ") else None
        if _SECTION.match(line):
            lines += [line, ""]
        elif item is not None:
            lines.append(f"- {', '.join(code(name) for name in item[1].split(', '))}: {item[2]}")
        else:
            lines.append(line.strip() if not line.startswith("     ") else f"  {line.strip()}")
    return "\n".join(lines)


def errors() -> list[type[Exception]]:
    found = [getattr(store, name) for name in store.__all__]
    return [one for one in found if isinstance(one, type) and issubclass(one, Exception)]


def shapes() -> list[tuple[str, str]]:
    """Return the public shapes, and where each is described."""
    found = [(name, getattr(store, name)) for name in store.__all__]
    rows = [
        (code(name), f"as {link(one)}" if one.__name__ != name else link(one))
        for name, one in found
        if isinstance(one, type) and issubclass(one, msgspec.Struct)
    ]
    kinds = ", ".join(code(f"{kind.name}") for kind in store.EventType)
    return [*rows, (code("EventType"), f"what an event means: {kinds}")]


def bounds() -> list[tuple[str, object, str]]:
    return [row for row in constants(names) if row[0] in store.__all__]
