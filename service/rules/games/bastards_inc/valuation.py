"""How a position of Ba$tard$ Inc. is valued, at tables of all sizes."""

from __future__ import annotations

from service.rules.games.bastards_inc.features import NAMES, RULES_OF_THUMB, features
from service.rules.valuation import Valuation

VALUATION = Valuation(
    seats=(2, 3, 4, 5, 6),
    names=NAMES,
    features=features,
    rules_of_thumb=tuple(RULES_OF_THUMB.get(name, 0.0) for name in NAMES),
    weights={},
)
