"""Extra effort and prices: what is missing, what it costs, who can pay it, and paying it (B-10, B-11)."""

from __future__ import annotations

from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.numbers import EFFORT
from service.rules.games.bastards_inc.events import PricePaid
from service.rules.games.bastards_inc.state import Company


def effort(score: int, least: int) -> int | None:
    """Return the Billions for the points that a score is short of what is needed; None if too many are (B-10)."""
    missing = least - score
    if missing <= 0:
        return 0
    return EFFORT[missing] if missing < len(EFFORT) else None


def can_pay(company: Company, price: int, kept: int = 0) -> bool:
    """Say whether a company can pay a price in Billions and Influence, while it keeps so many Billions (B-11, B-57)."""
    free = company.billions - kept
    return free >= 0 and free + company.influence >= price


def pay(course: Course, seat: int, price: int, kept: int = 0) -> None:
    """Pay a price that can be paid: Billions first, but for those that are kept, the rest in Influence (B-11)."""
    if price > 0:
        billions = min(price, course.state.companies[seat].billions - kept)
        course.record(PricePaid(seat=seat, billions=billions, influence=price - billions))
