"""The copy of the hook that settings name, and the interpreter they name."""

from __future__ import annotations

import ast
import os
import shutil
import stat
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

import sayso
from sayso.install import InstallRefused, stable

PACKAGE = Path(sayso.__file__).parent
PYTHON = stable.interpreter().path
STUB = """
import sys
folder = __file__[: -len("/sayso/intake/hook.py")]
sys.path.insert(0, folder)
from sayso.core import digest
print(digest.WORD, digest.__cached__)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with a hook that prints what it imported."""
    root = tmp_path / "environment" / "sayso"
    for folder in ("agents", "channels", "client", "core", "intake"):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").touch()
    (root / "__init__.py").touch()
    (root / "intake" / "hook.py").write_text(STUB)
    (root / "intake" / "hook_server.py").write_text("import starlette")
    (root / "core" / "desk.py").write_text("import msgspec")
    (root / "core" / "digest.py").write_text("WORD = 'one'")
    return root


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "Dätä folder"


def run(hook: Path) -> str:
    done = subprocess.run([PYTHON, "-I", "-S", hook], capture_output=True, text=True, check=True, timeout=20)
    assert done.stderr == ""
    return done.stdout


def versions(data: Path) -> set[str]:
    return {path.name for path in (data / "hook").iterdir()} - {"current"}


def test_the_copy_runs_compiled_without_the_original(package: Path, data: Path) -> None:
    placed = stable.place(package, data, "1.0", PYTHON)
    assert placed.hook == data / "hook/current/sayso/intake/hook.py"
    assert placed.folder.name.startswith("1.0-")
    assert placed.is_new
    shutil.rmtree(package)
    digest = data / "hook/current/sayso/core/digest.py"
    compiled = Path(cache_from_source(str(digest)))
    assert run(placed.hook) == f"one {compiled}\n"
    # Magic number, then the flags: 1 says that a hash marks it as valid, and that nobody checks it.
    assert compiled.read_bytes()[4:8] == b"\1\0\0\0"


def test_only_the_light_set_is_copied(package: Path, data: Path) -> None:
    folder = stable.place(package, data, "1.0", PYTHON).folder
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py")) == [
        f"sayso/{name}"
        for name in (
            "__init__.py", "agents/__init__.py", "client/__init__.py", "core/__init__.py",
            "core/digest.py", "intake/__init__.py", "intake/hook.py",
        )
    ]  # fmt: skip


def test_the_same_again_is_nothing_new(package: Path, data: Path) -> None:
    first = stable.place(package, data, "1.0", PYTHON)
    again = stable.place(package, data, "1.0", PYTHON)
    assert (again.folder, again.is_new) == (first.folder, False)
    assert versions(data) == {first.folder.name}


def test_another_content_is_another_folder_behind_the_same_path(package: Path, data: Path) -> None:
    first = stable.place(package, data, "1.0", PYTHON)
    (package / "core" / "digest.py").write_text("WORD = 'two'")
    second = stable.place(package, data, "1.0", PYTHON)
    assert second.hook == first.hook
    assert second.is_new
    assert versions(data) == {first.folder.name, second.folder.name}
    assert run(first.folder / "sayso/intake/hook.py").startswith("one ")
    assert run(second.hook).startswith("two ")


def test_a_hook_imports_from_the_version_that_it_was_started_from(package: Path, data: Path) -> None:
    shutil.copy(PACKAGE / stable.ENTRY, package / stable.ENTRY)
    upgrade = f"os.rename({str(data / 'next')!r}, {str(data / 'hook/current')!r})"
    (package / "intake/hook_run.py").write_text(
        f"import os\ndef run(*_):\n    {upgrade}\n    from sayso.core import digest\n"
        "    os.write(1, digest.WORD.encode())\n"
    )
    placed = stable.place(package, data, "1.0", PYTHON)
    (package / "core/digest.py").write_text("WORD = 'two'")
    newer = stable.place(package, data, "1.1", PYTHON).folder
    stable.place(placed.folder / "sayso", data, "1.0", PYTHON)
    (data / "next").symlink_to(newer.name)
    assert run(placed.hook) == "one"
    assert (data / "hook/current").resolve() == newer.resolve()


def test_the_newest_three_versions_stay(package: Path, data: Path) -> None:
    folders: list[Path] = []
    for n in range(4):
        folders.append(stable.place(package, data, f"1.{n}", PYTHON).folder)
        os.utime(folders[-1], (n, n))
    assert versions(data) == {folder.name for folder in folders[1:]}
    stable.place(package, data, "1.1", PYTHON)  # a step back makes it the newest
    stable.place(package, data, "1.5", PYTHON)
    assert {name[:3] for name in versions(data)} == {"1.1", "1.3", "1.5"}


def damage_content(folder: Path) -> None:
    (folder / "sayso/core/digest.py").write_text("WORD = ")


def damage_set(folder: Path) -> None:
    (folder / "sayso/core/digest.py").unlink()


@pytest.mark.parametrize("damage", [damage_content, damage_set])
def test_a_damaged_copy_is_replaced(package: Path, data: Path, damage: object) -> None:
    placed = stable.place(package, data, "1.0", PYTHON)
    assert callable(damage)
    damage(placed.folder)
    stable.place(package, data, "1.0", PYTHON)
    assert run(placed.hook).startswith("one ")
    assert versions(data) == {placed.folder.name}


def test_a_hook_that_does_not_compile_is_not_switched_to(package: Path, data: Path) -> None:
    placed = stable.place(package, data, "1.0", PYTHON)
    (package / "core" / "digest.py").write_text("WORD = ")
    with pytest.raises(InstallRefused, match="cannot compile the hook"):
        stable.place(package, data, "1.1", PYTHON)
    assert run(placed.hook).startswith("one ")


