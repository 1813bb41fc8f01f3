"""The companies of a state, their vice presidents and the order of the seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from service.rules.games.bastards_inc.state import Company, State, VicePresident
from service.rules.games.bastards_inc.terms import Location, Vp

RESTING = VicePresident()
"""In the Lounge, without black money."""

NOTHING_DONE: Final[Mapping[str, Any]] = {"instructed": (), "gave": False, "invited": False}
"""What a company may do once per turn, when its turn begins (B-16, B-54)."""


def company(state: State, seat: int) -> Company:
    """Return the company of a seat."""
    return state.companies[seat]


def with_company(companies: tuple[Company, ...], seat: int, **fields: Any) -> tuple[Company, ...]:
    """Return the companies with other values in some fields of one."""
    return (*companies[:seat], companies[seat]._replace(**fields), *companies[seat + 1 :])


def updated(state: State, seat: int, **fields: Any) -> State:
    """Return the state with other values in some fields of a company."""
    return state._replace(companies=with_company(state.companies, seat, **fields))


def vice_president(state: State, seat: int, vp: int) -> VicePresident:
    """Return the VP with a number from 1."""
    return state.companies[seat].vps[vp - 1]


def with_vp(state: State, seat: int, vp: int, changed: VicePresident) -> State:
    """Return the state with another place or other black money of a VP."""
    vps = state.companies[seat].vps
    return updated(state, seat, vps=(*vps[: vp - 1], changed, *vps[vp:]))


def sent_home(state: State, vps: Iterable[tuple[int, int]]) -> State:
    """Return the state with VPs (seat, number) in the Lounge, their black money lost (B-13)."""
    for seat, vp in vps:
        state = with_vp(state, seat, vp, RESTING)
    return state


def standing(state: State, seat: int, place: Location) -> list[Vp]:
    """Return the VPs of a seat that are in a place, in the order of their numbers."""
    return [Vp(seat, number) for number, vp in enumerate(state.companies[seat].vps, 1) if vp.at == place]
