"""The rulesets that are installed here, for commands that need neither settings nor a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.commands.refused import Refused
from service.rules.kernel import AnyRuleset
from service.rules.offered import in_order
from service.rules.registry import find_rulesets
from service.shared.rulesets import ruleset_packages


def installed_rulesets(packages: Sequence[str] = ()) -> Mapping[str, AnyRuleset]:
    """Return the rulesets of the packages, or else of RULESET_PACKAGES, by name; Refused where there are none."""
    named = packages or ruleset_packages()
    try:
        found = find_rulesets(named)
    except (ImportError, AttributeError, ValueError) as error:
        raise _no_games(named, f" ({error})") from error
    if not found:
        raise _no_games(named)
    return in_order(found)


def _no_games(packages: Sequence[str], why: str = "") -> Refused:
    named = ",".join(packages)
    todo = "It takes installed Python packages of games, with commas between."
    return Refused(f"RULESET_PACKAGES is {named!r}, and no games are found there{why}. {todo}")
