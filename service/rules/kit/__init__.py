"""Kit for authors of games: defaults for most of a ruleset, and blocks to build with. No game needs it."""

from service.rules.kit.defaults import ruleset
from service.rules.kit.secrecy import Public, Secret
from service.rules.kit.turns import clockwise, following, last_to_seal, waiting

__all__ = ["Public", "Secret", "clockwise", "following", "last_to_seal", "ruleset", "waiting"]
