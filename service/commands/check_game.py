"""`boardroom check-game`: what every game has to keep to, tried on random games of one."""

from __future__ import annotations

import click

from service.commands.game_package import game_in, package_argument
from service.commands.refused import WRONG
from service.commands.terminal import progress, say, say_verdict
from service.conformance.suite import CHECKS, examine


@click.command("check-game", epilog="Exit code: 0 if all holds, 1 if something is wrong, 2 if there is no such game.")
@package_argument
def command(package: str) -> int:
    """Play random games of the game in PACKAGE, and say what is wrong with it and what to do about it."""
    ruleset = game_in(package)
    wrong = tried = 0
    with progress("checking", len(CHECKS) + 1) as step:
        for finding in examine(ruleset):
            say_verdict("", "WRONG" if finding.wrong else "ok   ", f"  {finding.sentence}")
            if finding.wrong:
                say(f"       found: {finding.wrong}", f"       to do: {finding.todo}")
            wrong, tried = wrong + bool(finding.wrong), tried + 1
            step()
    left = len(CHECKS) + 1 - tried
    rest = f"; {left} were not possible" if left else ""
    say(f"{ruleset.meta.title}: {tried - wrong} checks hold, {wrong} do not{rest}.")
    return WRONG if wrong else 0
