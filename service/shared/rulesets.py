"""In which packages games are looked for: the one setting that the commands for records share with the service."""

from __future__ import annotations

import os

from service.rules.registry import GAMES


def ruleset_packages() -> tuple[str, ...]:
    """Return the packages that RULESET_PACKAGES names, with commas between; without it the games that come along."""
    named = (each.strip() for each in os.environ.get("RULESET_PACKAGES", "").split(","))
    return tuple(filter(None, named)) or GAMES
