"""Keys: the vault that seals secrets of webhooks and channels, and the VAPID key of Web Push (RFC 8292)."""

from __future__ import annotations

import secrets
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, derive_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from standardwebhooks import Webhook

OVERLAP = timedelta(hours=24)
"""Time for which the old secret signs along with the new one."""
_BYTES = 32
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Order of P-256 (FIPS 186-5): a private key is a number below the order, and not 0."""


class Vault:
    """Vault that seals secrets, so that the database and its copies hold none that could sign.

    The first key seals, all of them open: a new key is put in front, and the old one stays while needed.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        """Take Fernet keys, 32 bytes in URL-safe base64; ValueError."""
        self._fernet = MultiFernet([Fernet(key) for key in keys])

    def seal(self, secret: str) -> bytes:
        """Return the sealed secret, for storage."""
        return self._fernet.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """Return the secret; cryptography.fernet.InvalidToken if its key has been removed."""
        return self._fernet.decrypt(sealed).decode()


def new_key() -> str:
    return Fernet.generate_key().decode()


def new_secret() -> str:
    """Return a new signing secret: whsec_ and 32 bytes in base64."""
    return "whsec_" + b64encode(secrets.token_bytes(_BYTES)).decode()


def signed(message: str, body: str, signing: Sequence[str], now: datetime) -> Mapping[str, str]:
    """Return the headers of Standard Webhooks for a message, by its id, with the signature of every secret."""
    signatures = [Webhook(secret).sign(message, now, body) for secret in signing]
    return {
        "webhook-id": message,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def private_key(key: str) -> EllipticCurvePrivateKey:
    """Derive the private key from 32 bytes in URL-safe base64; ValueError."""
    raw = urlsafe_b64decode(key)
    if len(raw) != 32:
        raise ValueError("a key has 32 bytes")
    return derive_private_key(int.from_bytes(raw) % (_ORDER - 1) + 1, SECP256R1())


def public_key(key: str) -> str:
    """Return the public key for a browser: the uncompressed point in URL-safe base64 without padding."""
    point = private_key(key).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).decode().rstrip("=")
