"""The programs of the page on the hook server run, and print what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.tree import ROOT

PAGE = (ROOT / "docs" / "howto" / "hook-server.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_each_program_of_the_page_says_what_it_prints() -> None:
    assert len(PROGRAMS) == PAGE.count("```python") > 1


@pytest.mark.parametrize(("program", "printed"), PROGRAMS)
def test_a_program_of_the_page(program: str, printed: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", program]
    env = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")
