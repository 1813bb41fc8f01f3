"""What the lobby knows of the game."""

from __future__ import annotations

from service.rules.kernel import Meta, Option

LOTS = 3
HAND = 3
CARDS = 20

META = Meta(
    name="sealed-bids",
    revision=1,
    title="Sealed Bids",
    summary={
        "en": "Three lots, three cards, secret bids; dice tell what a lot is worth.",
        "de": "Drei Lose, drei Karten, geheime Gebote; Würfel bestimmen den Wert eines Loses.",
        "fr": "Trois lots, trois cartes, des enchères secrètes\N{NO-BREAK SPACE}; les dés fixent la valeur d’un lot.",
    },
    seats=(3, 4, 5),
    languages=("en", "de", "fr"),
    moves=LOTS,
    options=(
        Option(
            name="double",
            type="boolean",
            default=False,
            describe={
                "en": "Two dice for each lot.",
                "de": "Zwei Würfel je Los.",
                "fr": "Deux dés par lot.",
            },
        ),
    ),
)
