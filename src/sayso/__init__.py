"""sayso: agents wait for your say-so.

The process that agents start as a hook imports this package in a few milliseconds, so this file
must import nothing, not even from `__future__`. It holds the version and nothing else.
"""

__version__ = "0.1.0"
