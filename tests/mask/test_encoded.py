"""Secrets that are written in base64: hidden with the whole of what they are in, and nothing else is."""

from __future__ import annotations

import base64
import os

import pytest

from sayso.mask.engine import MARK, Masker
from sayso.mask.rules import GENERAL, VENDORS
from sayso.mask.shape import Rule
from tests.mask.engines import ENGINES

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
AROUND = ("", "x", "xy", "user:", '{"auth": "', "a line\nand ", "\x01\x02")
BEHIND = ("", "\n", '"}', "@host", " and more")


def encoded(text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    return base64.b64encode(data).decode()


@pytest.fixture(params=ENGINES.values(), ids=[*ENGINES])
def masker(request: pytest.FixtureRequest) -> Masker:
    made: Masker = request.param
    return made


@pytest.mark.parametrize("before", AROUND)
@pytest.mark.parametrize("behind", BEHIND)
def test_later_13_a_secret_is_found_wherever_it_stands_in_it(
    masker: Masker, before: str, behind: str
) -> None:
    data = f"{before}{TOKEN}{behind}"
    standard, for_urls = encoded(data), base64.urlsafe_b64encode(data.encode()).decode()
    for run in (standard, standard.rstrip("="), for_urls, for_urls.rstrip("=")):
        for text in (
            f"echo {run} | base64 -d",
            f"  token: {run}\n",
            f"--data={run}",
            f'{{"a": "{run}"}}',
            run,
        ):
            masked = masker.mask(text)
            assert masked.text == text.replace(run, MARK)
            assert masked.hidden == (len(run),)
            assert masker.mask(masked.text) == (type(masked)(masked.text, ()))


@pytest.mark.parametrize("rule", VENDORS, ids=[rule.name for rule in VENDORS])
def test_later_13_the_secrets_of_every_vendor_are_found(masker: Masker, rule: Rule) -> None:
    run = encoded(rule.example)
    shown, _, behind = masker.mask(f"echo {run} | base64 -d").text.partition(MARK)
    assert behind == " | base64 -d"
    assert shown in ("echo ", f"echo {run[:8]}")  # of what begins like a token of its own, its stub


@pytest.mark.parametrize(
    "text",
    [
        encoded("there is nothing to see here, whatever it looks like"),
        encoded("password=correct-horse-battery"),  # a name tells only where people read it
        encoded(bytes(range(256))),
        encoded(TOKEN.encode() + b"\xff"),  # no text
        encoded(encoded(TOKEN)),  # read once
        "A" * 4096,
        "a" * 29 + "=",
        "/usr/lib/python3/dist-packages/package/module/and/file_of_a_long_name.py",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        encoded(TOKEN)[:20],
    ],
)
def test_what_holds_no_secret_of_a_vendor_stays(masker: Masker, text: str) -> None:
    assert masker.mask(f"x {text} y").text == f"x {text} y"


def test_several_in_a_text_are_each_hidden_whole(masker: Masker) -> None:
    runs = [encoded(f"{nth} {TOKEN}") for nth in range(40)]
    plain = encoded("nothing to see here, and nothing there")
    text = "\n".join(f"{run} {plain}" for run in runs)
    assert masker.mask(text).text == "\n".join([f"{MARK} {plain}"] * 40)


def test_a_secret_beside_one_is_hidden_as_ever(masker: Masker) -> None:
    assert masker.mask(f"{TOKEN} {encoded(TOKEN)}").text == f"{TOKEN[:4]}{MARK} {MARK}"


def test_general_rules_are_none_of_a_vendors() -> None:
    assert not {rule.name for rule in GENERAL} & {rule.name for rule in VENDORS}


def test_a_long_text_of_nothing_else_takes_no_more_than_in_proportion(masker: Masker) -> None:
    run = encoded(os.urandom(21).hex()[:21])
    assert masker.mask(f"{run}\n" * 40_000).hidden == ()
    assert masker.mask(encoded(f"{TOKEN} " * 20_000)).text == MARK
