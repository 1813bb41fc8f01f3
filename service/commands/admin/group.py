"""`boardroom admin`: what operators look at and do; each act asks for a reason and is written to the log of operators.

Commands are imported when they are called, as those of `boardroom` itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

import click

ACTS: Final[Mapping[str, tuple[str, str]]] = {
    "find": ("find", "show a player or a game: what waits, and why"),
    "outbox": ("find", "list what is dead or late; run or drop a row"),
    "block": ("people", "block an account or an address"),
    "unblock": ("people", "unblock an account or an address"),
    "close": ("people", "close an account, as its player could"),
    "export": ("people", "write all that is kept about a person to a file"),
    "erase": ("people", "erase a person: the account, and what was said at tables"),
    "rotate": ("service", "replace keys, and seal anew what is stored under the old ones"),
    "hand-over": ("games", "hand a table to another host"),
    "league": ("games", "open and close leagues"),
    "announce": ("service", "announce maintenance, or withdraw that"),
    "read-only": ("service", "stop all writing, or allow it again"),
    "operator": ("people", "give accounts the role of an operator, or take it"),
    "reports": ("people", "list what players have reported, and answer it"),
    "log": ("find", "show what operators have done"),
}
"""Each command by its name: the module in this folder, and its line in the list; `-` in a name is `_` in the module."""


class Acts(click.Group):
    """The group; lists its commands without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(ACTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; NoSuchCommand, which names similar ones."""
        if cmd_name not in ACTS:
            if ctx.resilient_parsing:
                return None
            raise click.NoSuchCommand(cmd_name, possibilities=ACTS, ctx=ctx)
        module = import_module(f"service.commands.admin.{ACTS[cmd_name][0]}")
        found: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in ACTS.items()])


@click.command("admin", cls=Acts)
def command() -> None:
    """Look after players, games and the service as a whole.

    Those concerned see each act and its reason: on their own page, in their export, or at the table.
    """
