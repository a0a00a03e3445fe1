"""Readers of the general rules: where a value begins is found by a pattern, how far it goes
and whether it looks like a secret is decided here.

A pattern could not say it without looking ahead, and one that fails at the end of a long
value would be tried again inside it. Here every run of characters is measured once, and
only its head is judged. These readers know no vendor. May import the standard library and
`shape`.

Patterns that use `pairs` have three groups: the name, what stands between name and value,
and the opening quote with its escapes, if any.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from sayso.mask.shape import Found, Reader, Span

HEAD_CHARS = 256
"""How much of a value is judged: enough to tell, bounded so that nested names stay cheap."""

# Letters of the world's scripts without their blanks, quotes, signs and direction marks.
_LETTERS = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u060b\u0620-\u1677\u1e00-\u1fff\u3041-\u9fff\uac00-\ud7a3"
_BARE = re.compile(rf"[A-Za-z0-9!#%*+\-./:=?@^_~{_LETTERS}]*")
_QUOTED = re.compile(rf"[A-Za-z0-9!#%*+\-./:=?@^_~,\[\]{{}}{_LETTERS}]*")
_CREDENTIALS = re.compile(r"[A-Za-z0-9._~+/=\-]*")

# After these a value goes on, as a reference, a call, a subscript or something masked.
_GOES_ON = frozenset("$([{…")
_CLOSES_AN_ARGUMENT = frozenset(",)]}")

_DIGIT = re.compile("[0-9]")
_LETTER = re.compile(f"[A-Za-z{_LETTERS}]")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_NUMBERED = re.compile(r"[A-Za-z_]+[0-9]{1,3}")
_ATTRIBUTE = re.compile(r"(?:self|cls|this|process|os|args|config|settings|request)\.")
_PATH = re.compile(r"(?:~|\.{1,2})?/[A-Za-z0-9._-]+/|~/|\.{1,2}/")
_VERSION = re.compile(r"[~^=v]?[0-9]+(?:\.[0-9A-Za-z-]+)+")
_SIGN = re.compile(r"[=:~%{\[]|--")
_PLACE = re.compile(r"\{[A-Za-z_][A-Za-z0-9_.]*\}")
_CONSTANT = re.compile(r"[A-Z]+(?:_[A-Z]+)+")
_SCREAMED = re.compile(r"[A-Z]+(?:-[A-Z]+)+")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}")
_NAME_OF_ONE = re.compile(r"(?:[a-z]+_)+(?:credentials?|id|key|secret|token)")
_NO_SECRETS = """
any array basic bearer bool boolean bytes changeme default disabled enabled env false float hidden int integer
key masked nil no none null number object off on optional passwd password path prompt redacted ref required
stdin str string text token true type undefined username value yes
"""
_WORDS = frozenset(_NO_SECRETS.split())


class _Runs:
    """Measures runs of allowed characters, for positions that never go back."""

    def __init__(self, text: str, allowed: re.Pattern[str]) -> None:
        self._text = text
        self._allowed = allowed
        self._end = 0

    def end(self, start: int) -> int:
        """Where the run that `start` stands in ends. Inside a measured run it is known."""
        if start >= self._end:
            found = self._allowed.match(self._text, start)
            self._end = cast("re.Match[str]", found).end()  # a run may be empty, so there is always one
        return self._end


def pairs(text: str, found: Iterable[Found]) -> Iterator[Span]:
    """Values of `name=value`, `name: value` and `"name": "value"`."""
    bare = _Runs(text, _BARE)
    quoted = _Runs(text, _QUOTED)
    hidden_to = 0
    for match in found:
        at = match.span()[1]
        if at < hidden_to:
            continue
        opens, closes = match.span(3)
        if opens < closes:
            end = quoted.end(at)
            fits = text.startswith(text[opens:closes], end) and _fits_quoted(
                _name(text, match), text[at : min(end, at + HEAD_CHARS)]
            )
        else:
            end = bare.end(at)
            fits = at < end and not _continues(text, end) and _fits_unquoted(text, match, at, end)
        if fits:
            hidden_to = end
            yield Span(at, at, end)


def _name(text: str, match: Found) -> str:
    return text[slice(*match.span(1))].lower()


def _fits_unquoted(text: str, match: Found, at: int, end: int) -> bool:
    between = text[slice(*match.span(2))]
    head = text[at : min(end, at + HEAD_CHARS)]
    # As in arn:…:secret:name, or in //token:…@host, which has a rule of its own.
    if between == ":" and ("@" in head or text.startswith(":", match.span(1)[0] - 1)):
        return False
    return _fits_bare(_name(text, match), between, head, text[end : end + 1])


def credentials(accepts: Callable[[str], bool]) -> Reader:
    """Makes the reader of what follows the scheme in an `Authorization` header."""

    def read(text: str, found: Iterable[Found]) -> Iterator[Span]:
        runs = _Runs(text, _CREDENTIALS)
        for match in found:
            at = match.span()[1]
            end = runs.end(at)
            if not _continues(text, end) and accepts(text[at : min(end, at + HEAD_CHARS)]):
                yield Span(at, at, end)

    return read


def is_credential(value: str) -> bool:
    """Whether it is more than a word: what may follow `Authorization: Bearer`."""
    return len(value) >= 8 and not (value.isalpha() and value.islower()) and value.strip(".=") != ""


def is_long_credential(value: str) -> bool:
    """Whether it is a secret even without the header's name before it."""
    return len(value) >= 16 and _is_mixed(value)


