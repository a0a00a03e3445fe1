"""The errors of sayso, as one tree; each knows its code on every wire.

::

    SaysoError
    ├── BadRequest            400  the caller's words are malformed; names the field
    │   ├── BadReply          400  an answer that does not fit its request; the request stays pending
    │   ├── NotSeen           400  an allow of something the person was not shown whole
    │   └── OutOfTurn         400  a receipt or id that cannot be meant: a protocol error of the caller
    ├── UnknownMethod         404  no such method or route
    ├── Unauthorized          401  no credential, or one that is not known
    ├── Refused               403  the caller lacks the power; says why and what to do
    ├── NotRunning            404  a message for a session in which nothing would take it
    ├── Gone                  409  the request was settled before; carries how
    ├── IdTaken               409  a caller's own id that another request has
    ├── TooLarge              413  more than the wire allows
    ├── TooMany               503  so much waits already that no more is taken in
    └── Unavailable           503  the desk is not there, or goes away

What an error leaves behind: nothing. Whoever raises one has changed no state.
Imports nothing.
"""

from __future__ import annotations


class SaysoError(Exception):
    """An error that a caller may be told. Its text is for people: what happened, what to do."""

    code = "error"
    status = 500
    rpc = -32000

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    @property
    def data(self) -> dict[str, str]:
        """What else a program may want to know; strings by name."""
        return {}


class BadRequest(SaysoError):
    """Malformed words of a caller. `field` is the path of the field at fault, or ""."""

    code = "bad_request"
    status = 400
    rpc = -32602

    def __init__(self, text: str, field: str = "") -> None:
        super().__init__(text)
        self.field = field

    @property
    def data(self) -> dict[str, str]:
        return {"field": self.field} if self.field else {}


class BadReply(BadRequest):
    """An answer that does not fit its request, which stays pending."""


class NotSeen(BadRequest):
    """An allow of a request with a part that was not shown to this person."""

    code = "not_seen"


class OutOfTurn(BadRequest):
    """A receipt or an id that makes no sense now: a mistake of the asking program."""


class UnknownMethod(SaysoError):
    """A method or route that does not exist."""

    code = "unknown_method"
    status = 404
    rpc = -32601


class Unauthorized(SaysoError):
    """No credential where one is needed, or an unknown one."""

    code = "unauthorized"
    status = 401
    rpc = -32003


class Refused(SaysoError):
    """The caller is known and may not do this."""

    code = "refused"
    status = 403
    rpc = -32004


class NotRunning(SaysoError):
    """A message for a session in which nothing would take it."""

    code = "session_not_running"
    status = 404
    rpc = -32002


class Gone(SaysoError):
    """The request is settled, or never was. `state` is how it ended, or ""."""

    code = "request_gone"
    status = 409
    rpc = -32001

    def __init__(self, text: str, state: str = "") -> None:
        super().__init__(text)
        self.state = state

    @property
    def data(self) -> dict[str, str]:
        return {"state": self.state} if self.state else {}


class IdTaken(SaysoError):
    """The id that a caller chose is another request's."""

    code = "id_taken"
    status = 409
    rpc = -32008


class TooLarge(SaysoError):
    """More bytes than the wire allows."""

    code = "too_large"
    status = 413
    rpc = -32005


class TooMany(SaysoError):
    """So much waits already, of this caller or in all, that no more is taken in."""

    code = "too_many"
    status = 503
    rpc = -32007


class Unavailable(SaysoError):
    """The desk is not there, does not answer, or is going away."""

    code = "unavailable"
    status = 503
    rpc = -32006
