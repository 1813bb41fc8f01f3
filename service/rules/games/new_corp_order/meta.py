"""New Corp Order for the lobby: seats, options, languages."""

from __future__ import annotations

from service.rules.kernel import Meta, Option
from service.rules.typography import typeset

META = Meta(
    name="new-corp-order",
    revision=1,
    title="New Corp Order",
    summary={
        "en": "Infiltrate four media conglomerates and take over their companies: marketing and manipulation.",
        "de": "Infiltriere vier Medienkonzerne und übernimm ihre Firmen: Marketing und Manipulation.",
        "fr": "Infiltrez quatre conglomérats de médias et prenez le contrôle de leurs compagnies.",
    },
    seats=(1, 2, 3, 4),
    languages=("en", "de", "fr"),
    automata={1: {"en": "ODS", "de": "ODS", "fr": "SOD"}},
    waits={2: 59, 3: 83, 4: 75},
    options=(
        Option(
            name="short-game",
            type="boolean",
            default=False,
            waits={3: 61, 4: 55},
            title={"en": "short game", "de": "kurze Partie", "fr": "partie courte"},
            describe={
                "en": "A shorter game for 3 or 4 players: five cards of each conglomerate stay in the box.",
                "de": "Eine kürzere Partie zu dritt oder viert: fünf Karten jedes Konzerns bleiben in der Schachtel.",
                "fr": typeset(
                    "Une partie plus courte à 3 ou 4 : cinq cartes de chaque conglomérat restent dans la boîte."
                ),
            },
        ),
        Option(
            name="first-player",
            type="seat",
            default=None,
            describe={
                "en": "The seat that begins; without one it is drawn at random.",
                "de": "Der Platz, der beginnt; ohne Angabe wird ausgelost.",
                "fr": typeset("La place qui commence ; sans indication, elle est tirée au sort."),
            },
        ),
        Option(
            name="corporate-accountant",
            type="boolean",
            default=False,
            title={
                "en": "house rules: Accountant",
                "de": "Hausregeln: Firmenbuchhalter",
                "fr": typeset("règles maison : Expert-comptable"),
            },
            house_rules=True,
            describe={
                "en": "House rules: the Corporate Accountant, a further consultant with an effect of our own.",
                "de": "Hausregeln: der Firmenbuchhalter, ein weiterer Berater mit einer eigenen Fähigkeit von uns.",
                "fr": typeset("Règles maison : l'Expert-comptable, un Consultant de plus à l'effet de notre cru."),
            },
        ),
        Option(
            name="deluxe",
            type="boolean",
            default=False,
            title={"en": "house rules: Deluxe", "de": "Hausregeln: Deluxe", "fr": typeset("règles maison : Deluxe")},
            house_rules=True,
            describe={
                "en": "House rules: three types of Deluxe companies and two Deluxe consultants of our own invention.",
                "de": "Hausregeln: drei Arten von Deluxe-Firmen und zwei Deluxe-Berater, die wir uns ausgedacht haben.",
                "fr": typeset("Règles maison : trois types de Compagnies et deux Consultants Deluxe de notre cru."),
            },
        ),
    ),
)
