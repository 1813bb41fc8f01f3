"""The questions for the parts of an action, and label and place of each value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.tabletop.words import speaker, word
from service.rules.games.new_corp_order.tabletop.zones import hand_place
from service.rules.games.new_corp_order.terms import SQUARES
from service.rules.games.new_corp_order.words.voice import fill

_QUESTIONS: Mapping[str, str] = {
    "plot/first": "plot/sources/0",
    "plot/second": "plot/sources/1",
    "infiltrate/colour": "infiltrate/placements/0/colour",
    "take-over/target": "take-over/target",
    "choose-conglomerates/pair": "choose-conglomerates/colours",
    "exchange-agents/first": "exchange-agents/first",
    "exchange-agents/second": "exchange-agents/second",
    "move-agents/source": "move-agents/moves/0/source",
    "move-agents/target": "move-agents/moves/#/target",
    "move-agents/target2": "move-agents/moves/#/target",
    "rotate-cards/pile": "rotate-cards/colour",
    "unrotate-cards/first": "unrotate-cards/colours/0",
    "exchange-cards/give": "exchange-cards/give/colour",
    "exchange-cards/take": "exchange-cards/take/colour",
    "remove-card/pile": "remove-card/card/colour",
    "discard/first": "discard/cards/#",
    "add-agents/company": "add-agents/company",
    "place-card/colour": "place-card/colour",
    "withdraw-agents/company": "withdraw-agents/company",
}
"""Where the question for a part stands among those of the game."""
_NOTHING: Mapping[str, str] = {
    "plot/second": "plot/sources/1.none",
    "infiltrate/use": "infiltrate/use.none",
    "infiltrate/joker": "infiltrate/joker.none",
    "infiltrate/take": "infiltrate/take.none",
    "infiltrate/colour2": "infiltrate/placements/1/colour.none",
    "take-over/use": "take-over/use.none",
    "move-agents/source2": "move-agents/moves/1/source.none",
    "unrotate-cards/second": "unrotate-cards/colours/1.none",
}
"""What it is called to choose nothing for a part."""


def ask(sight: Sight, kind: str, part: str) -> str:
    """Return the question for a part that has to be picked."""
    return speaker(sight).language.questions[_QUESTIONS[f"{kind}/{part}"]]


def show(sight: Sight, kind: str, part: str, value: Any) -> tuple[str, str | None]:
    """Return the label of a value for a part, and the place on the board or the piece that stands for it."""
    if value is None:
        key = _NOTHING.get(f"{kind}/{part}")
        return (speaker(sight).language.questions[key] if key else word(sight, "none")), None
    if value in SQUARES:
        return _company(sight, value)
    return _SHOWN.get(part, _SHOWN.get(kind, _colour))(sight, value)


def _company(sight: Sight, square: str) -> tuple[str, str]:
    voice = speaker(sight)
    company = next(each for each in sight.view["grid"]["companies"] if each["square"] == square)
    agents = voice.coloured("agents-listed", company["agents"], company["colour"])
    fields = {"square": square, "name": company["name"], "agents": agents}
    return fill(voice.language.questions["company"], fields), square


def _slot(sight: Sight, slot: str) -> tuple[str, str]:
    voice = speaker(sight)
    if not slot.isdigit():
        return _begun(voice.phrase("take-deck")), slot
    card = sight.view["display"][int(slot) - 1]
    return _begun(word(sight, "slot", slot=slot, card=voice.colour(card))), slot


def _hand(sight: Sight, colour: str) -> tuple[str, str]:
    voice, held = speaker(sight), sight.view["you"]["hand"]
    label = fill(voice.language.questions["in-hand"], {"colour": voice.colour(colour), "n": held[colour]})
    return _begun(label), hand_place(colour)


def _colour(sight: Sight, colour: str) -> tuple[str, None]:
    return _begun(speaker(sight).colour(colour)), None


def _pair(sight: Sight, colours: str) -> tuple[str, None]:
    return _begun(speaker(sight).pair(colours.split("-"))), None


def _begun(label: str) -> str:
    """Return a label of words that stand within sentences elsewhere, with a capital letter."""
    return label[0].upper() + label[1:]


def _pile(sight: Sight, name: str) -> tuple[str, str]:
    """A pile in an HQ goes by its seat, its colour, and whether its cards are rotated."""
    seat, colour, *rotated = name.split("-")
    voice = speaker(sight)
    what = voice.card(colour, bool(rotated))
    return voice.phrase("held-by", name=voice.name(int(seat)), what=what), f"@{name}"


def _number(kind: str) -> Callable[[Sight, int], tuple[str, None]]:
    return lambda sight, n: (speaker(sight).number(kind, n), None)


def _consultant(place: str) -> Callable[[Sight, str], tuple[str, str]]:
    return lambda sight, consultant: (speaker(sight).consultant(consultant), f"{place}-{consultant}")


_SHOWN: Mapping[str, Callable[[Sight, Any], tuple[str, str | None]]] = {
    "plot": _slot,
    "discard": _hand,
    "pair": _pair,
    "unrotate-cards": _pile,
    "colour": _hand,
    "colour2": _hand,
    "joker": _hand,
    "pile": _pile,
    "give": _pile,
    "take": lambda sight, value: (_consultant("supply") if value[0].isalpha() else _pile)(sight, value),
    "use": _consultant("consultant"),
    "cards": _number("cards"),
    "cards2": _number("cards"),
    "agents": _number("agents-alone"),
}
