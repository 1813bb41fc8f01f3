"""The words of the game in French."""

from __future__ import annotations

from service.rules.typography import typeset

FRENCH = typeset(
    {
        "dealt": "{name} reçoit {count} cartes.",
        "own": "{name} reçoit {cards}.",
        "sealed": "{name} a fait son choix.",
        "awarded": "Le lot {lot} vaut {worth} et revient à {name}.",
        "lost": "Personne n'enchérit sur le lot {lot}.",
        "Bid": "Miser",
        "Hold": "Garder",
        "bid": "Miser {card}.",
        "hold": "Garder ses cartes.",
        "already-sealed": "Cette place a déjà choisi.",
        "not-in-hand": "La carte {card} n'est pas en main.",
        "table": "Lot {lot}",
        "points": "{name} : {points} points",
        "seat": "{name} : {points} points, {cards} cartes",
        "hand": "Main : {cards}",
        "score": "Points",
        "player": "Qui",
        "lots": "Lots",
        "brings": "Le lot {lot} rapporte {points} à {name}.",
        "open": "ouvert aux enchères",
        "nobody": "personne",
        "own-hand": "Votre main",
        "count": "Cartes : {count}",
        "which": "Quelle carte misez-vous ?",
        "guide": "Le jeu",
        "guide-rule": "Qui mise le plus gagne le lot.",
        "guide-lot": "Lot",
        "guide-lot-means": "Ce qui est mis en vente.",
        "guide-example": "Ben a remporté le lot 1, qui vaut 9 points.",
        "guide-bid": "Miser",
        "guide-bid-means": "Donner une carte pour le lot, ou aucune.",
    }
)
