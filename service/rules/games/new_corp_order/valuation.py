"""How a position of New Corp Order is valued for tables of two to four players, and for one against ODS."""

from __future__ import annotations

from service.rules.games.new_corp_order.features import (
    NAMES,
    RULES_OF_THUMB,
    RULES_OF_THUMB_OF_FOUR_2,
    RULES_OF_THUMB_OF_FOUR_3,
    features,
)
from service.rules.games.new_corp_order.gains import GAINS, GAINS_ALONE
from service.rules.games.new_corp_order.solo_features import NAMES as NAMES_ALONE
from service.rules.games.new_corp_order.solo_features import RULES_OF_THUMB as RULES_OF_THUMB_ALONE
from service.rules.games.new_corp_order.solo_features import features as features_alone
from service.rules.games.new_corp_order.weights import WEIGHTS
from service.rules.valuation import Valuation, by_hand

ALONE, SEATS = (1,), (2, 3, 4)

VALUATION = Valuation(
    seats=SEATS,
    names=NAMES,
    features=features,
    rules_of_thumb=(
        by_hand(NAMES, RULES_OF_THUMB, SEATS, version=1),
        by_hand(NAMES, RULES_OF_THUMB_OF_FOUR_2, (4,), version=2),
        by_hand(NAMES, RULES_OF_THUMB_OF_FOUR_3, (4,), version=3),
    ),
    weights=WEIGHTS,
    # docs/players.md has the games that prove it.
    expert=frozenset({2}),
    gains=GAINS,
    # docs/players.md has the Brier scores of games that were not looked at before.
    spreads={2: 4.0, 3: 4.5, 4: 4.0},
    alone=Valuation(
        seats=ALONE,
        names=NAMES_ALONE,
        features=features_alone,
        rules_of_thumb=(by_hand(NAMES_ALONE, RULES_OF_THUMB_ALONE, ALONE, version=1),),
        # Weights fitted to self-play won fewer games against ODS than those by hand: `hard` looks further with these.
        weights=(by_hand(NAMES_ALONE, RULES_OF_THUMB_ALONE, ALONE, version=3),),
        gains=GAINS_ALONE,
    ),
)
