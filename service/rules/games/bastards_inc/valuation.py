"""The valuation of a position, and the gains of a move that hints name."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.games.bastards_inc.features import NAMES, WEIGHTS_BY_HAND, features
from service.rules.valuation import Gain, Valuation, by_hand

GAINS: Mapping[str, Gain] = {
    "vice-presidents": Gain(True, {
        "en": "VPs, compared with the others: +{n}",
        "de": "VPs gegenüber den anderen: +{n}",
        "fr": "VP par rapport aux autres : +{n}",
    }),
    "scores": Gain(True, {
        "en": "scores, compared with the others: +{n}",
        "de": "Werte gegenüber den anderen: +{n}",
        "fr": "scores par rapport aux autres : +{n}",
    }),
    "cards": Gain(True, {"en": "cards in hand: +{n}", "de": "Handkarten: +{n}", "fr": "cartes en main : +{n}"}),
    "businesses": Gain(True, {
        "en": "businesses before you: +{n}",
        "de": "Geschäfte vor dir: +{n}",
        "fr": "affaires devant vous : +{n}",
    }),
    "free": Gain(True, {
        "en": "VPs that you can place: +{n}",
        "de": "VPs, die du einsetzen kannst: +{n}",
        "fr": "VP que vous pouvez placer : +{n}",
    }),
    "sale": Gain(True, {
        "en": "sales in reach bring more: +{n}",
        "de": "Verkäufe in Reichweite bringen mehr: +{n}",
        "fr": "les ventes possibles rapportent plus : +{n}",
    }),
    "campaign": Gain(True, {
        "en": "media campaigns in reach bring more: +{n}",
        "de": "Medienkampagnen in Reichweite bringen mehr: +{n}",
        "fr": "les campagnes médiatiques possibles rapportent plus : +{n}",
    }),
    "deal": Gain(True, {
        "en": "your best business in reach brings more black money: +{n}",
        "de": "dein bestes Geschäft in Reichweite bringt mehr Schwarzgeld: +{n}",
        "fr": "votre meilleure affaire possible rapporte plus d’argent sale : +{n}",
    }),
    "black-money": Gain(True, {
        "en": "black money on your VPs: +{n}",
        "de": "Schwarzgeld auf deinen VPs: +{n}",
        "fr": "argent sale que portent vos VP : +{n}",
    }),
    "laundry": Gain(True, {
        "en": "black money that you can launder: +{n}",
        "de": "Schwarzgeld, das du waschen kannst: +{n}",
        "fr": "argent sale que vous pouvez blanchir : +{n}",
    }),
    "at-war": Gain(False, {"en": "VPs in a war: −{n}", "de": "VPs im Krieg: −{n}", "fr": "VP en guerre : −{n}"}),
}  # fmt: skip


SEATS = (2, 3, 4, 5, 6)

VALUATION = Valuation(
    seats=SEATS,
    names=NAMES,
    features=features,
    rules_of_thumb=(by_hand(NAMES, WEIGHTS_BY_HAND, SEATS, version=1),),
    weights=(),
    gains=GAINS,
    # Measured with three players: a Brier score of .141 in 8 games, where always the mean has .222.
    spreads=dict.fromkeys(SEATS, 8.0),
)
