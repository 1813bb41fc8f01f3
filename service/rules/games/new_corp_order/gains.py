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
        "fr": "cartes du QG qui peuvent attaquer : +{n}",
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
    "lay": Gain(True, {
        "en": "your cards bring more when you place them: +{n}",
        "de": "deine Karten bringen mehr, wenn du sie ausspielst: +{n}",
        "fr": "vos cartes rapportent plus une fois placées : +{n}",
    }),
    "three-alike": Gain(True, {
        "en": "three cards of one colour, for a consultant",
        "de": "drei Karten einer Farbe, für einen Berater",
        "fr": "trois cartes d’une couleur, pour un consultant",
    }),
    "their-unrotated": Gain(False, {
        "en": "the others have fewer cards that can take over",
        "de": "die anderen haben weniger Karten, die übernehmen können",
        "fr": "les autres ont moins de cartes qui peuvent attaquer",
    }),
    "ability": Gain(True, {
        "en": "an ability follows at once",
        "de": "eine Fähigkeit folgt sofort",
        "fr": "une capacité suit aussitôt",
    }),
}  # fmt: skip

GAINS_ALONE: Mapping[str, Gain] = {
    "companies": Gain(True, {
        "en": "companies of your conglomerates, against those of ODS: +{n}",
        "de": "Firmen deiner Konzerne gegenüber denen von ODS: +{n}",
        "fr": "Compagnies de vos Conglomérats par rapport à celles du SOD : +{n}",
    }),
    "ods-scores": Gain(False, {
        "en": "ODS cannot take a scoring company",
        "de": "ODS kann keine Firma übernehmen, die Punkte bringt",
        "fr": "le SOD ne peut prendre aucune Compagnie qui rapporte",
    }),
    "ods-takes": Gain(False, {
        "en": "ODS cannot take another of your companies",
        "de": "ODS kann keine andere deiner Firmen übernehmen",
        "fr": "le SOD ne peut prendre aucune autre de vos Compagnies",
    }),
    "prizes": Gain(True, {
        "en": "scoring companies in your reach: +{n}",
        "de": "Firmen mit Punkten in Reichweite: +{n}",
        "fr": "Compagnies à votre portée qui rapportent : +{n}",
    }),
    "unrotated": GAINS["unrotated"],
    "defence": Gain(True, {
        "en": "your scoring companies: +{n} agents",
        "de": "deine Firmen mit Punkten: +{n} Agenten",
        "fr": "vos Compagnies qui rapportent : +{n} Agents",
    }),
    "their-defence": Gain(False, {
        "en": "scoring companies of ODS: −{n} agents",
        "de": "Firmen von ODS mit Punkten: −{n} Agenten",
        "fr": "Compagnies du SOD qui rapportent : −{n} Agents",
    }),
}  # fmt: skip
"""The same for a game against ODS."""
