"""`boardroom admin hand-over`: hands a table to another host."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import click

from service.commands.admin.acting import acting, chosen_account, operator_here, reason_option, yes_option
from service.commands.database import data_option
from service.commands.terminal import say
from service.handlers.operators import tables
from service.shared import clock


@click.command("hand-over")
@click.argument("game", type=click.UUID)
@click.argument("whom")
@yes_option
@reason_option
@data_option
def hand_over(game: UUID, whom: str, yes: bool, reason: str, data: Path | None) -> int:
    """Make a player at the table of GAME (WHOM: by id or verified address) its host; the table shows that."""
    with acting(data) as games:
        player = chosen_account(games, whom, "Hand the table to", yes)
        tables.hand_over(games, game, player, operator_here(reason), clock.now())
    say(f"player {player} is the host of game {game}")
    return 0
