"""Masking: text in, text without secrets out.

Pure, without I/O. It is not a scanner: it hides what it recognises and promises nothing
about what it does not. May import the standard library and `re2`.
"""

from __future__ import annotations

from sayso.mask.engine import MARK, Masked, mask, mask_text

__all__ = ["MARK", "Masked", "mask", "mask_text"]
