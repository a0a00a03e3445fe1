"""The programs of the page on Python run, and print what the page says."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.rules.tree import ROOT

PAGE = (ROOT / "docs" / "howto" / "use-from-python.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_each_program_of_the_page_says_what_it_prints() -> None:
    assert len(PROGRAMS) == PAGE.count("```python") > 3


@pytest.mark.parametrize(("program", "printed"), PROGRAMS)
def test_a_program_of_the_page(program: str, printed: str) -> None:
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")
