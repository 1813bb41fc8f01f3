"""The events of one action so far, and steps that several phases share: paying, drawing, Stuff, waking."""

from __future__ import annotations

from typing import Literal

from service.rules.games.bastards_inc.edition import MAX_STUFF
from service.rules.games.bastards_inc.events import (
    CardsDrawn,
    CardsReshuffled,
    Event,
    PricePaid,
    SeatWoken,
    StuffChanged,
)
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS, Region
from service.rules.kernel import DecisionResult, Dice


class Course(DecisionResult):
    """The events of one action so far, and the `state` after them; `chance` has the dice."""

    state: State

    def __init__(self, state: State, chance: Dice) -> None:
        super().__init__(state)
        self.chance = chance

    def record(self, event: Event) -> None:
        self.append(event)
        self.state = evolve(self.state, event)


def pay(course: Course, seat: int, price: int, kept: int = 0) -> None:
    """Pay a price that can be paid: Billions first but for `kept`, then Influence (B-11)."""
    if price > 0:
        billions = min(price, course.state.companies[seat].billions - kept)
        course.record(PricePaid(seat=seat, billions=billions, influence=price - billions))


def draw_cards(course: Course, seat: int, number: int) -> None:
    """Draw up to `number` cards; shuffle the discard pile when the draw pile is empty (B-06, B-24)."""
    while number > 0:
        state = course.state
        if not state.cards:
            if not state.discards:
                return
            label = f"cards:{len(state.reshuffled) + 1}"
            course.record(CardsReshuffled(cards=tuple(course.chance.shuffle(label, sorted(state.discards)))))
        drawn = course.state.cards[:number]
        course.record(CardsDrawn(seat=seat, cards=drawn))
        number -= len(drawn)


def change_stuff(course: Course, region: Region, change: int) -> int:
    """Change the Stuff of a region within its bar, and return the real change (B-41, B-43, B-75)."""
    before = course.state.stuff[REGIONS.index(region)]
    real = max(0, min(MAX_STUFF, before + change)) - before
    if real:
        course.record(StuffChanged(region=region, change=real))
    return real


Cause = Literal["gift", "invitation", "answer", "venture", "card", "scoop", "prize", "war"]


def wake(course: Course, seat: int, cause: Cause) -> None:
    """Ask a seat again that had passed for good: something concerns it (B-53)."""
    if course.state.companies[seat].done:
        course.record(SeatWoken(seat=seat, cause=cause))


def wake_all(course: Course, cause: Cause) -> None:
    for seat in range(len(course.state.companies)):
        wake(course, seat, cause)
