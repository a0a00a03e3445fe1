"""What a recorded scenario plays on: an agent, its model, hooks that record, a person.

Everything the person does (types, presses, answers through a hook, closes the
terminal) is put on record between what the hooks saw. Not a test: it judges nothing.
May import the lab only.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.lab.claude import Claude, ClaudeTui
from tests.lab.fake_anthropic import FakeAnthropic
from tests.lab.recorder import Recorder
from tests.lab.terminal import SETTLE_S

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Json = dict[str, Any]
HOLD: Json = {"PermissionRequest": {"hold": True}, "Elicitation": {"hold": True}}


class Stage:
    """One scenario's agent and person. By default hooks that can decide wait for `answer`."""

    def __init__(self, binary: Path, root: Path, model: FakeAnthropic) -> None:
        self.root = root
        self.model = model
        self.claude = Claude.create(binary, root, model.port)
        self.recorder = Recorder(root)
        self.recorder.behave(HOLD)
        self._tui: ClaudeTui | None = None

    @property
    def screen(self) -> ClaudeTui:
        """The terminal, for waiting on what it shows."""
        assert self._tui is not None, "no terminal is open"
        return self._tui

    def settings(self, **more: object) -> Json:
        return {**self.recorder.settings(), **more}

    @contextlib.contextmanager
    def tui(
        self,
        *,
        settings: Mapping[str, object] | None = None,
        mcp: bool = False,
        mode: str = "manual",
        resume: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Iterator[ClaudeTui]:
        """Open a terminal with the agent in it; on the way out the person closes it."""
        chosen = self.settings(**(settings or {}))
        with self.claude.tui(chosen, mcp=mcp, mode=mode, resume=resume, env=env) as tui:
            self._tui = tui
            yield tui
            self._tui = None
            self._note("closes the terminal")

    def print(self, prompt: str) -> str:
        """Run the agent in print mode, and return what it printed."""
        self._note("runs", prompt=prompt)
        done = self.claude.print(prompt, self.settings())
        assert done.returncode == 0, done
        self._note("reads", printed=done.stdout)
        return done.stdout

    def say(self, text: str) -> None:
        """Type a prompt and submit it."""
        self.screen.type(text)
        self.screen.wait_for(text[:20], timeout_s=5)
        self.press("Enter", did="says", text=text)

    def type(self, text: str) -> None:
        """Type text into a dialog."""
        self.screen.type(text)
        self.screen.wait_for(text)
        self._note("types", text=text)

    def press(self, *keys: str, did: str = "presses", **more: object) -> None:
        """Press keys in the terminal; the record has the instant just before they arrive."""
        time.sleep(SETTLE_S)  # see Terminal.keys
        self._note(did, **(more or {"keys": keys}))
        self.screen.keys(*keys, settle_s=0)

    def choose(self, option: str) -> None:
        """Press the number that a dialog shows before an option, once it shows it."""
        shown = re.compile(rf"(\d)\. {re.escape(option)}", re.MULTILINE)
        found = shown.search(self.screen.wait_for(shown))
        assert found is not None
        self.press(found[1], did="chooses", option=option)

    def answer(self, start: Json, out: Json | None) -> None:
        """Answer through a hook that holds; with None it decides nothing and ends."""
        self._note("answers", hook=start["hook"], out=out)
        self.recorder.answer(start, out)

    def asked(self, nth: int = 1, event: str = "PermissionRequest") -> Json:
        """Wait until the nth hook that can decide has started."""
        return self.recorder.wait_for("start", event, nth)

    def seen(self, kind: str, event: str, nth: int = 1) -> Json:
        """Wait for the nth record of a kind and event."""
        return self.recorder.wait_for(kind, event, nth)

    def done(self, name: str, stops: int = 1) -> None:
        """Wait until a scenario of the model is over, with so many Stop hooks in all."""
        self.screen.wait_for(f"DONE {name}")
        self.seen("end", "Stop", stops)

    def hello(self, stops: int = 1) -> None:
        """Prompt once more: what did not come before this, will not come."""
        self.say("again SCN:hello")
        self.done("hello", stops)

    def closes(self, how: str) -> None:
        """Put on record how the person ends the agent, by other means than `tui`."""
        self._note(how)

    def _note(self, did: str, **more: object) -> None:
        self.recorder.note("person", did=did, **more)


@contextlib.contextmanager
def stage(binary: Path, variables: Mapping[str, str] | None = None) -> Iterator[Stage]:
    """Set up a stage in a folder of its own, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="sayso-golden-", ignore_cleanup_errors=True) as folder:
        root = Path(folder).resolve()
        with FakeAnthropic(variables={"PROJECT": str(root / "project"), **(variables or {})}) as model:
            yield Stage(binary, root, model)


def picked(start: Json, indexes: Sequence[int]) -> list[Json]:
    """Return the suggestions a request offered, by index."""
    return [start["input"]["permission_suggestions"][index] for index in indexes]
