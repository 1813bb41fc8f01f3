"""The rulesets that are installed here, for commands that need neither settings nor a database."""

from __future__ import annotations

import os
from collections.abc import Mapping

from service.commands.refused import Refused
from service.rules.kernel import AnyRuleset
from service.rules.registry import find_rulesets
from service.shared.rulesets import ruleset_packages


def installed_rulesets() -> Mapping[str, AnyRuleset]:
    """Return the rulesets of RULESET_PACKAGES by name; Refused where one of these is no package of games."""
    try:
        return find_rulesets(ruleset_packages())
    except (ImportError, AttributeError, ValueError) as error:
        named = os.environ.get("RULESET_PACKAGES")
        raise Refused(
            f"RULESET_PACKAGES is {named!r}, and games cannot be found in it ({error}). "
            "It takes installed Python packages, with commas between."
        ) from error
