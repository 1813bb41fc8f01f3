"""Secrets of mailed links."""

from __future__ import annotations

import secrets
from base64 import b32encode
from hashlib import sha256

_LENGTH = 26


def draw() -> str:
    """Return a new secret of 26 lower-case base32 letters (128 bits): short enough for every mail program."""
    return b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


def stored(secret: str) -> bytes | None:
    """Return the stored form (SHA-256) of a secret in any case, None if malformed."""
    text = secret.lower()
    return sha256(text.encode()).digest() if len(text) == _LENGTH and text.isascii() else None
