"""One-time codes: one device each, two minutes, few wrong tries."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.daemon import pairing as module
from sayso.daemon.pairing import FREE_WRONG, MOST_OPEN, MOST_WRONG, OPEN_S, PAUSE_S, Codes, Grant
from sayso.errors import TooMany, Unauthorized
from sayso.wire.protocol import Power

NOW_S = 1000.0


@pytest.fixture
def codes() -> Codes:
    return Codes()


def wrong(codes: Codes, times: int, now_s: float = NOW_S) -> float:
    """Try wrong codes, each as soon as it is looked at; return when the next one would be."""
    for _ in range(times):
        with pytest.raises(Unauthorized):
            codes.redeem("0000-0000", now_s)
        now_s += PAUSE_S
    return now_s


def test_a_code_is_worth_one_device(codes: Codes) -> None:
    opened = codes.open(Power.SEE, "wallboard", NOW_S)

    assert codes.redeem(opened.code, NOW_S + 1) == Grant(opened.id, Power.SEE, "wallboard")
    with pytest.raises(Unauthorized, match="counts once"):
        codes.redeem(opened.code, NOW_S + 2)


def test_a_code_is_open_for_two_minutes(codes: Codes) -> None:
    opened = codes.open(Power.SEE, "", NOW_S)

    assert OPEN_S == 120
    assert opened.until_s == NOW_S + OPEN_S
    assert codes.is_open(opened.id, opened.until_s - 0.001)
    assert not codes.is_open(opened.id, opened.until_s)
    with pytest.raises(Unauthorized):
        codes.redeem(opened.code, opened.until_s)


def test_a_code_has_enough_bits_and_is_never_twice_the_same(codes: Codes) -> None:
    drawn: list[int] = []

    def draw(count: int) -> bytes:
        drawn.append(count)
        return bytes(range(len(drawn), len(drawn) + count))

    first = Codes(draw).open(Power.SEE, "", NOW_S)

    assert drawn[0] * 8 >= 128
    assert len(first.code.replace("-", "")) * 5 >= 128
    assert codes.open(Power.SEE, "", NOW_S).code != codes.open(Power.SEE, "", NOW_S).code


@given(st.binary(min_size=20, max_size=20), st.binary(min_size=20, max_size=20))
def test_different_bits_are_different_codes(one: bytes, other: bytes) -> None:
    def code(bits: bytes) -> str:
        return Codes(lambda count: bits[:count]).open(Power.SEE, "", NOW_S).code

    assert (code(one) == code(other)) is (one == other)


@pytest.mark.parametrize(
    "typed",
    [
        str.lower,
        lambda code: code.replace("-", ""),
        lambda code: code.replace("-", " "),
        lambda code: f" {code}\n",
        lambda code: code.replace("0", "o").replace("1", "l"),
        lambda code: code.replace("0", "O").replace("1", "I"),
    ],
)
def test_a_code_may_be_typed_as_people_type(typed: Callable[[str], str]) -> None:
    codes = Codes(lambda count: bytes([0, 0x44, 0x32, 0x14, 0xC7] * 4)[:count])
    code = codes.open(Power.ANSWER, "", NOW_S).code
    assert {"0", "1"} <= set(code)

    assert codes.redeem(typed(code), NOW_S).power is Power.ANSWER


@pytest.mark.parametrize("typed", ["", "x", "\ud800", "\x00", "ẞ" * 1000, "-" * 30])
def test_what_is_no_code(codes: Codes, typed: str) -> None:
    codes.open(Power.SEE, "", NOW_S)

    with pytest.raises(Unauthorized):
        codes.redeem(typed, NOW_S)


def test_a_code_is_kept_as_a_hash_and_every_one_is_compared_in_constant_time(
    codes: Codes, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(module.hmac, "compare_digest", compare)
    opened = [codes.open(Power.SEE, "", NOW_S) for _ in range(3)]

    codes.redeem(opened[0].code, NOW_S)

    assert len(compared) == 3
    assert {len(part) for pair in compared for part in pair} == {32}
    kept = repr(codes._open)  # pyright: ignore[reportPrivateUsage]
    assert not [one.code for one in opened if one.code in kept]


def test_only_so_many_are_open_at_once(codes: Codes) -> None:
    opened = [codes.open(Power.SEE, "", NOW_S) for _ in range(MOST_OPEN)]

    with pytest.raises(TooMany, match="open already"):
        codes.open(Power.SEE, "", NOW_S)
    codes.drop(opened[0].id)
    codes.open(Power.SEE, "", NOW_S)
    with pytest.raises(TooMany):
        codes.open(Power.SEE, "", NOW_S)
    assert codes.open(Power.SEE, "", NOW_S + OPEN_S).id


def test_wrong_tries_wait_for_each_other(codes: Codes) -> None:
    opened = codes.open(Power.SEE, "", NOW_S)
    for _ in range(FREE_WRONG):
        with pytest.raises(Unauthorized):
            codes.redeem("wrong", NOW_S)

    with pytest.raises(TooMany, match="wait a moment"):
        codes.redeem(opened.code, NOW_S + PAUSE_S / 2)  # the right one is not looked at either
    assert codes.redeem(opened.code, NOW_S + PAUSE_S).id == opened.id


def test_a_right_code_ends_the_waiting(codes: Codes) -> None:
    opened = codes.open(Power.SEE, "", NOW_S)
    now_s = wrong(codes, FREE_WRONG)
    codes.redeem(opened.code, now_s)

    for _ in range(FREE_WRONG):
        with pytest.raises(Unauthorized):
            codes.redeem("wrong", now_s)


def test_too_many_wrong_tries_close_every_code(codes: Codes) -> None:
    opened = [codes.open(Power.SEE, "", NOW_S) for _ in range(2)]

    now_s = wrong(codes, MOST_WRONG - 1)
    assert codes.is_open(opened[0].id, now_s)
    now_s = wrong(codes, 1, now_s)

    assert not any(codes.is_open(one.id, now_s) for one in opened)
    with pytest.raises(Unauthorized):
        codes.redeem(opened[0].code, now_s)


def test_tries_before_a_code_was_open_do_not_close_it(codes: Codes) -> None:
    now_s = wrong(codes, MOST_WRONG - 1)

    opened = codes.open(Power.SEE, "", now_s)
    now_s = wrong(codes, 2, now_s)

    assert codes.redeem(opened.code, now_s).id == opened.id


def test_no_more_than_a_few_tries_fit_into_the_life_of_a_code(codes: Codes) -> None:
    opened = codes.open(Power.SEE, "", NOW_S)
    looked_at = 0
    for tenth in range(int(OPEN_S * 10)):
        if codes.is_open(opened.id, NOW_S + tenth / 10):
            with pytest.raises((Unauthorized, TooMany)) as caught:
                codes.redeem(f"{tenth:08}", NOW_S + tenth / 10)
            looked_at += caught.type is Unauthorized

    assert looked_at == MOST_WRONG
