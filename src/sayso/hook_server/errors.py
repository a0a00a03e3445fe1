"""Why a hook server does not start. Imports `sayso.errors`.

::

    SaysoError
    ├── Refused
    │   └── UnsafeFolder      the URL file's folder is not the user's alone
    └── UrlFileInUse          another server lives that wrote its URL there
"""

from __future__ import annotations

from sayso.errors import Refused, SaysoError


class UnsafeFolder(Refused):
    """Others may get at the folder of the URL file. Nothing was written there or started."""


class UrlFileInUse(SaysoError):
    """Another server, which lives, has this URL file. It was left alone, and nothing was started."""

    code = "url_file_in_use"
    status = 409


class NotAllowed(SaysoError):
    """The path exists; it has no such method."""

    code = "unknown_method"
    status = 405
