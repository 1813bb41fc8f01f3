"""The game in sentences, and the table as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.rules.kernel import Illegal, Json, Part, Question, Seat, Section
from service.rules.typeset import typeset
from tests.games.sealed_bids.actions import Action, Bid, Hold
from tests.games.sealed_bids.events import BidSealed, Event, HandDealt

TEXTS = {
    "en": {
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
    },
    "de": {
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
    },
    "fr": typeset(
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
            "which": "Quelle carte misez-vous ?",
        }
    ),
}


def describe(
    it: Event | Action | type[Action] | Illegal, viewer: Seat | None, language: str, names: Sequence[str]
) -> str:
    """Return the sentence for an event, an action or a refusal, without the cards of others; the name of a kind."""
    texts = TEXTS[language]
    if isinstance(it, type):
        return texts[it.__name__]
    if isinstance(it, Illegal):
        return texts[it.code].format(**it.facts)
    if isinstance(it, Bid):
        return texts["bid"].format(card=it.card)
    if isinstance(it, Hold):
        return texts["hold"]
    return _told(it, viewer, texts, names)


def _told(event: Event, viewer: Seat | None, texts: Mapping[str, str], names: Sequence[str]) -> str:
    name = "" if event.seat is None else names[event.seat]
    if isinstance(event, HandDealt):
        kind = "own" if viewer == event.seat else "dealt"
        return texts[kind].format(name=name, cards=_list(event.cards), count=len(event.cards))
    if isinstance(event, BidSealed):
        return texts["sealed"].format(name=name)
    kind = "lost" if event.seat is None else "awarded"
    return texts[kind].format(lot=event.lot, worth=sum(event.dice), name=name)


def draw(view: Json, language: str, names: Sequence[str]) -> str:
    """Return the table as lines of text."""
    texts = TEXTS[language]
    lines = [texts["table"].format(lot=view["lot"])]
    for seat, points in enumerate(view["points"]):
        line = texts["seat"].format(name=names[seat], points=points, cards=view["cards"][seat])
        lines.append(line[:72])
    if view["hand"] is not None:
        lines.append(texts["hand"].format(cards=_list(view["hand"])))
    return "\n".join(lines)


def ask(part: Part, view: Json, language: str, names: Sequence[str]) -> Question:
    """Return the question for the card of a bid."""
    return Question(
        text=TEXTS[language]["which"], labels=tuple(map(str, part.values)), places=(None,) * len(part.values)
    )


def explain(told: Json, viewer: Seat | None, language: str, names: Sequence[str]) -> tuple[Section, ...]:
    """Return everybody's points, and the lots that they come from."""
    texts, won = TEXTS[language], told["lots"]
    rows = [
        (names[seat], _list([each["lot"] for each in lots]), str(told["scores"][seat])) for seat, lots in enumerate(won)
    ]
    lines = [texts["brings"].format(name=names[seat], **each) for seat, lots in enumerate(won) for each in lots]
    head = (texts["player"], texts["lots"], texts["score"])
    return (Section(title=texts["score"], head=head, rows=tuple(rows), lines=tuple(lines)),)


def _list(cards: Sequence[int]) -> str:
    return ", ".join(map(str, cards)) or "-"
