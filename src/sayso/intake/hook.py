"""The program that agents start: `python -I -S hook.py AGENT --socket PATH --flags FOLDER`.

Short, because a main script is compiled at every start; what it does is in `hook_run`.
Whatever goes wrong: it prints nothing and exits 0, and the agent asks by itself.
"""

import posix
import sys
import time

STARTED_S = time.monotonic()


def version_folder(folder: str) -> str:
    """Return what a link to a version leads to: an upgrade meanwhile must not mix the two."""
    try:
        name = posix.readlink(folder)
    except OSError:
        return folder
    return folder if "/" in name else f"{folder.rpartition('/')[0]}/{name}"


def main() -> None:
    """Run, and end without the interpreter's own tidying up, which costs a millisecond."""
    try:
        sys.path.insert(0, version_folder(__file__.rpartition("/sayso/")[0]))
        from sayso.intake.hook_run import run

        run(sys.argv[1:], STARTED_S)
    except BaseException:  # noqa: BLE001 - the hook's top: silence is the contract
        pass
    posix._exit(0)  # pyright: ignore[reportPrivateUsage]


if __name__ == "__main__":
    main()
