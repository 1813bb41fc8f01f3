"""How a position of Ba$tard$ Inc. is valued, at tables of all sizes."""

from __future__ import annotations

from service.rules.games.bastards_inc.features import NAMES, RULES_OF_THUMB, features
from service.rules.games.bastards_inc.gains import GAINS
from service.rules.valuation import Valuation, by_hand

SEATS = (2, 3, 4, 5, 6)

VALUATION = Valuation(
    seats=SEATS,
    names=NAMES,
    features=features,
    rules_of_thumb=(by_hand(NAMES, RULES_OF_THUMB, SEATS, version=1),),
    weights=(),
    gains=GAINS,
    # Measured with three players: a Brier score of .141 in 8 games, where always the mean has .222.
    spreads=dict.fromkeys(SEATS, 8.0),
)
