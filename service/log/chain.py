"""Hash chain of a record: each line's head follows from the head of the line before and from the line itself.

chain key = HMAC-SHA256(seed, "boardroom-chain-2" || 0x00 || game id)
salt      = the first 16 bytes of HMAC-SHA256(chain key, number of the line's last event as 8 bytes, big-endian);
            the header's number is 0; lines after the seed's reveal, and those of the lobby, have an empty salt
head      = SHA-256(0x00 || head of the line before, 32 zero bytes before the header || salt || line)

The lobby's lines are a separate chain, from 32 zero bytes on, whose last head is in the header.
The line is in canonical JSON, without its `check` and its line feed. Heads are shown while a game runs, and a line may
hold a card that only one player knows: without the salt, a player who knows two heads could try all cards.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from hashlib import sha256

NO_HEAD = bytes(32)
_LABEL = b"boardroom-chain-2\0"


def chain_key(seed: bytes, game: str) -> bytes:
    """Return the 32-byte key of a game's salts."""
    return hmac.digest(seed, _LABEL + game.encode(), "sha256")


def salt(key: bytes, seq: int) -> bytes:
    """Return the 16-byte salt that keeps a line from being guessed; `seq` is the number of its last event."""
    mac = _keyed(key).copy()
    mac.update(seq.to_bytes(8, "big"))
    return mac.digest()[:16]


@lru_cache(1024)
def _keyed(key: bytes) -> hmac.HMAC:
    # Keying takes OpenSSL longer than all the rest, and a game's key stays the same.
    return hmac.new(key, digestmod="sha256")


def link(head: bytes, salting: bytes, line: bytes) -> bytes:
    return sha256(b"\0" + head + salting + line).digest()


def check(head: bytes) -> str:
    """Return the prefix of its head that a line shows: the first 8 bytes as hex."""
    return head[:8].hex()
