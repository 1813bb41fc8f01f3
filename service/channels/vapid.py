"""The key by which push services know this server (VAPID, RFC 8292)."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, derive_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of P-256 (FIPS 186-5): a private key is a number below it, and not 0."""


def private_key(key: str) -> EllipticCurvePrivateKey:
    """Return the private key that 32 bytes in URL-safe base64 stand for; ValueError."""
    raw = urlsafe_b64decode(key)
    if len(raw) != 32:
        raise ValueError("a key has 32 bytes")
    return derive_private_key(int.from_bytes(raw) % (_ORDER - 1) + 1, SECP256R1())


def public_key(key: str) -> str:
    """Return the public key as a browser wants it: the uncompressed point in URL-safe base64 without padding."""
    point = private_key(key).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).decode().rstrip("=")
