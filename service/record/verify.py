"""Verify a record against itself, the rules, and the published keys.

Five levels, each of which needs those before it: form, chain, seal, draws, rules; for a game with a clock also time,
before the rules. Events taken over by a fork need the origin's record (origin.py), and the root of the day needs the
path to it (merkle.py).
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, Literal

from service.log.chain import NO_HEAD, chain_key, check, link, salt
from service.log.codec import Codec, stored_name
from service.log.folding import Timeline, unroll
from service.log.recorded import Recorded, instant
from service.record.canonical import canonical
from service.record.draws import follows
from service.record.lobby import begun, called_off, gather
from service.record.reading import (
    Faulty,
    FormatUnknown,
    RecordLine,
    RulesMissing,
    Unchecked,
    in_order,
    never_falling,
    read,
    recorded,
    records_in,
)
from service.record.rerun import rerun
from service.record.seal import ALGORITHM, PublicKey, key_id, signed_by
from service.record.timing import check_deadlines
from service.rules.chance import Chance, commit, derive_deal_key, derive_key
from service.rules.kernel import AnyRuleset, at_revision
from service.rules.shared_events import ActionTakenBack

Level = Literal["form", "chain", "seal", "draws", "time", "rules", "origin", "day", "deal", "run"]
_UNSEALED = "there is no seal: nobody has vouched for this record"


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of a level: whether it holds (None: not checked), a sentence, and the first wrong line."""

    level: Level
    holds: bool | None
    said: str
    line: int | None = None


