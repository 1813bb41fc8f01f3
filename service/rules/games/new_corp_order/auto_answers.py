"""What a player may have answered for a whole game: skip every ability, discard the commonest colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.rules.auto_answer import AutoAnswer
from service.rules.games.new_corp_order.actions import Action, Discard, SkipAbility
from service.rules.games.new_corp_order.terms import COLOURS, Colour
from service.rules.typeset import typeset


def skip_ability(_: Mapping[str, Any], legal: Sequence[Action]) -> Action | None:
    """Return the skip, where an ability is offered."""
    return next((each for each in legal if isinstance(each, SkipAbility)), None)


def discard_commonest(view: Mapping[str, Any], legal: Sequence[Action]) -> Action | None:
    """Return the discard of the cards above the limit (R-14), each of the colour of which most are held then."""
    discards = [each for each in legal if isinstance(each, Discard)]
    if not discards:
        return None
    left = dict(view["you"]["hand"])
    chosen: list[Colour] = []
    for _ in discards[0].cards:
        # Of equal numbers the first colour of the rulebook's order.
        colour = max(COLOURS, key=lambda each: left[each])
        left[colour] -= 1
        chosen.append(colour)
    return Discard(cards=tuple(sorted(chosen, key=COLOURS.index)))


AUTO_ANSWERS = (
    AutoAnswer(
        name="skip-ability",
        describe={
            "en": "Never use the ability of a company that was taken over",
            "de": "Die Fähigkeit einer übernommenen Firma nie nutzen",
            "fr": typeset("Ne jamais utiliser la capacité d'une Compagnie prise"),
        },
        answer=skip_ability,
    ),
    AutoAnswer(
        name="discard-commonest",
        describe={
            "en": "Discard cards of the colour held most",
            "de": "Karten der Farbe abwerfen, von der am meisten auf der Hand sind",
            "fr": typeset("Défausser les cartes de la couleur la plus nombreuse en main"),
        },
        answer=discard_commonest,
    ),
)
