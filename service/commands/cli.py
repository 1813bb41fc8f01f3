"""The `boardroom` command: a group whose commands are imported when they are called.

`up` and `verify` need very different things, and one must work without the other's.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import click
from click.shell_completion import CompletionItem, get_completion_class

from service.commands.terminal import CANNOT, OutputClosed, Refused, complain, in_words, say_text

SHELLS: Final = ("bash", "zsh", "fish")
COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "up": ("run:up_command", "start everything on this machine"),
    "migrate": ("run:migrate_command", "bring the database at DATABASE_URL up to date"),
    "rebuild": ("database:rebuild_command", "work out anew what is kept next to the logs of the games"),
    "ratings": ("database:ratings_command", "look after the ratings, which follow from the log of results"),
    "play": ("play:command", "play a game in this terminal, over nothing but the REST API"),
    "audit": ("audit:command", "check games in the database again"),
    "import": ("database:import_command", "make games of records from elsewhere"),
    "export": ("database:export_command", "write the records of finished games"),
    "unarchive": ("database:unarchive_command", "take the log of an archived game into the database again"),
    "verify": ("verify:command", "check records of finished games, offline"),
    "listing": ("recorded_game:listing_command", "print a recorded game in its notation and in words"),
    "plot": ("recorded_game:plot_command", "draw what is counted over a recorded game"),
    "analyse": (
        "analyse:command",
        "estimate the chances in a recorded game, and name the moves that lost most",
    ),
    "selfplay": ("selfplay:command", "play random games without a server and write their logs"),
    "new-game": ("new_game:command", "write the folder of a new game, which can be played at once"),
    "check-game": ("check_game:command", "try whether a game keeps to what every game has to"),
    "workbench": ("workbench:command", "show a game at every step, through all eyes, while it is being written"),
    "arena": ("arena:command", "play computer players of two levels against each other and count who wins"),
    "train": ("train:train_command", "fit what a game's features are worth by self-play"),
    "facts": ("train:facts_command", "play computer players against themselves and tell how their games go"),
    "calibrate": ("train:calibrate_command", "compare predicted chances with who won, in games of computer players"),
    "doctor": ("doctor:command", "look whether everything is there that the service and its mails need"),
    "admin": ("admin.group:command", "look after players, games and the service as a whole"),
    "completion": ("cli:completion_command", "print what completes these commands in a shell"),
}
"""Each command by its name: module and function in this room, and its line in the list of commands."""
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141
_FAULT: Final = 70
"""An exit code that no command gives to anything else (EX_SOFTWARE of sysexits.h)."""


class Commands(click.Group):
    """The group; lists and completes its commands without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; NoSuchCommand, which names similar ones."""
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:
                return None
            raise click.NoSuchCommand(cmd_name, possibilities=COMMANDS, ctx=ctx)
        # With the command and not before it: the list of commands imports nothing.
        import_module("service.shared.process_name").take(cmd_name)
        module, function = COMMANDS[cmd_name][0].split(":")
        found: click.Command = getattr(import_module(f"service.commands.{module}"), function)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, explanation) for name, (_, explanation) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin so, or the options of the group."""
        found = [CompletionItem(name, help=text) for name, (_, text) in COMMANDS.items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="boardroom", message="%(prog)s %(version)s")
def boardroom() -> None:
    """Board games by mail, in a browser, or over an API."""


@click.command(
    "completion",
    epilog='For example, in ~/.bashrc or ~/.zshrc: eval "$(boardroom completion bash)" (or zsh); with fish: '
    "boardroom completion fish > ~/.config/fish/completions/boardroom.fish",
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> int:
    """Print the script that completes the boardroom commands in a shell."""
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 # for the type checker: the choice is among those that click has
    say_text(kind(ctx.find_root().command, {}, "boardroom", "_BOARDROOM_COMPLETE").source())
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. What cannot be done is said in a sentence on stderr.

    Raises ModuleNotFoundError where a library is not installed.
    """
    words = sys.argv[1:] if arguments is None else arguments
    try:
        result: Any = boardroom.main([*words], prog_name="boardroom", standalone_mode=False)
    except ModuleNotFoundError:
        raise
    except Exception as error:
        return _ended(error)
    return int(result or 0)


def _ended(error: Exception) -> int:
    """Say on stderr why the command has ended, and return its exit code."""
    if isinstance(error, click.UsageError):
        return _misused(error)
    if isinstance(error, Refused):
        complain(f"boardroom: {error}", "red")
        return error.code
    if isinstance(error, click.Abort):
        complain("Interrupted.")
        return _INTERRUPTED
    if isinstance(error, OutputClosed):
        # Python would complain when it flushes stdout at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    if isinstance(error, OSError):
        complain(f"boardroom: {in_words(error)}", "red")
        return CANNOT
    return _faulty(error)


def _misused(refusal: click.UsageError) -> int:
    """Say how the command is used, and return its exit code."""
    # Names of files, which others may have chosen, can be among the words of the command line.
    lines = refusal.format_message().split("\n")
    if not isinstance(refusal, click.exceptions.NoArgsIsHelpError):
        lines = [*_usage(refusal.ctx), f"Error: {lines[0]}", *lines[1:]]
    for line in lines:
        complain(line)
    return refusal.exit_code


def _usage(ctx: click.Context | None) -> list[str]:
    return [] if ctx is None else [*ctx.get_usage().split("\n"), f"Try '{ctx.command_path} --help' for help.", ""]


def _faulty(fault: Exception) -> int:
    if sys.flags.dev_mode:
        raise fault
    place = traceback.extract_tb(fault.__traceback__)[-1]
    said = f"{type(fault).__name__} in {os.path.basename(place.filename)}, line {place.lineno}"
    complain(f"boardroom: the program itself has a fault ({said}), and the command ended early.", "red")
    complain("Please report it, with the output that the command has with PYTHONDEVMODE=1 in the environment.")
    return _FAULT
