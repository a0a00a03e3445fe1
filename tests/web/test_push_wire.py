"""Web Push on the wire: as the standards have it, and as another implementation reads it."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.errors import BadRequest
from sayso.web import push_wire
from sayso.web.push_wire import (
    MOST_TEXT_BYTES,
    SIGNED_S,
    authorization,
    encrypted,
    from_text,
    new_key,
    to_text,
)
from tests.web.push_service import Browser, claims

NOW_S = 1_800_000_000.0
BROWSER = Browser()
KEYS = BROWSER.subscription.keys


def test_the_example_of_the_standard() -> None:
    """RFC 8291, appendix A."""
    number = int.from_bytes(from_text("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    message = push_wire.sealed(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        ec.derive_private_key(number, ec.SECP256R1()),
        from_text("DGv6ra1nlYgDCS1FRnbzlw"),
        pad_bytes=1,
    )

    assert to_text(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@given(st.binary(max_size=MOST_TEXT_BYTES))
@settings(max_examples=30, deadline=None)
def test_the_browser_reads_what_was_encrypted_for_it(text: bytes) -> None:
    message = encrypted(text, KEYS.p256dh, KEYS.auth)

    assert BROWSER.read(message) == text
    assert len(message) <= 4096


def test_nobody_else_reads_it_and_no_two_are_alike() -> None:
    message = encrypted(b"hello", KEYS.p256dh, KEYS.auth)

    assert message != encrypted(b"hello", KEYS.p256dh, KEYS.auth)
    assert b"hello" not in message
    with pytest.raises(Exception, match="Decryption"):
        Browser().read(message)


def test_lengths_tell_little() -> None:
    lengths = {len(encrypted(b"x" * length, KEYS.p256dh, KEYS.auth)) for length in range(0, 500, 20)}

    assert len(lengths) == 2


def test_a_message_has_a_bound() -> None:
    with pytest.raises(BadRequest, match="bytes at most"):
        encrypted(b"x" * (MOST_TEXT_BYTES + 1), KEYS.p256dh, KEYS.auth)


@pytest.mark.parametrize(
    ("p256dh", "auth", "field"),
    [
        ("", KEYS.auth, "keys.p256dh"),
        ("AAAA", KEYS.auth, "keys.p256dh"),
        ("§", KEYS.auth, "keys.p256dh"),
        (to_text(b"\4" + bytes(64)), KEYS.auth, "keys.p256dh"),  # no point of the curve
        (KEYS.p256dh, "", "keys.auth"),
        (KEYS.p256dh, "AAAA", "keys.auth"),
        (KEYS.p256dh, "a", "keys.auth"),
    ],
    ids=range(7),  # the key is another one in each process
)
def test_keys_that_are_none(p256dh: str, auth: str, field: str) -> None:
    with pytest.raises(BadRequest) as caught:
        push_wire.check_keys(p256dh, auth)
    assert caught.value.field == field


def test_keys_may_be_padded() -> None:
    push_wire.check_keys(KEYS.p256dh + "=", KEYS.auth + "==")


# --- who sends -------------------------------------------------------------------------


def test_it_is_signed_who_sends() -> None:
    key = new_key()

    header = authorization(key, "https://push.example/abc/def?x=1", "https://desk.example", NOW_S)

    assert claims(header, "https://push.example/abc") == {
        "aud": "https://push.example",
        "exp": int(NOW_S) + SIGNED_S,
        "sub": "https://desk.example",
        "k": push_wire.public_key(key),
    }
    assert SIGNED_S < 24 * 3600
    assert len(from_text(push_wire.public_key(key))) == 65


def test_what_is_no_key_of_a_desk() -> None:
    other = rsa.generate_private_key(65537, 2048)
    curve = ec.generate_private_key(ec.SECP384R1())
    pems = [key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) for key in (other, curve)]

    for pem in (*pems, b"", b"nonsense"):
        with pytest.raises(ValueError, match=r".+"):
            push_wire.public_key(pem)
