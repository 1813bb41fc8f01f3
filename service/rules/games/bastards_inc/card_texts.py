"""What cards do, in a few words: for a hand as text, and wherever a card is explained (B-58, B-75)."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.games.bastards_inc.edition.action_cards import CARD_DATA, CardData
from service.rules.games.bastards_inc.edition.businesses import BUSINESS_DATA, BusinessData
from service.rules.games.bastards_inc.words.voice import Voice, fill, signed

_BUSINESSES: Mapping[str, BusinessData] = dict(BUSINESS_DATA.items())
_ACTION_CARDS: Mapping[str, CardData] = dict(CARD_DATA.items())


def card_text(voice: Voice, card: str) -> str:
    """Return what a business needs and earns, or what an action card does, and what is special about it."""
    effects = voice.language.effects
    if card in _BUSINESSES:
        business = _BUSINESSES[card]
        slots = " + ".join("/".join(slot) for slot in business.slots)
        fields = {"score": voice.thing(business.score), "least": business.least, "slots": slots, "n": business.income}
        return ", ".join([fill(effects["business"], fields), *([effects["illegal"]] if business.illegal else [])])
    data = _ACTION_CARDS[card]
    number = signed(data.number) if data.kind == "stuff" else data.number
    key = f"{data.kind}.any" if data.score == "any" else data.kind
    parts = [fill(effects[key], {"n": number, "score": voice.thing(data.score or "")})]
    if data.cost:
        parts.append(fill(effects["costs"], {"price": voice.price(data.cost)}))
    parts += [effects["free"]] if data.timing == "free" else []
    parts += [effects["illegal"]] if data.illegal else []
    return ", ".join(parts)
