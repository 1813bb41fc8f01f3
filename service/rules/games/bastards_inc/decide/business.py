"""The business phase: turns, sales, laundering, hiring, the prize, gifts, instructions (B-50 to B-60, B-70)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.actions import BuyPrize, Campaign, Give, Hire, Instruct, Launder, Sell
from service.rules.games.bastards_inc.costs import (
    audience,
    can_pay,
    income,
    laundering_effort,
    sale_is_illegal,
    selling_effort,
    stuff_of,
)
from service.rules.games.bastards_inc.decide import cards, deals
from service.rules.games.bastards_inc.decide.cards import take_effect
from service.rules.games.bastards_inc.decide.course import Course, pay, wake
from service.rules.games.bastards_inc.decide.deals import number_of
from service.rules.games.bastards_inc.decide.journalism import answer, goes_ahead
from service.rules.games.bastards_inc.decide.rounds import end_round
from service.rules.games.bastards_inc.edition import (
    GIFT_SIZES,
    LAUREATE_FEE,
    MAX_STUFF,
    MAX_VPS,
    PRIZE_PRICE,
    VP_PRICE,
)
from service.rules.games.bastards_inc.events import (
    ActAnnounced,
    BusinessBegun,
    CampaignRun,
    DecisionReached,
    FeePaid,
    InstructionGiven,
    MoneyGiven,
    MoneyLaundered,
    PrizeBought,
    StuffSold,
    TurnBegan,
    TurnPassed,
    VicePresidentHired,
)
from service.rules.games.bastards_inc.legal import has_a_reason, may_leave
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS, SETTINGS, SQUARES, Region
from service.rules.kernel import Illegal

Step = Callable[[Course, int, Any], None]


# Turns, round and round until all have passed in a row (B-50 to B-53).


def begin_business(course: Course) -> None:
    """Set businesses upright, pay the laureate, and give the first turn (B-50, B-73)."""
    course.record(BusinessBegun())
    laureate = course.state.laureate
    if laureate is not None:
        course.record(FeePaid(seat=laureate, influence=LAUREATE_FEE))
    _give_turn(course, course.state.start_player)


def _give_turn(course: Course, seat: int) -> None:
    """Give the turn to the next seat that has a reason to act; end the phase after a round of passes (B-51, B-52)."""
    seats = len(course.state.companies)
    while course.state.passes < seats:
        if not course.state.companies[seat].done and has_a_reason(course.state, seat):
            course.record(TurnBegan(seat=seat))
            course.record(DecisionReached(phase="business", seats=(seat,)))
            return
        course.record(TurnPassed(seat=seat, asked=False))
        seat = (seat + 1) % seats
    deals.lapse_all(course)
    end_round(course)


def _end_turn(course: Course, seat: int) -> None:
    deals.lapse(course)
    _give_turn(course, (seat + 1) % len(course.state.companies))


def _as_the_action(take: Step) -> Step:
    """Return a step that ends the turn, unless journalists are asked first."""

    def step(course: Course, seat: int, action: Any) -> None:
        take(course, seat, action)
        if course.state.phase != "expose":
            _end_turn(course, seat)

    return step


def _beside(take: Step) -> Step:
    """Return a step that is free: the same seat is asked again (B-54)."""

    def step(course: Course, seat: int, action: Any) -> None:
        take(course, seat, action)
        deals.lapse(course)
        course.record(DecisionReached(phase="business", seats=(seat,)))

    return step


def _play(course: Course, seat: int, action: a.Play) -> None:
    kind = _beside if cards.is_free(action) else _as_the_action
    kind(cards.play)(course, seat, action)


def _pass(course: Course, seat: int, action: a.Pass | a.Done) -> None:
    course.record(TurnPassed(seat=seat, asked=True, done=isinstance(action, a.Done)))
    _end_turn(course, seat)


def _report(course: Course, seat: int, action: a.Expose | a.KeepSilent) -> None:
    """Take a journalist's answer; with the last one the act takes place or is exposed (B-62)."""
    actor = course.state.active
    act = answer(course, seat, isinstance(action, a.Expose))
    if act is not None:
        if act.sell is not None:
            deliver(course, act.seat, act.sell)
        if act.deal is not None:
            deals.make(course, act.seat, act.deal)
        if act.play is not None:
            take_effect(course, act.seat, act.play)
    if not course.state.asked:
        _end_turn(course, actor)


# Actions with a VP or with Influence (B-59, B-60, B-70).


def launder(course: Course, seat: int, action: Launder) -> None:
    state = course.state
    region = region_of(state, seat, action.vp)
    black = state.companies[seat].vps[action.vp - 1].black
    if not black:
        raise Illegal("no-black-money", "B-59", vp=action.vp)
    _pay_effort(course, seat, laundering_effort(state, seat, region))
    course.record(MoneyLaundered(seat=seat, vp=action.vp, billions=black))


def sell(course: Course, seat: int, action: Sell) -> None:
    """Announce a sale of Stuff; it takes place unless a journalist may expose it (B-60)."""
    state = course.state
    region = region_of(state, seat, action.vp)
    if stuff_of(state, region) >= MAX_STUFF:
        raise Illegal("too-much-stuff", "B-60", region=region)
    _pay_effort(course, seat, selling_effort(state, seat, region))
    if goes_ahead(course, ActAnnounced(seat=seat, sell=action), sale_is_illegal(state, region)):
        deliver(course, seat, action)


