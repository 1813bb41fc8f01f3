"""`boardroom import`: verifies records from elsewhere and makes games of them that everybody can look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from service.commands.database import data_option, opened_games
from service.commands.refused import Refused, exit_code, in_words
from service.commands.terminal import complain, say
from service.handlers.bring_in import bring_in, obstacle
from service.record.files import records_in
from service.record.reading import read
from service.record.verify import verify
from service.store.games import Games


@click.command(
    "import",
    epilog="Exit code: 0 if all of them are here now, 1 if one does not hold, 2 if it cannot be done, 3 if the rules "
    "of one are not installed here (RULESET_PACKAGES).",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@data_option
def command(files: Sequence[Path], data: Path | None) -> int:
    """Verify records (.jsonl or .jsonl.gz), and make games of them in the database at DATABASE_URL.

    Everybody can look at these games, which are marked as foreign.
    """
    came_to: Counter[bool | None] = Counter()
    try:
        with opened_games(data) as games:
            for path in files:
                for begin, record in records_in(path):
                    came_to[_imported(games, path, begin, record)] += 1
    except OSError as error:
        raise Refused(in_words(error)) from error
    except ValueError as error:
        raise Refused(str(error)) from error
    return exit_code(came_to[False], came_to[None])


def _imported(games: Games, path: Path, begin: int, data: bytes) -> bool | None:
    """Return whether the game is here now; None if its rules are not installed, so that nobody can check it.

    Its seal may be missing.
    """
    report = verify(data, games.rulesets)
    for finding in report.findings:
        if finding.holds is False or (finding.holds is None and finding.level == "rules"):
            complain(f"{path}: line {begin - 1 + (finding.line or 1)}: {finding.said}")
    if not report.holds:
        return report.holds
    lines = read(data)
    against = obstacle(lines)
    if against is not None:
        complain(f"{path}: {against}")
        return False
    game, new = bring_in(games, lines)
    say(f"{path}: game {game}{'' if new else ' was here already'}")
    return True
