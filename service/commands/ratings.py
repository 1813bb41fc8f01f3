"""`boardroom ratings`: the ratings, worked out anew from the log of results, and who gained by doubtful results."""

from __future__ import annotations

import click

from service.commands.database import opened_games
from service.commands.refused import WRONG
from service.commands.terminal import progress, say
from service.handlers.results import doubted, how_many, rebuild
from service.shared import clock


@click.group("ratings")
def command() -> None:
    """Look after the ratings, which follow from the log of results alone."""


@command.command("rebuild", epilog="Exit code: 0 if all was kept as the log says, 1 if something was mended or failed.")
def rebuild_all() -> int:
    """Work out all ratings anew from the log of results in the database at DATABASE_URL, and mend what is otherwise.

    No result is written meanwhile.
    """
    with opened_games(code=WRONG) as games, progress("results", how_many(games)) as step:
        done = rebuild(games, step)
    say(f"Results: {done.results}", f"Ratings: {done.ratings}", f"Mended: {done.mended}")
    return WRONG if done.mended else 0


@command.command("doubtful")
def list_doubtful() -> int:
    """List the players with the most doubtful results of four weeks that they did not lose (docs/ratings.md, P-19).

    Somebody with many of them and few opponents may have made these accounts.
    """
    with opened_games(code=WRONG) as games, games.engine.connect() as db:
        found = doubted(db, clock.now())
    say(
        *(
            f"{each.player}  {each.name}: {each.games} results, {each.points} points, {each.opponents} opponents"
            for each in found
        )
    )
    if not found:
        say("Nobody has gained by five doubtful results or more.")
    return 0
