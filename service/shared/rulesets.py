"""Which games there are: in the packages that RULESET_PACKAGES names, and in packages installed beside Boardroom."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Final

from service.rules.kernel import AnyRuleset, Ruleset
from service.rules.registry import GAMES, find_rulesets

GROUP: Final = "boardroom.rulesets"
"""The group of entry points in which a distribution names its games: `my-game = "my_game:RULESET"`."""


class BrokenGame(Exception):
    """A package that is installed beside Boardroom names a game that cannot be had."""


def ruleset_packages() -> tuple[str, ...]:
    """Return the packages that RULESET_PACKAGES in the environment names, or else those that come along."""
    return packages(os.environ.get("RULESET_PACKAGES", ""))


def packages(text: str) -> tuple[str, ...]:
    """Return the names in a text with commas between; the packages that come along if there are none."""
    return tuple(filter(None, (each.strip() for each in text.split(",")))) or GAMES


def rulesets_here(named: Sequence[str]) -> Mapping[str, AnyRuleset]:
    """Return the rulesets of the packages, and those of the entry points, by name.

    ImportError or ValueError if a package is not there or has no game, or if two games have the same name; BrokenGame
    for an entry point without a game.
    """
    return find_rulesets(named, _entered())


def _entered() -> Iterator[AnyRuleset]:
    for entry in entry_points(group=GROUP):
        source = "a package" if entry.dist is None else entry.dist.name
        try:
            ruleset = entry.load()
        # A module may end in any error while it is imported; SystemExit would end the process without a word.
        except (Exception, SystemExit) as error:
            raise BrokenGame(f"{source} names {entry.value} as a game, which cannot be had ({_said(error)})") from error
        if not isinstance(ruleset, Ruleset):
            raise BrokenGame(f"{source} names {entry.value} as a game, which is no Ruleset")
        yield ruleset


def _said(error: BaseException) -> str:
    """Return the kind of an error and what it says, on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
