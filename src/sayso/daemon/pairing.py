"""One-time codes: how a device gets a credential without a token being typed or sent around.

Pure but for the random bits of a code: time is an argument, seconds that also pass while the
machine sleeps. A code is worth one device, for two minutes; only its hash is kept. Wrong tries
are few in any time, and too many of them close every code. Not here: devices (`devices`), the
methods (`pair_methods`).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable

from msgspec import Struct

from sayso.errors import TooMany, Unauthorized
from sayso.wire.protocol import Power

OPEN_S = 120.0
"""How long a code is good for."""
MOST_OPEN = 8
MOST_WRONG = 10
"""After so many wrong tries every open code is dropped."""
FREE_WRONG = 3
"""So many wrong tries may follow each other at once."""
PAUSE_S = 1.0
"""After each further one, nothing is tried for so long."""
MAX_CODE_CHARS = 128
_CODE_BYTES = 20
_GROUP = 4
_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's: without I, L, O and U, so that what is read aloud or typed off is not mistaken."""
_ALIKE = str.maketrans("ILO", "110", "- \t\r\n")


class Opened(Struct, frozen=True):
    """A new code, which nothing keeps, and the id under which it can be spoken of."""

    id: str
    code: str
    until_s: float


class Grant(Struct, frozen=True):
    """What a code is worth. `name`: of the device, "" leaves it to the device."""

    id: str
    power: Power
    name: str


class _Open(Struct, frozen=True):
    grant: Grant
    hash: bytes
    until_s: float


class Codes:
    """The codes that are open."""

    def __init__(self, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._draw = draw
        self._open: dict[str, _Open] = {}
        self._wrong = 0
        self._free_s = float("-inf")

    def open(self, power: Power, name: str, now: float) -> Opened:
        """Make a code. Raises: TooMany."""
        self.expire(now)
        if len(self._open) >= MOST_OPEN:
            raise TooMany(f"{MOST_OPEN} codes are open already: use one, or wait until they expire")
        if not self._open:  # what was tried before was no try at this one
            self._wrong = 0
        code = _written(self._draw(_CODE_BYTES))
        grant = Grant(self._draw(8).hex(), power, name)
        self._open[grant.id] = _Open(grant, _hash(code), now + OPEN_S)
        return Opened(grant.id, code, now + OPEN_S)

    def redeem(self, code: str, now: float) -> Grant:
        """Return what a code is worth, once.

        Raises: Unauthorized, when it is none that is open; TooMany, when too many were wrong
            a moment ago: then it was not looked at.
        """
        self.expire(now)
        if now < self._free_s:
            raise TooMany("too many wrong codes: wait a moment, and try again")
        digest, found = _hash(code[:MAX_CODE_CHARS]), None
        for one in self._open.values():  # all of them, however early one fits
            if hmac.compare_digest(one.hash, digest):
                found = one
        if found is None:
            self._note_wrong(now)
            raise Unauthorized(
                "this code is not open: it counts once, and for two minutes. Have a new one made"
            )
        del self._open[found.grant.id]
        self._wrong = 0
        return found.grant

    def _note_wrong(self, now: float) -> None:
        self._wrong += 1
        if self._wrong >= FREE_WRONG:
            self._free_s = now + PAUSE_S
        if self._wrong >= MOST_WRONG:
            self._open.clear()
            self._wrong = 0

    def is_open(self, code_id: str, now: float) -> bool:
        """Whether a code can still be used."""
        self.expire(now)
        return code_id in self._open

    def drop(self, code_id: str) -> None:
        """Close a code, if it is open."""
        self._open.pop(code_id, None)

    def expire(self, now: float) -> None:
        """Forget the codes whose time is over."""
        for code_id in [one.grant.id for one in self._open.values() if one.until_s <= now]:
            del self._open[code_id]


def _written(bits: bytes) -> str:
    """Return random bits as people read them: groups of letters and digits."""
    number, digits = int.from_bytes(bits), len(bits) * 8 // 5
    text = "".join(_DIGITS[number >> 5 * place & 31] for place in range(digits))
    return "-".join(text[start : start + _GROUP] for start in range(0, digits, _GROUP))


def _hash(code: str) -> bytes:
    """Return the digest of a code, however it was typed."""
    return hashlib.sha256(code.upper().translate(_ALIKE).encode(errors="replace")).digest()
