"""Deals what one viewer cannot see once more (B-05): hands, piles, answers that are not revealed, guard and watch.

What a seat was asked or not asked in the business phase tells of its hand (B-52); the state keeps no book of that, so
such hands are dealt as all others are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count, islice
from typing import NamedTuple, get_args

from service.rules.arrangements import FEWEST_ARRANGEMENTS, arrangements
from service.rules.games.bastards_inc.costs import can_pay
from service.rules.games.bastards_inc.edition import EFFORT_PRICES
from service.rules.games.bastards_inc.legal import buys_a_card, collectable, may_keep, may_leave
from service.rules.games.bastards_inc.state import Answer, Company, State, standing, updated
from service.rules.games.bastards_inc.terms import (
    CARDS,
    EVENT_CARDS,
    NEWS,
    SECRETLY_SET,
    SETTINGS,
    Card,
    EventCard,
    Guard,
    Instruction,
    Watch,
)
from service.rules.games.bastards_inc.view import UNSEEN
from service.rules.kernel import Dice

ANY_WAY = 3
"""After so many secret instructions guard and watch may be set in any way."""


class Way(NamedTuple):
    """How guard and watch may be set, and which of them were set in this turn."""

    guard: Guard = "ask"
    watch: Watch = "ask"
    now: tuple[Instruction, ...] = ()


def deal_again(state: State, viewer: int | None, dice: Dice) -> State:
    """Return a table alike in all that the viewer may know; a game that is over has nothing left to deal."""
    if state.phase == "over":
        return state
    others = tuple(seat for seat in range(len(state.companies)) if seat != viewer)
    state = _cards(state, others, dice)
    for seat in others:
        state = _instructions(state, seat, dice)
    if state.phase == "draw":
        return _draws(state, others, dice)
    return _answers(state, others, dice) if state.phase in UNSEEN else state


def _cards(state: State, others: tuple[int, ...], dice: Dice) -> State:
    """Deal the cards of each reshuffle among themselves: which of those in a hand are older is known (B-24)."""
    ages = {card: age for age, cards in enumerate(state.reshuffled, start=1) for card in cards}
    unseen = {*state.cards}.union(*(state.companies[seat].hand for seat in others))
    hands: dict[int, list[str]] = {seat: [] for seat in others}
    for age in range(len(state.reshuffled) + 1):
        pool = [card for card in CARDS if card in unseen and ages.get(card, 0) == age]
        rest = iter(dice.shuffle(f"cards dealt again {age}", pool))
        for seat, hand in hands.items():
            hand.extend(islice(rest, sum(ages.get(card, 0) == age for card in state.companies[seat].hand)))
    # The draw pile has the cards of the latest reshuffle alone, which came last.
    events = dice.shuffle("events dealt again", sorted(state.events, key=EVENT_CARDS.index))
    for seat, hand in hands.items():
        state = updated(state, seat, hand=tuple(sorted(hand)))
    return state._replace(cards=tuple(rest), events=tuple(events))


def _instructions(state: State, seat: int, dice: Dice) -> State:
    """Set guard and watch in one of the ways that the seat's secret instructions leave open (B-16, B-17)."""
    company = state.companies[seat]
    now = sum(each in SECRETLY_SET for each in company.instructed)
    possible = [way for way in _ways(company.secrets - now, now) if _shown(state, seat, company, way)]
    way = possible[dice.roll(f"instructions given again {seat}", len(possible))[0] - 1]
    instructed = tuple(each for each in company.instructed if each not in SECRETLY_SET) + way.now
    return updated(state, seat, guard=way.guard, watch=way.watch, instructed=instructed)


@cache
def _ways(before: int, now: int) -> tuple[Way, ...]:
    """Return every way that so many secret instructions before this turn and in it may lead to, each once."""
    ways = {Way()}
    for _ in range(min(before, ANY_WAY)):
        ways = {way for each in ways for instruction in SECRETLY_SET for way in _set(each, instruction)}
    for _ in range(now):
        ways = {
            way._replace(now=tuple(sorted((*each.now, instruction))))
            for each in ways
            for instruction in SECRETLY_SET
            if instruction not in each.now
            for way in _set(each, instruction)
        }
    return tuple(sorted(ways))


def _set(way: Way, instruction: Instruction) -> list[Way]:
    if instruction == "guard":
        return [way._replace(guard=guard) for guard in get_args(Guard) if guard != way.guard]
    return [way._replace(watch=watch) for watch in get_args(Watch) if watch != way.watch]


