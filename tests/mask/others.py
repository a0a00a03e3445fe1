"""What other programs take for a secret, asked in a process of its own: texts in, findings out, as JSON.

Run as a program: one of them brings a library with threads of its own, which is kept out of the process of
the tests.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

WAIT_S = 50
HAS_BETTERLEAKS = importlib.util.find_spec("betterleaks") is not None


class Finding(NamedTuple):
    """`text`: which of the texts; `by`: the program and its rule; `secret`: what it found."""

    text: int
    by: str
    secret: str


def ask(texts: list[str]) -> list[Finding]:
    """Return what the others find in texts."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__))],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT_S,
    )
    return [Finding(*found) for found in json.loads(done.stdout)]


def _with_detect_secrets(texts: list[str]) -> list[Finding]:
    """Ask it without its guesses by entropy, which take every hash for a secret."""
    scan: Any = importlib.import_module("detect_secrets.core.scan")
    settings: Any = importlib.import_module("detect_secrets.settings")
    plugins: Any = importlib.import_module("detect_secrets.core.plugins.util")
    names = [each.__name__ for each in plugins.get_mapping_from_secret_type_to_class().values()]
    chosen = [{"name": name} for name in names if not name.endswith("HighEntropyString")]
    with settings.transient_settings({"plugins_used": chosen}):
        return [
            Finding(number, f"detect-secrets: {found.type}", found.secret_value)
            for number, text in enumerate(texts)
            for line in text.splitlines()
            for found in scan.scan_line(line)
        ]


def _with_betterleaks(texts: list[str]) -> list[Finding]:
    module: Any = importlib.import_module("betterleaks")
    return [
        Finding(number, f"betterleaks: {found.rule_id}", found.secret)
        for number, text in enumerate(texts)
        for found in module.scan_string(text)
    ]


if __name__ == "__main__":
    given: list[str] = json.load(sys.stdin)
    json.dump(
        [*_with_detect_secrets(given), *(_with_betterleaks(given) if HAS_BETTERLEAKS else [])], sys.stdout
    )
