"""Check the deal of a day: its commitment, and whether a record is of a game of that deal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, ValidationError, convert

from service.log.recorded import milliseconds
from service.record.canonical import canonical
from service.record.merkle import TreeWay, leads_to, leaf
from service.record.reading import read, read_bounded_file
from service.record.seal import PublicKey, key_id, signed_by
from service.record.verify import Finding, Report

DEAL: Final = b"boardroom-deal-1\0"
"""Label of the signature over the commitment."""


class Committed(Struct, frozen=True, kw_only=True):
    """Committed contents of a deal: day (YYYY-MM-DD, UTC), game, and the commitment to the seed, in hex."""

    day: str
    ruleset: str
    seats: int
    options: dict[str, Any]
    commitment: str


class DealProof(Committed, frozen=True, kw_only=True):
    """Response of `/deals/{day}/proof`: the committed contents, their signature, and the path to the root of a day.

    `at` is the moment of the signature in ISO 8601; `tree` is None until the day of the signature is over.
    """

    at: str
    public: str
    signature: str
    tree: TreeWay | None


@dataclass(frozen=True, slots=True)
class _Signed:
    at: datetime
    public: bytes
    signature: bytes


def digest(committed: Committed) -> bytes:
    """Return the SHA-256 of the canonical JSON of the committed contents; the signature is over this digest."""
    told = {name: getattr(committed, name) for name in Committed.__struct_fields__}
    return sha256(canonical({"kind": "deal", **told})).digest()


def read_deal(path: Path) -> DealProof:
    """Read a file with the response of `/deals/{day}/proof`; OSError, ValueError."""
    try:
        return convert(json.loads(read_bounded_file(path)), DealProof)
    except (ValidationError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no answer of /deals/{{day}}/proof") from error


def check_deal(
    data: bytes, report: Report, deals: Sequence[DealProof], keys: Sequence[PublicKey] | None = None
) -> Report:
    """Return the report with a finding on the deal of the record's day.

    A record without a deal gets no finding.
    """
    if not deals or report.game is None or report.holds is False:
        return report
    header = read(data)[0].fields
    deal = next((each for each in deals if each.day == header.get("deal")), None)
    if deal is not None:
        report.findings.append(_made_sense_of(header, deal, keys))
    elif header.get("deal"):
        report.findings.append(Finding("deal", None, f"the proof of the deal of {header['deal']} is missing"))
    return report


def _made_sense_of(header: Mapping[str, Any], deal: DealProof, keys: Sequence[PublicKey] | None) -> Finding:
    try:
        return _finding(header, deal, keys)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        return Finding("deal", False, f"nobody can make sense of the proof of the deal ({type(error).__name__})")


def _finding(header: Mapping[str, Any], deal: DealProof, keys: Sequence[PublicKey] | None) -> Finding:
    told = {name: header[name] for name in ("ruleset", "seats", "options", "commitment")}
    if canonical(told) != canonical({name: getattr(deal, name) for name in told}):
        return Finding("deal", False, f"the game is not the one of the deal of {deal.day}", 1)
    begins = datetime.fromisoformat(deal.day).replace(tzinfo=UTC)
    signed = _Signed(
        datetime.fromisoformat(deal.at).astimezone(UTC), bytes.fromhex(deal.public), bytes.fromhex(deal.signature)
    )
    wrong = _wrong(deal, signed, begins, keys)
    if wrong is not None:
        return Finding("deal", False, wrong)
    said = f"the seed was committed to at {signed.at.isoformat()}, before the day of the deal"
    if deal.tree is None:
        return Finding("deal", None, f"{said}; the day of the commitment has no root yet")
    said += f"; this is one of the {deal.tree.count} leaves of {deal.tree.day}, whose root is {deal.tree.root}"
    return Finding("deal", True, f"{said}; compare it with that published")


def _wrong(deal: DealProof, signed: _Signed, begins: datetime, keys: Sequence[PublicKey] | None) -> str | None:
    """Return the fault of a deal's signature, of its moment, or of its path to the root of a day; None if valid."""
    if not signed_by(signed.public, digest(deal), milliseconds(signed.at), signed.signature, DEAL):
        return "the signature of the deal is not that of its key"
    if keys is not None:
        known = next((each for each in keys if each.key == signed.public), None)
        if known is None or signed.at < known.since or (known.until is not None and signed.at > known.until):
            return f"the key {key_id(signed.public)} of the deal is none that was published and in use then"
    if signed.at >= begins:
        return "the seed was not committed to before the day of the deal"
    tree = deal.tree
    if tree is None:
        return None
    steps = [bytes.fromhex(each) for each in tree.path]
    reached = leads_to(leaf(signed.signature), tree.index, tree.count, steps)
    if tree.day >= deal.day or reached is None or reached.hex() != tree.root:
        return f"the deal is not among the leaves of {tree.day}, or that is no day before it"
    return None
