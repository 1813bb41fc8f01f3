"""`boardroom verify`: checks game records offline, without the service, its database or the network."""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from gzip import decompress
from itertools import pairwise
from pathlib import Path
from typing import Final

from service.audit.origin import verify_with_origins
from service.audit.seal import PublicKey, read_keys
from service.audit.verify import Finding, Report
from service.rules.registry import find_rulesets

UNREADABLE: Final = 2
_MARKS: Final = {True: "ok", False: "WRONG", None: "not checked"}


def main(words: list[str]) -> int:
    """Run the command line; returns 0 if all hold, 1 if something is wrong, 2 if a file cannot be read."""
    asked = _parser().parse_args(words)
    try:
        keys = None if asked.keys is None else _keys(asked.keys)
        records = [each for path in asked.files for each in _records(path)]
        origins = [data for path in asked.origin for _, data in _records(path)]
    except (OSError, EOFError, zlib.error, ValueError) as error:
        print(f"boardroom: {error}", file=sys.stderr)
        return UNREADABLE
    rulesets = find_rulesets()
    reports = [(name, verify_with_origins(data, rulesets, keys, origins)) for name, data in records]
    if asked.json:
        print(json.dumps([{"file": name, **report.as_json()} for name, report in reports], indent=1))
    else:
        print("\n\n".join(_in_words(name, report) for name, report in reports))
    return 0 if all(report.holds for _, report in reports) else 1


def _records(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the records of a file, as `boardroom export` writes one or several, with what to call them."""
    data = path.read_bytes()
    lines = (decompress(data) if path.suffix == ".gz" else data).splitlines(keepends=True)
    begins = [0, *(number for number, line in enumerate(lines) if number and _is_header(line)), len(lines)]
    for count, (begin, end) in enumerate(pairwise(begins), 1):
        name = f"{path}" if len(begins) == 2 else f"{path}, record {count}"
        yield name, b"".join(lines[begin:end])


def _is_header(line: bytes) -> bool:
    try:
        return b'"kind":"header"' in line and bool(json.loads(line)["kind"] == "header")
    except (LookupError, TypeError, ValueError, RecursionError):
        return False


def _in_words(name: str, report: Report) -> str:
    verdict = "holds" if report.holds else "does NOT hold"
    lines = [f"{name}: the record of game {report.game or '?'} {verdict}"]
    return "\n".join([*lines, *map(_line, report.findings)])


def _line(finding: Finding) -> str:
    place = "" if finding.line is None else f"line {finding.line}: "
    return f"  {finding.level:<6} {_MARKS[finding.holds]:<12} {place}{finding.said}"


def _keys(path: Path) -> Sequence[PublicKey]:
    try:
        return list(read_keys(json.loads(path.read_bytes())))
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
    parser.add_argument("--json", action="store_true", help="print what came of it as JSON")
    return parser
