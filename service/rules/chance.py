"""Deterministic shuffles and rolls from a committed seed; the same in every language that has HMAC-SHA256.

key    = HMAC-SHA256(seed, game id || 0x00 || nonce of seat 0 || nonce of seat 1 || ...)
         or for a game of a day's deal HMAC-SHA256(seed, "boardroom-deal-1" || 0x00 || day), the same in all of them
stream = HMAC-SHA256(key, label || 0x00 || counter) for counter = 0, 1, ... as 8 bytes, each block cut into four
         8-byte words; labels are UTF-8, words and counters big-endian.
below n: take the next word w; refuse w >= 2**64 - (2**64 mod n) and take another; the number is w mod n.
shuffle: for i from the last index down to 1, exchange item i with item (below i + 1).
roll:    1 + (below sides), once for each die.

Vectors for other implementations are in tests/rules/test_chance.py.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

_WORDS = 1 << 64


def commit(seed: bytes) -> str:
    """Return the commitment to a 32-byte seed: SHA-256 of it under a label of its own, as lower-case hex."""
    return sha256(b"boardroom-seed-1\0" + seed).hexdigest()


def commit_nonce(game: str, nonce: str) -> str:
    """Return the commitment to a seat's own hex value: SHA-256 of it, the game's id and a label, as lower-case hex."""
    return sha256(b"boardroom-nonce-1\0" + game.encode() + b"\0" + bytes.fromhex(nonce)).hexdigest()


def derive_key(seed: bytes, game: str, nonces: Sequence[str]) -> bytes:
    """Return the 32-byte key of a game's chance from its seed, its id and the seats' hex nonces, in seat order."""
    return hmac.digest(seed, game.encode() + b"\0" + b"".join(bytes.fromhex(nonce) for nonce in nonces), "sha256")


def derive_deal_key(seed: bytes, day: str) -> bytes:
    """Return the 32-byte key of the chance of every game of a day's deal (YYYY-MM-DD): no seat adds anything to it."""
    return hmac.digest(seed, b"boardroom-deal-1\0" + day.encode(), "sha256")


class Chance:
    """The chance of one game; every label names a stream of its own, so the order of asking does not matter."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items in a random order (Fisher-Yates from the last index down)."""
        words = self._words(label)
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            other = _below(last + 1, words)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` numbers, each from 1 to `sides`."""
        words = self._words(label)
        return tuple(1 + _below(sides, words) for _ in range(count))

    def _words(self, label: str) -> Iterator[int]:
        counter = 0
        while True:
            block = hmac.digest(self._key, label.encode() + b"\0" + counter.to_bytes(8, "big"), "sha256")
            for start in range(0, 32, 8):
                yield int.from_bytes(block[start : start + 8], "big")
            counter += 1


def _below(bound: int, words: Iterator[int]) -> int:
    limit = _WORDS - _WORDS % bound
    return next(word for word in words if word < limit) % bound
