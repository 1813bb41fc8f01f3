"""Records of whole random games, sealed with a key of the tests, and ways to tamper with them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256

from service.commands.selfplay import play_out
from service.record.record import Record
from service.record.seal import PublicKey, Signer
from service.rules.chance import commit
from service.rules.registry import find_rulesets
from tests.rules.new_corp_order.goldens import PATIENCE, Wanted
from tests.rules.new_corp_order.goldens import RULESET as GOLDEN

RULESETS = find_rulesets(("service.rules.games", "tests.games"))
SIGNER = Signer(bytes(range(32)))
STRANGER = Signer(bytes(range(1, 33)))
SEALED_AT = datetime(2150, 3, 1, 12, tzinfo=UTC)
"""After every game of the tests: in a record moments never fall."""
KEYS = (PublicKey(SIGNER.id, SIGNER.public, datetime(2026, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)),)
TABLES = [(name, seats) for name, ruleset in RULESETS.items() for seats in ruleset.meta.seats]


def record_of(name: str, seats: int, seed: str = "1", signer: Signer | None = SIGNER) -> Record:
    """Return the record of a random game."""
    options = {option.name: option.default for option in RULESETS[name].meta.options}
    record = play_out(RULESETS[name], seats, options, f"audit:{seed}").record
    assert record is not None
    if signer is not None:
        record.seal(signer, SEALED_AT)
    return record


@cache
def sealed(name: str = "new-corp-order", seats: int = 2, seed: str = "1") -> bytes:
    """Return the bytes of the sealed record of a random game."""
    return record_of(name, seats, seed).text()


@cache
def golden(wanted: Wanted) -> bytes:
    """Return the sealed record of a recorded whole game, whose seed is found by its commitment."""
    first, *actions, _ = (json.loads(line) for line in wanted.path.read_text().splitlines())
    seeds = (f"golden:{wanted.path.stem}:{number}" for number in range(PATIENCE))
    seed = next(each for each in seeds if commit(sha256(each.encode()).digest()) == first["commitment"])
    notations = iter([line["notation"] for line in actions if line["seat"] < wanted.seats])
    record = play_out(
        GOLDEN, wanted.seats, wanted.options, seed, choose=lambda legal, rng: GOLDEN.parse(next(notations))
    ).record
    assert record is not None
    record.seal(SIGNER, SEALED_AT)
    return record.text()


@dataclass(frozen=True, slots=True)
class Tampered:
    """A record that somebody has changed: its bytes, and the first line that is no longer right."""

    data: bytes
    line: int


def with_byte(data: bytes, place: int, byte: int) -> Tampered:
    """Put another byte in place of one."""
    return Tampered(data[:place] + bytes([byte]) + data[place + 1 :], data.count(b"\n", 0, place) + 1)


def with_byte_more(data: bytes, place: int, byte: int) -> Tampered:
    """Put a byte in; beside its like it is the last of them that is too many."""
    return _told_apart(data, data[:place] + bytes([byte]) + data[place:])


def with_neighbours_exchanged(data: bytes, place: int) -> Tampered:
    """Exchange a byte and the next."""
    return _told_apart(data, data[:place] + data[place : place + 2][::-1] + data[place + 2 :])


def cut_off(data: bytes, place: int) -> Tampered:
    """Take away all from a place on."""
    return Tampered(data[:place], data.count(b"\n", 0, place) + 1)


def _told_apart(data: bytes, other: bytes) -> Tampered:
    same = next(place for place in range(len(other)) if data[place : place + 1] != other[place : place + 1])
    return Tampered(other, data.count(b"\n", 0, same) + 1)


def without_byte(data: bytes, place: int) -> Tampered:
    """Take a byte out."""
    return Tampered(data[:place] + data[place + 1 :], data.count(b"\n", 0, place) + 1)


def without_line(data: bytes, index: int) -> Tampered:
    """Take a line out."""
    lines = data.splitlines(keepends=True)
    return Tampered(b"".join(lines[:index] + lines[index + 1 :]), index + 1)


def with_line(data: bytes, index: int, line: bytes) -> Tampered:
    """Put a line in."""
    lines = data.splitlines(keepends=True)
    return Tampered(b"".join([*lines[:index], line, *lines[index:]]), index + 1)


def with_lines_exchanged(data: bytes, one: int, other: int) -> Tampered:
    """Exchange two lines."""
    lines = data.splitlines(keepends=True)
    lines[one], lines[other] = lines[other], lines[one]
    return Tampered(b"".join(lines), min(one, other) + 1)
