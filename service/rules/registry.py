"""Finds the rulesets by looking into packages of games: every subpackage that has a RULESET is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules

from service.rules.kernel import AnyRuleset

GAMES = ("service.rules.games",)


def find_rulesets(packages: Sequence[str] = GAMES) -> Mapping[str, AnyRuleset]:
    """Return the rulesets of the packages by name, in the order of their names."""
    found: dict[str, AnyRuleset] = {}
    for package in packages:
        for module in iter_modules(import_module(package).__path__, package + "."):
            if module.ispkg:
                ruleset = import_module(module.name).RULESET
                found[ruleset.meta.name] = ruleset
    return dict(sorted(found.items()))
