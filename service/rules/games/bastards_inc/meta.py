"""Ba$tard$ Inc. for the lobby: seats, options, languages."""

from __future__ import annotations

from service.rules.kernel import Meta, Option
from service.rules.typography import typeset

META = Meta(
    name="bastards-inc",
    revision=2,
    title="Ba$tard$ Inc.",
    summary={
        "en": "Run a company without a conscience: bribe, sell Stuff, launder the money, and win a peace prize for it.",
        "de": "Führe eine Firma ohne Gewissen: bestich, verkauf Zeug, wasch das Geld, hol dir einen Friedenspreis.",
        "fr": typeset(
            "Dirigez une entreprise sans scrupules : corrompez, vendez du Matos, blanchissez l'argent, "
            "et décrochez un prix de la paix."
        ),
    },
    seats=(2, 3, 4, 5, 6),
    languages=("en", "de", "fr"),
    waits={2: 76, 3: 143, 4: 222, 5: 271, 6: 337},
    place=1,
    options=(
        Option(
            name="short-game",
            type="boolean",
            default=False,
            waits={2: 54, 3: 95, 4: 135, 5: 180, 6: 223},
            title={"en": "short game", "de": "kurze Partie", "fr": "partie courte"},
            describe={
                "en": "A shorter game: four rounds, a lower target, and three vice presidents each at the start.",
                "de": "Eine kürzere Partie: vier Runden, ein niedrigeres Ziel, anfangs drei Vizepräsidenten für jeden.",
                "fr": typeset(
                    "Une partie plus courte : quatre manches, un but plus bas, trois vice-présidents chacun au départ."
                ),
            },
        ),
        Option(
            name="first-player",
            type="seat",
            default=None,
            describe={
                "en": "The seat that is start player in the first round; without one it is drawn at random.",
                "de": "Der Platz, der in der ersten Runde Startspieler ist; ohne Angabe wird ausgelost.",
                "fr": typeset("La place du premier joueur de la première manche ; sans indication, tirée au sort."),
            },
        ),
    ),
)
