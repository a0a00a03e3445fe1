"""The payloads are in what users install."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from sayso.demo.scenes import SCENES
from tests.rules.tree import ROOT


def test_the_wheel_has_the_payloads(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=50)
    (path,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = set(wheel.namelist())
    wanted = (*(scene.name for scene in SCENES), "prompt", "stop")
    assert {f"sayso/demo/payloads/{name}.json" for name in wanted} <= names
