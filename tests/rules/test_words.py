"""Words that no file under version control may hold.

A path of one machine and the host of a package index are true for whoever wrote them and for nobody
else; both get in unseen, by way of a tool's output.
"""

from __future__ import annotations

import re

import pytest

from tests.rules.tree import relative, tracked_files

# In pieces, or this file would break its own rule.
HOSTS = ("py" + "pi.org", "python" + "hosted", "npm" + "js", "deb." + "debian.org", "crates" + ".io")
FORBIDDEN = {
    # Only as the root of a path: a folder of that name inside a home is nobody's secret.
    "path of one machine": re.compile(r"(?<![\w.~*?\]})>$-])/wor" + "k/"),
    "host of a package index": re.compile("|".join(map(re.escape, HOSTS)), re.IGNORECASE),
}
# `TODO(why it waits, in words)` is a plan; without the words it is a sigh.
SIGH = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b(?!\([^)]{10,}\))")
CODE = {".css", ".html", ".md", ".py", ".sh", ".toml", ".ts", ""}


def lines_with(pattern: re.Pattern[str], suffixes: set[str] | None = None) -> list[str]:
    found: list[str] = []
    for path in tracked_files():
        if suffixes is not None and path.suffix not in suffixes:
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        found += [f"{relative(path)}:{n}: {s.strip()}" for n, s in enumerate(lines, 1) if pattern.search(s)]
    return found


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what: str) -> None:
    assert lines_with(FORBIDDEN[what]) == []


def test_nothing_is_put_off_without_a_reason() -> None:
    assert lines_with(SIGH, CODE) == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("cd /wor" + "k/x", True),
        ("/home/ada/wor" + "k/x", False),
        ('"/wor' + 'k/x"', True),
        ("~/wor" + "k/", False),
    ],
)
def test_only_the_root_of_a_path_counts(text: str, is_found: bool) -> None:
    assert bool(FORBIDDEN["path of one machine"].search(text)) is is_found
