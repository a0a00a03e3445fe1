"""Parameters of an ask as programs may send them: whole, damaged, and nothing of the kind."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from sayso.core.types import DIRECT

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
CHOICE = st.fixed_dictionaries({"id": TEXT}, optional={"label": TEXT | st.none(), "more": TREES})
FITTING: dict[str, st.SearchStrategy[Any]] = {
    "surface_id": TEXT,
    "kind": st.sampled_from(sorted(DIRECT)),
    "title": TEXT | st.sampled_from(["two\nlines", "\u2028", " T ", "a\x85b"]),
    "body": TEXT,
    "agent_id": TEXT,
    "choices": st.lists(CHOICE, max_size=4),
    "default": TEXT,
    "timeout_ms": st.integers(-1, 10**20) | st.floats(-1, 1e300),
    "unsafe": st.booleans(),
    "id": st.sampled_from(["", "0" * 32, "f" * 31, "F" * 32, "0" * 33]),
    "resumed": st.booleans(),
    "cwd": TEXT,
}
NEEDED = {name: FITTING[name] for name in ("surface_id", "kind", "title")}
OPTIONAL = {name: fits | st.none() for name, fits in FITTING.items() if name not in NEEDED}
PLAUSIBLE = st.fixed_dictionaries(NEEDED, optional=OPTIONAL)
DAMAGE = st.dictionaries(st.sampled_from(sorted(FITTING)) | TEXT, TREES, max_size=2)
PARAMS = st.builds(lambda given, damage: {**given, **damage}, PLAUSIBLE, DAMAGE) | DAMAGE
