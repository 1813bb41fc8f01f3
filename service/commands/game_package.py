"""The game in a package that is being written: by the package's name, whether it is installed or lies here."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import click

from service.commands.refused import Refused
from service.rules.kernel import AnyRuleset, Ruleset

package_argument = click.argument("package", metavar="PACKAGE")


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
