"""`boardroom verify`: checks game records offline, without the service, its database or the network."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
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
        records = [(path, path.read_bytes()) for path in asked.files]
        origins = [path.read_bytes() for path in asked.origin]
    except (OSError, ValueError) as error:
        print(f"boardroom: {error}", file=sys.stderr)
        return UNREADABLE
    rulesets = find_rulesets()
    reports = [(path, verify_with_origins(data, rulesets, keys, origins)) for path, data in records]
    if asked.json:
        print(json.dumps([{"file": str(path), **report.as_json()} for path, report in reports], indent=1))
    else:
        print("\n\n".join(_in_words(path, report) for path, report in reports))
    return 0 if all(report.holds for _, report in reports) else 1


def _in_words(path: Path, report: Report) -> str:
    verdict = "holds" if report.holds else "does NOT hold"
    lines = [f"{path}: the record of game {report.game or '?'} {verdict}"]
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
        description="Check records of finished games against the rules, the seed and the seal.",
        epilog="Exit code: 0 if all of them hold, 1 if something is wrong, 2 if a file cannot be read.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a record (.jsonl)")
    parser.add_argument("--keys", type=Path, help="the published keys: without them nobody can say whose a seal is")
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
