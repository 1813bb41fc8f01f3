"""In which packages games are looked for: the one setting that the commands for records share with the service."""

from __future__ import annotations

import os

from service.rules.registry import GAMES


def ruleset_packages() -> tuple[str, ...]:
    """Return the packages that RULESET_PACKAGES in the environment names, or else those that come along."""
    return packages(os.environ.get("RULESET_PACKAGES", ""))


def packages(text: str) -> tuple[str, ...]:
    """Return the names in a text with commas between; the packages that come along if there are none."""
    return tuple(filter(None, (each.strip() for each in text.split(",")))) or GAMES
