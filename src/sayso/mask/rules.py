"""All rules of masking, in order.

This is the list that the engine walks; the rules themselves stand in one table per field,
so that a new kind of secret is one entry in one of them and a new field one line here.
`shape` says how to write one. Imports the tables alone.
"""

from __future__ import annotations

from sayso.mask.clouds import CLOUDS
from sayso.mask.code_hosts import CODE_HOSTS
from sayso.mask.general import GENERAL
from sayso.mask.prefixed import PREFIXED
from sayso.mask.services import SERVICES
from sayso.mask.shape import Rule

VENDORS: tuple[Rule, ...] = (*CODE_HOSTS, *CLOUDS, *SERVICES, *PREFIXED)
"""Whose secrets tell what they are by themselves, wherever they stand."""
RULES: tuple[Rule, ...] = (*VENDORS, *GENERAL)
"""Vendors first: where two rules see the same secret, the first one's stub stays."""