def test_an_interpreter_that_does_not_run_is_refused(package: Path, data: Path) -> None:
    for python in ("/nowhere/python3", "/bin/false"):
        with pytest.raises(InstallRefused, match=python):
            stable.place(package, data, "1.0", python)
    assert not (data / "hook" / "current").exists()


def test_a_package_without_the_hook_is_refused(package: Path, data: Path) -> None:
    (package / stable.ENTRY).unlink()
    with pytest.raises(InstallRefused, match="incomplete"):
        stable.place(package, data, "1.0", PYTHON)


def test_the_folder_is_for_this_user_alone(package: Path, data: Path) -> None:
    stable.place(package, data, "1.0", PYTHON)
    assert stat.S_IMODE((data / "hook").stat().st_mode) == 0o700
    (data / "hook").chmod(0o775)
    with pytest.raises(InstallRefused, match="Others may write"):
        stable.place(package, data, "1.0", PYTHON)


def test_what_stands_in_the_way_is_not_removed(package: Path, data: Path) -> None:
    (data / "hook" / "current").mkdir(parents=True)
    (data / "hook").chmod(0o700)
    with pytest.raises(InstallRefused, match="not a link"):
        stable.place(package, data, "1.0", PYTHON)
    data.joinpath("other").touch()
    with pytest.raises(InstallRefused, match="is not a folder"):
        stable.place(package, data / "other", "1.0", PYTHON)


# --- the set itself -----------------------------------------------------------------------------


def imports_at_run_time(tree: ast.Module) -> set[str]:
    """Return the modules of sayso that a file imports, but for the checker alone."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        waiting += ast.iter_child_nodes(node)
    return {name for name in found if name.split(".")[0] == "sayso"}


def test_the_light_set_imports_nothing_of_ours_but_itself() -> None:
    names = {
        path.relative_to(PACKAGE).as_posix()
        for pattern in stable.LIGHT
        for path in PACKAGE.glob(pattern)
        if not any(path.match(left_out) for left_out in stable.NOT_LIGHT)
    }
    assert "core/digest.py" in names
    missing: set[tuple[str, str]] = set()
    for name in names:
        for module in imports_at_run_time(ast.parse((PACKAGE / name).read_text())):
            below = "/".join(module.split(".")[1:])
            for path in (f"{below}.py", f"{below}/__init__.py".lstrip("/")):
                if (PACKAGE / path).is_file() and path not in names:
                    missing.add((name, path))
    assert missing == set()


# --- the interpreter ----------------------------------------------------------------------------


@pytest.fixture
def stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of the test in the role of one that stays, although it is a temporary one."""
    monkeypatch.setattr(stable, "_volatile_places", lambda _: iter([str(tmp_path / "tmp")]))
    for name in ("tmp/env/bin", "stays/bin", "stays/.cache/env/bin"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "stays"


def program(path: Path, start: bytes = b"\x7fELF") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(start)
    path.chmod(0o755)
    return str(path)


def link(path: Path, target: str) -> str:
    path.symlink_to(target)
    return str(path)


def test_of_an_environment_the_base_interpreter_is_taken(stays: Path) -> None:
    real = program(stays / "bin" / "python3.11")
    base = link(stays / "bin" / "python3", real)
    executable = link(stays / "python", base)
    assert stable.interpreter(executable, base) == stable.Interpreter(real)
    assert stable.interpreter(executable, executable) == stable.Interpreter(real)


@pytest.mark.parametrize("place", ["tmp/env/bin/python", "stays/.cache/env/bin/python"])
def test_from_a_cache_the_base_outside_is_taken_and_a_person_told(stays: Path, place: str) -> None:
    base = program(stays / "bin" / "python3.11")
    executable = link(stays.parent / place, base)
    found = stable.interpreter(executable, base)
    assert found.path == base
    assert "gone tomorrow" in found.warnings[0]


@pytest.mark.parametrize("place", ["tmp/env/bin/python", "stays/.cache/env/bin/python"])
def test_an_interpreter_in_a_cache_is_refused(stays: Path, place: str) -> None:
    executable = program(stays.parent / place)
    with pytest.raises(InstallRefused, match="pipx install sayso"):
        stable.interpreter(executable, executable)


def test_shims_missing_programs_and_bare_names_are_passed_over(stays: Path) -> None:
    shim = program(stays / "shims" / "python3", b"#!/bin/sh")
    real = program(stays / "bin" / "python3")
    unfit = program(stays / "bin" / "data")
    Path(unfit).chmod(0o644)
    for base in (shim, str(stays / "gone"), "python3", "", unfit if os.geteuid() else shim, str(stays)):
        assert stable.interpreter(real, base).path == real


def test_homebrew_is_named_by_the_link_that_follows_upgrades(stays: Path) -> None:
    real = program(stays / "Cellar/python@3.11/3.11.7_1/bin/python3.11")
    assert stable.interpreter(real, real).path == real
    (stays / "opt").mkdir()
    link(stays / "opt/python@3.11", str(stays / "Cellar/python@3.11/3.11.7_1"))
    assert stable.interpreter(real, real).path == str(stays / "opt/python@3.11/bin/python3.11")


def test_caches_of_the_environment_count(tmp_path: Path) -> None:
    places = list(stable._volatile_places({"UV_CACHE_DIR": "/elsewhere/uv", "XDG_CACHE_HOME": ""}))
    assert "/elsewhere/uv" in places
    assert "" not in places


def test_the_interpreter_of_these_tests_is_real() -> None:
    found = Path(PYTHON)
    assert found.is_absolute()
    assert not found.is_symlink()
    said = subprocess.run(
        [PYTHON, "-I", "-S", "-c", "import sys; print(sys.version_info[:2])"],
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    assert said.stdout == f"{sys.version_info[:2]}\n"
