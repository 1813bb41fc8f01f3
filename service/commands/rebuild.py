"""`boardroom rebuild`: works out anew from the logs what is kept next to them."""

from __future__ import annotations

import click

from service.commands.database import opened_games
from service.commands.refused import WRONG
from service.commands.terminal import say
from service.handlers.played import keep_all
from service.handlers.waiting import restore_all


@click.command("rebuild", epilog="Exit code: 0 if all of it is done, 1 if not.")
def command() -> int:
    """Work out anew, from the logs of the games in the database at DATABASE_URL, what is kept next to them."""
    with opened_games(code=WRONG) as games:
        count = restore_all(games)
        keep_all(games)
    say(f"Worked out anew: {count}")
    return 0
