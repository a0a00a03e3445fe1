"""Desks in places that shells and sockets find hard: the same answers arrive."""

from __future__ import annotations

import contextlib
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.lab.claude import Claude

pytestmark = pytest.mark.end_to_end


@contextlib.contextmanager
def desk_at(home: Path) -> Iterator[Desk]:
    desk = Desk(home)
    try:
        desk.up()
        yield desk
    finally:
        desk.close()


def assert_it_works(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        assert [path.name for path in desk.places.flags.iterdir()] == [request["session_id"]]
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash")
    assert claude.made("touched")


def test_a_home_whose_name_a_shell_would_take_apart(claude: Claude, root: Path) -> None:
    with desk_at(root / 'it\'s a "$(touch oops)" `x` ünd;&') as desk:
        assert_it_works(desk, claude)
    assert not list(root.rglob("oops"))


def test_a_home_whose_path_is_too_long_for_a_socket(claude: Claude, root: Path) -> None:
    with desk_at(root / ("long" * 30)) as desk:
        assert not desk.places.socket.is_relative_to(root)
        try:
            assert_it_works(desk, claude)
        finally:
            desk.close()
            shutil.rmtree(desk.places.socket.parent)
