"""A real desk whose bot is at a Bot API server of ours, and people who are paired with it."""

from __future__ import annotations

import json
import subprocess
from types import TracebackType
from typing import Any, Self

from tests.desks import SAYSO, Home
from tests.standin import WAIT_S
from tests.telegram.bot_api import TOKEN, BotServer
from tests.telegram.people import Person


class Pairing:
    """`sayso telegram pair` as it waits for somebody to type its code."""

    def __init__(self, home: Home, *words: str) -> None:
        self.process = subprocess.Popen(
            [*SAYSO, "telegram", "pair", "--json", *words],
            env=home.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate(timeout=WAIT_S)
        self.opened = json.loads(line)
        self.code: str = self.opened["code"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()  # harmless where it has ended
        self.process.communicate(timeout=WAIT_S)

    def result(self) -> tuple[int, dict[str, Any]]:
        """Return the exit code and what became of the code."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return self.process.wait(WAIT_S), json.loads(line)


def give_token(home: Home, token: str = TOKEN) -> list[str]:
    """Return the words with which a token is given to `sayso telegram pair`."""
    path = home.path / "token"
    path.write_text(f"{token}\n")
    path.chmod(0o600)
    return ["--token-file", str(path)]


def api(server: BotServer) -> list[str]:
    """Return the words with which a private desk is told where the Bot API is."""
    return ["--telegram-api", server.url]


def pair(home: Home, person: Person, first: bool = True, name: str = "") -> None:
    """Pair somebody with a desk that runs; `first`: it has no token yet."""
    words = [*(give_token(home) if first else []), *(["--name", name] if name else [])]
    with Pairing(home, *words) as pairing:
        person.write(pairing.code)
        code, became = pairing.result()
    assert (code, became["state"]) == (0, "used")
    person.wait_text("You are paired")
