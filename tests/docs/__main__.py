"""Writes the generated pages, or with --check says which differ from the code."""

from __future__ import annotations

import argparse
import sys

from tests.docs.pages import stale, write


def main() -> int:
    """Return 1 when --check finds a page that is not what the code says."""
    parser = argparse.ArgumentParser(prog="python -m tests.docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing")
    if not parser.parse_args().check:
        print("\n".join(write()) or "every page was as the code says")
        return 0
    found = stale()
    for name in found:
        print(f"{name} is not what the code says: run python -m tests.docs", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