def deliver(course: Course, seat: int, action: Sell) -> None:
    region = region_of(course.state, seat, action.vp)
    billions = income(course.state, region)
    course.record(StuffSold(seat=seat, vp=action.vp, region=region, billions=billions))


def campaign(course: Course, seat: int, action: Campaign) -> None:
    state = course.state
    place = state.companies[seat].vps[number_of(state, seat, action.vp) - 1].at
    square = next((each for each in SQUARES if each == place), None)
    if square is None:
        raise Illegal("not-on-a-media-square", "B-60", vp=action.vp)
    course.record(CampaignRun(seat=seat, vp=action.vp, square=square, influence=audience(state, square)))


def hire(course: Course, seat: int, _: Hire) -> None:
    own = course.state.companies[seat]
    if len(own.vps) >= MAX_VPS:
        raise Illegal("enough-vps", "B-15", most=MAX_VPS)
    if not can_pay(own, VP_PRICE):
        raise Illegal("cannot-pay", "B-11", price=VP_PRICE)
    pay(course, seat, VP_PRICE)
    course.record(VicePresidentHired(seat=seat, vp=len(own.vps) + 1))


def buy_prize(course: Course, seat: int, _: BuyPrize) -> None:
    """Buy the Nobel Peace Prize for Influence, from the bank or from under the laureate (B-70)."""
    state = course.state
    if state.laureate == seat:
        raise Illegal("already-laureate", "B-70")
    if state.companies[seat].influence < PRIZE_PRICE:
        raise Illegal("too-little-influence", "B-70", price=PRIZE_PRICE)
    former = state.laureate
    course.record(PrizeBought(seat=seat, influence=PRIZE_PRICE, former=former))
    if former is not None:
        wake(course, former, "prize")


def region_of(state: State, seat: int, vp: int) -> Region:
    """Return the region of a VP that may leave it; raise Illegal otherwise (B-48)."""
    place = state.companies[seat].vps[number_of(state, seat, vp) - 1].at
    region = next((each for each in REGIONS if each == place), None)
    if region is None:
        raise Illegal("not-in-a-region", vp=vp)
    if not may_leave(state, seat, region):
        raise Illegal("region-at-war", "B-48", region=region)
    return region


def _pay_effort(course: Course, seat: int, price: int | None) -> None:
    if price is None:
        raise Illegal("score-too-low", "B-10")
    if not can_pay(course.state.companies[seat], price):
        raise Illegal("cannot-pay", "B-10", price=price)
    pay(course, seat, price)


# Gifts and instructions (B-16, B-54).


def give(course: Course, seat: int, action: Give) -> None:
    """Give Billions to another seat, once per turn (B-54)."""
    own = course.state.companies[seat]
    if not 0 <= action.seat < len(course.state.companies) or action.seat == seat:
        raise Illegal("no-such-seat", seat=action.seat)
    if own.gave:
        raise Illegal("once-per-turn", "B-54")
    if action.billions not in GIFT_SIZES:
        raise Illegal("no-such-gift", "B-54", billions=action.billions)
    if own.billions < action.billions:
        raise Illegal("cannot-pay", "B-11", price=action.billions)
    course.record(MoneyGiven(seat=seat, to=action.seat, billions=action.billions))
    wake(course, action.seat, "gift")


def instruct(course: Course, seat: int, action: Instruct) -> None:
    """Set an instruction; a seat that acts alone is asked again (B-07, B-16)."""
    own = course.state.companies[seat]
    if action.setting not in SETTINGS[action.instruction]:
        raise Illegal("no-such-setting", "B-16", instruction=action.instruction, setting=action.setting)
    if action.instruction in own.instructed:
        raise Illegal("once-per-turn", "B-16", instruction=action.instruction)
    if getattr(own, action.instruction) == action.setting:
        raise Illegal("already-so", "B-16", instruction=action.instruction, setting=action.setting)
    course.record(InstructionGiven(seat=seat, instruction=action.instruction, setting=action.setting))
    if course.state.phase != "draw":
        course.record(DecisionReached(phase=course.state.phase, seats=(seat,)))


STEPS: Mapping[type[a.Action], Step] = {
    a.Deal: _as_the_action(deals.deal),
    a.Launder: _as_the_action(launder),
    a.Sell: _as_the_action(sell),
    a.Campaign: _as_the_action(campaign),
    a.Hire: _as_the_action(hire),
    a.BuyPrize: _as_the_action(buy_prize),
    a.Play: _play,
    a.Pass: _pass,
    a.Done: _pass,
    a.Give: _beside(give),
    a.Invite: _beside(deals.invite),
    a.Withdraw: _beside(deals.withdraw),
    a.Agree: _beside(deals.agree),
    a.Decline: _beside(deals.decline),
    a.Instruct: instruct,
    a.Expose: _report,
    a.KeepSilent: _report,
}
"""Step of each action of the phases business and expose."""
