"""`boardroom up` and `boardroom migrate`."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.rulesets import installed_rulesets
from service.commands.terminal import WRONG, Refused, complain
from service.local.migrate import migrate
from service.local.supervisor import CannotStart
from service.settings import BadSetting, Settings


@click.command("up")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path(".boardroom"),
    show_default=True,
    metavar="FOLDER",
    help="folder for the data",
)
@click.option("--with-parent", is_flag=True, help="end with the process that starts it (on Linux)")
def up_command(data: Path, with_parent: bool) -> int:
    """Start everything on this machine, until Ctrl-C: servers that no setting names, workers and web processes."""
    from service.local.up import up

    try:
        installed_rulesets(Settings.from_env(partial=True).ruleset_packages)
        return up(data, with_parent=with_parent)
    except (BadSetting, CannotStart, Refused) as refusal:
        raise Refused(str(refusal), WRONG) from refusal


@click.command("migrate", epilog="Exit code: 0 if this version can work with the database now, 1 if not.")
def migrate_command() -> int:
    """Bring the tables of the database up to date; newer ones stay as they are.

    The database is that of MIGRATION_DATABASE_URL, or of DATABASE_URL.
    """
    try:
        settings = Settings.from_env()
        migrate(settings.migration_url or settings.database_url, lambda said: complain(f"boardroom: {said}"))
    except (BadSetting, CannotStart) as refusal:
        raise Refused(str(refusal), WRONG) from refusal
    return 0
