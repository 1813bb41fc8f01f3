"""Installed games: in the packages of RULESET_PACKAGES, and in packages installed beside Boardroom."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Final

from service.rules.kernel import AnyRuleset, Ruleset
from service.rules.registry import GAMES, find_rulesets

GROUP: Final = "boardroom.rulesets"
"""Group of entry points in which a distribution names its games: `my-game = "my_game:RULESET"`."""


class BrokenGame(Exception):
    """Entry point of an installed package that does not lead to a usable game."""


def ruleset_packages() -> tuple[str, ...]:
    """Return the packages in the environment variable RULESET_PACKAGES, by default those shipped with Boardroom."""
    return packages(os.environ.get("RULESET_PACKAGES", ""))


def packages(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated text; by default the packages shipped with Boardroom."""
    return tuple(filter(None, (each.strip() for each in text.split(",")))) or GAMES


def rulesets_here(named: Sequence[str]) -> Mapping[str, AnyRuleset]:
    """Return the rulesets of the packages, and those of the entry points, by name.

    ImportError or ValueError if a package is missing or has no game, or if two games have the same name; BrokenGame for
    an entry point without a game.
    """
    return find_rulesets(named, _entered())


def _entered() -> Iterator[AnyRuleset]:
    for entry in entry_points(group=GROUP):
        source = "a package" if entry.dist is None else entry.dist.name
        try:
            ruleset = entry.load()
        # A module may raise any error while it is imported; SystemExit would end the process silently.
        except (Exception, SystemExit) as error:
            raise BrokenGame(f"{source} names {entry.value} as a game, which cannot be had ({_said(error)})") from error
        if not isinstance(ruleset, Ruleset):
            raise BrokenGame(f"{source} names {entry.value} as a game, which is no Ruleset")
        yield ruleset


def _said(error: BaseException) -> str:
    """Return the class and the message of an error, on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