def _shown(state: State, seat: int, company: Company, way: Way) -> bool:
    """Say whether a way agrees with who was asked about the arrival or the act, and who was not (B-17)."""
    arrival, act = state.arrival, state.act
    if arrival is not None and seat != arrival.seat and standing(state, seat, arrival.field):
        return way.guard == company.guard
    if state.phase == "expose" and act is not None and seat != act.seat and standing(state, seat, NEWS):
        return way.watch == company.watch
    return True


def _draws(state: State, others: tuple[int, ...], dice: Dice) -> State:
    """Choose discards and bonuses anew, any that are legal together (B-20, B-21)."""
    answers = dict(state.answers)
    for seat in others:
        if seat in answers or seat in state.asked:
            company, bonus = _draw(state.companies[seat], seat, seat in answers, dice)
            state = updated(state, seat, dropped=company.dropped)
            if seat in answers:
                answers[seat] = bonus
    return state._replace(answers=tuple(answers.items()))


def _draw(company: Company, seat: int, answered: bool, dice: Dice) -> tuple[Company, int]:
    """Draw lots until the bonus is legal, so that all discards with all bonuses are alike likely."""
    for attempt in count():
        lots = dice.roll(f"cards dropped again {seat} {attempt}", 2, len(company.hand))
        chosen = company._replace(dropped=tuple(c for c, lot in zip(company.hand, lots, strict=True) if lot == 2))
        bonus = dice.roll(f"bonus chosen again {seat} {attempt}", len(EFFORT_PRICES))[0] - 1 if answered else 0
        if bonus == 0 or (buys_a_card(chosen, bonus) and can_pay(chosen, EFFORT_PRICES[bonus])):
            return chosen, bonus
    raise AssertionError


def _answers(state: State, others: tuple[int, ...], dice: Dice) -> State:
    answers = tuple((seat, _answer(state, seat, dice) if seat in others else answer) for seat, answer in state.answers)
    return state._replace(answers=answers)


def _answer(state: State, seat: int, dice: Dice) -> Answer:
    """Return any answer that the seat may have given: VPs, Influence or None to let in, whether to expose."""
    label = f"answered again {seat}"
    if state.phase == "collect":
        may = collectable(state, seat)
        return tuple(vp for vp, lot in zip(may, dice.roll(label, 2, len(may)), strict=True) if lot == 2)
    if state.phase == "challenge":
        # One lot for each bid from 0 on, and one to let in.
        lot = dice.roll(label, state.companies[seat].influence + 2)[0] - 2
        return None if lot < 0 else lot
    return dice.roll(label, 2)[0] == 2


# States that look the same to one viewer: all that B-05 hides from it is made up anew.

GUARDS: tuple[Guard, ...] = ("ask", "open")
WATCHES: tuple[Watch, ...] = ("ask", "never", "always")
GIVEN: tuple[tuple[Instruction, ...], ...] = ((), tuple(SETTINGS))
"""Which instructions a seat has given in this turn."""


def imagine(state: State, viewer: int | None) -> Sequence[State]:
    """Return states alike in all that the viewer may know: other hands, piles, answers and instructions."""
    if state.phase == "over":
        return [state]
    cards = arrangements(_unseen_cards(state, viewer))
    events = _piles(sorted(state.events, key=EVENT_CARDS.index))
    return [
        _with_events(_with_secrets(_with_cards(state, viewer, cards[n % len(cards)]), viewer, n), events, n)
        for n in range(max(len(cards), len(events), FEWEST_ARRANGEMENTS))
    ]


def _piles(events: list[EventCard]) -> list[list[EventCard]]:
    """Return piles of which each has another event on top, so that no event seems to be out of the question."""
    return [[*events[shift:], *events[:shift]] for shift in range(len(events))] or [[]]


def _unseen_cards(state: State, viewer: int | None) -> list[Card]:
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
        (seat, answer if seat == viewer else _imagined_answer(state, seat, number)) for seat, answer in state.answers
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


def _imagined_answer(state: State, seat: int, number: int) -> Answer:
    choices = _possible_answers(state, seat)
    return choices[number % len(choices)]


def _possible_answers(state: State, seat: int) -> list[Answer]:
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
    more = [
        bonus
        for bonus, price in enumerate(EFFORT_PRICES)
        if bonus and price <= means and held < len(company.vps) + bonus
    ]
    return [0, *more]


def _collectable(state: State, seat: int) -> tuple[int, ...]:
    """Return the VPs that may leave their fields (B-23)."""
    vps = enumerate(state.companies[seat].vps, start=1)
    return tuple(number for number, vp in vps if may_leave(state, seat, vp.at))
