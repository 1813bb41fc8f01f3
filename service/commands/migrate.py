"""`boardroom migrate`: brings the database at DATABASE_URL up to date."""

from __future__ import annotations

import click

from service.commands.refused import WRONG, Refused
from service.local.processes import CannotStart
from service.local.up import migrate
from service.settings import BadSetting, Settings


@click.command("migrate", epilog="Exit code: 0 if this version can work with the database now, 1 if not.")
def command() -> int:
    """Bring the tables of the database at DATABASE_URL up to date; newer ones stay as they are."""
    try:
        migrate(Settings.from_env().database_url)
    except (BadSetting, CannotStart) as refusal:
        raise Refused(str(refusal), WRONG) from refusal
    return 0
