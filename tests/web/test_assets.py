"""The page as it was built: its files, and what may be said about them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sayso.web import EACH_TIME, FOR_EVER, KINDS, STATIC, assets

NAMED = re.compile(r'(?:src|href)="([^"]+)"')


def test_what_a_page_needs_is_there() -> None:
    assert {"/", "/manifest.webmanifest", "/sw.js"} <= assets().keys()


def test_everything_that_was_built_is_served() -> None:
    built = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}

    assert {path.lstrip("/") or "index.html" for path in assets()} == built


def test_only_what_has_a_digest_in_its_name_is_kept_for_ever() -> None:
    for path, asset in assets().items():
        if path.startswith("/assets/"):
            assert re.search(r"-[A-Z0-9]{8}\.(js|css)$", path)
            assert asset.cache == FOR_EVER
        else:
            assert asset.cache == EACH_TIME


def test_the_shell_and_the_manifest_name_what_is_there() -> None:
    found = assets()
    named = set(NAMED.findall(found["/"].body.decode()))
    named |= {icon["src"] for icon in json.loads(found["/manifest.webmanifest"].body).get("icons", ())}

    assert named
    assert named <= found.keys()


def test_the_shell_runs_nothing_in_place() -> None:
    shell = assets()["/"].body.decode()

    assert not re.search(r"<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=|<style|https?://", shell)


def test_kinds_and_tags_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>")
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons" / "a.png").write_bytes(b"png")
    (tmp_path / "notes.bak").write_text("not served")

    found = assets(tmp_path)

    assert {path: asset.kind for path, asset in found.items()} == {
        "/": KINDS[".html"],
        "/icons/a.png": "image/png",
    }
    assert len({asset.etag for asset in found.values()}) == 2


def test_a_page_that_was_not_built_is_no_page(tmp_path: Path) -> None:
    assert assets(tmp_path / "nothing") == {}


@pytest.mark.parametrize("word", ["sourceMappingURL", "/home/", "node_modules"])
def test_what_was_built_tells_nothing_of_where(word: str) -> None:
    assert [path for path, asset in assets().items() if word.encode() in asset.body] == []
