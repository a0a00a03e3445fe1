"""The settings from the command line."""

from __future__ import annotations

import json

import pytest

from sayso.channels import cli, output
from tests.channels.fake_desk import (
    NOW_S,
    FakeDesk,
    run,
)

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.Output, "now_s", lambda self: NOW_S)
    monkeypatch.setenv("COLUMNS", "80")


def test_settings_are_listed_and_explained(capsys: Capture) -> None:
    desk = FakeDesk()
    assert run(desk, "settings") == 0
    shown = capsys.readouterr().out
    for name in desk.settings:
        assert f"{name} = " in shown
    assert set(cli.manual.SETTINGS) == set(desk.settings)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("away", "on", True),
        ("away", "False", False),
        ("exclusive_wait_s", "40", 40.0),
        ("exclusive_wait_s", "2.5", 2.5),
        ("pending_per_agent", "7", 7),
        ("notice_content", "what", "what"),
    ],
)
def test_a_setting_is_set_with_its_type(name: str, text: str, value: object, capsys: Capture) -> None:
    desk = FakeDesk()
    assert run(desk, "settings", name, text, "--json") == 0
    assert desk.calls[-1] == ("desk.settings", {"settings": {name: value}})
    assert json.loads(capsys.readouterr().out) == value


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("away", "maybe", "away is on or off"),
        ("pending_per_agent", "2.5", "whole number"),
        ("exclusive_wait_s", "soon", "is a number"),
        ("exclusive_wait_s", "-1", "not negative"),
        ("exclusive_wait_s", "nan", "not negative"),
        ("notice_content", "all", "nothing, who, what"),
        ("colour", "red", "no setting 'colour'"),
    ],
)
def test_a_value_that_does_not_fit_changes_nothing(name: str, text: str, words: str, capsys: Capture) -> None:
    desk = FakeDesk()
    assert run(desk, "settings", name, text) == 2
    assert words in capsys.readouterr().err
    assert len(desk.calls) == 1


def test_one_setting_is_shown(capsys: Capture) -> None:
    assert run(FakeDesk(), "settings", "exclusive_wait_s") == 0
    assert capsys.readouterr().out.startswith("exclusive_wait_s = 25\n")
