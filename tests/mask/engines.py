"""The maskers that tests compare: all rules with each engine. RE2 is part of the development tools."""

from __future__ import annotations

import importlib

from sayso.mask.engine import Masker, compile_with_re, compile_with_re2
from sayso.mask.rules import RULES

WITH_RE = Masker(RULES, compile_with_re)
WITH_RE2 = Masker(RULES, compile_with_re2(importlib.import_module("re2")))
ENGINES = {"re": WITH_RE, "re2": WITH_RE2}
