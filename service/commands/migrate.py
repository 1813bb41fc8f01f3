"""`boardroom migrate`: brings the database at MIGRATION_DATABASE_URL or DATABASE_URL up to date."""

from __future__ import annotations

import click

from service.commands.refused import WRONG, Refused
from service.commands.terminal import complain
from service.local.migrate import migrate
from service.local.supervisor import CannotStart
from service.settings import BadSetting, Settings


@click.command("migrate", epilog="Exit code: 0 if this version can work with the database now, 1 if not.")
def command() -> int:
    """Bring the tables of the database up to date; newer ones stay as they are.

    The database is that of MIGRATION_DATABASE_URL, or of DATABASE_URL.
    """
    try:
        settings = Settings.from_env()
        migrate(settings.migration_url or settings.database_url, lambda said: complain(f"boardroom: {said}"))
    except (BadSetting, CannotStart) as refusal:
        raise Refused(str(refusal), WRONG) from refusal
    return 0
