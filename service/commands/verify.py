"""`boardroom verify`: checks game records offline, without the service, its database or the network."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.commands.terminal import complain, say, say_text
from service.record.files import records_in, whole
from service.record.inclusion import InclusionProof, included, read_way
from service.record.origin import verify_with_origins
from service.record.seal import PublicKey, read_keys
from service.record.verify import Finding, Report
from service.rules.registry import find_rulesets

UNREADABLE: Final = 2
MOST_OF_ORIGINS: Final = 128_000_000
_MARKS: Final = {True: "ok", False: "WRONG", None: "not checked"}


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a record: its file, the line at which it begins there, and the report, whose lines are its own."""

    path: Path
    begin: int
    report: Report


def main(words: list[str]) -> int:
    """Run the command line; returns 0 if all hold, 1 if something is wrong, 2 if a file cannot be read."""
    asked = _parser().parse_args(words)
    try:
        keys = None if asked.keys is None else _keys(asked.keys)
        origins = _origins(asked.origin)
        ways = [read_way(path) for path in asked.proof]
        checked = _checked(asked.files, keys, origins, ways)
        return _print_json(checked) if asked.json else _print_words(checked)
    except (OSError, ValueError) as error:
        complain(f"boardroom: {error}")
        return UNREADABLE


def _checked(
    files: Sequence[Path], keys: Sequence[PublicKey] | None, origins: Sequence[bytes], ways: Sequence[InclusionProof]
) -> Iterator[Checked]:
    rulesets = find_rulesets()
    for path in files:
        for begin, record in records_in(path):
            report = verify_with_origins(record, rulesets, keys, origins)
            yield Checked(path, begin, included(record, report, ways))


def _print_json(checked: Iterable[Checked]) -> int:
    """Print a list of the reports, each as soon as it is there: it is whole even where a file cannot be read on."""
    count = wrong = 0
    try:
        for each in checked:
            told = {"file": str(each.path), "begins": each.begin, **each.report.as_json()}
            say("," if count else "[")
            say_text(json.dumps(told, indent=1))
            count, wrong = count + 1, wrong + (not each.report.holds)
    finally:
        say("]" if count else "[]")
    return 1 if wrong else 0


def _print_words(checked: Iterable[Checked]) -> int:
    """Print each report as soon as it is there, and in the end what came of all of them, if there are several."""
    count = wrong = 0
    for each in checked:
        say(*[""] * bool(count), *_in_words(each))
        count, wrong = count + 1, wrong + (not each.report.holds)
    if count > 1:
        say("", f"records: {count}; of them do not hold: {wrong}")
    return 1 if wrong else 0


def _in_words(checked: Checked) -> list[str]:
    verdict = "holds" if checked.report.holds else "does NOT hold"
    place = "" if checked.begin == 1 else f", from line {checked.begin}"
    lines = [f"{checked.path}{place}: the record of game {checked.report.game or '?'} {verdict}"]
    return [*lines, *(_line(finding, checked.begin) for finding in checked.report.findings)]


def _line(finding: Finding, begin: int) -> str:
    place = "" if finding.line is None else f"line {begin - 1 + finding.line}: "
    return f"  {finding.level:<6} {_MARKS[finding.holds]:<12} {place}{finding.said}"


def _origins(paths: Sequence[Path]) -> list[bytes]:
    origins, length = list[bytes](), 0
    for path in paths:
        for _, record in records_in(path):
            length += len(record)
            if length > MOST_OF_ORIGINS:
                raise OSError(f"{path} makes it more than {MOST_OF_ORIGINS:,} bytes of origins: name fewer")
            origins.append(record)
    return origins


def _keys(path: Path) -> Sequence[PublicKey]:
    try:
        return list(read_keys(json.loads(whole(path))))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no list of published keys") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="boardroom verify",
        description="Check records of finished games, level by level: their form, hash chain, seal and draws, and by "
        "playing them once more every action, event and score.",
        epilog="Exit code: 0 if all of them hold, 1 if something is wrong, 2 if a file cannot be read.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a record or several (.jsonl or .jsonl.gz)")
    parser.add_argument(
        "--keys",
        type=Path,
        help="the published keys, a file of what a service has at "
        "/.well-known/boardroom-keys.json: without them nobody can say whose a seal is",
    )
    parser.add_argument(
        "--origin",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="the record of the game that a game goes on from, without which nobody can say what happened there",
    )
    parser.add_argument(
        "--proof",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="the answer of /api/v1/games/{id}/proof: the way from the seal to the root of its day",
    )
    parser.add_argument("--json", action="store_true", help="print what came of it as JSON")
    return parser
