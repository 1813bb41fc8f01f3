"""States that look the same to one viewer: all that B-05 hides from it is made up anew."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from service.rules.arrangements import FEWEST_ARRANGEMENTS, arrangements
from service.rules.games.bastards_inc.drawing import may_keep
from service.rules.games.bastards_inc.edition.numbers import EFFORT
from service.rules.games.bastards_inc.state import Answer, Company, State
from service.rules.games.bastards_inc.terms import (
    CARDS,
    EVENT_CARDS,
    NEWS,
    SETTINGS,
    Card,
    EventCard,
    Guard,
    Instruction,
    Watch,
)
from service.rules.games.bastards_inc.values import may_leave
from service.rules.games.bastards_inc.view import UNSEEN

GUARDS: tuple[Guard, ...] = ("ask", "open")
WATCHES: tuple[Watch, ...] = ("ask", "never", "always")
GIVEN: tuple[tuple[Instruction, ...], ...] = ((), tuple(SETTINGS))
"""Which instructions a seat has given in this turn."""


def imagine(state: State, viewer: int | None) -> Sequence[State]:
    """Return states alike in all that the viewer may know: other hands, piles, answers and instructions."""
    if state.phase == "over":
        return [state]
    cards = arrangements(_cards(state, viewer))
    events = _piles(sorted(state.events, key=EVENT_CARDS.index))
    return [
        _with_events(_with_secrets(_with_cards(state, viewer, cards[n % len(cards)]), viewer, n), events, n)
        for n in range(max(len(cards), len(events), FEWEST_ARRANGEMENTS))
    ]


def _piles(events: list[EventCard]) -> list[list[EventCard]]:
    """Return piles of which each has another event on top, so that no event seems to be out of the question."""
    return [[*events[shift:], *events[:shift]] for shift in range(len(events))] or [[]]


def _cards(state: State, viewer: int | None) -> list[Card]:
    """Return the cards that the viewer does not see, in the order of their ids."""
    pool = {*state.cards}.union(*(each.hand for seat, each in enumerate(state.companies) if seat != viewer))
    return [card for card in CARDS if card in pool]


def _with_cards(state: State, viewer: int | None, cards: list[Card]) -> State:
    rest = iter(cards)
    companies = [
        each if seat == viewer else each._replace(hand=_hand(list(islice(rest, len(each.hand)))))
        for seat, each in enumerate(state.companies)
    ]
    return state._replace(companies=tuple(companies), cards=tuple(rest))


def _hand(cards: list[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards))


def _with_events(state: State, events: Sequence[list[EventCard]], number: int) -> State:
    return state._replace(events=tuple(events[number % len(events)]))


def _with_secrets(state: State, viewer: int | None, number: int) -> State:
    """Return the state with other instructions, drops and answers of the others, different ones for each number."""
    companies = [
        each if seat == viewer else _with_instructions(state, seat, each, number)
        for seat, each in enumerate(state.companies)
    ]
    state = state._replace(companies=tuple(companies))
    if state.phase not in UNSEEN:
        return state
    answers = tuple(
        (seat, answer if seat == viewer else _answer(state, seat, number)) for seat, answer in state.answers
    )
    return state._replace(answers=answers)


def _with_instructions(state: State, seat: int, company: Company, number: int) -> Company:
    guarded = state.phase == "challenge" and state.arrival is not None and _stands(company, state.arrival.field)
    watched = state.phase == "expose" and _stands(company, NEWS)
    # Seats take turns with their values at a pace of their own, so that none follows from another's.
    turn = number // (1 + seat % 3)
    drops = state.phase == "draw" and (seat in state.asked or seat in dict(state.answers))
    return company._replace(
        # Whether somebody was asked is public (B-17).
        guard=company.guard if guarded else GUARDS[turn % len(GUARDS)],
        watch=company.watch if watched else WATCHES[turn % len(WATCHES)],
        instructed=GIVEN[turn % len(GIVEN)],
        dropped=company.hand[: turn % 2] if drops else (),
    )


def _stands(company: Company, field: str) -> bool:
    return any(vp.at == field for vp in company.vps)


def _answer(state: State, seat: int, number: int) -> Answer:
    choices = _answers(state, seat)
    return choices[number % len(choices)]


def _answers(state: State, seat: int) -> list[Answer]:
    """Return answers that the seat may have given, as others know."""
    company = state.companies[seat]
    if state.phase == "draw":
        return [*_bonuses(company), *((None,) if may_keep(state, seat) else ())]
    if state.phase == "collect":
        return [(), _collectable(state, seat)]
    if state.phase == "challenge":
        return [None, *sorted({0, company.influence})]
    return [False, True]


def _bonuses(company: Company) -> list[int]:
    """Return the bonuses that the seat may have chosen (B-21)."""
    held, means = len(company.hand) - len(company.dropped), company.billions + company.influence
    more = [bonus for bonus, price in enumerate(EFFORT) if bonus and price <= means and held < len(company.vps) + bonus]
    return [0, *more]


def _collectable(state: State, seat: int) -> tuple[int, ...]:
    """Return the VPs that may leave their fields (B-23)."""
    vps = enumerate(state.companies[seat].vps, start=1)
    return tuple(number for number, vp in vps if may_leave(state, seat, vp.at))
