"""`boardroom up`: starts everything on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.installed import installed_rulesets
from service.commands.refused import WRONG, Refused
from service.local.supervisor import CannotStart
from service.local.up import up
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
def command(data: Path, with_parent: bool) -> int:
    """Start everything on this machine, until Ctrl-C: servers that no setting names, workers and web processes."""
    try:
        installed_rulesets(Settings.from_env(partial=True).ruleset_packages)
        return up(data, with_parent=with_parent)
    except (BadSetting, CannotStart, Refused) as refusal:
        raise Refused(str(refusal), WRONG) from refusal
