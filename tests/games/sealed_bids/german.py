"""The words of the game in German."""

from __future__ import annotations

GERMAN = {
    "dealt": "{name} bekommt {count} Karten.",
    "own": "{name} bekommt {cards}.",
    "sealed": "{name} hat sich entschieden.",
    "awarded": "Los {lot} ist {worth} wert und geht an {name}.",
    "lost": "Niemand bietet auf Los {lot}.",
    "Bid": "Bieten",
    "Hold": "Behalten",
    "bid": "{card} bieten.",
    "hold": "Die Karten behalten.",
    "already-sealed": "Dieser Platz hat sich schon entschieden.",
    "not-in-hand": "Karte {card} ist nicht auf der Hand.",
    "table": "Los {lot}",
    "points": "{name}: {points} Punkte",
    "seat": "{name}: {points} Punkte, {cards} Karten",
    "hand": "Hand: {cards}",
    "score": "Punkte",
    "player": "Wer",
    "lots": "Lose",
    "brings": "Los {lot} bringt {name} {points}.",
    "which": "Welche Karte bietest du?",
    "guide": "Das Spiel",
    "guide-rule": "Wer am meisten bietet, bekommt das Los.",
    "guide-lot": "Los",
    "guide-lot-means": "Worum geboten wird.",
    "guide-example": "Noch bot niemand.",
    "guide-bid": "Bieten",
    "guide-bid-means": "Eine Karte für das Los geben oder keine.",
}
