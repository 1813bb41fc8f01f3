"""The secrets that messages are signed with: shown once, kept sealed."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from cryptography.fernet import Fernet, MultiFernet
from standardwebhooks import Webhook

OVERLAP = timedelta(hours=24)
"""How long the old secret signs along with the new one."""
_BYTES = 32


class Vault:
    """Seals secrets, so that the database and its copies hold none that could sign.

    The first key seals, all of them open: a new key is put in front, and the old one stays while it is needed.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        """Take keys as Fernet has them, 32 bytes in URL-safe base64; ValueError."""
        self._fernet = MultiFernet([Fernet(key) for key in keys])

    def seal(self, secret: str) -> bytes:
        """Return the secret as it may be stored."""
        return self._fernet.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """Return the secret that was sealed; cryptography.fernet.InvalidToken if it was with a key no longer there."""
        return self._fernet.decrypt(sealed).decode()


def new_key() -> str:
    """Return a new key for a vault."""
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