def _continues(text: str, end: int) -> bool:
    """Whether a bare value goes on after `end` with something that is never hidden."""
    after = text[end : end + 1]
    if after == "`":  # closes a code span in prose; within a word it is a command
        return text[end + 1 : end + 2].isalnum()
    return after in _GOES_ON


def _is_mixed(value: str) -> bool:
    return bool(_DIGIT.search(value) and _LETTER.search(value))


def _is_password(name: str) -> bool:
    return "pass" in name or "pwd" in name


def is_url_password(value: str) -> bool:
    """Whether it is neither a place for one (`%s`) nor stars."""
    return not value.startswith("%s") and bool(_LETTER.search(value) or _DIGIT.search(value))


def _is_plain(name: str, value: str) -> bool:
    """Whether it is a word, a path, an address or a version, and no secret."""
    if not (_LETTER.search(value) or _DIGIT.search(value)) or _SIGN.match(value):
        return True
    if _PATH.match(value) or "://" in value or _PLACE.search(value):
        return True
    lowered = value.lower()
    if lowered in _WORDS or lowered == name or lowered.startswith(("your-", "your_", "example_")):
        return True
    if _CONSTANT.fullmatch(value):
        return True
    shapes = (_VERSION, _NAME_OF_ONE, _SCREAMED, _COLOUR)
    return not _is_password(name) and any(shape.fullmatch(value) for shape in shapes)


def _fits_quoted(name: str, value: str) -> bool:
    if _is_password(name):
        enough = len(value) >= 3
    else:
        enough = len(value) >= 8 or (len(value) >= 6 and _DIGIT.search(value) is not None)
    return enough and not _is_plain(name, value)


def _fits_bare(name: str, between: str, value: str, after: str) -> bool:
    if between == "=":
        is_argument = after in _CLOSES_AN_ARGUMENT and _is_variable(name, value)
        return not (is_argument or _is_attribute(name, value)) and _fits_quoted(name, value)
    # With blanks around it is as likely source code or prose, so more is asked of the value.
    if not _is_mixed(value) or _is_plain(name, value) or ("." in value and _IDENTIFIER.fullmatch(value)):
        return False
    return len(value) >= 6 if _is_password(name) else len(value) >= 12 and len(_DIGIT.findall(value)) >= 2


def _is_attribute(name: str, value: str) -> bool:
    """Whether it is a member of something, as in source code; a token of words alone would be none."""
    if _ATTRIBUTE.match(value):
        return True
    is_dotted = "." in value and _IDENTIFIER.fullmatch(value) is not None
    return is_dotted and not _is_password(name) and not _DIGIT.search(value)


def _is_variable(name: str, value: str) -> bool:
    if not _IDENTIFIER.fullmatch(value):
        return False
    if not _is_mixed(value):
        return True
    return not _is_password(name) and (len(value) < 12 or _NUMBERED.fullmatch(value) is not None)


_BASE64 = re.compile(r"[A-Za-z0-9+/=]+")
_LONG_LINE_CHARS = 16
_WRAPPED_LINE_CHARS = 40


def key_block(text: str, found: Iterable[Found]) -> Iterator[Span]:
    """Lines of a private key's body (group 1). Line breaks stay.

    The block must end, or the text be cut off in it: else something else than a key follows.
    A short line could be a command of its own: it is hidden only as the rest of a body that
    is wrapped at one width, as such a body is, or when it ends in padding.
    """
    for match in found:
        end_of_body = match.span(1)[1]
        if end_of_body < len(text) and not text.startswith("-----END ", end_of_body):
            continue
        lines = [line.span() for line in _BASE64.finditer(text, *match.span(1))]
        widths = {end - start for start, end in lines[:-1]}
        is_wrapped = len(widths) == 1 and min(widths) >= _WRAPPED_LINE_CHARS
        for start, end in lines:
            is_rest = (start, end) == lines[-1] and (is_wrapped or text[end - 1] == "=")
            if end - start >= _LONG_LINE_CHARS or is_rest:
                yield Span(start, start, end)
