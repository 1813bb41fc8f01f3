"""What makes a game shorter: defaults for most of a ruleset, and blocks to build with. No game needs any of it."""

from service.rules.kit.assembly import ruleset
from service.rules.kit.rounds import last_to_seal, waiting
from service.rules.kit.secrecy import Public, Secret
from service.rules.kit.turns import clockwise, following

__all__ = ["Public", "Secret", "clockwise", "following", "last_to_seal", "ruleset", "waiting"]
