"""sayso: agents wait for your say-so.

The process that agents start as a hook imports this package in a few milliseconds, so this file
must import nothing, not even from `__future__`. It holds the version, and hands on what programs
import from it, `from sayso import Store`, when they do. What that is stands in `__init__.pyi`, for
people and type checkers, and in `sayso.store`.
"""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # No list of names: this runs in every hook. Modules of ours have lower case.
    if name[:1].isupper() or name in ("digest", "match"):
        found = getattr(__import__("sayso.store", fromlist=(name,)), name)
        globals()[name] = found
        return found
    if name == "ask":
        return __import__("sayso.ask", fromlist=(name,))
    raise AttributeError(f"module 'sayso' has no attribute {name!r}")
