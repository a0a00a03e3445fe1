"""One poller for a bot on this computer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sayso.channels.telegram.lock import PollLock
from tests.telegram.bot_api import TOKEN


def test_case_41_one_has_the_lock_and_the_other_learns_who(tmp_path: Path) -> None:
    first, second = PollLock(tmp_path, TOKEN), PollLock(tmp_path, TOKEN)
    assert first.take()
    assert first.take()
    assert not second.take()
    assert second.holder == f"process {os.getpid()}"
    first.leave()
    assert second.take()
    second.leave()


def test_another_bot_is_another_lock_and_no_name_tells_the_token(tmp_path: Path) -> None:
    first, second = PollLock(tmp_path, TOKEN), PollLock(tmp_path, f"9{TOKEN}")
    assert first.take()
    assert second.take()
    names = [path.name for path in tmp_path.iterdir()]
    assert len(names) == 2
    assert not [name for name in names if TOKEN[:10] in name or TOKEN[-10:] in name]
    first.leave()
    second.leave()


def test_a_link_that_somebody_put_there_is_not_followed(tmp_path: Path) -> None:
    lock = PollLock(tmp_path, TOKEN)
    assert lock.take()
    lock.leave()
    (path,) = tmp_path.iterdir()
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic link"):
        lock.take()
    assert not (tmp_path / "elsewhere").exists()
