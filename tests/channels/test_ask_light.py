"""What `sayso ask` loads: a script waits for its start, so each module has to be here by name."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.channels.asked import PlayedDesk, ended
from tests.rules.tree import ROOT

OURS = {
    "sayso",
    "sayso.channels",
    "sayso.channels.ask",
    "sayso.channels.ask_manual",
    "sayso.client",
    "sayso.client.address",
    "sayso.client.asking",
    "sayso.client.line",
    "sayso.core",
    "sayso.core.digest",
    "sayso.errors",
    "sayso.main",
}
HEAVY = {
    "asyncio",
    "contextlib",
    "dataclasses",
    "hashlib",
    "inspect",
    "json",
    "logging",
    "msgspec",
    "pathlib",
    "shutil",
    "signal",
    "socket",
    "subprocess",
    "typing",
    "urllib",
}
# As the installed command starts it, but for what this interpreter loads before its first line.
PROBE = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from sayso.main import main
code = main(sys.argv[1:])
sys.stderr.write(" ".join(sys.modules))
sys.exit(code)
"""


@pytest.fixture
def desk() -> Iterator[PlayedDesk]:
    with PlayedDesk() as desk:
        yield desk


@pytest.mark.parametrize(
    "words",
    [
        ("yesno", "--title", "x", "--timeout", "100"),
        ("choice", "--title", "x", "--choices", "a:b,c"),
        ("--unsafe", "confirm-command", "--title", "x", "--body", "y", "--json"),
    ],
)
def test_what_asking_loads(desk: PlayedDesk, words: tuple[str, ...]) -> None:
    command = [sys.executable, "-I", "-S", "-c", PROBE, str(ROOT / "src"), "ask", *words]
    asking = subprocess.Popen[bytes](command, env=desk.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    desk.accept().pend().end("ok", value="yes")
    code, output, said = ended(asking)
    assert code == 0
    assert output == b"yes\n" or json.loads(output)["value"] == "yes"
    loaded = set(said.split())
    assert {name for name in loaded if name.startswith("sayso")} == OURS
    assert not loaded & HEAVY
