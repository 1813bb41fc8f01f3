"""Placing free VPs, and the fights about their arrival (B-30 to B-35)."""

from __future__ import annotations

from typing import cast

from service.rules.games.bastards_inc.actions import Fight, Let, Place, Push, Yield
from service.rules.games.bastards_inc.costs import can_pay, entry_effort, media_effort
from service.rules.games.bastards_inc.decide import war
from service.rules.games.bastards_inc.decide.course import Course, pay
from service.rules.games.bastards_inc.edition import PAPERS
from service.rules.games.bastards_inc.events import (
    ArrivalForced,
    ArrivalRepelled,
    Bid,
    BidsRevealed,
    ChallengeAnswered,
    DecisionReached,
    PapersUsed,
    PlacingBegun,
    TurnBegan,
    VicePresidentArrived,
    VicePresidentPlaced,
    VicePresidentRested,
)
from service.rules.games.bastards_inc.legal import ENTRY_SCORES
from service.rules.games.bastards_inc.state import State, standing
from service.rules.games.bastards_inc.terms import (
    REGIONS,
    SQUARES,
    Field,
)
from service.rules.kernel import Illegal
from service.rules.kit.turns import clockwise


def begin_placing(course: Course) -> None:
    """Free all VPs in the Lounge, and ask the first seat that has one (B-23, B-30)."""
    course.record(PlacingBegun())
    waiting = _waiting(course.state)
    if waiting:
        _begin_turn(course, waiting[0], last=len(waiting) == 1)
    else:
        war.reveal_event(course)


def place(course: Course, seat: int, action: Place) -> None:
    """Place the free VP with the lowest number; ask the seats that may fight its arrival (B-31, B-32)."""
    price = price_to_enter(course.state, seat, action)
    vp = course.state.companies[seat].free[0]
    if action.to == "VIP":
        course.record(VicePresidentRested(seat=seat, vp=vp))
        ask_next_to_place(course)
        return
    if action.by == "papers":
        course.record(PapersUsed(seat=seat, card=PAPERS))
    pay(course, seat, price)
    arrival = VicePresidentArrived(seat=seat, vp=vp, field=action.to, by=action.by)
    course.record(arrival)
    asked = challengers(course.state, seat, action.to)
    if asked:
        course.record(DecisionReached(phase="challenge", seats=asked))
    else:
        put_on_field(course, arrival)


def put_on_field(course: Course, arrival: VicePresidentArrived) -> None:
    course.record(VicePresidentPlaced(seat=arrival.seat, vp=arrival.vp, field=arrival.field))
    ask_next_to_place(course)


def ask_next_to_place(course: Course) -> None:
    """Ask the next seat to place: one VP each clockwise, the last seat all, then back, all that are left (B-30)."""
    state = course.state
    waiting = _waiting(state)
    if not waiting:
        war.reveal_event(course)
    elif not state.back:
        order = clockwise(len(state.companies), state.start_player)
        later = [seat for seat in waiting if order.index(seat) > order.index(state.active)]
        _begin_turn(course, later[0], last=len(later) == 1)
    elif waiting[-1] == state.active:
        course.record(DecisionReached(phase="place", seats=(state.active,)))
    else:
        _begin_turn(course, waiting[-1], last=True)


def _waiting(state: State) -> list[int]:
    return [seat for seat in clockwise(len(state.companies), state.start_player) if state.companies[seat].free]


def _begin_turn(course: Course, seat: int, *, last: bool) -> None:
    course.record(TurnBegan(seat=seat, back=last))
    course.record(DecisionReached(phase="place", seats=(seat,)))


def challengers(state: State, seat: int, field: Field) -> tuple[int, ...]:
    """Return the seats to be asked whether to fight an arrival (B-31, B-32)."""
    if seat == state.laureate and field in REGIONS:
        return ()
    return tuple(
        other
        for other, company in enumerate(state.companies)
        if other != seat and company.guard == "ask" and any(vp.at == field for vp in company.vps)
    )


