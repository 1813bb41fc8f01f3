"""One tree a day over the seals of that day (hashes as in RFC 6962, section 2.1).

leaf = SHA-256(0x00 || seal's signature)      node = SHA-256(0x01 || left || right)
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def leaf(signature: bytes) -> bytes:
    """Return the hash of a seal in the tree."""
    return sha256(b"\0" + signature).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over the hashes of leaves; that of no leaves is SHA-256 of nothing."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    middle = _split(len(leaves))
    return _node(root(leaves[:middle]), root(leaves[middle:]))


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes that lead from a leaf to the root, the nearest first (RFC 6962, section 2.1.1)."""
    if len(leaves) == 1:
        return []
    middle = _split(len(leaves))
    if index < middle:
        return [*path(leaves[:middle], index), root(leaves[middle:])]
    return [*path(leaves[middle:], index - middle), root(leaves[:middle])]


def leads_to(start: bytes, index: int, count: int, steps: Sequence[bytes]) -> bytes | None:
    """Return the root to which the path leads from leaf `index` of `count`; None if it has the wrong length."""
    if not 0 <= index < count:
        return None
    sides = _sides(index, count)
    if len(sides) != len(steps):
        return None
    reached = start
    for right, step in zip(sides, steps, strict=True):
        reached = _node(step, reached) if right else _node(reached, step)
    return reached


def _sides(index: int, count: int) -> list[bool]:
    """Return for each step from the leaf upwards whether one comes from the right."""
    sides = []
    while count > 1:
        middle = _split(count)
        right = index >= middle
        sides.append(right)
        index, count = (index - middle, count - middle) if right else (index, middle)
    return sides[::-1]


def _split(count: int) -> int:
    """Return the largest power of two below the count."""
    return 1 << (count - 1).bit_length() - 1


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()
