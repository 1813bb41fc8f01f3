"""Daily Merkle tree over the seals of a day (RFC 6962), and the check that a seal is included (section 2.1.1).

leaf = SHA-256(0x00 || seal's signature)      node = SHA-256(0x01 || left || right)
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, ValidationError, convert

from service.log.recorded import instant
from service.record.reading import read, read_bounded_file
from service.record.verify import Finding, Report


def leaf(signature: bytes) -> bytes:
    """Return the leaf hash of a seal."""
    return sha256(b"\0" + signature).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes; without leaves, the SHA-256 of nothing."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    middle = _split(len(leaves))
    return _node(root(leaves[:middle]), root(leaves[middle:]))


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the audit path from a leaf to the root, the nearest hash first (RFC 6962, section 2.1.1)."""
    if len(leaves) == 1:
        return []
    middle = _split(len(leaves))
    if index < middle:
        return [*path(leaves[:middle], index), root(leaves[middle:])]
    return [*path(leaves[middle:], index - middle), root(leaves[:middle])]


def leads_to(start: bytes, index: int, count: int, steps: Sequence[bytes]) -> bytes | None:
    """Return the root that the path reaches from leaf `index` of `count`; None if its length is wrong."""
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
    """Return for each step from the leaf upwards whether the path comes from the right child."""
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


# Inclusion of a record's seal in the root of its day.

_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class TreeWay(Struct, frozen=True):
    """Path from a leaf to the root of a day's tree: `count` leaves, its `index`, and the sibling hashes."""

    day: str
    root: _Hash
    count: int
    index: int
    path: list[_Hash]


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """Relevant part of `/games/{id}/proof`: the path from the game's seal to the root of its day, if any."""

    game: str
    day: TreeWay | None


def read_way(path: Path) -> InclusionProof:
    """Read a file with the response of `/games/{id}/proof`; OSError, ValueError."""
    try:
        return convert(json.loads(read_bounded_file(path)), InclusionProof)
    except (ValidationError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no answer of /games/{{id}}/proof") from error


def included(data: bytes, report: Report, ways: Sequence[InclusionProof]) -> Report:
    """Return the report with a finding on the root of the day, if `ways` has one of the record's game."""
    way = next((each for each in ways if each.game == report.game), None)
    if report.game is not None and way is not None and report.holds is not False:
        report.findings.append(_finding(data, way.day))
    return report


def _finding(data: bytes, day: TreeWay | None) -> Finding:
    *_, last = lines = read(data)
    if last.kind != "seal" or day is None:
        return Finding("day", None, "there is no seal" if day else "the day was not over yet, so it has no root")
    sealed = instant(last.fields["at"]).date().isoformat()
    steps = [bytes.fromhex(each) for each in day.path]
    reached = leads_to(leaf(bytes.fromhex(last.fields["signature"])), day.index, day.count, steps)
    if sealed != day.day or reached is None or reached.hex() != day.root:
        return Finding("day", False, f"its seal is not among those of {day.day}", len(lines))
    said = f"its seal is one of the {day.count} of {day.day}, whose root is {day.root}; compare it with that published"
    return Finding("day", True, said)
