"""The page's types name the fields of the wire, all of them and no others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, structs

from sayso.core import types
from sayso.daemon import http_devices, http_routes, pair_methods
from sayso.daemon.methods import Health
from sayso.daemon.openapi import document
from sayso.wire import views

SOURCE = Path(__file__).parents[2] / "web" / "src" / "api" / "types.ts"
SHAPES: dict[str, type[Struct]] = {
    "Row": types.Row,
    "Option": types.Option,
    "Question": types.Question,
    "Choice": types.Choice,
    "Field": types.Field,
    "Answerer": types.Answerer,
    "Settings": types.Settings,
    "ListedAnswer": types.ListedAnswer,
    "Reply": types.Reply,
    "SuggestionView": views.SuggestionView,
    "RequestView": views.RequestView,
    "SessionView": views.SessionView,
    "MessageView": views.MessageView,
    "AlertView": views.AlertView,
    "NoteView": views.NoteView,
    "GrantView": views.GrantView,
    "Snapshot": views.Snapshot,
    "Change": views.Change,
    "Settled": http_routes.Settled,
    "Device": http_devices.DeviceView,
    "Me": http_devices.WhoAmI,
    "Paired": http_devices.PairedView,
    "Pairing": pair_methods.Pairing,
}


def interfaces() -> dict[str, dict[str, bool]]:
    """Return the page's interfaces: their fields, and whether each may be left out."""
    source = re.sub(r"/\*.*?\*/|//[^\n]*", "", SOURCE.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"export interface (\w+) \{\n(.*?)\n\}", source, flags=re.DOTALL)
    fields = r"^  (\w+)(\?)?:"
    return {
        name: {n: bool(o) for n, o in re.findall(fields, body, flags=re.MULTILINE)} for name, body in found
    }


@pytest.mark.parametrize("name", SHAPES)
def test_the_fields_are_those_of_the_wire(name: str) -> None:
    shape = SHAPES[name]
    assert set(interfaces()[name]) == {field.encode_name for field in structs.fields(shape)}


@pytest.mark.parametrize("name", SHAPES)
def test_what_may_be_left_out_is_optional(name: str) -> None:
    shape = SHAPES[name]
    leaves_out = shape.__struct_config__.omit_defaults
    for field in structs.fields(shape):
        if leaves_out and not field.required:
            assert interfaces()[name][field.encode_name], f"{name}.{field.name} may be missing"


def test_health_has_what_the_page_reads() -> None:
    assert set(interfaces()["Health"]) <= {field.name for field in structs.fields(Health)}


def test_the_document_knows_every_shape_that_it_serves() -> None:
    served: dict[str, Any] = document()["components"]["schemas"]
    known = {shape.__name__: name for name, shape in SHAPES.items()}
    for name in set(served) & set(known):
        assert set(served[name]["properties"]) == set(interfaces()[known[name]])
