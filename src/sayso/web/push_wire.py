"""Web Push as it is on the wire: messages encrypted for one browser, and who sends them, signed.

Only the browser that subscribed can read a message; its push service sees when one comes, how
long it is, and the address of the desk. Not here: connections (`push_send`), what is told.
Imports cryptography, which the extra `push` brings.

Sources: RFC 8291 (encryption), RFC 8188 (content coding), RFC 8292 (VAPID).
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from sayso.errors import BadRequest

MOST_TEXT_BYTES = 3000
"""Push services take 4,096 bytes, what is around it included."""
SIGNED_S = 12 * 3600
"""How long a signature holds; a day is the most."""
_PAD_BYTES = 256
"""Messages are made as long as a multiple of this: their length tells little."""
_RECORD_BYTES = 4096
_SALT_BYTES = 16
_SECRET_BYTES = 16
_CURVE = ec.SECP256R1()


# --- the desk's key --------------------------------------------------------------------


def new_key() -> bytes:
    """Return a new key of a desk, as PEM."""
    key = ec.generate_private_key(_CURVE)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def public_key(key: bytes) -> str:
    """Return a key's public half as browsers take it. Raises: ValueError, when this is no such key."""
    return to_text(_point(_key(key).public_key()))


def authorization(key: bytes, endpoint: str, subject: str, now_s: float) -> str:
    """Return the header that says who sends to a push service, and until when that holds.

    Args:
        subject: where its people reach us: an https: or mailto: address.
        now_s: seconds since 1970.
    """
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now_s) + SIGNED_S, "sub": subject}
    head = {"typ": "JWT", "alg": "ES256"}
    signed = ".".join(to_text(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims))
    numbers = utils.decode_dss_signature(_key(key).sign(signed.encode(), ec.ECDSA(SHA256())))
    signature = b"".join(number.to_bytes(32) for number in numbers)
    return f"vapid t={signed}.{to_text(signature)}, k={public_key(key)}"


def _key(pem: bytes) -> ec.EllipticCurvePrivateKey:
    try:
        key = load_pem_private_key(pem, None)
    except (TypeError, UnsupportedAlgorithm) as error:
        raise ValueError(str(error)) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise ValueError("this is not a key of the curve P-256")
    return key


# --- messages --------------------------------------------------------------------------


def check_keys(p256dh: str, auth: str) -> None:
    """Raises BadRequest when these are not the keys of a browser's subscription."""
    if len(from_text(auth, "keys.auth")) != _SECRET_BYTES:
        raise BadRequest("a subscription's secret has 16 bytes", "keys.auth")
    _browser_key(p256dh)


def encrypted(text: bytes, p256dh: str, auth: str) -> bytes:
    """Return a message that only the browser with these keys can read. Raises: BadRequest."""
    return sealed(text, p256dh, auth, ec.generate_private_key(_CURVE), os.urandom(_SALT_BYTES))


def sealed(
    text: bytes,
    p256dh: str,
    auth: str,
    once: ec.EllipticCurvePrivateKey,
    salt: bytes,
    pad_bytes: int = _PAD_BYTES,
) -> bytes:
    """Return a message under a key and a salt that are used this once."""
    if len(text) > MOST_TEXT_BYTES:
        raise BadRequest(f"a push may have {MOST_TEXT_BYTES} bytes at most", "body")
    browser = _browser_key(p256dh)
    mine, theirs = _point(once.public_key()), _point(browser)
    shared = once.exchange(ec.ECDH(), browser)
    secret = _derived(shared, from_text(auth, "keys.auth"), b"WebPush: info\0" + theirs + mine, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    padding = b"\2" + bytes(-(len(text) + 1) % pad_bytes)
    body = AESGCM(key).encrypt(nonce, text + padding, None)
    return salt + _RECORD_BYTES.to_bytes(4) + bytes([len(mine)]) + mine + body


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(material)


def _browser_key(text: str) -> ec.EllipticCurvePublicKey:
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, from_text(text, "keys.p256dh"))
    except ValueError:
        raise BadRequest("this is not the public key of a subscription", "keys.p256dh") from None


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


# --- bytes as text ---------------------------------------------------------------------


def to_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_text(text: str, field: str = "") -> bytes:
    """Return what some text of base64url stands for, padded or not. Raises: BadRequest."""
    bare = text.rstrip("=")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise BadRequest("this is not base64url", field) from None
