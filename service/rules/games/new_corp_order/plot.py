"""Plot: two cards, one after the other, from display or deck (R-12, R-51)."""

from __future__ import annotations

from service.rules.games.new_corp_order.actions import Plot
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import CardTaken, DecisionReached, Zone
from service.rules.games.new_corp_order.solo import finish_solo_plot
from service.rules.games.new_corp_order.state import State, cards_due
from service.rules.games.new_corp_order.terms import SLOTS, Colour, Source
from service.rules.games.new_corp_order.turns import finish_plot
from service.rules.kernel import Illegal


def plot(course: Course, action: Plot) -> None:
    """Take one card or two; after a lone first card ask for the second."""
    due = cards_due(course.state)
    if not 1 <= len(action.sources) <= due:
        raise Illegal("wrong-number-of-cards", "R-12", least=min(1, due), most=due)
    for source in action.sources:
        _take(course, source)
    if len(action.sources) < due:
        course.record(DecisionReached(seat=course.state.active, decision="second-card"))
    elif course.state.solo:
        finish_solo_plot(course)
    else:
        finish_plot(course)


def _take(course: Course, source: Source) -> None:
    state = course.state
    if source == "deck":
        if not state.deck:
            raise Illegal("empty-deck", "R-12")
        card: Colour | None = state.deck[0]
    else:
        slot = SLOTS.index(source)
        card = state.display[slot] if slot < len(state.display) else None
    if card is None:
        raise Illegal("empty-slot", "R-12", slot=source)
    course.record(CardTaken(seat=state.active, source=source, card=card, to=_destination(state, card)))


def _destination(state: State, card: Colour) -> Zone:
    if not state.solo:
        return "hand"
    return "hq" if card in state.colours[state.active] else "box"
