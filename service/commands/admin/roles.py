"""`boardroom admin operator`: the accounts that may use the pages of operators."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.admin.acting import acting, one_player, operator_here, reason_option
from service.commands.database import data_option
from service.commands.terminal import say
from service.handlers.operators import roles
from service.shared import clock


@click.group("operator")
def operator() -> None:
    """Say which accounts may use the pages below /operate."""


@operator.command("add")
@click.argument("whom")
@reason_option
@data_option
def add(whom: str, reason: str, data: Path | None) -> int:
    """Give an account (by id, address or name) the role; its address has to be one with which it signs in."""
    with acting(data) as games:
        player = one_player(games, whom)
        roles.add(games, player, operator_here(reason), clock.now())
    say(f"account {player} is an operator")
    return 0


@operator.command("remove")
@click.argument("whom")
@reason_option
@data_option
def remove(whom: str, reason: str, data: Path | None) -> int:
    """Take the role from an account (by id, address or name)."""
    with acting(data) as games:
        player = one_player(games, whom)
        roles.remove(games, player, operator_here(reason), clock.now())
    say(f"account {player} is no operator any more")
    return 0
