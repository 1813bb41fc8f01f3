"""Find the installed games: every subpackage of the given packages that has a RULESET is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules

from service.rules.kernel import AnyRuleset

GAMES = ("service.rules.games",)


def find_rulesets(packages: Sequence[str] = GAMES, further: Iterable[AnyRuleset] = ()) -> Mapping[str, AnyRuleset]:
    """Return the rulesets of the packages, and any further ones, by name, in the order in which games are offered.

    That is by `Meta.place`, then by name. ImportError if there is no such package; ValueError if one has no game, or if
    two games have the same name.
    """
    found: dict[str, AnyRuleset] = {}
    for package in packages:
        rulesets = list(_rulesets_of(package))
        if not rulesets:
            raise ValueError(f"{package} has no game: each game is a package in it, and has a RULESET")
        for ruleset in rulesets:
            if found.setdefault(ruleset.meta.name, ruleset) is not ruleset:
                raise ValueError(f"{package} has a game called {ruleset.meta.name}, and so has a package before it")
    for ruleset in further:
        if found.setdefault(ruleset.meta.name, ruleset) is not ruleset:
            raise ValueError(f"two installed packages have a game called {ruleset.meta.name}")
    return dict(sorted(found.items(), key=lambda each: (each[1].meta.place, each[0])))


def _rulesets_of(package: str) -> Iterator[AnyRuleset]:
    for module in iter_modules(import_module(package).__path__, package + "."):
        if module.ispkg:
            ruleset = getattr(import_module(module.name), "RULESET", None)
            if ruleset is not None:
                yield ruleset
