"""Wheels of this very tree, in any version, and environments that they are installed into, by the real uv.

Nothing is fetched: what the wheels depend on is lent by the environment of the tests. Not here: what sayso
does there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from uv import find_uv_bin

ROOT = Path(__file__).resolve().parents[2]
WAIT_S = 50.0
# Where sayso keeps its things is told by the password file, so that a test needs another one.
_SHIM = """
import os, pwd, sys
real = pwd.getpwuid
pwd.getpwuid = lambda uid: pwd.struct_passwd((*real(uid)[:5], os.environ["HOME"], *real(uid)[6:]))
sys.path += {lent}
"""


class Tree:
    """A copy of what wheels are made of, to be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(
            ROOT / "src/sayso", folder / "src/sayso", ignore=shutil.ignore_patterns("__pycache__")
        )
        for name in ("README.md", "LICENSE", "pyproject.toml"):
            shutil.copy(ROOT / name, folder)
        self.change("pyproject.toml", r"(?ms)^dependencies = \[.*?^\]", "dependencies = []")

    def change(self, name: str, pattern: str, text: str) -> None:
        path = self.folder / name
        changed, count = re.subn(pattern, text, path.read_text(encoding="utf-8"))
        assert count == 1, f"{pattern} is {count} times in {name}"
        path.write_text(changed, encoding="utf-8")

    def wheel(self) -> Path:
        run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "made"], {}, self.folder)
        (found,) = (self.folder / "made").glob("*.whl")
        return found


def clean(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a person whose home this is, as far as sayso and uv can tell."""
    shim = home.parent / "shim"
    shim.mkdir(exist_ok=True)
    lent = list(dict.fromkeys(sysconfig.get_paths()[name] for name in ("purelib", "platlib")))
    (shim / "sitecustomize.py").write_text(_SHIM.format(lent=lent))
    return {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(shim),
        "UV_OFFLINE": "1",
        "UV_NO_CONFIG": "1",
        "UV_NO_INDEX": "1",
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
        **more,
    }


def uv(*words: str, env: dict[str, str], code: int = 0) -> str:
    return run([find_uv_bin(), *words], env, Path(env["HOME"]), code)


def run(argv: Sequence[str | Path], env: dict[str, str], cwd: Path, code: int = 0) -> str:
    """Run a program, see that it ends with this code, and return all that it wrote."""
    done = subprocess.run(
        argv,
        env=env or dict(os.environ),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert done.returncode == code, f"{argv} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def environment(folder: Path, wheel: Path, env: dict[str, str]) -> Path:
    """Make an environment with a wheel in it; return the command `sayso` of it."""
    uv("venv", "--quiet", str(folder), env=env)
    uv("pip", "install", "--quiet", "--python", str(folder), str(wheel), env=env)
    return folder / "bin" / "sayso"
