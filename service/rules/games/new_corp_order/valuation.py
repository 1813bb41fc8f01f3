"""How a position of New Corp Order is valued for tables of two to four players, and for one against ODS."""

from __future__ import annotations

from service.rules.games.new_corp_order.features import NAMES, RULES_OF_THUMB, features
from service.rules.games.new_corp_order.gains import GAINS, GAINS_ALONE
from service.rules.games.new_corp_order.solo_features import NAMES as NAMES_ALONE
from service.rules.games.new_corp_order.solo_features import RULES_OF_THUMB as RULES_OF_THUMB_ALONE
from service.rules.games.new_corp_order.solo_features import features as features_alone
from service.rules.games.new_corp_order.weights import WEIGHTS
from service.rules.valuation import Valuation

VALUATION = Valuation(
    seats=(2, 3, 4),
    names=NAMES,
    features=features,
    rules_of_thumb=tuple(RULES_OF_THUMB.get(name, 0.0) for name in NAMES),
    weights=WEIGHTS,
    gains=GAINS,
    # Chosen by Brier scores of games of `hard`, version 2, against itself (docs/players.md), for two and three players.
    spreads={2: 6.0, 3: 4.5, 4: 6.0},
    alone=Valuation(
        seats=(1,),
        names=NAMES_ALONE,
        features=features_alone,
        rules_of_thumb=tuple(RULES_OF_THUMB_ALONE.values()),
        weights={},
        gains=GAINS_ALONE,
    ),
)
