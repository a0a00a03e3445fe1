"""Settings: what may be chosen, and who hears of it."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.effects import Persist, Publish
from sayso.core.types import Settings
from sayso.errors import BadRequest
from tests.core.stage import Stage


def test_a_change_is_kept_and_told() -> None:
    stage = Stage()
    changed = stage.desk.change({"away": True, "notice_content": "nothing"}, 1.0)
    assert changed == Settings(away=True, notice_content="nothing")
    assert stage.take_effects() == [Persist(changed), Publish(type="settings", settings=changed)]
    assert stage.desk.snapshot().settings == changed


def test_what_changes_nothing_is_not_told() -> None:
    stage = Stage()
    assert stage.desk.change({"away": False}, 1.0) == Settings()
    assert stage.take_effects() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("exclusive_wait_s", 0.5),
        ("exclusive_wait_s", float("nan")),
        ("unattended_wait_s", float("inf")),
        ("pending_per_agent", 0),
        ("pending_in_all", 1_000_001),
        ("notice_content", "everything"),
        ("answers_from", "anywhere"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_changes(name: str, value: Any) -> None:
    stage = Stage()
    with pytest.raises(BadRequest) as caught:
        stage.desk.change({"away": True, name: value}, 1.0)
    assert caught.value.field == name
    assert stage.desk.snapshot().settings == Settings()
    assert stage.take_effects() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("exclusive_wait_s", 1.0),
        ("pending_in_all", 1_000_000),
        ("notice_content", "what"),
        ("answers_from", "paired"),
    ],
)
def test_what_makes_sense(name: str, value: Any) -> None:
    assert getattr(Stage().desk.change({name: value}, 1.0), name) == value
