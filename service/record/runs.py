"""Recognises two records of one game: it went on in two ways, as after a restore of a database that still runs."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Final

from service.record.files import records_in
from service.record.verify import Finding, Report

_SEAL: Final = b'"kind":"seal"'


@dataclass(frozen=True, slots=True)
class _Run:
    path: Path
    begin: int
    digest: bytes


class Runs:
    """The records that were read so far: of each game the first one, by where it stands."""

    def __init__(self) -> None:
        """Begin with none."""
        self._first: dict[str, _Run] = {}

    def compared(self, path: Path, begin: int, record: bytes, report: Report) -> Report:
        """Return the report, with a finding if another record of the same game was read before; OSError.

        A record in which something is wrong contradicts no other. Seals do not count: the same record may have none.
        """
        if report.game is None or report.holds is False:
            return report
        mine = _unsealed(record)
        run = _Run(path, begin, sha256(b"\n".join(mine)).digest())
        first = self._first.setdefault(report.game, run)
        if first.digest != run.digest:
            theirs = _unsealed(next(each for line, each in records_in(first.path) if line == first.begin))
            parting = next(n for n, (one, other) in enumerate(zip_longest(theirs, mine), 1) if one != other)
            said = f"{first.path} has another record of this game: it went on in two ways, and they part here"
            report.findings.append(Finding("run", False, said, parting))
        return report


def _unsealed(record: bytes) -> list[bytes]:
    return [line for line in record.splitlines() if _SEAL not in line]
