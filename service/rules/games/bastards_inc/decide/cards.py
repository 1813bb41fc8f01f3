"""Action cards: conditions, prices and effects (B-74 to B-76)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from service.rules.games.bastards_inc import events as e
from service.rules.games.bastards_inc.actions import Delegate, Play
from service.rules.games.bastards_inc.costs import can_pay
from service.rules.games.bastards_inc.decide.course import Course, change_stuff, draw_cards, pay, wake, wake_all
from service.rules.games.bastards_inc.decide.deals import lapse_with
from service.rules.games.bastards_inc.decide.journalism import goes_ahead
from service.rules.games.bastards_inc.edition import CARD_DATA, CardData, CardKind
from service.rules.games.bastards_inc.events import (
    ActAnnounced,
    CardPlayed,
    MoneyLaundered,
    PrizeReturned,
    VicePresidentHired,
    WarBrokeOut,
    WarEnded,
)
from service.rules.games.bastards_inc.legal import plays
from service.rules.games.bastards_inc.terms import REGIONS, SQUARES, Region, Score
from service.rules.kernel import Illegal


def is_free(action: Play) -> bool:
    """Say whether a card leaves the action of the turn open (B-54)."""
    return CARD_DATA[action.card].timing == "free"


def play(course: Course, seat: int, action: Play) -> None:
    """Pay for a card and play it; it takes effect unless a journalist may expose it (B-75, B-76)."""
    own, data = course.state.companies[seat], CARD_DATA[action.card]
    if action.card not in own.hand:
        raise Illegal("card-not-in-hand", "B-75", card=action.card)
    if data.timing == "placement":
        raise Illegal("only-when-placing", "B-35", card=action.card)
    if not can_pay(own, data.cost):
        raise Illegal("cannot-pay", "B-76", price=data.cost)
    ways = list(plays(course.state, seat, action.card))
    if not ways:
        raise Illegal("not-playable", "B-76", card=action.card)
    if action not in ways:
        raise Illegal("wrong-target", "B-75", card=action.card)

    pay(course, seat, data.cost)
    course.record(CardPlayed(seat=seat, play=action, free=is_free(action)))
    if goes_ahead(course, ActAnnounced(seat=seat, play=action), data.illegal):
        take_effect(course, seat, action)


# Effects (B-74, B-75).

Thing = TypeVar("Thing")
Effect = Callable[[Course, int, Play, CardData], None]


def take_effect(course: Course, seat: int, action: Play) -> None:
    """Carry out a card that is paid for and not exposed."""
    data = CARD_DATA[action.card]
    _EFFECTS[data.kind](course, seat, action, data)


def _haven(course: Course, seat: int, action: Play, _: CardData) -> None:
    vp = _chosen(action.vp)
    black = course.state.companies[seat].vps[vp - 1].black
    course.record(MoneyLaundered(seat=seat, vp=vp, billions=black, stays=True))


def _money(course: Course, seat: int, _: Play, data: CardData) -> None:
    course.record(e.BillionsGained(seat=seat, billions=data.number))


def _influence(course: Course, seat: int, _: Play, data: CardData) -> None:
    course.record(e.InfluenceGained(seat=seat, influence=data.number))


def _improve(course: Course, seat: int, action: Play, data: CardData) -> None:
    score: Score = _chosen(action.score) if data.score is None or data.score == "any" else data.score
    course.record(e.ScoreChanged(seat=seat, score=score, change=1))


def _smear(course: Course, _: int, action: Play, __: CardData) -> None:
    victim = _chosen(action.seat)
    course.record(e.ScoreChanged(seat=victim, score=_chosen(action.score), change=-1))
    wake(course, victim, "card")


def _war(course: Course, _: int, action: Play, __: CardData) -> None:
    course.record(WarBrokeOut(region=_region(action)))
    wake_all(course, "war")


def _peace(course: Course, seat: int, action: Play, data: CardData) -> None:
    course.record(WarEnded(region=_region(action)))
    course.record(e.InfluenceGained(seat=seat, influence=data.number))
    wake_all(course, "war")


def _stuff(course: Course, _: int, action: Play, data: CardData) -> None:
    change_stuff(course, _region(action), data.number)


def _evict(course: Course, _: int, action: Play, __: CardData) -> None:
    target = _chosen(action.target)
    course.record(e.VicePresidentSentHome(seat=target.seat, vp=target.vp))
    wake(course, target.seat, "card")


def _sue(course: Course, seat: int, action: Play, data: CardData) -> None:
    victim = _chosen(action.seat)
    billions = min(data.number, course.state.companies[victim].billions)
    course.record(e.BillionsTaken(seat=seat, victim=victim, billions=billions))
    wake(course, victim, "card")


def _extort(course: Course, seat: int, action: Play, _: CardData) -> None:
    target = _chosen(action.target)
    black = course.state.companies[target.seat].vps[target.vp - 1].black
    half = (black + 1) // 2
    course.record(e.BlackMoneyTaken(seat=seat, vp=_chosen(action.vp), victim=target, billions=half))
    wake(course, target.seat, "card")


def _draw(course: Course, seat: int, _: Play, data: CardData) -> None:
    draw_cards(course, seat, data.number)


def _bunker(course: Course, seat: int, _: Play, __: CardData) -> None:
    course.record(e.BunkerTaken(seat=seat))


def _skeleton(course: Course, _: int, __: Play, ___: CardData) -> None:
    laureate = _chosen(course.state.laureate)
    course.record(PrizeReturned(seat=laureate))
    wake(course, laureate, "prize")


def _nepotism(course: Course, seat: int, _: Play, __: CardData) -> None:
    course.record(VicePresidentHired(seat=seat, vp=len(course.state.companies[seat].vps) + 1))


def _again(course: Course, seat: int, action: Play, _: CardData) -> None:
    course.record(e.BusinessRighted(seat=seat, card=_chosen(action.business)))


def _telethon(course: Course, seat: int, _: Play, data: CardData) -> None:
    on_air = sum(vp.at in SQUARES for vp in course.state.companies[seat].vps)
    course.record(e.InfluenceGained(seat=seat, influence=data.number * on_air))


def _jet(course: Course, seat: int, action: Play, _: CardData) -> None:
    vp = _chosen(action.vp)
    course.record(e.VicePresidentFlown(seat=seat, vp=vp, field=_chosen(action.field)))
    lapse_with(course, Delegate(seat=seat, vp=vp))


def _immunity(course: Course, seat: int, _: Play, __: CardData) -> None:
    course.record(e.ImmunityTaken(seat=seat))


_EFFECTS: Mapping[CardKind, Effect] = {
    "haven": _haven,
    "money": _money,
    "influence": _influence,
    "improve": _improve,
    "smear": _smear,
    "war": _war,
    "peace": _peace,
    "stuff": _stuff,
    "evict": _evict,
    "sue": _sue,
    "extort": _extort,
    "draw": _draw,
    "bunker": _bunker,
    "skeleton": _skeleton,
    "nepotism": _nepotism,
    "again": _again,
    "telethon": _telethon,
    "jet": _jet,
    "immunity": _immunity,
}


def _chosen(thing: Thing | None) -> Thing:
    """Return a field of a played card that its kind needs; raise Illegal if it is missing."""
    if thing is None:
        raise Illegal("wrong-target", "B-75")
    return thing


def _region(action: Play) -> Region:
    return _chosen(next((region for region in REGIONS if region == action.field), None))
