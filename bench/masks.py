"""Masking of 4 KB, with either engine. Imports sayso and `table`."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from statistics import median

from bench.table import Row, ms
from sayso.mask.engine import Masker, compile_with_re, compile_with_re2

SIZE_CHARS = 4096


def text() -> str:
    """Return a text like a long command: paths, flags, hashes, and a few secrets."""
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
    lines = [
        "git -C /home/dev/project log --oneline --since=yesterday | head -n 20",
        "curl -sS -H 'Accept: application/json' https://example.com/api/v1/items?page=2",
        f"export GITHUB_TOKEN={secret}",
        "docker run --rm -e DATABASE_URL=postgres://app:correct-horse@db/app -p 8080:80 web:1.4",
        "sha256sum dist/*.whl # 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "python -m pytest tests/unit -q --maxfail=1 -k 'not slow' && echo done",
    ]
    whole = "\n".join(lines) + "\n"
    return (whole * (SIZE_CHARS // len(whole) + 1))[:SIZE_CHARS]


def masks(times: int) -> list[Row]:
    """Measure both engines in turns, where there are both."""
    plain = Masker(compiler=compile_with_re)
    engines: dict[str, Callable[[str], object]] = {"`re`": plain.mask}
    bars = {"google-re2": 0.001, "`re`": 0.005}
    rows: list[Row] = []
    given = text()
    try:
        fast = Masker(compiler=compile_with_re2(importlib.import_module("re2")))
    except ImportError:
        rows.append(Row("4 KB masked with google-re2", bar="1 ms", failure="google-re2 is not installed"))
    else:
        engines["google-re2"] = fast.mask
        if fast.mask(given) != plain.mask(given):
            rows.append(Row("4 KB masked, equal output", "differs", "equal", False))
    for what, sample in (("4 KB", given), ("4 KB of names alone", "token=" * (SIZE_CHARS // 6))):
        for name, found in medians(engines, sample, times).items():
            rows.append(Row(f"{what} masked with {name}", ms(found), ms(bars[name]), found <= bars[name]))
    return rows


def medians(engines: dict[str, Callable[[str], object]], sample: str, times: int) -> dict[str, float]:
    """Return what each engine takes in the middle, in seconds; the first turn does not count."""
    took: dict[str, list[float]] = {name: [] for name in engines}
    for turn in range(times + 1):
        for name, mask in engines.items():
            begun_s = time.perf_counter()
            mask(sample)
            if turn:
                took[name].append(time.perf_counter() - begun_s)
    return {name: median(times_s) for name, times_s in took.items()}