# The way in, and its price (B-31, B-35).


def price_to_enter(state: State, seat: int, action: Place) -> int:
    """Return the effort of a placement in Billions; raise Illegal if the way in is closed."""
    region = next((each for each in REGIONS if each == action.to), None)
    if region is None:
        if action.by is not None:
            raise Illegal("only-regions-are-entered-by", "B-31", to=action.to)
        square = next((each for each in SQUARES if each == action.to), None)
        return 0 if square is None else _payable(state, seat, media_effort(state, seat, square))

    # The laureate enters every region, others only a region at peace.
    if seat == state.laureate:
        if action.by != "prize":
            raise Illegal("laureate-enters-by-prize", "B-31", to=region)
        return 0
    if region in state.wars:
        raise Illegal("region-at-war", "B-31", to=region)

    # By Corruption or Crime, or with the Diplomatic Passport (B-35).
    if action.by in ENTRY_SCORES:
        return _payable(state, seat, entry_effort(state, seat, region, ENTRY_SCORES[action.by]))
    if action.by == "papers":
        if PAPERS not in state.companies[seat].hand:
            raise Illegal("card-not-in-hand", "B-35", card=PAPERS)
        return 0
    raise Illegal("not-laureate" if action.by == "prize" else "score-not-named", "B-31", to=region)


def _payable(state: State, seat: int, price: int | None) -> int:
    if price is None:
        raise Illegal("score-too-low", "B-10")
    if not can_pay(state.companies[seat], price):
        raise Illegal("cannot-pay", "B-11", price=price)
    return price


# Fights for Influence about an arrival (B-32 to B-34).


def let(course: Course, seat: int, _: Let) -> None:
    _answer(course, seat, None)


def fight(course: Course, seat: int, action: Fight) -> None:
    if not 0 <= action.influence <= course.state.companies[seat].influence:
        raise Illegal("not-so-much-influence", "B-32", influence=action.influence)
    _answer(course, seat, action.influence)


def push(course: Course, seat: int, _: Push) -> None:
    """Pay one Influence more than the fighters, whose VPs on the field go to the Lounge (B-33)."""
    arrival = _arrival(course.state)
    home = tuple(vp for each in fighters(course.state) for vp in standing(course.state, each, arrival.field))
    influence = course.state.bids + 1
    course.record(ArrivalForced(seat=seat, vp=arrival.vp, field=arrival.field, influence=influence, home=home))
    ask_next_to_place(course)


def give_up(course: Course, _seat: int, _: Yield) -> None:
    _repel(course, asked=True)


def fighters(state: State) -> tuple[int, ...]:
    return tuple(seat for seat, influence in state.answers if influence is not None)


def _answer(course: Course, seat: int, influence: int | None) -> None:
    """Note an answer; reveal the bids after the last one (B-32, B-33)."""
    course.record(ChallengeAnswered(seat=seat, influence=influence))
    if course.state.asked:
        return
    answers = dict(course.state.answers)
    bids = tuple(Bid(seat, answer if isinstance(answer, int) else None) for seat, answer in sorted(answers.items()))
    course.record(BidsRevealed(bids=bids))
    state, arrival = course.state, _arrival(course.state)
    if not fighters(state):
        put_on_field(course, arrival)
    elif state.companies[arrival.seat].influence > state.bids:
        course.record(DecisionReached(phase="push", seats=(arrival.seat,)))
    else:
        _repel(course, asked=False)


def _repel(course: Course, *, asked: bool) -> None:
    """Send the newcomer and its seat's other VPs on the field to the Lounge (B-33)."""
    arrival = _arrival(course.state)
    home = tuple(standing(course.state, arrival.seat, arrival.field))
    course.record(ArrivalRepelled(seat=arrival.seat, vp=arrival.vp, field=arrival.field, home=home, asked=asked))
    ask_next_to_place(course)


def _arrival(state: State) -> VicePresidentArrived:
    return cast("VicePresidentArrived", state.arrival)
