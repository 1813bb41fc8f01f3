"""The business phase: turns round and round until all have passed in a row (B-50 to B-54)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc import cards, deals, gifts, sales, ventures
from service.rules.games.bastards_inc.business_events import ActAnnounced, BusinessBegun, FeePaid, TurnPassed
from service.rules.games.bastards_inc.card_effects import take_effect
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.numbers import PRIZE_FEE
from service.rules.games.bastards_inc.events import DecisionReached, TurnBegan
from service.rules.games.bastards_inc.instructing import instruct
from service.rules.games.bastards_inc.journalism import answer
from service.rules.games.bastards_inc.legal_business import has_a_reason
from service.rules.games.bastards_inc.rounds import end_round

Step = Callable[[Course, int, Any], None]


def begin_business(course: Course) -> None:
    """Set businesses upright, pay the laureate, and ask the first who has something to do (B-50, B-73)."""
    course.record(BusinessBegun())
    laureate = course.state.laureate
    if laureate is not None:
        course.record(FeePaid(seat=laureate, influence=PRIZE_FEE))
    _give_turn(course, course.state.start_player)


def _give_turn(course: Course, seat: int) -> None:
    """Ask the next seat clockwise that is to be asked; the phase ends when all have passed in a row (B-51, B-52)."""
    seats = len(course.state.companies)
    while course.state.passes < seats:
        if not course.state.companies[seat].done and has_a_reason(course.state, seat):
            course.record(TurnBegan(seat=seat))
            course.record(DecisionReached(phase="business", seats=(seat,)))
            return
        course.record(TurnPassed(seat=seat, asked=False))
        seat = (seat + 1) % seats
    ventures.lapse_all(course)
    end_round(course)


def _end_turn(course: Course, seat: int) -> None:
    ventures.lapse(course)
    _give_turn(course, (seat + 1) % len(course.state.companies))


def _as_the_action(take: Step) -> Step:
    """Return the step of what is the action of a turn, which ends unless journalists are asked first."""

    def step(course: Course, seat: int, action: Any) -> None:
        take(course, seat, action)
        if course.state.phase != "expose":
            _end_turn(course, seat)

    return step


def _beside(take: Step) -> Step:
    """Return the step of what is free: the same seat is asked again (B-54)."""

    def step(course: Course, seat: int, action: Any) -> None:
        take(course, seat, action)
        ventures.lapse(course)
        course.record(DecisionReached(phase="business", seats=(seat,)))

    return step


def _play(course: Course, seat: int, action: a.Play) -> None:
    kind = _beside if cards.is_free(action) else _as_the_action
    kind(cards.play)(course, seat, action)


def _pass(course: Course, seat: int, action: a.Pass | a.Done) -> None:
    course.record(TurnPassed(seat=seat, asked=True, done=isinstance(action, a.Done)))
    _end_turn(course, seat)


def _report(course: Course, seat: int, action: a.Expose | a.KeepSilent) -> None:
    """Take a journalist's answer; after the last one the act happens or has been exposed (B-62)."""
    actor = course.state.active
    act = answer(course, seat, isinstance(action, a.Expose))
    if act is not None:
        _carry_out(course, act)
    if not course.state.asked:
        _end_turn(course, actor)


def _carry_out(course: Course, act: ActAnnounced) -> None:
    if act.sell is not None:
        sales.deliver(course, act.seat, act.sell)
    if act.deal is not None:
        deals.make(course, act.seat, act.deal)
    if act.play is not None:
        take_effect(course, act.seat, act.play)


STEPS: Mapping[type[a.Action], Step] = {
    a.Deal: _as_the_action(deals.deal),
    a.Launder: _as_the_action(sales.launder),
    a.Sell: _as_the_action(sales.sell),
    a.Campaign: _as_the_action(sales.campaign),
    a.Hire: _as_the_action(sales.hire),
    a.BuyPrize: _as_the_action(sales.buy_prize),
    a.Play: _play,
    a.Pass: _pass,
    a.Done: _pass,
    a.Give: _beside(gifts.give),
    a.Invite: _beside(ventures.invite),
    a.Withdraw: _beside(ventures.withdraw),
    a.Agree: _beside(ventures.agree),
    a.Decline: _beside(ventures.decline),
    a.Instruct: instruct,
    a.Expose: _report,
    a.KeepSilent: _report,
}
"""What each action of the phases business and expose does."""
