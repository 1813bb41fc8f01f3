"""Short signed tokens for addresses and links: their data is readable, but cannot be forged."""

from __future__ import annotations

import hmac
from base64 import b32decode, b32encode, urlsafe_b64decode
from collections.abc import Sequence
from typing import Final

TAG: Final = 10
"""Bytes of a signature (80 bits). Local parts have at most 64 octets, and links should be short."""


def signed(keys: Sequence[str], purpose: str, data: bytes, tag: int = TAG) -> str:
    """Return the data with the signature of the first key, in lower-case base32 (RFC 4648), without padding.

    `tag` is the number of bytes of the signature.
    """
    return b32encode(data + _tag(keys[0], purpose, data, tag)).decode().rstrip("=").lower()


def opened(keys: Sequence[str], purpose: str, text: str, tag: int = TAG) -> bytes | None:
    """Return the data of a signed token, None unless one of the keys has signed it for the purpose; ignores case."""
    try:
        raw = b32decode(text.upper() + "=" * (-len(text) % 8))
    except ValueError:
        return None
    data, signature = raw[:-tag], raw[-tag:]
    # The last letter of base32 may have spare bits: only the canonical form is accepted.
    if b32encode(raw).decode().rstrip("=") != text.upper():
        return None
    return data if any(hmac.compare_digest(signature, _tag(key, purpose, data, tag)) for key in keys) else None


def _tag(key: str, purpose: str, data: bytes, length: int) -> bytes:
    return hmac.digest(urlsafe_b64decode(key), purpose.encode() + b"\0" + data, "sha256")[:length]
