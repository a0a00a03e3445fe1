"""Masking as the bytes come: what comes out is what masking of the whole text gives."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import BadRequest
from sayso.mask import MARK, mask, stream
from sayso.mask.rules import RULES
from sayso.mask.stream import LineMasker

KEY = (
    "-----BEGIN PRIVATE KEY-----\n" + "MC4CAQAwBQYDK2VwBCIEIExample0nly\n" * 3 + "-----END PRIVATE KEY-----\n"
)
HIDDEN = f"-----BEGIN PRIVATE KEY-----\n{MARK}\n{MARK}\n{MARK}\n-----END PRIVATE KEY-----\n"
LINES = [
    "plain\n",
    "TOKEN=3xample0nly3xample0nly\r\n",
    "\n",
    "  \n",
    "-----BEGIN PRIVATE KEY-----\n",
    "key: -----BEGIN RSA PRIVATE KEY-----\n",
    "-----BEGIN CERTIFICATE-----\n",
    "Proc-Type: 4,ENCRYPTED\n",
    "MC4CAQAwBQYDK2VwBCIEIExample0nlyMC4CAQAwBQYDK2VwBCIEIExample0nly\n",
    "  MC4CAQAwBQYDK2VwBCIEIExample0nly  \r\n",
    "AAA=\n",
    "-----END PRIVATE KEY-----\n",
    "two words\n",
    "MC4CAQAwBQYDK2VwBCIEI\rExample0nly\n",
    "é 日本\n",
]


def streamed(data: bytes, sizes: list[int]) -> tuple[bytes, int]:
    """Return what comes out of pieces of these sizes, over and over, and how much was hidden."""
    masker = LineMasker()
    found: list[bytes] = []
    at = turn = 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        found.append(masker.feed(data[at : at + size]))
        at, turn = at + size, turn + 1
    return b"".join([*found, masker.end()]), masker.hidden


@given(st.lists(st.sampled_from(LINES), max_size=14), st.booleans(), st.lists(st.integers(1, 90), min_size=1))
def test_pieces_give_what_the_whole_gives(lines: list[str], is_open: bool, sizes: list[int]) -> None:
    text = "".join(lines).removesuffix("\n" if is_open else "")
    whole = mask(text)
    assert streamed(text.encode(), sizes) == (whole.text.encode(), len(whole.hidden))


@pytest.mark.parametrize("size", [1, 7, 64, 4096])
def test_no_secret_is_split_at_a_border(size: int) -> None:
    text = "".join(f"say {rule.example}\n" for rule in RULES)
    assert streamed(text.encode(), [size])[0].decode() == mask(text).text


def test_a_line_comes_out_as_soon_as_it_ends() -> None:
    masker = LineMasker()
    assert masker.feed(b"TOKEN=3xample0nly3xam") == b""
    assert masker.feed(b"ple0nly\nnext") == f"TOKEN={MARK}\n".encode()
    assert masker.feed(b"\n") == b"next\n"
    assert masker.end() == b""


def test_a_key_is_held_until_it_ends() -> None:
    masker = LineMasker()
    assert [masker.feed(line) for line in KEY.encode().splitlines(keepends=True)] == [
        *[b""] * 4,
        HIDDEN.encode(),
    ]
    assert masker.hidden == 3


def test_what_only_begins_like_a_key_waits_for_one_line() -> None:
    masker = LineMasker()
    assert masker.feed(b"-----BEGIN PRIVATE KEY----- stands first\n") == b""
    assert masker.feed(b"in such a file.\n") == (
        b"-----BEGIN PRIVATE KEY----- stands first\nin such a file.\n"
    )


def test_a_key_that_is_cut_off_by_the_end_is_hidden() -> None:
    cut = KEY.encode()[:80]
    assert streamed(cut, [10])[0] == mask(cut.decode()).text.encode()
    assert MARK.encode() in streamed(cut, [10])[0]


def test_a_block_is_held_within_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MAX_BLOCK_BYTES", 200)
    masker = LineMasker()
    lines = [b"-----BEGIN PRIVATE KEY-----\n", *[b"MC4CAQAwBQYDK2VwBCIEIExample0nly\n"] * 20]
    found = [masker.feed(line) for line in lines]
    assert len([each for each in found if each]) >= 14
    assert b"".join(found).startswith(f"-----BEGIN PRIVATE KEY-----\n{MARK}\n".encode())


def test_a_line_is_held_within_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MAX_LINE_BYTES", 100)
    masker = LineMasker()
    assert masker.feed(b"x" * 100) == b""
    with pytest.raises(BadRequest, match="longer than 100 bytes"):
        masker.feed(b"x")


def test_bytes_that_are_no_text_pass_unchanged() -> None:
    noise = random.Random(7).randbytes(100_000)
    assert streamed(noise, [999]) == (noise, 0)
    data = b"\xff\xfe\x00 \xed\xa0\x80 TOKEN=3xample0nly3xample0nly \x80\n" + bytes(range(256)) + b"\xc3"
    whole = data.replace(b"3xample0nly3xample0nly", MARK.encode())
    assert streamed(data, [3]) == (whole, 1)
