"""Deals what one viewer cannot see once more (B-05): hands, piles, answers that are not revealed, guard and watch.

What a seat was asked or not asked in the business phase tells of its hand (B-52); the state keeps no book of that, so
such hands are dealt as all others are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count, islice
from typing import Any, NamedTuple, get_args

from service.rules.games.bastards_inc.costs import can_pay
from service.rules.games.bastards_inc.edition import EFFORT_PRICES
from service.rules.games.bastards_inc.legal import buys_a_card, collectable, may_keep
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
from service.rules.games.bastards_inc.view import SIMULTANEOUS_PHASES
from service.rules.kernel import Dice
from service.rules.permutations import FEWEST_PERMUTATIONS, sample_permutations

SECRETS_THAT_ALLOW_ANY = 3
"""After so many secret instructions guard and watch may be set in any way."""


class Way(NamedTuple):
    """Settings of guard and watch, and those of the two that were set in this turn (`now`)."""

    guard: Guard = "ask"
    watch: Watch = "ask"
    now: tuple[Instruction, ...] = ()


def deal_again(state: State, viewer: int | None, dice: Dice) -> State:
    """Return the table with all that the viewer cannot see dealt once more; a finished game is returned as it is."""
    if state.phase == "over":
        return state
    others = tuple(seat for seat in range(len(state.companies)) if seat != viewer)
    state = _cards(state, others, dice)
    for seat in others:
        state = _instructions(state, seat, dice)
    if state.phase == "draw":
        return _draws(state, others, dice)
    return _answers(state, others, dice) if state.phase in SIMULTANEOUS_PHASES else state


def _cards(state: State, others: tuple[int, ...], dice: Dice) -> State:
    """Deal the cards of each reshuffle among themselves: the age of each card in a hand is public (B-24)."""
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
    """Set guard and watch in a way that the seat's secret instructions leave open (B-16, B-17)."""
    company = state.companies[seat]
    now = sum(each in SECRETLY_SET for each in company.instructed)
    possible = [way for way in _ways(company.secrets - now, now) if _shown(state, seat, company, way)]
    way = possible[dice.roll(f"instructions given again {seat}", len(possible))[0] - 1]
    instructed = tuple(each for each in company.instructed if each not in SECRETLY_SET) + way.now
    return updated(state, seat, guard=way.guard, watch=way.watch, instructed=instructed)


@cache
def _ways(before: int, now: int) -> tuple[Way, ...]:
    """Return each result of `before` secret instructions in earlier turns and `now` in this turn."""
    ways = {Way()}
    for _ in range(min(before, SECRETS_THAT_ALLOW_ANY)):
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
    """Say whether a way agrees with the seats that were asked about the arrival or the act (B-17)."""
    arrival, act = state.arrival, state.act
    if arrival is not None and seat != arrival.seat and standing(state, seat, arrival.field):
        return way.guard == company.guard
    if state.phase == "expose" and act is not None and seat != act.seat and standing(state, seat, NEWS):
        return way.watch == company.watch
    return True


def _draws(state: State, others: tuple[int, ...], dice: Dice) -> State:
    """Choose discards and bonuses anew: any that are legal together (B-20, B-21)."""
    answers = dict(state.answers)
    for seat in others:
        if seat in answers or seat in state.asked:
            company, bonus = _draw(state.companies[seat], seat, seat in answers, dice)
            state = updated(state, seat, dropped=company.dropped)
            if seat in answers:
                answers[seat] = bonus
    return state._replace(answers=tuple(answers.items()))


def _draw(company: Company, seat: int, answered: bool, dice: Dice) -> tuple[Company, int]:
    """Draw lots until the bonus is legal, so that all legal pairs of discards and bonus are equally likely."""
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


# States that a viewer cannot tell apart, in a fixed order: for previews and computer players (B-05).

GUARDS: tuple[Guard, ...] = ("ask", "open")
WATCHES: tuple[Watch, ...] = ("ask", "never", "always")
GIVEN_INSTRUCTIONS: tuple[tuple[Instruction, ...], ...] = ((), tuple(SETTINGS))
"""Imagined instructions of a seat in this turn: none, or all."""


def imagine(state: State, viewer: int | None) -> Sequence[State]:
    """Return states that the viewer cannot tell apart: other hands, piles, answers and instructions."""
    if state.phase == "over":
        return [state]
    others = [seat for seat in range(len(state.companies)) if seat != viewer]
    unseen = {*state.cards}.union(*(state.companies[seat].hand for seat in others))
    cards = sample_permutations([card for card in CARDS if card in unseen])
    # Each event is on top of a pile, so that none can be ruled out.
    events = sorted(state.events, key=EVENT_CARDS.index)
    piles = [[*events[shift:], *events[:shift]] for shift in range(len(events))] or [[]]
    return [
        _imagined(state, others, cards[n % len(cards)], piles[n % len(piles)], n)
        for n in range(max(len(cards), len(piles), FEWEST_PERMUTATIONS))
    ]


def _imagined(state: State, others: list[int], cards: list[Card], events: list[EventCard], number: int) -> State:
    """Return the state with these cards and events, and with instructions and answers that differ by `number`."""
    rest = iter(cards)
    for seat in others:
        hand = tuple(sorted(islice(rest, len(state.companies[seat].hand))))
        state = updated(state, seat, hand=hand)
        state = updated(state, seat, **_other_instructions(state, seat, number))
    state = state._replace(cards=tuple(rest), events=tuple(events))
    if state.phase not in SIMULTANEOUS_PHASES:
        return state
    answers = dict(state.answers)
    for seat in others:
        if seat in answers:
            possible = _possible_answers(state, seat)
            answers[seat] = possible[number % len(possible)]
    return state._replace(answers=tuple(answers.items()))


def _other_instructions(state: State, seat: int, number: int) -> dict[str, Any]:
    """Return settings of guard and watch, instructions given in this turn, and cards dropped.

    Guard and watch stay where it is public whether the seat was asked (B-17).
    """
    company, arrival = state.companies[seat], state.arrival
    guarded = state.phase == "challenge" and arrival is not None and standing(state, seat, arrival.field)
    watched = state.phase == "expose" and standing(state, seat, NEWS)
    drops = state.phase == "draw" and (seat in state.asked or seat in dict(state.answers))
    # Each seat changes its values at its own pace: none follows from another's.
    turn = number // (1 + seat % 3)
    return {
        "guard": company.guard if guarded else GUARDS[turn % len(GUARDS)],
        "watch": company.watch if watched else WATCHES[turn % len(WATCHES)],
        "instructed": GIVEN_INSTRUCTIONS[turn % len(GIVEN_INSTRUCTIONS)],
        "dropped": company.hand[: turn % 2] if drops else (),
    }


def _possible_answers(state: State, seat: int) -> list[Answer]:
    """Return answers of the seat that the others must think possible."""
    company = state.companies[seat]
    if state.phase == "draw":
        # A bonus has to buy a card (B-21), and to be paid for.
        held, means = len(company.hand) - len(company.dropped), company.billions + company.influence
        prices = list(enumerate(EFFORT_PRICES))[1:]
        bonuses = [bonus for bonus, price in prices if price <= means and held < len(company.vps) + bonus]
        return [0, *bonuses, *((None,) if may_keep(state, seat) else ())]
    if state.phase == "collect":
        return [(), collectable(state, seat)]
    if state.phase == "challenge":
        return [None, *sorted({0, company.influence})]
    return [False, True]
