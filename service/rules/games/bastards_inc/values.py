"""What is in force: values of regions, what entering costs, which VPs may leave, who is asked about an arrival."""

from __future__ import annotations

from service.rules.games.bastards_inc.edition.board import MEDIA_POWER, REGION_DATA
from service.rules.games.bastards_inc.edition.numbers import EFFORT
from service.rules.games.bastards_inc.paying import can_pay, effort
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import LOUNGE, REGIONS, Field, Location, Region, Score, Square


def stuff_of(state: State, region: Region) -> int:
    """Return the Stuff of a region."""
    return state.stuff[REGIONS.index(region)]


def threshold(state: State, region: Region, score: Score) -> int:
    """Return the value of a region for Corruption, Crime or Technology, with the event in force (B-41)."""
    data = REGION_DATA[region]
    value = data.cor if score == "cor" else data.cri if score == "cri" else data.tec
    if state.in_force is not None:
        for each in state.in_force.thresholds:
            if each.region == region and each.score == score:
                value += each.higher
    return value


def income(state: State, region: Region) -> int:
    """Return what a sale brings in a region, with the event in force (B-41, B-60)."""
    value = REGION_DATA[region].income
    if state.in_force is not None:
        value += sum(each.billions for each in state.in_force.booms if each.region == region)
    return value


def entry_effort(state: State, seat: int, region: Region, score: Score) -> int | None:
    """Return the effort to enter a region by a score, None if too much is missing (B-31)."""
    return effort(getattr(state.companies[seat].scores, score), threshold(state, region, score))


def media_effort(state: State, seat: int, square: Square) -> int | None:
    """Return the effort to enter a media square, None if too much is missing (B-31)."""
    return effort(state.companies[seat].scores.med, MEDIA_POWER[square])


def laundering_effort(state: State, seat: int, region: Region) -> int | None:
    """Return the cheaper effort of Corruption and Crime in a region, None if neither will do (B-12)."""
    efforts = (entry_effort(state, seat, region, "cor"), entry_effort(state, seat, region, "cri"))
    return min((each for each in efforts if each is not None), default=None)


def may_leave(state: State, seat: int, place: Location) -> bool:
    """Say whether VPs of a seat may leave a field by its will: only the laureate's leave a war (B-48, B-71)."""
    return place != LOUNGE and (place not in state.wars or seat == state.laureate)


def challengers(state: State, seat: int, field: Field) -> tuple[int, ...]:
    """Return the seats that are asked whether to fight the arrival of a seat on a field (B-31, B-32)."""
    if seat == state.laureate and field in REGIONS:
        return ()
    return tuple(
        other
        for other, company in enumerate(state.companies)
        if other != seat and company.guard == "ask" and any(vp.at == field for vp in company.vps)
    )


def asked_to_draw(state: State) -> tuple[int, ...]:
    """Return the seats that have a card to discard or can pay for a bonus (B-22)."""
    companies = enumerate(state.companies)
    return tuple(seat for seat, company in companies if company.hand or can_pay(company, EFFORT[1]))
