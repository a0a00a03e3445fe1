"""Texts for service managers: what the desk needs stands in them, and their own program takes them."""

from __future__ import annotations

import plistlib
import shutil

import pytest

from sayso.service import managers, units

COMMAND = ["/opt/py/bin/python", "-P", "-m", "sayso", "up"]


def exec_start(*words: str) -> str:
    (line,) = [line for line in units.systemd_unit(words).splitlines() if line.startswith("ExecStart=")]
    return line.removeprefix("ExecStart=")


def test_a_unit_starts_the_desk_again_only_after_a_failure() -> None:
    text = units.systemd_unit(COMMAND)
    assert exec_start(*COMMAND) == "/opt/py/bin/python -P -m sayso up"
    for line in ("Restart=on-failure", "RestartKillSignal=SIGHUP", "NoNewPrivileges=yes", "UMask=0077"):
        assert line in text.splitlines()


def test_a_unit_leaves_alone_what_the_desk_needs() -> None:
    """Who may answer is read in /proc, which these would hide; sandboxes of agents need namespaces."""
    settings = {line.partition("=")[0] for line in units.systemd_unit(COMMAND).splitlines()}
    assert not settings & {"ProtectProc", "PrivateUsers", "PrivateTmp", "ProtectSystem", "ProtectHome"}
    assert "RestrictNamespaces" not in settings


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("plain", "plain"),
        ("a b", '"a b"'),
        ("", '""'),
        ("100%", "100%%"),
        ("$HOME", "$$HOME"),
        ('q"', '"q\\""'),
        ("it's", '"it\'s"'),
        ("back\\slash", "back\\\\slash"),
        ("a;b", '"a;b"'),
    ],
)
def test_case_38_words_reach_the_desk_as_they_are(word: str, quoted: str) -> None:
    assert exec_start("/bin/python", word) == f"/bin/python {quoted}"


def test_what_is_ours_is_recognised() -> None:
    unit, plist = units.systemd_unit(COMMAND), units.launchd_plist(COMMAND, "/var/log/desk.log")
    assert units.is_own_unit(unit)
    assert units.is_own_plist(plist)
    assert not units.is_own_unit("[Unit]\n" + unit)
    assert not units.is_own_unit("")
    assert not units.is_own_plist(plist.replace(units.LABEL, "org.other"))
    assert not units.is_own_plist(plist.replace("<!--", "<!-- x"))
    assert not units.is_own_plist(plist[:-20])


def test_a_property_list_says_the_same() -> None:
    value = plistlib.loads(units.launchd_plist([*COMMAND, "a <b>&"], "/x/desk.log").encode())
    assert value["ProgramArguments"] == [*COMMAND, "a <b>&"]
    assert value["KeepAlive"] == {"SuccessfulExit": False}
    assert value["StandardErrorPath"] == value["StandardOutPath"] == "/x/desk.log"


@pytest.mark.parametrize("word", ["up", "a b", "100%", "$x", "it's"])
def test_the_managers_own_program_takes_the_unit(word: str) -> None:
    """Where systemd is not installed nothing can be verified, and that is what verify says, too."""
    sh = shutil.which("sh")
    assert sh is not None
    assert managers.verify(units.systemd_unit([sh, word])) == ""


def test_a_unit_that_is_wrong_is_refused_where_systemd_is() -> None:
    is_there = shutil.which("systemd-analyze") is not None
    broken = units.systemd_unit(["/bin/sh"]).replace("Restart=on-failure", "Restart=sometimes")
    for text, word in ((units.systemd_unit(["/nowhere/python"]), "not executable"), (broken, "sometimes")):
        assert (word in managers.verify(text)) is is_there
