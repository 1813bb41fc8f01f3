"""Starts the `boardroom` command, also as `python -m service.commands`; says what is missing where it is incomplete."""

from __future__ import annotations

import sys

from service.commands.terminal import complain

_OURS = frozenset({"", "schemas", "service", "workers"})


def main() -> int:
    """Run the command line; returns the exit code."""
    try:
        from service.commands import cli

        return cli.main()
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package in _OURS:
            raise
        complain(f"boardroom: this takes the Python package {package}, which is not installed here.", "red")
        complain("`pip install boardroom` installs all that the commands need; the README says what `verify` takes.")
        return 1


if __name__ == "__main__":
    sys.exit(main())
