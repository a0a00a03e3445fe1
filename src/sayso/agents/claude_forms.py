"""Elicitation: the form an MCP server wants filled in, as fields; and the address it wants visited.

The schemas are those of the Model Context Protocol: flat objects of simple values. Anything more, a
keyword that is not known included, is not shown: the answer could not be checked against it.
May import `core.digest`.
"""

from sayso.agents import Unrenderable, Unshowable, tell_apart
from sayso.core.digest import Number, is_array, is_object, items, members, shown, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_FIELDS = 32
MAX_DIGITS = 15
"""Whole numbers up to this long survive every reader on the way."""

Dict = dict[str, object]

_ANYWHERE = frozenset(("type", "title", "description", "default", "examples", "$comment"))
_KNOWN = {
    "string": frozenset(("minLength", "maxLength", "format", "enum", "enumNames", "oneOf")),
    "integer": frozenset(("minimum", "maximum")),
    "number": frozenset(("minimum", "maximum")),
    "boolean": frozenset[str](),
    "array": frozenset(("items", "minItems", "maxItems", "uniqueItems")),
}
_ROOT = frozenset(
    ("type", "properties", "required", "title", "description", "$schema", "$comment", "additionalProperties")
)


def address(url: object) -> str:
    """Return the address as shown.

    Raises:
        Unshowable: it is none of the web; nobody should be led to anything else.
    """
    words = shown(text(url))
    if not words.startswith(("https://", "http://")) or len(words.split()) != 1:
        raise Unshowable("its address is not one of the web")
    return words


def fields(schema: object) -> list[Dict]:
    """Return the fields of a form, in the shape of `core.types.Field`.

    Raises:
        Unshowable: the schema says something that a form here cannot.
    """
    root = members(schema)
    if root.get("type") != "object" or not _ROOT.issuperset(root):
        raise Unshowable("its form is not a plain object")
    if not is_object(root.get("properties", {})) or not is_array(root.get("required", ())):
        raise Unshowable("its form is malformed")
    named, needed = members(root.get("properties")), items(root.get("required"))
    if len(named) > MAX_FIELDS:
        raise Unshowable(f"its form has {len(named)} fields")
    if any(not isinstance(name, str) or name not in named for name in needed):
        raise Unshowable("its form requires a field that it does not have")
    tell_apart([shown(name) for name in named], "two fields of its form look alike")
    return [_field(name, spec, name in needed) for name, spec in named.items()]


def _field(name: str, spec: object, required: bool) -> Dict:
    parts = members(spec)
    kind = parts.get("type")
    if not isinstance(kind, str) or kind not in _KNOWN:
        raise Unshowable(f"its field {shown(name)!r} is of a kind that no form here has")
    strange = [word for word in parts if word not in _KNOWN[kind] and word not in _ANYWHERE]
    if strange:
        raise Unshowable(f"its field {shown(name)!r} has a condition that is not known here: {strange[0]!r}")
    made: Dict = {"name": shown(name)}
    for word in ("title", "description"):
        if text(parts.get(word)):
            made[word] = shown(text(parts.get(word)))
    if required:
        made["required"] = True
    made.update(_MAKERS[kind](parts))
    return made


def _string(parts: Dict) -> Dict:
    if "enum" in parts or "oneOf" in parts:
        return _choice(parts)
    made: Dict = {"type": "string"}
    _bound(made, parts, "minLength", "maxLength", _count)
    if text(parts.get("format")):
        made["format"] = shown(text(parts.get("format")))
    if isinstance(parts.get("default"), str):
        made["default"] = shown(text(parts.get("default")))
    return made


def _choice(parts: Dict) -> Dict:
    choices = _choices(parts, "oneOf")
    made: Dict = {"type": "choice", "choices": choices}
    default = shown(text(parts.get("default")))
    if any(choice["value"] == default for choice in choices):
        made["default"] = default
    return made


def _several(parts: Dict) -> Dict:
    listed = members(parts.get("items"))
    if not {"type", "enum", "enumNames", "anyOf", "oneOf"}.issuperset(listed):
        raise Unshowable("a list in its form holds something that is not known here")
    choices = _choices(listed, "anyOf" if "anyOf" in listed else "oneOf")
    made: Dict = {"type": "choices", "choices": choices}
    _bound(made, parts, "minItems", "maxItems", _count)
    default = [shown(text(one)) for one in items(parts.get("default"))]
    values = [choice["value"] for choice in choices]
    if default and all(one in values for one in default):
        made["default"] = default
    return made


