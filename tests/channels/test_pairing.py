"""`sayso open` and `sayso pair`: a link for this computer, a code for another device."""

from __future__ import annotations

import argparse
import json
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sayso.channels import pairing
from sayso.errors import Refused, SaysoError, Unavailable

Capture = pytest.CaptureFixture[str]
OPENED: dict[str, Any] = {
    "id": "c1",
    "code": "AAAA-BBBB",
    "url": "https://desk.example/#code=AAAA-BBBB",
    "here": "http://127.0.0.1:7297/#code=AAAA-BBBB",
    "reachable": True,
    "power": "answer",
    "name": "",
    "expires_at": "2026-11-30T12:02:00.000Z",
    "expires_s": 120.0,
    "qr": "M4 4h7v1h-7z",
    "qr_size": 37,
}
PHONE = {"id": "d1", "name": "pho\u202ene", "power": 3, "created_at": 0.0}


class Desk:
    """A desk that opens a code, and then tells what became of it."""

    def __init__(self, became: dict[str, Any] | BaseException | None = None, **opened: Any) -> None:
        self.became = became or {"state": "used", "device": PHONE}
        self.opened: dict[str, Any] | SaysoError = {**OPENED, **opened}
        self.calls: list[dict[str, Any]] = []
        self.timeouts: list[float] = []

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def call(self, method: str, params: dict[str, Any], timeout_s: float = 10) -> Any:
        assert method == "desk.pairing"
        self.calls.append(params)
        if "wait" in params:
            self.timeouts.append(timeout_s)
            if isinstance(self.became, BaseException):
                raise self.became
            return self.became
        if isinstance(self.opened, SaysoError):
            raise self.opened
        return self.opened


def run(desk: Desk, *words: str) -> int:
    parser = argparse.ArgumentParser(prog="sayso")
    pairing.add_commands(parser.add_subparsers(required=True))
    args = parser.parse_args(words)
    args.connect = lambda: desk
    return args.run(args)


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Path]:
    """Put a screen there, and what opens links on it; return where that writes them."""

    def make(code: int) -> Path:
        said = tmp_path / "said"
        program = tmp_path / "xdg-open"
        program.write_text(f'#!/bin/sh\nprintf %s "$1" >{said}\nexit {code}\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        monkeypatch.setenv("DISPLAY", ":1")
        return said

    return make


# --- open ------------------------------------------------------------------------------


def test_only_the_link_is_printed_for_a_program(capsys: Capture) -> None:
    desk = Desk()

    assert run(desk, "open", "--print") == 0

    assert capsys.readouterr().out == OPENED["here"] + "\n"
    assert desk.calls == [{"power": "admin", "name": ""}]


@pytest.mark.skipif(sys.platform == "darwin", reason="there it is `open`, which is tested by its name")
def test_the_link_of_this_computer_is_opened(capsys: Capture, browser: Callable[[int], Path]) -> None:
    said = browser(0)

    assert run(Desk(), "open") == 0

    assert said.read_text() == OPENED["here"]
    assert "opens in your browser" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "darwin", reason="there it is `open`, which is tested by its name")
def test_where_no_browser_opens_the_link_is_there_to_be_opened(
    capsys: Capture, browser: Callable[[int], Path]
) -> None:
    browser(3)

    assert run(Desk(), "open") == 0

    out = capsys.readouterr().out
    assert out.startswith(OPENED["here"])
    assert "Open that in a browser" in out


def test_without_a_screen_nothing_is_started(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing.sys, "platform", "linux")
    monkeypatch.setenv("PATH", "")

    assert run(Desk(), "open") == 0

    assert "Open that in a browser" in capsys.readouterr().out


def test_what_opens_links(tmp_path: Path) -> None:
    def with_programs(*names: str) -> str:
        folder = tmp_path / "-".join(names)
        folder.mkdir()
        for name in names:
            (folder / name).touch(mode=0o755)
        return str(folder)

    everything = with_programs("xdg-open", "gio", "wslview")
    only_gio = with_programs("gio")

    assert pairing.opener({"PATH": everything}, "darwin") == ["open"]
    assert pairing.opener({"PATH": everything, "DISPLAY": ":0"}, "linux") == [f"{everything}/xdg-open"]
    assert pairing.opener({"PATH": only_gio, "WAYLAND_DISPLAY": "w"}, "linux") == [f"{only_gio}/gio", "open"]
    assert pairing.opener({"PATH": everything}, "linux") == [f"{everything}/wslview"]
    assert pairing.opener({"PATH": only_gio}, "linux") == []


