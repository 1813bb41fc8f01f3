"""States that look the same to one viewer: every card and objective that the viewer cannot see is dealt anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from service.rules.arrangements import arrangements
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import ALL_TYPES, COLOURS, Colour, CompanyType, Counts, count


def imagine(state: State, viewer: int | None) -> Sequence[State]:
    """Return states alike in all that the viewer may know; cards in the box count as hidden, even if once seen."""
    if state.phase == "over":
        return [state]
    hidden = state.solo and not state.colours
    cards = arrangements(_cards(state, viewer, hidden))
    objectives = arrangements(_objectives(state, viewer))
    return [
        _with_objectives(
            _with_cards(state, viewer, hidden, cards[number % len(cards)]),
            viewer,
            objectives[number % len(objectives)],
        )
        for number in range(max(len(cards), len(objectives)))
    ]


def _cards(state: State, viewer: int | None, hidden: bool) -> list[Colour]:
    pool = Counter(state.deck) + Counter(state.box)
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            pool += Counter(hand)
    if hidden:
        pool += Counter(card for card in state.display if card is not None)
    return [colour for colour in COLOURS for _ in range(pool[colour])]


def _with_cards(state: State, viewer: int | None, hidden: bool, cards: list[Colour]) -> State:
    rest = iter(cards)
    hands: list[Counts] = [
        hand if seat == viewer else count(list(islice(rest, sum(hand.values()))))
        for seat, hand in enumerate(state.hands)
    ]
    display = tuple(card and next(rest) for card in state.display) if hidden else state.display
    deck = tuple(islice(rest, len(state.deck)))
    return state._replace(hands=tuple(hands), display=display, deck=deck, box=count(list(rest)))


def _objectives(state: State, viewer: int | None) -> list[CompanyType]:
    """Return the objectives that players may hold whose objectives the viewer does not know."""
    types = Counter(company.type for company in state.companies.values())
    if state.solo:
        return [] if state.colours else [kind for kind in ALL_TYPES if types[kind]]
    own = Counter(state.objectives[viewer] if viewer is not None else ())
    return [kind for kind in ALL_TYPES for _ in range((types - own)[kind])]


def _with_objectives(state: State, viewer: int | None, pool: list[CompanyType]) -> State:
    if not pool:
        return state
    if state.solo:
        shared = tuple(pool[: len(state.objectives[0])])
        return state._replace(objectives=(shared, shared))
    rest = iter(pool)
    dealt = (held if seat == viewer else tuple(islice(rest, len(held))) for seat, held in enumerate(state.objectives))
    return state._replace(objectives=tuple(dealt))
