"""Rulesets for commands: those installed here, one of them by name, and that of a package in the current folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

import click

from service.commands.terminal import Refused
from service.rules.kernel import AnyRuleset, Ruleset
from service.shared.rulesets import BrokenGame, ruleset_packages, rulesets_here


def installed_rulesets(packages: Sequence[str] = ()) -> Mapping[str, AnyRuleset]:
    """Return the rulesets of the packages, or else of RULESET_PACKAGES, and those installed beside Boardroom, by name.

    Refused where there are none.
    """
    named = packages or ruleset_packages()
    try:
        found = rulesets_here(named)
    except BrokenGame as error:
        raise Refused(f"{error}. Mend the package, or uninstall it.") from error
    except (ImportError, AttributeError, ValueError) as error:
        raise _no_games(named, f" ({error})") from error
    if not found:
        raise _no_games(named)
    return found


def _no_games(packages: Sequence[str], why: str = "") -> Refused:
    named = ",".join(packages)
    todo = "It takes installed Python packages of games, with commas between."
    return Refused(f"RULESET_PACKAGES is {named!r}, and no games are found there{why}. {todo}")


package_argument = click.argument("package", metavar="PACKAGE")


def chosen_ruleset(name: str | None) -> AnyRuleset:
    """Return the ruleset of a name, or the first of those installed; a usage error if there is none of that name."""
    rulesets = installed_rulesets()
    chosen = next(iter(rulesets)) if name is None else name
    if chosen not in rulesets:
        known = ", ".join(rulesets)
        raise click.BadParameter(f"{chosen!r} is none of those installed: {known}.", param_hint="--ruleset")
    return rulesets[chosen]


def game_in(package: str) -> AnyRuleset:
    """Return the RULESET of a package, which is looked for in this folder, too; Refused if it cannot be had."""
    name = package.strip("/").replace("/", ".")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        raise Refused(
            f"there is no package {missing.name}. PACKAGE is a Python package that lies in this folder or is installed."
        ) from missing
    except Exception as error:
        raise Refused(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    ruleset = getattr(module, "RULESET", None)
    if not isinstance(ruleset, Ruleset):
        raise Refused(f"{name} has no RULESET, which is what the package of a game has to have")
    return ruleset
