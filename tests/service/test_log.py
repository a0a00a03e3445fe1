"""The desk's log in the background: capped, and with what the process itself prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sayso import running

CODE = """
import logging, os, sys
from pathlib import Path
from sayso import running
running.LOG_MAX_BYTES = 1000
handler = running._log_handler(Path(sys.argv[1]))
log = logging.getLogger("x")
log.addHandler(handler)
for number in range(int(sys.argv[2])):
    log.warning("line %04d of the log, which is of some length", number)
os.write(1, b"out\\n")
os.write(2, b"traceback\\n")
"""


def write(log: Path, lines: int, into: Path | None = None) -> None:
    with (into or log).open("ab") as file:
        subprocess.run(
            [sys.executable, "-c", CODE, str(log), str(lines)],
            stdout=file,
            stderr=file,
            env=dict(os.environ),
            timeout=30,
            check=True,
        )


def test_a_log_that_grows_is_cut_and_one_older_file_kept(tmp_path: Path) -> None:
    log = tmp_path / "desk.log"
    write(log, 200)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["desk.log", "desk.log.1"]
    assert all(path.stat().st_size <= 1000 + 20 for path in tmp_path.iterdir())
    assert "line 0199" in log.read_text()
    assert log.read_text().endswith("out\ntraceback\n")  # what is printed goes where the log is now


def test_a_short_log_is_left_whole(tmp_path: Path) -> None:
    log = tmp_path / "desk.log"
    write(log, 2)
    write(log, 2)
    assert log.read_text().count("line 0001") == 2
    assert not (tmp_path / "desk.log.1").exists()


def test_elsewhere_standard_error_takes_it(tmp_path: Path) -> None:
    other = tmp_path / "terminal"
    write(tmp_path / "desk.log", 200, other)
    assert other.read_text().count("line") == 200
    assert [path.name for path in tmp_path.iterdir()] == ["terminal"]


def test_the_bound_is_a_mebibyte() -> None:
    assert running.LOG_MAX_BYTES == 1024 * 1024
