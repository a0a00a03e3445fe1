"""Text without secrets is left as it is: hashes, identifiers, lock files, source code."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path

import pytest

from sayso.mask import mask_text
from tests.mask.engines import ENGINES

HEX_40 = "8f14e45fceea167a5a36dedd4bea2543f3a1c0de"
UUID = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
SHA512 = "sha512-q8+8mXkSZ8yVjvB4m4fTq0Zf0r3nJwD8aQb1V5c2l0u9iXyTn7KpEoWgRzHsLdMhCx6Aq2Pk4Jb3Ff1Ss5Uu7g=="


@pytest.mark.parametrize(
    "text",
    [
        f"commit {HEX_40}\nAuthor: A <a@example.org>\n",
        f"git push origin {HEX_40}:refs/heads/main && git show {HEX_40[:12]}",
        f"docker pull app@sha256:{HEX_40}{HEX_40[:24]}",
        f"{HEX_40}{HEX_40[:24]}  dist/app.tar.gz",
        f"session {UUID} resumed",
        f'"integrity": "{SHA512}",\n"resolved": "https://registry.example/x/-/x-1.2.3.tgz#{HEX_40}"',
        f"    --hash=sha256:{HEX_40}{HEX_40[:24]} \\",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExample me@example",
        "https://example.org/a/b?page=2&sort=name#part",
        "for t in tokens: print(t, file=sys.stderr)",
        "task-runner --mask-fields=a,b --disk-size 40 risk-free-skeleton-key-less",
        "grep -rn 'password' src | wc -l; ls > tokens.txt",
        "cat ~/.ssh/id_ed25519.pub; echo $GITHUB_TOKEN | gh auth login --with-token",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert mask_text(text) == text


def test_the_standard_library_stays() -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    sources = sorted(folder.glob("*.py")) + sorted(folder.glob("[a-su-z]*/*.py"))
    sources = [path for path in sources if path.parent.name not in {"site-packages", "idlelib"}]
    assert len(sources) > 300
    changed: list[tuple[str, str]] = []
    for path in sources:
        text = path.read_text(encoding="utf-8", errors="replace")
        for line, masked in zip(text.split("\n"), mask_text(text).split("\n"), strict=True):
            if line != masked:
                changed.append((path.name, line.strip()))
    assert changed == []


PACKAGES = ("anyio", "hypothesis", "msgspec", "pygments", "_pytest", "starlette", "uvicorn")


@pytest.mark.parametrize("name", PACKAGES)
def test_installed_packages_stay(name: str) -> None:
    found = importlib.util.find_spec(name)
    assert found is not None
    assert found.origin is not None
    sources = sorted(Path(found.origin).parent.rglob("*.py"))
    assert sources
    texts = {path.name: path.read_text(encoding="utf-8", errors="replace") for path in sources}
    assert [name for name, text in texts.items() if mask_text(text) != text] == []


@pytest.mark.parametrize("module", ["argparse", "http/client", "urllib/request", "tokenize", "netrc"])
def test_both_engines_leave_source_code(module: str) -> None:
    text = (Path(sysconfig.get_path("stdlib")) / f"{module}.py").read_text(encoding="utf-8")
    assert {name: masker.mask(text).text == text for name, masker in ENGINES.items()} == dict.fromkeys(
        ENGINES, True
    )
