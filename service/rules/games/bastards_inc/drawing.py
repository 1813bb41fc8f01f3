"""The drawing phase: everybody chooses unseen, then all pay, discard and draw (B-20 to B-24)."""

from __future__ import annotations

from service.rules.games.bastards_inc import collecting
from service.rules.games.bastards_inc.actions import Draw, Drop, Keep
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.numbers import EFFORT
from service.rules.games.bastards_inc.events import CardsDiscarded, DiscardChosen, DrawChosen
from service.rules.games.bastards_inc.paying import can_pay, pay
from service.rules.games.bastards_inc.piles import draw_cards
from service.rules.games.bastards_inc.state import Company, State
from service.rules.kernel import Illegal
from service.rules.kit.turns import clockwise


def drop(course: Course, seat: int, action: Drop) -> None:
    """Choose a card of the hand to be discarded (B-20)."""
    company = course.state.companies[seat]
    if action.card not in company.hand:
        raise Illegal("card-not-in-hand", "B-20", card=action.card)
    if action.card in company.dropped:
        raise Illegal("card-dropped-already", "B-20", card=action.card)
    course.record(DiscardChosen(seat=seat, card=action.card))


def draw(course: Course, seat: int, action: Draw) -> None:
    """End the seat's answer (B-20, B-21)."""
    company, bonus = course.state.companies[seat], action.bonus
    if not 0 <= bonus < len(EFFORT):
        raise Illegal("no-such-bonus", "B-20", bonus=bonus)
    if bonus and not buys_a_card(company, bonus):
        raise Illegal("bonus-buys-no-card", "B-21", bonus=bonus)
    if not can_pay(company, EFFORT[bonus]):
        raise Illegal("cannot-pay", "B-10", price=EFFORT[bonus])
    course.record(DrawChosen(seat=seat, bonus=bonus))


def keep(course: Course, seat: int, _: Keep) -> None:
    """End the seat's answer: it draws nothing (B-20)."""
    if not may_keep(course.state, seat):
        raise Illegal("draws-nothing-anyway", "B-20")
    course.record(DrawChosen(seat=seat, bonus=None))


def may_keep(state: State, seat: int) -> bool:
    """Say whether a seat would draw a card, and may do without (B-20; since revision 2)."""
    return state.revision > 1 and buys_a_card(state.companies[seat], 0)


def buys_a_card(company: Company, bonus: int) -> bool:
    """Say whether the hand after discarding leaves room for a card, with the bonus (B-21)."""
    return len(company.hand) - len(company.dropped) < len(company.vps) + bonus


def finish(course: Course) -> None:
    """Let everybody pay and discard, then draw, each time from the start player clockwise; go on to collecting."""
    answers = course.state.answers
    bonuses = {seat: bonus for seat, bonus in answers if isinstance(bonus, int)}
    order = clockwise(len(course.state.companies), course.state.start_player)
    for seat in order:
        pay(course, seat, EFFORT[bonuses.get(seat, 0)])
        dropped = course.state.companies[seat].dropped
        if dropped:
            course.record(CardsDiscarded(seat=seat, cards=dropped))
    for seat in order:
        if (seat, None) in answers:
            continue
        company = course.state.companies[seat]
        draw_cards(course, seat, len(company.vps) + bonuses.get(seat, 0) - len(company.hand))
    collecting.ask_to_collect(course)
