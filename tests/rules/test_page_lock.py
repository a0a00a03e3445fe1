"""What the page is built with: locked by hash, from nowhere in particular, and run by nobody but us."""

from __future__ import annotations

import json
from typing import Any

from tests.rules.tree import ROOT

WEB = ROOT / "web"


def read(name: str) -> Any:
    return json.loads((WEB / name).read_text(encoding="utf-8"))


def test_every_package_is_locked_by_its_hash_and_without_an_address() -> None:
    packages: dict[str, dict[str, Any]] = read("package-lock.json")["packages"]
    packages.pop("")

    assert packages
    assert [name for name, one in packages.items() if not one["integrity"].startswith("sha512-")] == []
    assert [name for name, one in packages.items() if "resolved" in one] == []


def test_what_is_asked_for_is_locked() -> None:
    asked, locked = read("package.json"), read("package-lock.json")["packages"][""]

    for kind in ("dependencies", "devDependencies"):
        assert asked[kind] == locked[kind]


def test_no_script_of_a_package_runs() -> None:
    settings = (WEB / ".npmrc").read_text(encoding="utf-8").split()

    assert {"ignore-scripts=true", "omit-lockfile-registry-resolved=true"} <= set(settings)
