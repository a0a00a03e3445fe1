"""JSON for processes that must start fast, and the identity of a tool call.

The agents' hooks cannot afford `json`, `re` or `hashlib`, so this reads and writes JSON with the
interpreter's own scanner. Numbers stay as they were written, because an identity must not depend on how
somebody rounds. The desk uses the same functions, so both sides name a call alike.

Not here: what a payload means. May import `_json`, `_sha2` and `_sha256` alone (`json` and `hashlib` where
an interpreter lacks those); not even `__future__`, which is a file to be opened too.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import sha256
    from json.encoder import encode_basestring, encode_basestring_ascii
else:
    try:
        from _json import encode_basestring, encode_basestring_ascii
    except ImportError:
        from json.encoder import encode_basestring, encode_basestring_ascii
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

WHITE_SPACE = " \t\n\r"
"""What JSON allows around a value."""

REPLACEMENT = "\ufffd"
"""Shown in place of half a surrogate pair, which no encoding of text can carry."""


class NotJson(ValueError):
    """Bytes that are not JSON, or a value that has no JSON. Nothing was read or written."""


class Number:
    """A number as it was written: `1`, `1.0` and `1e0` are three."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Number({self.text!r})"


# --- reading -----------------------------------------------------------------------------------


def _refuse(name: str) -> object:
    raise NotJson(f"{name} is not JSON")


class _Context:
    """What the interpreter's scanner asks for; it reads the attributes of the class itself."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = Number
    parse_int = Number
    parse_constant = _refuse


def _make_scanner() -> "Callable[[str, int], tuple[object, int]]":
    try:
        from _json import make_scanner
    except ImportError:
        from json import JSONDecoder

        decoder = JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=_refuse)
        return decoder.scan_once  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    return make_scanner(_Context)  # pyright: ignore[reportArgumentType]


_scan = _make_scanner()


def loads(data: bytes) -> object:
    """Return the value of JSON in UTF-8; a string in it may hold half a surrogate pair.

    Raises:
        NotJson: anything else: cut off, followed by more, NaN, nested too deeply, another encoding.
    """
    try:
        text = data.decode("utf-8").strip(WHITE_SPACE)
        value, end = _scan(text, 0)
    except NotJson:
        raise
    except (StopIteration, ValueError, RecursionError) as error:
        raise NotJson(f"not JSON: {type(error).__name__}") from None
    if end != len(text):
        raise NotJson("something follows the JSON")
    return value


# --- writing -----------------------------------------------------------------------------------


def dumps(value: object) -> bytes:
    """Return compact JSON in ASCII, members in their order and numbers as written.

    Raises:
        NotJson: it has no JSON, or is nested too deeply to be written.
    """
    return _written(value, encode_basestring_ascii, False).encode("ascii")


def canonical(value: object) -> bytes:
    """Return the one JSON of this value: as `dumps`, with the members of objects sorted.

    Raises:
        NotJson: it has no JSON, or is nested too deeply to be written.
    """
    return _written(value, encode_basestring_ascii, True).encode("ascii")


def readable(value: object) -> str:
    """Return JSON for people: letters of every script stand for themselves.

    Raises:
        NotJson: it has no JSON, or is nested too deeply to be written.
    """
    return shown(_written(value, encode_basestring, False))


def _written(value: object, quote: "Callable[[str], str]", ordered: bool) -> str:
    parts: list[str] = []
    try:
        _write(value, parts.append, quote, ordered)
    except RecursionError:
        raise NotJson("nested too deeply") from None
    return "".join(parts)


def _write(value: object, put: "Callable[[str], None]", quote: "Callable[[str], str]", ordered: bool) -> None:
    if isinstance(value, str):
        put(quote(value))
    elif is_object(value):
        _write_members(members(value), put, quote, ordered)
    elif is_array(value):
        mark = "["
        for item in items(value):
            put(mark)
            _write(item, put, quote, ordered)
            mark = ","
        put("[]" if mark == "[" else "]")
    else:
        put(_atom(value))


def _write_members(
    value: dict[str, object], put: "Callable[[str], None]", quote: "Callable[[str], str]", ordered: bool
) -> None:
    for name in value:
        # Sorting and quoting both need text; anybody may pass something else.
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise NotJson("a member's name is not text")
    mark = "{"
    for name in sorted(value) if ordered else value:
        put(mark)
        put(quote(name))
        put(":")
        _write(value[name], put, quote, ordered)
        mark = ","
    put("{}" if mark == "{" else "}")


def _atom(value: object) -> str:
    if isinstance(value, Number):
        return value.text
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and value - value == 0:  # neither infinite nor NaN
        return repr(value)
    raise NotJson(f"a {type(value).__name__} has no JSON")


# --- what a value is ---------------------------------------------------------------------------


def is_object(value: object) -> bool:
    return isinstance(value, dict)


def is_array(value: object) -> bool:
    return isinstance(value, (list, tuple))


def members(value: object) -> dict[str, object]:
    """Return the members of an object; none for anything else."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def items(value: object) -> "list[object] | tuple[object, ...]":
    """Return the items of an array; none for anything else."""
    return value if isinstance(value, (list, tuple)) else ()  # pyright: ignore[reportUnknownVariableType]


def text(value: object) -> str:
    """Return a string; "" for anything else."""
    return value if isinstance(value, str) else ""


def shown(value: str) -> str:
    """Return text that can be encoded: half of a surrogate pair becomes U+FFFD."""
    if value.isascii():
        return value
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in value)
    return value


# --- identity ----------------------------------------------------------------------------------


def digest(tool: str, tool_input: object) -> str:
    """Return what identifies a tool call; "" for an input that has no JSON.

    A call of AskUserQuestion is identified by its questions: what ran carries the answers too.
    """
    if tool == "AskUserQuestion" and "questions" in members(tool_input):
        tool_input = members(tool_input)["questions"]
    return digest_of([tool, tool_input])


def digest_json(tool: str, tool_input: bytes) -> str:
    """Return the digest of a call whose input is JSON still; "" for what is not JSON."""
    try:
        return digest(tool, loads(tool_input))
    except NotJson:
        return ""


def digest_of(value: object) -> str:
    """Return what identifies a value, whatever the order of members; "" for what has no JSON."""
    try:
        return sha256(canonical(value)).hexdigest()
    except NotJson:
        return ""


def digest_text(value: str) -> str:
    """Return what identifies a text to the letter."""
    return digest_of(value)