def _choices(parts: Dict, named: str) -> list[Dict]:
    """Return the choices of an enum, with `enumNames` if there are any, or of constants with titles."""
    if ("enum" in parts) == (named in parts) or parts.get("type", "string") != "string":
        raise Unshowable("the choices in its form are malformed")
    if named in parts:
        listed = [members(one) for one in items(parts[named])]
        values, labels = [one.get("const") for one in listed], [one.get("title") for one in listed]
        if any(not {"const", "title"}.issuperset(one) for one in listed):
            raise Unshowable("a choice in its form has a condition that is not known here")
    else:
        values = items(parts["enum"])
        labels = items(parts["enumNames"]) if "enumNames" in parts else [None] * len(values)
    if not values or len(values) != len(labels) or not all(isinstance(one, str) for one in values):
        raise Unshowable("the choices in its form are malformed")
    made = [_one(text(value), text(label)) for value, label in zip(values, labels, strict=True)]
    tell_apart([text(one["value"]) for one in made], "two choices in its form look alike")
    tell_apart([text(one.get("label", one["value"])) for one in made], "two choices in its form look alike")
    return made


def _one(value: str, label: str) -> Dict:
    return {"value": shown(value), "label": shown(label)} if label.strip() else {"value": shown(value)}


def _number(parts: Dict) -> Dict:
    made: Dict = {"type": "number"}
    _bound(made, parts, "minimum", "maximum", _is_finite)
    if _is_finite(parts.get("default")):
        made["default"] = parts["default"]
    return made


def _integer(parts: Dict) -> Dict:
    made: Dict = {"type": "integer"}
    _bound(made, parts, "minimum", "maximum", _is_finite)
    if _is_whole(parts.get("default")):
        made["default"] = parts["default"]
    return made


def _boolean(parts: Dict) -> Dict:
    made: Dict = {"type": "boolean"}
    if isinstance(parts.get("default"), bool):
        made["default"] = parts["default"]
    return made


def _bound(made: Dict, parts: Dict, least: str, most: str, fits: "Callable[[object], bool]") -> None:
    for name, word in (("minimum", least), ("maximum", most)):
        if word in parts:
            if not fits(parts[word]):
                raise Unshowable(f"a condition in its form is malformed: {word!r}")
            made[name] = parts[word]


def _is_finite(value: object) -> bool:
    if not isinstance(value, Number):
        return False
    size = float(value.text)
    return size - size == 0


def _is_whole(value: object) -> bool:
    return isinstance(value, Number) and value.text.lstrip("-").isdigit() and len(value.text) <= MAX_DIGITS


def _count(value: object) -> bool:
    return isinstance(value, Number) and _is_whole(value) and not value.text.startswith("-")


_MAKERS = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "array": _several,
}


# --- what a person filled in -------------------------------------------------------------------


def filled(schema: object, seen: Dict, given: object) -> Dict:
    """Return the form's content, under the names and with the choices that the server wrote.

    Raises:
        Unrenderable: it does not fit the form.
    """
    if not is_object(given):
        raise Unrenderable("the form is not filled in")
    properties = members(members(schema).get("properties"))
    names = {shown(name): name for name in properties}
    filled: Dict = {}
    for name, value in members(given).items():
        if name not in names:
            raise Unrenderable("the form has no such field")
        filled[names[name]] = _chosen(members(properties[names[name]]), value)
    for field in items(seen["fields"]):
        one = members(field)
        if one.get("required") and names[text(one["name"])] not in filled:
            raise Unrenderable("a required field is not filled in")
    return filled


def _chosen(spec: Dict, value: object) -> object:
    """Return a choice as the server spells it; any other value as it is."""
    own: dict[str, object] = {}
    for place in (spec, members(spec.get("items"))):
        own.update({shown(text(one)): one for one in items(place.get("enum"))})
        for word in ("oneOf", "anyOf"):
            listed = [members(one).get("const") for one in items(place.get(word))]
            own.update({shown(text(one)): one for one in listed})
    if isinstance(value, str):
        return own.get(value, value)
    if is_array(value):
        return [own.get(text(one), one) for one in items(value)]
    return value
