"""`boardroom check-game`: what every game has to keep to, tried on random games of one."""

from __future__ import annotations

import click

from service.commands.rulesets import game_in, package_argument
from service.commands.terminal import WRONG, progress, say, say_verdict
from service.conformance.suite import CHECKS, examine
from service.rules.kernel import AnyRuleset


@click.command("check-game", epilog="Exit code: 0 if all holds, 1 if something is wrong, 2 if there is no such game.")
@package_argument
def command(package: str) -> int:
    """Play random games of the game in PACKAGE, at each of its revisions; say what is wrong and what to do about it."""
    ruleset = game_in(package)
    rulesets = [ruleset, *ruleset.earlier.values()]
    return WRONG if sum(_wrong(each) for each in rulesets) else 0


def _wrong(ruleset: AnyRuleset) -> int:
    """Print what each check finds at one revision of a game; return how many do not hold."""
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
    which = f"{ruleset.meta.title}, revision {ruleset.meta.revision}"
    say(f"{which}: {tried - wrong} checks hold, {wrong} do not{rest}.")
    return wrong
