"""`boardroom import`: verifies records from elsewhere and makes games of them that everybody can look at."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError

from service.commands.terminal import complain, say
from service.handlers.bring_in import bring_in, obstacle
from service.handlers.refusals import Unavailable
from service.local.environment import add_data, settings_of
from service.record.files import records_in
from service.record.reading import read
from service.record.verify import verify
from service.runtime import shelf
from service.settings import BadSetting
from service.store.games import Games

CANNOT: Final = 2


def main(words: list[str]) -> int:
    """Run the command line; returns 0 if all are here now, 1 if a record does not hold, 2 if it cannot be done."""
    asked = _parser().parse_args(words)
    try:
        with shelf(settings_of(asked.data)) as games:
            missing = sum(not _imported(games, path, *found) for path in asked.files for found in records_in(path))
    except (BadSetting, OSError, ValueError) as refusal:
        complain(f"boardroom: {refusal}")
        return CANNOT
    except (Unavailable, DBAPIError):
        complain("boardroom: the database does not take it at the moment")
        return CANNOT
    return 1 if missing else 0


def _imported(games: Games, path: Path, begin: int, data: bytes) -> bool:
    report = verify(data, games.rulesets)
    wrong = [finding for finding in report.findings if finding.holds is False]
    for finding in wrong:
        complain(f"{path}: line {begin - 1 + (finding.line or 1)}: {finding.said}")
    # Only a seal may be missing; what else could not be checked is not taken on trust.
    if wrong or any(finding.holds is None and finding.level != "seal" for finding in report.findings):
        return False
    lines = read(data)
    against = obstacle(lines)
    if against is not None:
        complain(f"{path}: {against}")
        return False
    game, new = bring_in(games, lines)
    say(f"{path}: game {game}{'' if new else ' was here already'}")
    return True


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="boardroom import",
        description="Verify records, and make games of them in the database at DATABASE_URL that everybody can look "
        "at, marked as foreign.",
        epilog="Exit code: 0 if all of them are here now, 1 if one does not hold, 2 if it cannot be done.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a record or several (.jsonl or .jsonl.gz)")
    add_data(parser)
    return parser
