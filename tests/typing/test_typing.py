"""The public API has types, and a checker in its strictest mode sees them and no others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.rules.tree import ROOT

PROGRAMS = [Path(__file__).with_name(name) for name in ("program.py", "asking.py", "hooking.py")]


def test_a_program_is_checked_strictly() -> None:
    """Each line that must be an error says so, and is one itself if it is none."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, *map(str, PROGRAMS)]
    offline = {"PYRIGHT_PYTHON_GLOBAL_NODE": "0", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | offline, capture_output=True, text=True, check=False, timeout=55
    )
    assert (done.returncode, done.stdout.strip()) == (0, "0 errors, 0 warnings, 0 informations")
