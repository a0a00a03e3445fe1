"""News fragments are named so that the release tool finds them, and say something."""

from __future__ import annotations

import re

from tests.rules.tree import ROOT

NAME = re.compile(r"^\+[a-z0-9-]+\.(added|changed|fixed|removed|security)\.md$")


def test_every_fragment_has_a_name_and_a_text() -> None:
    fragments = [path for path in (ROOT / "newsfragments").iterdir() if path.name != "README.md"]
    assert [path.name for path in fragments if not NAME.match(path.name)] == []
    assert [path.name for path in fragments if len(path.read_text(encoding="utf-8").split()) < 3] == []


def test_the_changelog_has_its_mark() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changelog.count("<!-- towncrier release notes start -->\n") == 1
