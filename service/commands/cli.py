"""The `boardroom` command."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from service.commands.terminal import complain, say
from service.local.processes import CannotStart
from service.settings import BadSetting, Settings

# What a command needs is imported when it is called: `up` and `play` need very different things.
HANDED_ON = {
    "play": ("service.commands.play", "play a game in this terminal, over nothing but the REST API"),
    "audit": ("service.commands.audit", "check games in the database again"),
    "import": ("service.commands.import_records", "make games of records from elsewhere"),
    "export": ("service.commands.export", "write the records of finished games"),
    "verify": ("service.commands.verify", "check records of finished games, offline"),
    "listing": ("service.commands.listing:main_listing", "print a recorded game in its notation and in words"),
    "plot": ("service.commands.listing:main_plot", "draw what is counted over a recorded game"),
    "selfplay": ("service.commands.selfplay", "play random games without a server and write their logs"),
    "doctor": ("service.commands.doctor", "look whether everything is there that the service and its mails need"),
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code. What cannot start says so in one line on stderr."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in HANDED_ON:
        module, _, function = HANDED_ON[words[0]][0].partition(":")
        result: int = getattr(import_module(module), function or "main")(words[1:])
        return result
    asked = _parser().parse_args(words)
    try:
        if asked.command == "up":
            return _up(asked.data, asked.with_parent)
        return _rebuild() if asked.command == "rebuild" else _migrate()
    except (BadSetting, CannotStart) as refusal:
        complain(f"boardroom: {refusal}")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="boardroom", description="Board games by mail, in a browser, or over an API.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    up = commands.add_parser("up", help="start everything on this machine")
    up.add_argument("--data", type=Path, default=Path(".boardroom"), help="folder for the data (default: %(default)s)")
    up.add_argument("--with-parent", action="store_true", help="end with the process that starts it (on Linux)")
    commands.add_parser("migrate", help="bring the database at DATABASE_URL up to date")
    commands.add_parser("rebuild", help="work out anew what is kept beside the logs of the games")
    for name, (_, explanation) in HANDED_ON.items():
        commands.add_parser(name, help=explanation, add_help=False)
    return parser


def _up(data: Path, with_parent: bool) -> int:
    from service.local.up import up

    return up(data, with_parent=with_parent)


def _migrate() -> int:
    from service.local.up import migrate

    migrate(Settings.from_env().database_url)
    return 0


def _rebuild() -> int:
    from service.handlers.waiting import restore_all
    from service.runtime import shelf

    with shelf(Settings.from_env()) as games:
        count = restore_all(games)
    say(f"Worked out anew: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
