"""The rulesets that are installed here, for commands that need neither settings nor a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.commands.refused import Refused
from service.rules.kernel import AnyRuleset
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
