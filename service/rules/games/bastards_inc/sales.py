"""What a VP or Influence earns at once: laundering, sales, campaigns; hiring and the prize (B-59, B-60, B-70)."""

from __future__ import annotations

from service.rules.games.bastards_inc.actions import BuyPrize, Campaign, Hire, Launder, Sell
from service.rules.games.bastards_inc.business_events import (
    ActAnnounced,
    CampaignRun,
    MoneyLaundered,
    PrizeBought,
    StuffSold,
    VicePresidentHired,
)
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.deals import number_of
from service.rules.games.bastards_inc.edition.board import REGION_DATA
from service.rules.games.bastards_inc.edition.numbers import (
    CAMPAIGN,
    MOST_STUFF,
    MOST_VPS,
    PITY_CAMPAIGN,
    PRIZE_PRICE,
    VP_PRICE,
)
from service.rules.games.bastards_inc.journalism import goes_ahead
from service.rules.games.bastards_inc.paying import can_pay, effort, pay
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import PITY, REGIONS, SQUARES, Region, Square
from service.rules.games.bastards_inc.values import income, laundering_effort, may_leave, stuff_of, threshold
from service.rules.games.bastards_inc.waking import wake
from service.rules.kernel import Illegal


def launder(course: Course, seat: int, action: Launder) -> None:
    """Turn the black money of a VP into Billions and send it to the Lounge (B-59)."""
    state = course.state
    region = region_of(state, seat, action.vp)
    black = state.companies[seat].vps[action.vp - 1].black
    if not black:
        raise Illegal("no-black-money", "B-59", vp=action.vp)
    _pay_effort(course, seat, laundering_effort(state, seat, region))
    course.record(MoneyLaundered(seat=seat, vp=action.vp, billions=black))


def sell(course: Course, seat: int, action: Sell) -> None:
    """Announce a sale of Stuff, and sell it if nobody stops that (B-60)."""
    state = course.state
    region = region_of(state, seat, action.vp)
    if stuff_of(state, region) >= MOST_STUFF:
        raise Illegal("too-much-stuff", "B-60", region=region)
    _pay_effort(course, seat, selling_effort(state, seat, region))
    if goes_ahead(course, ActAnnounced(seat=seat, sell=action), sale_is_illegal(state, region)):
        deliver(course, seat, action)


def deliver(course: Course, seat: int, action: Sell) -> None:
    """Take the region's income for Stuff; the VP goes to the Lounge (B-60)."""
    region = region_of(course.state, seat, action.vp)
    billions = income(course.state, region)
    course.record(StuffSold(seat=seat, vp=action.vp, region=region, billions=billions))


def campaign(course: Course, seat: int, action: Campaign) -> None:
    """Earn Influence with a VP on a media square, who goes to the Lounge (B-60)."""
    state = course.state
    place = state.companies[seat].vps[number_of(state, seat, action.vp) - 1].at
    square = next((each for each in SQUARES if each == place), None)
    if square is None:
        raise Illegal("not-on-a-media-square", "B-60", vp=action.vp)
    course.record(CampaignRun(seat=seat, vp=action.vp, square=square, influence=audience(state, square)))


def hire(course: Course, seat: int, _: Hire) -> None:
    """Hire a VP for Billions (B-60)."""
    own = course.state.companies[seat]
    check_room(course.state, seat)
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


def check_room(state: State, seat: int) -> None:
    """Raise Illegal if the seat has as many VPs as it may (B-15)."""
    if len(state.companies[seat].vps) >= MOST_VPS:
        raise Illegal("enough-vps", "B-15", most=MOST_VPS)


def region_of(state: State, seat: int, vp: int) -> Region:
    """Return the region in which a VP stands that may leave it; raises Illegal (B-48)."""
    place = state.companies[seat].vps[number_of(state, seat, vp) - 1].at
    region = next((each for each in REGIONS if each == place), None)
    if region is None:
        raise Illegal("not-in-a-region", vp=vp)
    if not may_leave(state, seat, region):
        raise Illegal("region-at-war", "B-48", region=region)
    return region


def selling_effort(state: State, seat: int, region: Region) -> int | None:
    """Return the effort for the Technology that a region asks of a seller, None if too much is missing (B-60)."""
    return effort(state.companies[seat].scores.tec, threshold(state, region, "tec"))


def sale_is_illegal(state: State, region: Region) -> bool:
    """Say whether the marker of the region's Stuff enters or stays in the grey part by a sale (B-60)."""
    return stuff_of(state, region) + 1 > REGION_DATA[region].legal_up_to


def audience(state: State, square: Square) -> int:
    """Return the Influence that a campaign earns: more with pity, where there is misery (B-60)."""
    event = state.in_force
    misery = bool(state.wars) or (event is not None and (event.famine or event.disaster))
    return PITY_CAMPAIGN if square == PITY and misery else CAMPAIGN


def _pay_effort(course: Course, seat: int, price: int | None) -> None:
    if price is None:
        raise Illegal("score-too-low", "B-10")
    if not can_pay(course.state.companies[seat], price):
        raise Illegal("cannot-pay", "B-10", price=price)
    pay(course, seat, price)
