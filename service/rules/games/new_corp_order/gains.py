"""What speaks for a move, in words: the features whose change for the better hints speak of."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.valuation import Gain

GAINS: Mapping[str, Gain] = {
    "narrow-margins": Gain(True, {
        "en": "your leads in shares get firmer",
        "de": "dein Vorsprung an Anteilen wird sicherer",
        "fr": "votre avance en parts devient plus solide",
    }),
    "hand": Gain(True, {"en": "cards in hand: +{n}", "de": "Handkarten: +{n}", "fr": "cartes en main : +{n}"}),
    "agents": Gain(True, {
        "en": "agents, against the others: +{n}",
        "de": "Agenten gegenüber den anderen: +{n}",
        "fr": "agents par rapport aux autres : +{n}",
    }),
    "unrotated": Gain(True, {
        "en": "cards in your HQ that can take over: +{n}",
        "de": "Karten im HQ, die übernehmen können: +{n}",
        "fr": "cartes du QG qui peuvent absorber : +{n}",
    }),
    "consultants": Gain(True, {"en": "consultants: +{n}", "de": "Berater: +{n}", "fr": "consultants : +{n}"}),
    "capture": Gain(True, {
        "en": "your best takeover in reach is worth more: +{n}",
        "de": "deine beste Übernahme in Reichweite bringt mehr: +{n}",
        "fr": "votre meilleure prise de contrôle possible rapporte plus : +{n}",
    }),
    "threat": Gain(False, {
        "en": "the takeover that threatens you most costs less: −{n}",
        "de": "die Übernahme, die dir am meisten droht, kostet weniger: −{n}",
        "fr": "la prise de contrôle la plus menaçante vous coûte moins : −{n}",
    }),
    "ability": Gain(True, {
        "en": "an ability follows at once",
        "de": "eine Fähigkeit folgt sofort",
        "fr": "une capacité suit aussitôt",
    }),
}  # fmt: skip
