"""Seals: Ed25519 signatures (RFC 8032) over the head of a finished game's record."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.log.recorded import milliseconds

ALGORITHM = "Ed25519"
SEAL = b"boardroom-seal-2\0"
"""Label of the seal of a record."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """Published key: its id, its 32 bytes, and the period of its use (`until` is None: still in use)."""

    id: str
    key: bytes
    since: datetime
    until: datetime | None = None

    def published(self) -> dict[str, Any]:
        """Return the key as JSON types, its bytes as hex."""
        until = None if self.until is None else self.until.isoformat()
        return {"id": self.id, "key": self.key.hex(), "since": self.since.isoformat(), "until": until}


class Signer:
    """Private key that seals."""

    def __init__(self, private: bytes) -> None:
        """Take the 32 bytes of the key; ValueError."""
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.id = key_id(self.public)

    def sign(self, head: bytes, at: datetime, label: bytes = SEAL) -> bytes:
        """Return the 64-byte signature over a head and the moment of the seal."""
        return self._key.sign(message(head, milliseconds(at), label))


def signer(text: str) -> Signer:
    """Return the signer of a key from the settings, 32 bytes in URL-safe base64; ValueError."""
    return Signer(b64decode(text, b"-_", validate=True))


def key_id(public: bytes) -> str:
    """Return the id of a public key: its first 8 bytes as hex."""
    return public[:8].hex()


def message(head: bytes, at: int, label: bytes = SEAL) -> bytes:
    """Return the signed bytes: label, head, and the moment in milliseconds since 1970 as 8 bytes, big-endian."""
    return label + head + at.to_bytes(8, "big")


def signed_by(public: bytes, head: bytes, at: int, signature: bytes, label: bytes = SEAL) -> bool:
    """Return whether the signature over the head is by the key."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message(head, at, label))
    except (InvalidSignature, ValueError):
        return False
    return True


def read_keys(published: Mapping[str, Any]) -> Iterable[PublicKey]:
    """Yield the keys of a published list, `{"keys": [...]}`.

    ValueError, KeyError, TypeError, or OverflowError for a moment before the year 1 in UTC, if the list is malformed.
    """
    for each in published["keys"]:
        until = each["until"]
        yield PublicKey(each["id"], bytes.fromhex(each["key"]), _moment(each["since"]), until and _moment(until))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
