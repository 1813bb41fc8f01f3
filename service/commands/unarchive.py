"""`boardroom unarchive`: takes the log of an archived game into the database again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import click

from service.commands.database import data_option, opened_games
from service.commands.refused import Refused
from service.commands.terminal import say
from service.handlers.transaction import transaction
from service.store.archived import archived_log, unarchive_log
from service.store.game_row import read
from service.store.games import Games


@click.command(
    "unarchive",
    epilog="The record stays in the archive. With ARCHIVE_ONLY the game is archived again within the hour: set that to "
    "false before. Exit code: 0 if the logs are in the database, 2 if one cannot be read or is not whole; nothing of "
    "that game was changed then.",
)
@click.argument("games", nargs=-1, required=True, type=click.UUID, metavar="GAME...")
@data_option
def command(games: Sequence[UUID], data: Path | None) -> int:
    """Take the logs of archived games (by their ids) into the database at DATABASE_URL again."""
    with opened_games(data) as shelf:
        for game in games:
            say(f"game {game}: {_unarchived(shelf, game)}")
    return 0


def _unarchived(shelf: Games, game: UUID) -> str:
    with transaction(shelf.engine) as db:
        read(db, game)
        rows = archived_log(db, game)
        if rows is None:
            return "its log is in the database already"
        if not unarchive_log(db, game, rows):
            raise Refused(f"the log of game {game} in the archive is not that of the game")
        return f"its log of {len(rows)} events is in the database again"
