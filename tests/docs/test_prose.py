"""What is written by hand: its links lead somewhere, its commands are commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.main import parser
from tests.rules.tree import ROOT, relative

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
ELSEWHERE = ("http://", "https://", "mailto:")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^ {4}\S.*$", re.MULTILINE)
LINK = re.compile(r"\[[^\]\n]*]\(([^)\s]+)\)")
PLACEHOLDERS = {"COMMAND"}
OPERATORS = {"|", "||", "&&", ">"}
"""Words of a shell that end a command."""


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))


def anchors(path: Path) -> set[str]:
    """Return the fragments that a page's headings can be reached by."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield where a page's links lead to: file and fragment."""
    for target in LINK.findall(without_code(path.read_text(encoding="utf-8"))):
        if not target.startswith(ELSEWHERE):
            file, _, fragment = target.partition("#")
            yield (path.parent / file).resolve() if file else path, fragment


def shell_lines(text: str) -> Iterator[str]:
    """Yield the lines of a page that a person would type."""
    for language, body in FENCE.findall(text):
        if language == "sh":
            yield from body.replace("\\\n", " ").splitlines()
    yield from (line.strip() for line in INDENTED.findall(FENCE.sub("", text)))
    # Within a sentence one word is the name of a command, without what it wants to know.
    spans = re.findall(r"`(sayso [^`\n]+)`", FENCE.sub("", text))
    yield from (span if " " in span.removeprefix("sayso ") else f"{span} --help" for span in spans)


def commands(path: Path) -> Iterator[list[str]]:
    """Yield the arguments of every `sayso` that a page tells to type."""
    for line in shell_lines(path.read_text(encoding="utf-8")):
        inner = re.findall(r"\$\((sayso [^)]*)\)", line)
        for text in (*inner, re.sub(r"\$\([^)]*\)", "X", line)):
            words = shlex.split(text, comments=True)
            if words[:1] == ["sayso"]:
                words = words[1 : _end(words)]
                if not PLACEHOLDERS.intersection(words):
                    yield words


def _end(words: list[str]) -> int:
    return next((index for index, word in enumerate(words) if word in OPERATORS), len(words))


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_every_link_leads_somewhere(path: Path) -> None:
    lost = [
        f"{target}#{fragment}"
        for target, fragment in links(path)
        if not target.exists() or (fragment and fragment not in anchors(target))
    ]
    assert lost == []


def test_every_page_is_linked_to() -> None:
    reached = {target for path in PAGES for target, _ in links(path)}
    folders = {target for target in reached if target.is_dir()}
    docs = [path for path in PAGES if path.is_relative_to(ROOT / "docs") and path.name != "README.md"]
    assert [relative(path) for path in docs if path not in reached and path.parent not in folders] == []


COMMANDS = [(relative(path), words) for path in PAGES for words in commands(path)]


@pytest.mark.parametrize(("page", "words"), COMMANDS, ids=[shlex.join(words) for _, words in COMMANDS])
def test_every_command_on_a_page_is_one(page: str, words: list[str]) -> None:
    try:
        code = 0 if callable(parser().parse_args(words).run) else 2
    except SystemExit as end:  # --help and --version end with 0
        code = end.code
    assert code == 0, f"{page}: sayso {shlex.join(words)}"


def test_pages_tell_what_to_type() -> None:
    named = {words[0] for _, words in COMMANDS if words}
    assert named >= {"start", "stop", "list", "show", "allow", "deny", "answer", "watch", "install", "token"}


def test_every_target_of_make_is_one() -> None:
    known = re.findall(r"^([\w ]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    targets = {name for line in known for name in line.split()}
    lines = [line for path in PAGES for line in shell_lines(path.read_text(encoding="utf-8"))]
    used = {line.split()[1] for line in lines if re.match(r"make \w", line)}
    assert {"demo", "test"} <= targets
    assert used <= targets
