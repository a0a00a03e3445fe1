"""What is said about HTTP is said again to the desk in the background, to a restart and to a service."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.main import parser
from sayso.running import http_words

EVERYTHING = ["--port", "7300", "--public-url", "https://desk.example", "--listen", "192.168.1.5"]


@pytest.mark.parametrize("command", [["up"], ["start"], ["restart"], ["service", "install"]])
@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--no-http"],
        [*EVERYTHING, "--insecure-lan"],
        [*EVERYTHING, "--tls-cert", "/etc/desk.crt", "--tls-key", "/etc/desk.key"],
    ],
)
def test_words_come_back_as_they_were(command: list[str], words: list[str]) -> None:
    args = parser().parse_args([*command, *words])

    assert http_words(args) == words
    again = parser().parse_args([*command, *http_words(args)])
    assert http_words(again) == words


def test_files_are_found_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    args = parser().parse_args(["up", "--tls-cert", "desk.crt", "--tls-key", "../desk.key"])

    assert http_words(args) == [
        "--tls-cert",
        f"{tmp_path}/desk.crt",
        "--tls-key",
        f"{tmp_path.parent}/desk.key",
    ]
