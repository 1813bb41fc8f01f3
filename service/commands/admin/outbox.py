"""`boardroom admin outbox`: lists effects that are dead or late, and runs or drops one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from service.commands.admin.acting import acting, operator_here, reason_option
from service.commands.admin.find import effect_line
from service.commands.database import data_option
from service.commands.terminal import say
from service.handlers.operators import effects
from service.shared import clock
from service.views.found import troubled_effects

WAIT_S: Final = 35
"""Seconds for which a worker is waited for that is at the row: the text of a mail takes no longer to read."""


@click.group("outbox")
def outbox() -> None:
    """Look after the effects that have to happen: mails, moves of the service, webhooks, seals."""


@outbox.command("list")
@data_option
def list_rows(data: Path | None) -> int:
    """List what is dead, or has been due for more than ten minutes; the longest overdue comes first."""
    with acting(data) as games, games.engine.connect() as db:
        rows = troubled_effects(db)
    say(*map(effect_line, rows) if rows else ["nothing is dead or late"])
    return 0


@outbox.command("run")
@click.argument("row", type=int)
@reason_option
@data_option
def run_row(row: int, reason: str, data: Path | None) -> int:
    """Have an effect carried out at once, with all its attempts before it."""
    with acting(data) as games:
        kind = effects.run(games, row, operator_here(reason), clock.now(), WAIT_S)
    say(f"effect {row} ({kind}) is due now")
    return 0


@outbox.command("drop")
@click.argument("row", type=int)
@reason_option
@data_option
def drop_row(row: int, reason: str, data: Path | None) -> int:
    """Have an effect never carried out. A game whose move is dropped waits until somebody acts."""
    with acting(data) as games:
        kind = effects.drop(games, row, operator_here(reason), clock.now(), WAIT_S)
    say(f"effect {row} ({kind}) is dropped")
    return 0
