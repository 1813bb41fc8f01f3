"""Deal again what one viewer cannot see: hands, deck, cards put away face down, objectives.

The state does not record which cards a viewer saw on their way to a hand or to the box: they are dealt again too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import (
    ALL_TYPES,
    COLOURS,
    COMPANY_TYPES,
    NONE,
    Colour,
    CompanyType,
    Counts,
    add,
    count,
)
from service.rules.kernel import Dice
from service.rules.permutations import sample_permutations

BOXED = 5
"""Cards of each colour in the box of a game for one or two, put there before the shuffle (R-06)."""


def deal_again(state: State, viewer: int | None, dice: Dice) -> State:
    """Return a table alike in all that the viewer may know; a game that is over has nothing left to deal."""
    if state.phase == "over":
        return state
    if state.solo:
        return _deal_solo(state, dice)
    return _deal_objectives(_deal_cards(state, viewer, dice), viewer, dice)


def _deal_solo(state: State, dice: Dice) -> State:
    """Deal the deck of a solo game again; before the conglomerates are chosen, display and objectives too (R-50)."""
    if state.colours:
        return state._replace(deck=tuple(_shuffled(Counter(state.deck), dice)))
    cards = _shuffled(Counter(state.deck) + Counter(card for card in state.display if card), dice)
    display = tuple(card and next(cards) for card in state.display)
    kinds = {company.type for company in state.companies.values()}
    drawn = dice.shuffle("objectives dealt again", [kind for kind in COMPANY_TYPES if kind in kinds])
    shared = tuple(drawn[: len(state.objectives[0])])
    return state._replace(display=display, deck=tuple(cards), objectives=(shared, shared))


def _deal_cards(state: State, viewer: int | None, dice: Dice) -> State:
    known = count(COLOURS * BOXED) if state.seats == 2 else NONE
    others = [hand for seat, hand in enumerate(state.hands) if seat != viewer]
    pool = sum(map(Counter, (state.box, *others)), Counter(state.deck))
    pool.subtract(known)
    cards = _shuffled(pool, dice)
    hands = tuple(
        hand if seat == viewer else count(list(islice(cards, sum(hand.values()))))
        for seat, hand in enumerate(state.hands)
    )
    deck = tuple(islice(cards, len(state.deck)))
    box: Counts = known
    for colour in cards:
        box = add(box, colour, 1)
    return state._replace(hands=hands, deck=deck, box=box)


def _deal_objectives(state: State, viewer: int | None, dice: Dice) -> State:
    """Shuffle until nobody holds two of one type (R-04 puts such pairs back)."""
    pool = Counter(company.type for company in state.companies.values())
    pool.subtract(state.objectives[viewer] if viewer is not None else ())
    unseen: list[CompanyType] = [kind for kind in COMPANY_TYPES for _ in range(pool[kind])]
    attempt = 0
    while True:
        rest = iter(dice.shuffle(f"objectives dealt again {attempt}", unseen))
        dealt = tuple(
            held if seat == viewer else tuple(islice(rest, len(held))) for seat, held in enumerate(state.objectives)
        )
        if all(len(set(held)) == len(held) for held in dealt):
            return state._replace(objectives=dealt)
        attempt += 1


def _shuffled(pool: Counter[Colour], dice: Dice) -> Iterator[Colour]:
    """Shuffle cards from an order by colour, so that the dice alone decide, not the order in the state."""
    return iter(dice.shuffle("cards dealt again", list(chain.from_iterable([c] * pool[c] for c in COLOURS))))


# States that look the same to one viewer, without chance: for checks that a view holds no secret.


def imagine(state: State, viewer: int | None) -> Sequence[State]:
    """Return states alike in all that the viewer may know; cards in the box count as hidden, even if once seen."""
    if state.phase == "over":
        return [state]
    hidden = state.solo and not state.colours
    cards = sample_permutations(_hidden_cards(state, viewer, hidden))
    objectives = sample_permutations(_hidden_objectives(state, viewer))
    return [
        _with_objectives(
            _with_cards(state, viewer, hidden, cards[number % len(cards)]),
            viewer,
            objectives[number % len(objectives)],
        )
        for number in range(max(len(cards), len(objectives)))
    ]


def _hidden_cards(state: State, viewer: int | None, hidden: bool) -> list[Colour]:
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


def _hidden_objectives(state: State, viewer: int | None) -> list[CompanyType]:
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
