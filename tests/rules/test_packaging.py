"""The wheel holds what a user needs and nothing else, and is built without a network."""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

import sayso
from tests.rules.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# What a hook's process loads: without one of these an installed hook answers nothing.
LIGHT = {
    "sayso/__init__.py",
    "sayso/agents/__init__.py",
    "sayso/agents/claude_code.py",
    "sayso/client/__init__.py",
    "sayso/client/line.py",
    "sayso/core/__init__.py",
    "sayso/core/digest.py",
    "sayso/intake/__init__.py",
    "sayso/intake/hook.py",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=50)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        yield wheel


def member(wheel: zipfile.ZipFile, name: str) -> str:
    (found,) = (item for item in wheel.namelist() if item.endswith(f".dist-info/{name}"))
    return wheel.read(found).decode()


def test_every_module_and_the_type_marker_are_in(wheel: zipfile.ZipFile) -> None:
    source = ROOT / "src"
    modules = {path.relative_to(source).as_posix() for path in source.rglob("*.py")}
    assert modules | {"sayso/py.typed", "sayso/__init__.pyi"} <= set(wheel.namelist())


def test_what_a_hook_loads_is_in(wheel: zipfile.ZipFile) -> None:
    assert set(wheel.namelist()) >= LIGHT


def test_the_page_is_in_as_it_was_built(wheel: zipfile.ZipFile) -> None:
    static = ROOT / "src/sayso/web/static"
    built = {f"sayso/web/static/{path.relative_to(static).as_posix()}" for path in static.rglob("*.*")}
    assert "sayso/web/static/index.html" in built
    assert {name for name in wheel.namelist() if name.startswith("sayso/web/static/")} == built


def test_nothing_else_is_in(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {"sayso", f"sayso-{sayso.__version__}.dist-info"}
    assert [name for name in wheel.namelist() if "__pycache__" in name or name.endswith(".pyc")] == []


def test_the_command_and_the_version(wheel: zipfile.ZipFile) -> None:
    assert "sayso = sayso.main:main" in member(wheel, "entry_points.txt")
    assert f"\nVersion: {sayso.__version__}\n" in member(wheel, "METADATA")
    assert "The sayso authors" in member(wheel, "licenses/LICENSE")


def test_the_package_itself_imports_nothing() -> None:
    tree = ast.parse((ROOT / "src/sayso/__init__.py").read_text(encoding="utf-8"))
    assert [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)] == []


def test_every_package_has_an_init_file() -> None:
    folders: set[Path] = {path.parent for path in (ROOT / "src/sayso").rglob("*.py")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []
