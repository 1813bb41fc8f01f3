"""Deals what one viewer cannot see once more: hands, deck, cards put away face down, objectives.

The state keeps no book of what was seen to go into a hand or the box, so such cards are dealt again with the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, count, islice

from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import COLOURS, COMPANY_TYPES, NONE, Colour, CompanyType, Counts, add
from service.rules.games.new_corp_order.terms import count as counted
from service.rules.kernel import Dice

BOXED = 5
"""So many cards of each colour go to the box with one or two players before the cards are shuffled (R-06)."""


def deal_again(state: State, viewer: int | None, dice: Dice) -> State:
    """Return a table alike in all that the viewer may know; a game that is over has nothing left to deal."""
    if state.phase == "over":
        return state
    if state.solo:
        return _solo(state, dice)
    return _objectives(_cards(state, viewer, dice), viewer, dice)


def _solo(state: State, dice: Dice) -> State:
    """Whatever goes to the box in solo is seen; before the conglomerates are chosen, the display is not (R-50)."""
    if state.colours:
        return state._replace(deck=tuple(_shuffled(Counter(state.deck), dice)))
    cards = _shuffled(Counter(state.deck) + Counter(card for card in state.display if card), dice)
    display = tuple(card and next(cards) for card in state.display)
    kinds = {company.type for company in state.companies.values()}
    drawn = dice.shuffle("objectives dealt again", [kind for kind in COMPANY_TYPES if kind in kinds])
    shared = tuple(drawn[: len(state.objectives[0])])
    return state._replace(display=display, deck=tuple(cards), objectives=(shared, shared))


def _cards(state: State, viewer: int | None, dice: Dice) -> State:
    known = counted(COLOURS * BOXED) if state.seats == 2 else NONE
    others = [hand for seat, hand in enumerate(state.hands) if seat != viewer]
    pool = sum(map(Counter, (state.box, *others)), Counter(state.deck))
    pool.subtract(known)
    cards = _shuffled(pool, dice)
    hands = tuple(
        hand if seat == viewer else counted(list(islice(cards, sum(hand.values()))))
        for seat, hand in enumerate(state.hands)
    )
    deck = tuple(islice(cards, len(state.deck)))
    box: Counts = known
    for colour in cards:
        box = add(box, colour, 1)
    return state._replace(hands=hands, deck=deck, box=box)


def _objectives(state: State, viewer: int | None, dice: Dice) -> State:
    """Shuffle until nobody holds two of one type: R-04 has let nobody keep such a pair."""
    pool = Counter(company.type for company in state.companies.values())
    pool.subtract(state.objectives[viewer] if viewer is not None else ())
    unseen: list[CompanyType] = [kind for kind in COMPANY_TYPES for _ in range(pool[kind])]
    for attempt in count():
        rest = iter(dice.shuffle(f"objectives dealt again {attempt}", unseen))
        dealt = tuple(
            held if seat == viewer else tuple(islice(rest, len(held))) for seat, held in enumerate(state.objectives)
        )
        if all(len(set(held)) == len(held) for held in dealt):
            return state._replace(objectives=dealt)
    raise AssertionError


def _shuffled(pool: Counter[Colour], dice: Dice) -> Iterator[Colour]:
    """The cards begin in an order of their own, so that the result follows from the dice and not from the state."""
    return iter(dice.shuffle("cards dealt again", list(chain.from_iterable([c] * pool[c] for c in COLOURS))))
