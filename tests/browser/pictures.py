"""`python -m tests.browser.pictures`: pictures of every card and view, for the documentation.

Made of a real desk, real hooks and the real page; small by having few colours. They are not compared with
anything: fonts differ from machine to machine. May import the browser's tests' own modules.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import expect

from tests.browser import asks
from tests.browser.chromium import DESKTOP, PHONE_OPTIONS, Chromium, Tab
from tests.browser.scene import Asked, Scene
from tests.contract.rows import PERMISSIONS, Row
from tests.desks import sample

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
COLOURS = 64
SCREENS: dict[str, dict[str, Any]] = {"390x844": PHONE_OPTIONS, "1280x800": {"viewport": DESKTOP}}
THEMES = ("light", "dark")
NAMES = {
    ("390x844", "light"): "Ada's phone",
    ("390x844", "dark"): "Ada's tablet",
    ("1280x800", "light"): "Ada's laptop",
    ("1280x800", "dark"): "Office",
}
SESSION = "{0}1c3f52-3d39-4b6f-9c4e-52d5a7e3b6aa"

CARDS: dict[str, Row] = {
    "permission": asks.BASH,
    "edit": asks.EDIT,
    "write": asks.WRITE,
    "long": asks.LONG,
    "hiding": asks.HIDING,
    "right-to-left": asks.HEBREW,
    "question": asks.QUESTION,
    "plan": asks.PLAN,
    "form": asks.FORM,
    "link": asks.LINK,
    "yesno": asks.YESNO,
    "choice": asks.CHOICE,
    "text": asks.TEXT,
    "command": asks.CONFIRM,
}


# --- what is to be seen ----------------------------------------------------------------------------


@contextmanager
def project() -> Iterator[str]:
    """Make a folder that looks like somebody's work: a repository on a branch."""
    with tempfile.TemporaryDirectory(prefix="sayso-p-") as folder:
        path = Path(folder) / "shop"
        path.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "retry-after", str(path)], check=True)
        yield str(path)


def work(scene: Scene, cwd: str) -> None:
    """Have two more sessions do something, with a message to one of them."""
    for number, prompt in enumerate((asks.PROMPT, "Sort the orders by date, and show me the query plan.")):
        session_id = SESSION.format("ab"[number] * 2)
        scene.event(sample("UserPromptSubmit", session_id=session_id, prompt=prompt, cwd=cwd))
    scene.watcher.call(
        "desk.queue",
        agent="claude-code",
        session_id=SESSION.format("aa"),
        text="Leave the uploads alone, please.",
    )


def ask(scene: Scene, row: Row, cwd: str, letter: str) -> Asked:
    """Ask in a session that was told what to do."""
    session_id = SESSION.format(letter * 2)
    if "hook_event_name" in row.payload:
        scene.event(sample("UserPromptSubmit", session_id=session_id, prompt=asks.PROMPT, cwd=cwd))
        return scene.ask(row, session_id=session_id, cwd=cwd)
    return scene.ask(row, cwd=cwd)


# --- pictures --------------------------------------------------------------------------------------


class Camera:
    """Takes the pictures of one screen in one theme."""

    def __init__(self, scene: Scene, screen: str, theme: str, wanted: list[str]) -> None:
        self.scene = scene
        self._suffix = f"{screen}-{theme}"
        self._wanted = wanted
        name = NAMES[screen, theme]
        self.tab: Tab = scene.tab(name, color_scheme=theme, **SCREENS[screen])
        self.stranger: Tab = scene.tab(is_paired=False, color_scheme=theme, **SCREENS[screen])

    def take(
        self,
        name: str,
        address: str,
        before: Callable[[Tab], None] = lambda tab: None,
        *,
        is_paired: bool = True,
    ) -> None:
        if self._wanted and not any(word in name for word in self._wanted):
            return
        tab = self.tab if is_paired else self.stranger
        page = tab.page
        page.goto(f"{self.scene.address}/#/{address}")
        before(tab)
        expect(page.locator(".settling")).to_have_count(0)
        page.evaluate("document.activeElement?.blur()")
        page.wait_for_timeout(100)
        save(page.screenshot(), FOLDER / f"{name}-{self._suffix}.png")


def save(png: bytes, path: Path) -> None:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def second_step(tab: Tab) -> None:
    tab.button("I understand the command").click()
    expect(tab.button("Run it")).to_be_enabled()


def reason(tab: Tab) -> None:
    tab.button("Deny…").click()
    tab.card.get_by_role("textbox").fill("Not on a Friday: build it, and start it on Monday.")


def review(tab: Tab) -> None:
    tab.card.get_by_role("radio", name="Cursor").check()
    tab.button("Next question").click()
    for label in ("Filter by state", "Export as CSV"):
        tab.card.get_by_role("checkbox", name=label).check()
    tab.button("Look over the answers").click()


def shown(tab: Tab) -> None:
    expect(tab.card).to_be_visible()


def ended(scene: Scene, cwd: str) -> None:
    """Leave some that ended, each in its own way."""
    confirmed = ask(scene, PERMISSIONS[0], cwd, "c")
    scene.watcher.answer(confirmed.id, behavior="allow")
    confirmed.becomes("delivered")
    made = {"session_id": confirmed.session_id, "tool_input": PERMISSIONS[0].payload["tool_input"]}
    scene.event(sample("PostToolUse.Bash", **made, prompt_id=PERMISSIONS[0].payload["prompt_id"]))
    denied = ask(scene, asks.FETCH, cwd, "d")
    scene.watcher.answer(denied.id, behavior="deny", message="Read the copy in docs/ instead.")
    denied.becomes("delivered")
    overruled = ask(scene, PERMISSIONS[0], cwd, "e")
    scene.watcher.answer(overruled.id, behavior="deny")
    overruled.becomes("delivered")
    made["session_id"] = overruled.session_id
    scene.event(sample("PostToolUse.Bash", **made, prompt_id=PERMISSIONS[0].payload["prompt_id"]))
    overruled.becomes("overruled")


def every_picture(scene: Scene, cwd: str, wanted: list[str]) -> None:
    work(scene, cwd)
    scene.watcher.call("desk.away", away=True)  # else what holds its terminal back is let go meanwhile
    cameras = [Camera(scene, screen, theme, wanted) for screen in SCREENS for theme in THEMES]
    asked = {
        name: ask(scene, row, cwd, "0123456789fedcba"[at]) for at, (name, row) in enumerate(CARDS.items())
    }
    steps = {"command-second-step": ("command", second_step), "permission-deny": ("permission", reason)}
    steps["question-review"] = ("question", review)
    for camera in cameras:
        for name, each in asked.items():
            camera.take(f"card-{name}", f"inbox/{each.id}", shown)
        for name, (of, before) in steps.items():
            camera.take(f"card-{name}", f"inbox/{asked[of].id}", before)
    for name, each in asked.items():
        if name not in ("permission", "edit", "question", "yesno"):
            each.leave()
    scene.watcher.call("desk.away", away=False)
    ended(scene, cwd)
    for camera in cameras:
        for view in ("inbox", "sessions", "devices", "settings", "help"):
            camera.take(f"view-{view}", view)
        camera.take("view-pairing", "", is_paired=False)


def main(wanted: list[str]) -> int:
    FOLDER.mkdir(exist_ok=True)
    with Chromium() as chromium, Scene(chromium) as scene, project() as cwd:
        every_picture(scene, cwd, wanted)
        scene.leave()
    size = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    print(f"{len(list(FOLDER.glob('*.png')))} pictures, {size / 1e6:.1f} MB in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
