"""The words of the game in English."""

from __future__ import annotations

ENGLISH = {
    "dealt": "{name} gets {count} cards.",
    "own": "{name} gets {cards}.",
    "sealed": "{name} has decided.",
    "awarded": "Lot {lot} is worth {worth} and goes to {name}.",
    "lost": "Nobody bids for lot {lot}.",
    "Bid": "Bid",
    "Hold": "Hold",
    "bid": "Bid {card}.",
    "hold": "Hold the cards.",
    "already-sealed": "This seat has decided already.",
    "not-in-hand": "Card {card} is not in the hand.",
    "table": "Lot {lot}",
    "points": "{name}: {points} points",
    "seat": "{name}: {points} points, {cards} cards",
    "hand": "Hand: {cards}",
    "score": "Points",
    "player": "Player",
    "lots": "Lots",
    "brings": "Lot {lot} brings {name} {points}.",
    "which": "Which card do you bid?",
    "guide": "The game",
    "guide-rule": "Whoever bids most gets the lot.",
    "guide-lot": "Lot",
    "guide-lot-means": "What is bid for.",
    "guide-example": "Nobody has bid yet.",
    "guide-bid": "Bid",
    "guide-bid-means": "Give one of your cards for the lot, or none.",
}
