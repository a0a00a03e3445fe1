"""What can go wrong on the way to the Bot API; no text of these ever holds a token. Imports nothing."""

from __future__ import annotations


class Unreachable(Exception):
    """No answer came. `sent`: what was to be done may have been done all the same."""

    def __init__(self, words: str, sent: bool = False) -> None:
        super().__init__(words)
        self.words = words
        self.sent = sent


class ApiError(Exception):
    """The Bot API refused. `code`: as of HTTP; `retry_after_s`: how long it takes nothing, 0 if unsaid."""

    def __init__(self, code: int, description: str, retry_after_s: float = 0.0) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.retry_after_s = retry_after_s

    @property
    def is_passing(self) -> bool:
        """Whether it is the server's trouble: what was asked is right, and may be asked again."""
        return self.code >= 500

    @property
    def is_unknown_bot(self) -> bool:
        """Whether the token is none, or none any more."""
        return self.code in (401, 404)
