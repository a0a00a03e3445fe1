"""What masking keeps for every text, tried on texts made of what rules look for."""

from __future__ import annotations

import base64

from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.mask import MARK, mask, mask_text
from sayso.mask.rules import RULES
from tests.mask.engines import WITH_RE, WITH_RE2

# What a shell, a person or a parser takes for structure; blanks of every kind are added to it.
STRUCTURE = frozenset("\"'$`;|&<>()\\")

EXAMPLES = [rule.example for rule in RULES]
HINTS = [hint for rule in RULES for hint in rule.hints]
PIECES = [
    *"\"'$`;|&<>(){}[]\\ \n\t=:,.-_/@%?#~+!",
    *(
        "\\n",
        '\\"',
        "${VAR}",
        "$(id)",
        "://",
        "u:",
        "Bearer ",
        "Authorization: ",
        "password",
        "pass=",
        "--token ",
    ),
    *("token=", "TOKEN: ", '"secret": "', "api_key = '", "f'{x}'", "abc", "a1b2c3d4", "0123456789abcdef" * 3),
    *("-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----", "A" * 64, MARK, "…", "[masked]"),
    *("\u00a0", "\u2028", "é", "日本", "\ud800", "\udfff", "\x7f", "\0", "eyJ", "K", "ſ"),
]


def cut(text: str) -> st.SearchStrategy[str]:
    return st.integers(0, len(text)).map(lambda length: text[:length])


fragments = st.one_of(
    st.sampled_from(EXAMPLES),
    st.sampled_from(EXAMPLES).flatmap(cut),
    st.sampled_from(HINTS),
    st.sampled_from(PIECES),
    st.text(max_size=6),
)
texts = st.lists(fragments, max_size=12).map("".join)


def structure(text: str) -> str:
    return "".join(letter for letter in text if letter in STRUCTURE or letter.isspace())


@settings(max_examples=400)
@given(texts)
def test_masking_is_idempotent(text: str) -> None:
    once = mask_text(text)
    assert mask(once).hidden == ()
    assert mask_text(once) == once


@settings(max_examples=400)
@given(texts)
def test_structure_is_never_touched(text: str) -> None:
    assert structure(mask_text(text)) == structure(text)


@settings(max_examples=400)
@given(texts)
def test_both_engines_say_the_same(text: str) -> None:
    assert WITH_RE.mask(text) == WITH_RE2.mask(text)


@given(texts)
def test_the_lengths_add_up(text: str) -> None:
    masked = mask(text)
    assert len(masked.text) == len(text) - sum(masked.hidden) + len(MARK) * len(masked.hidden)
    assert masked.text.count(MARK) >= len(masked.hidden)
    assert all(length > 0 for length in masked.hidden)


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=6), st.sampled_from([" ", "\n", "; ", "\t"]))
def test_secrets_side_by_side_are_all_hidden(examples: list[str], between: str) -> None:
    masked = mask(between.join(examples))
    assert len(masked.hidden) >= len(examples)


@given(st.binary(min_size=64, max_size=64), st.uuids(), st.binary(min_size=20, max_size=20))
def test_hashes_and_identifiers_stay(digest: bytes, name: object, commit: bytes) -> None:
    integrity = base64.b64encode(digest).decode()
    text = f'"integrity": "sha512-{integrity}" {name} {commit.hex()} sha256:{digest[:32].hex()}'
    assert mask_text(text) == text
