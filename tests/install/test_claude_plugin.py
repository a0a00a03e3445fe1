"""A plugin folder is written whole, brought up to date, and removed; what is not ours stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso.install import InstallRefused, claude_code, claude_plugin
from sayso.install.claude_places import Surroundings, install, install_plugin, uninstall_plugin
from tests.install.layouts import HOOKS, OTHER_HOOKS

NAMES = {claude_plugin.MANIFEST, claude_plugin.HOOKS, claude_plugin.README, claude_plugin.LICENSE}


@pytest.fixture
def where(tmp_path: Path) -> Surroundings:
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    return Surroundings({}, tmp_path / "home", tmp_path / "project", tmp_path / "managed")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_there_and_back(where: Surroundings, state: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new/plugin"
    done = install_plugin(HOOKS, where, state, folder, "1.2.3")
    assert (done.action, done.path) == ("created", folder / claude_plugin.HOOKS)
    assert names(folder) == NAMES
    assert json.loads((folder / claude_plugin.MANIFEST).read_text())["version"] == "1.2.3"
    assert install_plugin(HOOKS, where, state, folder, "1.2.3").action == "unchanged"
    assert install_plugin(OTHER_HOOKS, where, state, folder, "1.2.4").action == "changed"
    assert uninstall_plugin(where, state, folder).action == "deleted"
    assert not folder.exists()
    assert uninstall_plugin(where, state, folder).action == "absent"
    assert not (state / "backups").exists()  # nothing of anybody else was changed


def test_the_command_is_that_of_settings(where: Surroundings, state: Path, tmp_path: Path) -> None:
    install(HOOKS, where, state)
    install_plugin(HOOKS, where, state, tmp_path / "p", "1")
    text = (tmp_path / "p" / claude_plugin.HOOKS).read_text()
    assert claude_code.placed(text) == claude_code.placed(where.settings_path("user").read_text())
    assert json.loads(text)["hooks"] == HOOKS


def test_beside_settings_both_would_run(where: Surroundings, state: Path, tmp_path: Path) -> None:
    install(HOOKS, where, state)
    (warning,) = install_plugin(HOOKS, where, state, tmp_path / "p", "1").warnings
    assert "would ask twice" in warning
    (warning,) = install(HOOKS, where, state).warnings
    assert "would ask twice" in warning
    assert "still in" in uninstall_plugin(where, state, tmp_path / "p").warnings[0]


@pytest.mark.parametrize("name", sorted(NAMES))
@pytest.mark.parametrize("text", ["{}", "not ours", '{"name": "sayso"}', "[]"])
def test_a_file_of_somebody_else_is_in_the_way(
    where: Surroundings, state: Path, tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / "p" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(InstallRefused, match="not one of sayso's"):
        install_plugin(HOOKS, where, state, tmp_path / "p", "1")
    assert names(tmp_path / "p") == {name}
    assert path.read_text() == text


def test_what_a_person_added_stays(where: Surroundings, state: Path, tmp_path: Path) -> None:
    folder = tmp_path / "p"
    install_plugin(HOOKS, where, state, folder, "1")
    path = folder / claude_plugin.HOOKS
    changed = json.loads(path.read_text())
    changed["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "mine"}]})
    path.write_text(json.dumps(changed))
    (folder / "icon.png").write_bytes(b"x")
    with pytest.raises(InstallRefused):
        install_plugin(HOOKS, where, state, folder, "2")
    assert uninstall_plugin(where, state, folder).action == "deleted"
    assert names(folder) == {claude_plugin.HOOKS, "icon.png"}


def test_a_file_in_place_of_the_folder_is_refused(where: Surroundings, state: Path, tmp_path: Path) -> None:
    (tmp_path / "p").write_text("x")
    with pytest.raises(InstallRefused, match="not a folder"):
        install_plugin(HOOKS, where, state, tmp_path / "p", "1")


def test_the_licence_is_ours() -> None:
    texts = claude_plugin.contents(HOOKS, "1")
    assert texts[claude_plugin.LICENSE] == (Path(__file__).parents[2] / "LICENSE").read_text()
    assert len(texts[claude_plugin.README].split()) >= 40