def test_a_program_that_cannot_be_started_opens_nothing(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "opener", lambda *_: ["/nothing/there"])

    assert run(Desk(), "open") == 0

    assert "Open that in a browser" in capsys.readouterr().out


def test_a_program_that_stays_has_opened_it(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "opener", lambda *_: ["/bin/sh", "-c", "exec sleep 5"])
    monkeypatch.setattr(pairing, "_OPENER_S", 0.05)

    with pytest.warns(ResourceWarning):  # it outlives us on purpose
        assert run(Desk(), "open") == 0

    assert "opens in your browser" in capsys.readouterr().out


# --- pair ------------------------------------------------------------------------------


def test_a_phone_is_paired_while_the_command_waits(capsys: Capture) -> None:
    desk = Desk()

    assert run(desk, "pair", "--power", "answer", "--name", "phone") == 0

    out = capsys.readouterr().out
    assert "▀" in out
    assert OPENED["url"] in out
    assert "AAAA-BBBB" in out
    assert "works once, within two minutes" in out
    assert "may now see and answer" in out
    assert "\u202e" not in out
    assert "of this computer alone" not in out
    assert desk.calls == [{"power": "answer", "name": "phone"}, {"wait": "c1"}]
    assert desk.timeouts == [130.0]


def test_a_code_that_nobody_used_is_closed(capsys: Capture) -> None:
    assert run(Desk({"state": "closed"}), "pair") == 6

    assert "nobody used it in time" in capsys.readouterr().out


def test_it_is_said_when_somebody_tried_wrong_ones(capsys: Capture) -> None:
    assert run(Desk({"state": "closed", "tried": True}), "pair") == 6

    assert "too many wrong ones" in capsys.readouterr().out


def test_it_is_said_what_a_link_of_this_computer_alone_is_worth(capsys: Capture) -> None:
    assert run(Desk(reachable=False, url=OPENED["here"]), "pair") == 0

    out = capsys.readouterr().out
    assert "of this computer alone" in out
    assert "--public-url" in out


def test_who_leaves_closes_the_code() -> None:
    desk = Desk(KeyboardInterrupt())

    assert run(desk, "pair") == 130

    assert desk.calls[-1] == {"cancel": "c1"}


def test_a_desk_that_goes_away_is_told(capsys: Capture) -> None:
    assert run(Desk(Unavailable("the desk went away")), "pair") == 1

    assert "the desk went away" in capsys.readouterr().err


def test_a_narrow_terminal_has_no_room_for_the_picture(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")

    assert run(Desk(), "pair") == 0

    out = capsys.readouterr().out
    assert "too narrow" in out
    assert "▀" not in out
    assert OPENED["url"] in out


def test_a_terminal_without_such_characters_has_none_of_them(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "_writes_blocks", lambda: False)

    assert run(Desk(), "pair") == 0

    assert "▀" not in capsys.readouterr().out


@pytest.mark.parametrize(("encoding", "writes"), [("utf-8", True), ("ascii", False), ("latin-1", False)])
def test_which_terminals_those_are(encoding: str, writes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        def __init__(self) -> None:
            self.encoding = encoding

    monkeypatch.setattr(pairing.sys, "stdout", Stream())

    assert pairing._writes_blocks() is writes  # pyright: ignore[reportPrivateUsage]


def test_for_a_program_there_are_two_lines_of_json(capsys: Capture) -> None:
    assert run(Desk(), "pair", "--json") == 0

    opened, became = map(json.loads, capsys.readouterr().out.splitlines())
    assert (opened, became["state"]) == (OPENED, "used")


def test_an_agent_is_refused_in_words(capsys: Capture) -> None:
    desk = Desk()
    desk.opened = Refused("this was started from inside an agent: open a fresh terminal")

    assert run(desk, "pair") == 3
    assert run(desk, "open", "--print") == 3

    out = capsys.readouterr()
    assert "#code" not in out.out
    assert "open a fresh terminal" in out.err


def test_powers_that_no_code_gives_are_no_choice(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        run(Desk(), "pair", "--power", "ask")
    assert "invalid choice" in capsys.readouterr().err
