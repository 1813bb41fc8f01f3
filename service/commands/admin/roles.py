"""`boardroom admin operator`: the accounts that may use the pages of operators."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.admin.acting import acting, chosen_account, operator_here, reason_option, yes_option
from service.commands.database import data_option
from service.commands.terminal import say
from service.handlers.operators import roles
from service.shared import clock


@click.group("operator")
def operator() -> None:
    """Say which accounts may use the pages below /operate."""


@operator.command("add")
@click.argument("whom")
@yes_option
@reason_option
@data_option
def add(whom: str, yes: bool, reason: str, data: Path | None) -> int:
    """Give an account (by id or verified address) the role; it has to have signed in with its address on the pages
    within the last month."""
    with acting(data) as games:
        player = chosen_account(games, whom, "Give the role of an operator to", yes)
        roles.add(games, player, operator_here(reason), clock.now())
    say(f"account {player} is an operator")
    return 0


@operator.command("remove")
@click.argument("whom")
@yes_option
@reason_option
@data_option
def remove(whom: str, yes: bool, reason: str, data: Path | None) -> int:
    """Take the role from an account (by id or verified address)."""
    with acting(data) as games:
        player = chosen_account(games, whom, "Take the role of an operator from", yes)
        roles.remove(games, player, operator_here(reason), clock.now())
    say(f"account {player} is no operator any more")
    return 0
