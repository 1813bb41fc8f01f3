"""Checks that a record's seal is among those that came to the root of its day (RFC 6962, section 2.1.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, ValidationError, convert

from service.log.recorded import instant
from service.record.files import whole
from service.record.merkle import leads_to, leaf
from service.record.reading import read
from service.record.verify import Finding, Report

_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class TreeWay(Struct, frozen=True):
    """The way from a leaf to the root of a day's tree: `count` leaves, its `index`, and the hashes beside it."""

    day: str
    root: _Hash
    count: int
    index: int
    path: list[_Hash]


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """What `/games/{id}/proof` says of a game: its day, and the way from its seal to the root of that day, if any."""

    game: str
    day: TreeWay | None


def read_way(path: Path) -> InclusionProof:
    """Return what the file holds, which is the answer of `/games/{id}/proof`; OSError, ValueError."""
    try:
        return convert(json.loads(whole(path)), InclusionProof)
    except (ValidationError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no answer of /games/{{id}}/proof") from error


def included(data: bytes, report: Report, ways: Sequence[InclusionProof]) -> Report:
    """Return the report with a finding on the root of the day, if a way of the record's game is among these."""
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