@dataclass(slots=True)
class Report:
    """Result for a whole record: one finding per level, as far as checked."""

    game: str | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def holds(self) -> bool | None:
        """Return False if anything is wrong, None if format, clock or rules cannot be checked here, else True."""
        if any(finding.holds is False for finding in self.findings):
            return False
        unchecked = {finding.level for finding in self.findings if finding.holds is None}
        return None if unchecked & {"form", "time", "rules"} else True

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON types."""
        findings = [{"level": f.level, "holds": f.holds, "said": f.said, "line": f.line} for f in self.findings]
        return {"game": self.game, "holds": self.holds, "levels": findings}


@dataclass(frozen=True, slots=True)
class _Read:
    """Record of the right form, with the parts that the levels check."""

    lines: Sequence[RecordLine]
    seed: bytes

    @property
    def header(self) -> Mapping[str, Any]:
        return self.lines[0].fields

    @property
    def reveal(self) -> RecordLine:
        return next(line for line in self.lines if line.kind == "reveal")

    @property
    def lobby(self) -> Sequence[RecordLine]:
        return [line for line in self.lines if line.kind == "lobby"]

    @property
    def setup(self) -> RecordLine | None:
        return next((line for line in self.lines if line.kind == "step"), None)

    @property
    def seal(self) -> RecordLine | None:
        return self.lines[-1] if self.lines[-1].kind == "seal" else None


def verify(data: bytes, rulesets: Mapping[str, AnyRuleset], keys: Sequence[PublicKey] | None = None) -> Report:
    """Return the findings on a record.

    With the published `keys` the record has to be sealed with one of them; without `keys` the sealer stays unknown.
    """
    report = Report()
    try:
        record = _form(data)
    except Faulty as fault:
        report.findings.append(Finding("form", False, fault.wrong, fault.line))
        return report
    except FormatUnknown as unknown:
        report.findings.append(Finding("form", None, str(unknown)))
        return report
    report.game = record.header["game"]
    report.findings.append(Finding("form", True, _counted(record)))
    timed: Sequence[tuple[Level, Callable[[], str | None]]] = [("time", lambda: check_deadlines(record.lines))]
    levels: Sequence[tuple[Level, Callable[[], str | None]]] = (
        ("chain", lambda: _chain(record)),
        ("seal", lambda: _seal(record, keys)),
        ("draws", lambda: _draws(record)),
        *(timed if record.header.get("pace") else ()),
        ("rules", lambda: rerun(record.lines, record.seed, rulesets)),
    )
    for level, holds in levels:
        try:
            said = holds()
        except Faulty as fault:
            report.findings.append(Finding(level, False, fault.wrong, fault.line))
            break
        except Unchecked as reason:
            report.findings.append(Finding(level, None, str(reason)))
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            # The owner of the key can seal any nonsense, such as options that no game has.
            report.findings.append(Finding(level, False, f"nobody can make sense of it ({type(error).__name__})"))
            break
        else:
            report.findings.append(Finding(level, True, said or ""))
    return report


def _form(data: bytes) -> _Read:
    lines = read(data)
    reveal = next(line for line in lines if line.kind == "reveal")
    try:
        seed = bytes.fromhex(reveal.fields["seed"])
    except ValueError:
        seed = b""
    if len(seed) != 32 or seed.hex() != reveal.fields["seed"]:
        raise Faulty(reveal.number, "the seed is not 32 bytes in lower-case hex")
    return _Read(lines, seed)


def _counted(record: _Read) -> str:
    events = sum(len(line.fields["events"]) for line in record.lines if line.kind == "step")
    return f"{len(record.lines)} lines of canonical JSON with {events} events, each for itself as it has to be"


def _chain(record: _Read) -> str:
    committed = commit(record.seed)
    if committed != record.header["commitment"]:
        # The first event repeats the commitment, and so shows which copy was changed.
        first = record.lines[1].fields
        events = first["events"] if "events" in first else [first["event"]]
        started = events[0]["data"].get("commitment") if events else None
        wrong = 1 if started == committed else record.reveal.number
        raise Faulty(wrong, "the seed is not the one that was committed to before the game began")
    head = _linked(record)
    in_order(record.lines)
    never_falling(record.lines)
    seal = record.seal
    if seal is not None and seal.fields["head"] != head.hex():
        raise Faulty(seal.number, "the seal is over another record than this one")
    return f"every line follows from the one before, and no event is missing; the head is {head.hex()}"


def _linked(record: _Read) -> bytes:
    """Return the last head of the game's chain, whose header has the last head of the lobby's chain; Faulty."""
    key, head, lobby = chain_key(record.seed, record.header["game"]), NO_HEAD, NO_HEAD
    promised, before = record.header.get("lobby"), None
    for line in record.lines:
        if line.check is None:
            if line is not record.lines[-1]:
                raise Faulty(line.number, "a seal stands at the end")
            break
        if line.kind == "lobby":
            if promised is None:
                raise Faulty(line.number, "the header knows of no lobby")
            reached = lobby = link(lobby, b"", line.body)
        else:
            if before in ("header", "lobby") and lobby.hex() != (promised or NO_HEAD.hex()):
                raise Faulty(line.number, "the end of the lobby is missing: the header knows of another")
            salting = salt(key, 0) if line.kind == "header" else salt(key, line.last) if line.kind == "step" else b""
            reached = head = link(head, salting, line.body)
        if not hmac.compare_digest(check(reached), line.check):
            raise Faulty(line.number, "it does not fit the lines before it: it was changed, or one is missing or new")
        before = line.kind
    return head


def _seal(record: _Read, keys: Sequence[PublicKey] | None) -> str:
    line = record.seal
    if line is None and keys is not None:
        raise Faulty(len(record.lines) + 1, _UNSEALED)
    if line is None:
        raise Unchecked(_UNSEALED)
    seal = line.fields
    try:
        head, public, signature = (bytes.fromhex(seal[name]) for name in ("head", "public", "signature"))
    except ValueError:
        raise Faulty(line.number, "head, key or signature is not in hex") from None
    if [head.hex(), public.hex(), signature.hex()] != [seal["head"], seal["public"], seal["signature"]]:
        raise Faulty(line.number, "head, key or signature is not in lower-case hex")
    if seal["algorithm"] != ALGORITHM or seal["key"] != key_id(public):
        raise Faulty(line.number, "its algorithm or the name of its key is wrong")
    if not signed_by(public, head, seal["at"], signature):
        raise Faulty(line.number, "the signature is not that of the key")
    if keys is None:
        return f"signed with the key {seal['key']}; whose key that is only the published keys can tell (--keys)"
    return _whose(line, public, keys)


def _whose(line: RecordLine, public: bytes, keys: Sequence[PublicKey]) -> str:
    known = next((key for key in keys if key.key == public), None)
    if known is None:
        raise Faulty(line.number, f"the key {line.fields['key']} is none of those that were published")
    at = instant(line.fields["at"])
    if at < known.since or (known.until is not None and at > known.until):
        raise Faulty(line.number, f"the key {known.id} was not in use at {at.isoformat()}")
    return f"signed with the published key {known.id} at {at.isoformat()}"


def _lobby(record: _Read) -> str:
    """Check that the game begins as its lobby ended, with the nonces given there; return a clause for the report.
    Faulty."""
    if "lobby" not in record.header:
        return ""
    found, header, after = gather(record.lobby), record.lines[0], record.lines[1 + len(record.lobby)]
    if after is record.setup:
        begun(found, header, after)
        drawn_by = list(after.fields["events"][0]["data"]["drawn_by"])
        return (
            f", which were given on joining, by the players themselves: {drawn_by.count('client')} of {len(drawn_by)}"
        )
    called_off(found, header, after)
    return ""


def _draws(record: _Read) -> str:
    given, setup = _lobby(record), record.setup
    if setup is None:
        return "the game was called off before anything was drawn"
    nonces = setup.fields["events"][0]["data"].get("nonces")
    try:
        chance = Chance(_key(record, nonces))
    except (TypeError, ValueError):
        nonces = None
    if nonces is None or any(bytes.fromhex(nonce).hex() != nonce for nonce in nonces):
        raise Faulty(setup.number, "the seats' own values of chance are not in lower-case hex")
    labels = _drawn(record, chance)
    if record.header.get("deal"):
        return f"all {len(labels)} draws follow from the seed of the deal of {record.header['deal']} alone"
    return f"all {len(labels)} draws follow from the seed and the seats' own values{given}"


def _drawn(record: _Read, chance: Chance) -> set[str]:
    """Return the labels of all draws, each of which follows from the seed and was made once; Faulty."""
    labels: set[str] = set()
    back, undone = _taken_back(record.lines), set[str]()
    for line in record.lines:
        if line.kind != "draws":
            continue
        for draw in line.fields["draws"]:
            if not _follows(chance, draw):
                raise Faulty(line.number, f"the draw {str(draw.get('label'))[:40]!r} does not follow from the seed")
            if draw["label"] in labels - undone:
                raise Faulty(line.number, f"the draw {draw['label'][:40]!r} was made twice")
            labels.add(draw["label"])
            if line.fields["seq"] in back:
                undone.add(draw["label"])
            else:
                undone.discard(draw["label"])
    return labels


def _key(record: _Read, nonces: Any) -> bytes:
    own = derive_key(record.seed, record.header["game"], nonces)
    return derive_deal_key(record.seed, record.header["deal"]) if record.header.get("deal") else own


def _taken_back(lines: Sequence[RecordLine]) -> set[int]:
    """Return the numbers of the steps that were taken back; their draws may be made again."""
    steps = [line.fields for line in lines if line.kind == "step"]
    stretches = [
        (each["data"].get("first"), each["data"].get("last"))
        for step in steps
        for each in step["events"]
        if each["type"] == stored_name(ActionTakenBack)
    ]
    return {
        step["seq"]
        for step in steps
        for first, last in stretches
        if type(first) is type(last) is int and first <= step["seq"] <= last
    }


def _follows(chance: Chance, draw: Mapping[str, Any]) -> bool:
    fields = {"label", "items", "result"} if "items" in draw else {"label", "sides", "result"}
    if set(draw) != fields or not isinstance(draw["label"], str) or not isinstance(draw["result"], list):
        return False
    if "items" in draw:
        return isinstance(draw["items"], list) and follows(chance, draw)
    return isinstance(draw["sides"], int) and draw["sides"] > 0 and follows(chance, draw)


# Log of a record, to replay a game without a database.


class NothingPlayed(Exception):
    """Game of a valid record that was cancelled before it began: there are no steps to replay."""


def unrolled(data: bytes, rulesets: Mapping[str, AnyRuleset]) -> Timeline:
    """Return a record's log as its steps.

    Faulty if the record does not hold, since its contents are then arbitrary; RulesMissing, FormatUnknown,
    NothingPlayed.
    """
    report = verify(data, rulesets)
    *_, last = report.findings
    if report.holds is False:
        raise Faulty(last.line or 1, last.said)
    lines = read(data)
    if report.holds is None:
        raise RulesMissing(last.said)
    if all(line.kind != "step" for line in lines):
        raise NothingPlayed
    return unroll_lines(lines, rulesets)


def unroll_lines(lines: Sequence[RecordLine], rulesets: Mapping[str, AnyRuleset]) -> Timeline:
    """Return the log of a valid record as its steps, under the rules that it was played by."""
    header = lines[0].fields
    ruleset = at_revision(rulesets[header["ruleset"]], header["revision"])
    return unroll(ruleset, list(_log(Codec(ruleset), [line for line in lines if line.kind == "step"])))


def _log(codec: Codec, steps: Sequence[RecordLine]) -> Iterator[Recorded]:
    for line in steps:
        happened = [codec.decode(each["type"], canonical(each["data"])) for each in line.fields["events"]]
        yield from recorded(line, happened)


# Diverging records of the same game, as after a restore of a database that still runs.

_SEAL: Final = b'"kind":"seal"'


@dataclass(frozen=True, slots=True)
class _Run:
    path: Path
    begin: int
    digest: bytes


class Runs:
    """Records read so far: the first record of each game, by its place."""

    def __init__(self) -> None:
        self._first: dict[str, _Run] = {}

    def compared(self, path: Path, begin: int, record: bytes, report: Report) -> Report:
        """Return the report, with a finding if another record of the same game was read before; OSError.

        A faulty record contradicts no other. Seals are ignored: the same record may have none.
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
