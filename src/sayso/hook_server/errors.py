"""Why a hook server does not start. Imports `sayso.errors`.

::

    SaysoError
    ├── Refused               the file's folder is not the user's alone
    └── UrlFileInUse          another server lives that wrote its URL there
"""

from __future__ import annotations

from sayso.errors import SaysoError


class UrlFileInUse(SaysoError):
    """Another server that lives has this URL file. It is left alone; nothing was started."""

    code = "url_file_in_use"
    status = 409


class NotAllowed(SaysoError):
    """The path exists; it has no such method."""

    code = "unknown_method"
    status = 405
