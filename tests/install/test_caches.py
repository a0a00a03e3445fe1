"""Which environments are of a cache, and that sayso is not installed from one unless a person insists."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sayso.install import caches
from tests.install.environments import Tree, clean, run, uv

TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# of a cache\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that is in no cache; where the tests run may be in one."""
    assert caches.around(tmp_path, {}) is None, "these tests keep their files in a cache"
    return tmp_path


def env_at(path: Path, tag: bool = False) -> Path:
    """Make what looks like an environment."""
    path.mkdir(parents=True)
    (path / "pyvenv.cfg").touch()
    if tag:
        (path / "CACHEDIR.TAG").write_text(TAG)
    return path


@pytest.mark.parametrize(
    ("path", "cache"),
    [
        (".cache/uv/archive-v0/6kQm/lib", ".cache"),
        (".cache/pipx/b7a6229ae5f5394", ".cache"),
        (".local/pipx/.cache/b7a6229ae5f5394", ".local/pipx/.cache"),
        ("Library/Caches/pipx/b7a6229ae5f5394", "Library/Caches"),
        ("pip-build-env-x7/overlay", "pip-build-env-x7"),
        ("build-env-9a", "build-env-9a"),
    ],
)
def test_caches_are_known_by_their_names(place: Path, path: str, cache: str) -> None:
    assert caches.around(env_at(place / path), {}) == place / cache


@pytest.mark.parametrize(
    "path",
    [
        ".local/share/uv/tools/sayso",
        ".local/share/pipx/venvs/sayso",
        "work/Caches/.venv",
        "my.cache/.venv",
        "work/caches/pip-build/.venv",
    ],
)
def test_places_that_stay_are_none(place: Path, path: str) -> None:
    assert caches.around(env_at(place / path, tag=True), {}) is None


@pytest.mark.parametrize("name", caches.VARIABLES)
def test_the_environment_names_caches(place: Path, name: str) -> None:
    env = env_at(place / "big disk/kept/env")
    assert caches.around(env, {name: str(place / "big disk")}) == place / "big disk"
    assert caches.around(env, {name: str(place / "big")}) is None
    assert caches.around(env, {name: ""}) is None


def test_links_hide_no_cache(place: Path) -> None:
    env = env_at(place / "disk/store/env")
    (place / "link").symlink_to(place / "disk/store")
    assert caches.around(place / "link/env", {"UV_CACHE_DIR": str(place / "disk")}) == place / "disk"
    assert caches.around(env, {"UV_CACHE_DIR": str(place / "link")}) == place / "disk/store"


def test_the_mark_of_a_cache_counts_above_an_environment(place: Path) -> None:
    env = env_at(place / "moved/archive-v0/x", tag=True)
    assert caches.around(env / "lib/python3/site-packages/sayso", {}) is None
    (place / "moved/CACHEDIR.TAG").write_text("Signature: of something else")
    assert caches.around(env, {}) is None
    (place / "moved/CACHEDIR.TAG").write_text(TAG)
    assert caches.around(env, {}) == place / "moved"


# --- the real uv -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Tree(tmp_path_factory.mktemp("tree")).wheel()


class Person:
    """A home without anything in it, and `uvx` with the wheel."""

    def __init__(self, home: Path, wheel: Path) -> None:
        self.home = home
        self.wheel = wheel
        self.env = clean(home)
        self.settings = home / ".claude/settings.json"
        home.mkdir()

    def uvx(self, *words: str, cache: Path | None = None, code: int = 0) -> str:
        """Run sayso in an environment that uv keeps in its cache."""
        options = ["--quiet", "--from", str(self.wheel)]
        options += ["--cache-dir", str(cache)] if cache else []
        return uv("tool", "run", *options, "sayso", *words, env=self.env, code=code)

    def hook(self) -> list[str]:
        """Return the command of the hook that is in the settings."""
        handler = json.loads(self.settings.read_text())["hooks"]["Stop"][0]["hooks"][0]
        return [handler["command"], *handler["args"]]


@pytest.fixture
def person(place: Path, wheel: Path) -> Person:
    return Person(place / "home", wheel)


def test_from_uvx_nothing_is_installed_and_a_person_told_what_to_do(person: Person) -> None:
    said = person.uvx("install", "claude-code", code=1)
    assert f"runs from a cache ({person.home}/.cache/uv)" in said
    assert "uv tool install sayso, or pipx install sayso" in said
    assert "--from-cache" in said
    assert not person.settings.exists()
    assert not (person.home / ".local/share/sayso").exists()


def test_nor_from_a_cache_that_an_option_moved(person: Person) -> None:
    elsewhere = person.home.parent / "else where"
    said = person.uvx("install", "claude-code", "--plugin", "p", cache=elsewhere, code=1)
    assert f"runs from a cache ({elsewhere})" in said
    assert not (person.home / "p").exists()


def test_who_insists_gets_hooks_that_outlive_the_cache(person: Person) -> None:
    said = person.uvx("install", "claude-code", "--from-cache")
    assert "runs from a cache" in said
    shutil.rmtree(person.home / ".cache")
    command = person.hook()
    assert Path(command[command.index("-S") + 1]).is_file()
    assert run(command, {"PATH": "/usr/bin:/bin"}, person.home) == ""


def test_what_is_printed_is_for_one_session_and_told(person: Person) -> None:
    said = person.uvx("install", "claude-code", "--print")
    assert '"PermissionRequest"' in said
    assert "runs from a cache" in said
    assert not person.settings.exists()


def test_a_private_desk_may_be_as_fleeting_as_its_home(person: Person) -> None:
    person.env["SAYSO_HOME"] = str(person.home / "private")
    assert "Wrote" in person.uvx("install", "claude-code")
    assert '"PermissionRequest"' in person.uvx("install", "claude-code", "--print")


def test_no_desk_is_started_from_a_cache(person: Person) -> None:
    said = person.uvx("install", "claude-code", "--from-cache", "--lazy-start", code=1)
    assert "could start no desk" in said
    assert not person.settings.exists()


def test_a_tool_of_uv_is_installed_to_stay(person: Person) -> None:
    uv("tool", "install", "--quiet", str(person.wheel), env=person.env)
    sayso = person.home / ".local/bin/sayso"
    assert "runs from a cache" not in run([sayso, "install", "claude-code"], person.env, person.home)
    uv("cache", "clean", "--quiet", env=person.env)
    assert run(person.hook(), {"PATH": "/usr/bin:/bin"}, person.home) == ""
    assert "Removed" in run([sayso, "uninstall", "claude-code"], person.env, person.home)
