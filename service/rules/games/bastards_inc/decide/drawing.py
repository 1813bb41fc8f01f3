"""Drawing cards and collecting VPs: all seats choose unseen and at once (B-20 to B-24)."""

from __future__ import annotations

from service.rules.games.bastards_inc.actions import Collect, Draw, Drop, Keep
from service.rules.games.bastards_inc.costs import can_pay
from service.rules.games.bastards_inc.decide import placing
from service.rules.games.bastards_inc.decide.course import Course, draw_cards, pay
from service.rules.games.bastards_inc.edition import EFFORT_PRICES
from service.rules.games.bastards_inc.events import (
    CardsDiscarded,
    CollectionChosen,
    DecisionReached,
    DiscardChosen,
    DrawChosen,
    VicePresidentsCollected,
)
from service.rules.games.bastards_inc.legal import buys_a_card, collectable, may_keep
from service.rules.kernel import Illegal
from service.rules.kit.turns import clockwise


def drop(course: Course, seat: int, action: Drop) -> None:
    company = course.state.companies[seat]
    if action.card not in company.hand:
        raise Illegal("card-not-in-hand", "B-20", card=action.card)
    if action.card in company.dropped:
        raise Illegal("card-dropped-already", "B-20", card=action.card)
    course.record(DiscardChosen(seat=seat, card=action.card))


def draw(course: Course, seat: int, action: Draw) -> None:
    company, bonus = course.state.companies[seat], action.bonus
    if not 0 <= bonus < len(EFFORT_PRICES):
        raise Illegal("no-such-bonus", "B-20", bonus=bonus)
    if bonus and not buys_a_card(company, bonus):
        raise Illegal("bonus-buys-no-card", "B-21", bonus=bonus)
    if not can_pay(company, EFFORT_PRICES[bonus]):
        raise Illegal("cannot-pay", "B-10", price=EFFORT_PRICES[bonus])
    course.record(DrawChosen(seat=seat, bonus=bonus))


def keep(course: Course, seat: int, _: Keep) -> None:
    if not may_keep(course.state, seat):
        raise Illegal("draws-nothing-anyway", "B-20")
    course.record(DrawChosen(seat=seat, bonus=None))


def finish(course: Course) -> None:
    """Let all seats pay and discard, then draw, clockwise from the start player; go on to collecting (B-20)."""
    answers = course.state.answers
    bonuses = {seat: bonus for seat, bonus in answers if isinstance(bonus, int)}
    order = clockwise(len(course.state.companies), course.state.start_player)
    for seat in order:
        pay(course, seat, EFFORT_PRICES[bonuses.get(seat, 0)])
        dropped = course.state.companies[seat].dropped
        if dropped:
            course.record(CardsDiscarded(seat=seat, cards=dropped))
    for seat in order:
        if (seat, None) in answers:
            continue
        company = course.state.companies[seat]
        draw_cards(course, seat, len(company.vps) + bonuses.get(seat, 0) - len(company.hand))
    ask_to_collect(course)


# Collecting VPs from the board (B-23).


def ask_to_collect(course: Course) -> None:
    state = course.state
    asked = tuple(seat for seat in range(len(state.companies)) if collectable(state, seat))
    if asked:
        course.record(DecisionReached(phase="collect", seats=asked))
    else:
        placing.begin_placing(course)


def collect(course: Course, seat: int, action: Collect) -> None:
    """End the seat's answer; with the last answer the chosen VPs come back, and placing begins (B-23)."""
    if list(action.vps) != sorted(set(action.vps)):
        raise Illegal("not-in-rising-order", "B-23")
    may = collectable(course.state, seat)
    for vp in action.vps:
        if vp not in may:
            raise Illegal("vp-cannot-leave", "B-23", vp=vp)
    course.record(CollectionChosen(seat=seat, vps=action.vps))
    if not course.state.asked:
        _collect_all(course)


def _collect_all(course: Course) -> None:
    chosen = dict(course.state.answers)
    for seat in clockwise(len(course.state.companies), course.state.start_player):
        vps = chosen.get(seat)
        if isinstance(vps, tuple) and vps:
            course.record(VicePresidentsCollected(seat=seat, vps=vps))
    placing.begin_placing(course)
