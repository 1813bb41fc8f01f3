"""The rulesets that are installed here, for commands that need neither settings nor a database."""

from __future__ import annotations

import os
from collections.abc import Mapping

from service.commands.refused import Refused
from service.rules.kernel import AnyRuleset
from service.rules.registry import find_rulesets
from service.shared.rulesets import ruleset_packages


def installed_rulesets() -> Mapping[str, AnyRuleset]:
    """Return the rulesets of RULESET_PACKAGES by name; Refused where there are none in these packages."""
    try:
        found = find_rulesets(ruleset_packages())
    except (ImportError, AttributeError, ValueError) as error:
        raise _no_games(f" ({error})") from error
    if not found:
        raise _no_games()
    return found


def _no_games(why: str = "") -> Refused:
    named = os.environ.get("RULESET_PACKAGES", "")
    todo = "It takes installed Python packages of games, with commas between."
    return Refused(f"RULESET_PACKAGES is {named!r}, and no games are found there{why}. {todo}")
