"""`boardroom admin log`: shows what operators have done."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.admin.acting import acting
from service.commands.admin.find import act_line
from service.commands.database import data_option
from service.commands.terminal import say
from service.store.operator_log import latest


@click.command("log")
@click.option("--last", default=50, show_default=True, type=click.IntRange(1, 10_000), help="how many acts")
@data_option
def log(last: int, data: Path | None) -> int:
    """Show the last acts of operators, the newest first."""
    with acting(data) as games, games.engine.connect() as db:
        say(*map(act_line, latest(db, last)))
    return 0
