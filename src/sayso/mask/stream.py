"""Masks a stream of bytes as it comes, so that the result is the one of the whole text.

Only whole lines are masked, and the lines of a key block all at once: no other secret spans
lines. It does not read or write; `main` does. May import the standard library, `errors` and
`mask`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sayso.errors import BadRequest
from sayso.mask.engine import Masked, mask

MAX_LINE_BYTES = 64 * 1024 * 1024
MAX_BLOCK_BYTES = 1024 * 1024
"""No key is as long; what only begins like one is not waited for any further."""

_BEGIN = b"-----BEGIN "
_OF_A_BLOCK = re.compile(rb"[ \t]*(?:[A-Za-z0-9+/=]*|[A-Za-z][A-Za-z-]{0,40}: [^\r\n]*)[ \t]*\r?\n")


class LineMasker:
    """Takes bytes in pieces of any size and gives them back masked.

    Bytes that are no UTF-8 come out as they went in. `hidden` counts what was masked.
    """

    def __init__(self, masker: Callable[[str], Masked] = mask) -> None:
        self.hidden = 0
        self._mask = masker
        self._rest = bytearray()
        self._block: list[bytes] = []
        self._block_bytes = 0

    def feed(self, data: bytes) -> bytes:
        """Return what can be told of the text so far.

        Raises:
            BadRequest: a line is longer than MAX_LINE_BYTES; none of it was returned.
        """
        self._rest += data
        end = len(self._rest) - len(data) + data.rfind(b"\n") + 1
        if b"\n" not in data:
            if len(self._rest) > MAX_LINE_BYTES:
                raise BadRequest(f"a line is longer than {MAX_LINE_BYTES:,} bytes", "text")
            return b""
        lines = bytes(self._rest[:end])
        del self._rest[:end]
        if not self._block and _BEGIN not in lines:
            return self._masked(lines)
        return self._masked(b"".join(self._ready(line + b"\n") for line in lines.split(b"\n")[:-1]))

    def end(self) -> bytes:
        """Return what is left at the end of the text."""
        left = b"".join(self._block) + bytes(self._rest)
        self._block, self._block_bytes, self._rest = [], 0, bytearray()
        return self._masked(left)

    def _ready(self, line: bytes) -> bytes:
        """Take a line; return what need not wait any longer for what follows."""
        self._block.append(line)
        self._block_bytes += len(line)
        goes_on = _BEGIN in line or (len(self._block) > 1 and _OF_A_BLOCK.fullmatch(line))
        if goes_on and self._block_bytes <= MAX_BLOCK_BYTES:
            return b""
        ready = b"".join(self._block)
        self._block, self._block_bytes = [], 0
        return ready

    def _masked(self, lines: bytes) -> bytes:
        masked = self._mask(lines.decode("utf-8", "surrogateescape"))
        self.hidden += len(masked.hidden)
        return masked.text.encode("utf-8", "surrogateescape")
