"""`python -m tests.promise` adds what is new to what is promised, and takes nothing away."""

from __future__ import annotations

import json
import sys

from tests.promise.broken import broken
from tests.promise.public import public
from tests.promise.test_promise import PROMISED


def main() -> int:
    now = public()
    trouble = broken(json.loads(PROMISED.read_text(encoding="utf-8")), now) if PROMISED.exists() else []
    if trouble:
        print(*trouble, sep="\n", file=sys.stderr)
        return 1
    PROMISED.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


sys.exit(main())
