"""The draw pile of the cards (B-06, B-24)."""

from __future__ import annotations

from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.events import CardsDrawn, CardsReshuffled


def draw_cards(course: Course, seat: int, number: int) -> None:
    """Draw so many cards, or what there is; an empty pile is the shuffled discard pile (B-24)."""
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
