"""From round to round (B-80)."""

from __future__ import annotations

from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.ending import end_of_game, worth
from service.rules.games.bastards_inc.events import DecisionReached, RoundBegun, RoundEnded
from service.rules.games.bastards_inc.values import asked_to_draw


def begin_round(course: Course, start_player: int) -> None:
    """Begin the next round, and ask whoever has something to decide in its drawing phase.

    If nobody has, it is for `decide` to go on.
    """
    course.record(RoundBegun(round=course.state.round + 1, start_player=start_player))
    asked = asked_to_draw(course.state)
    if asked:
        course.record(DecisionReached(phase="draw", seats=asked))


def end_round(course: Course) -> None:
    """End the round after its business phase: the game is over, or the seat after the start player begins the next."""
    state = course.state
    seats = len(state.companies)
    course.record(RoundEnded(round=state.round, worths=tuple(worth(state, seat) for seat in range(seats))))
    end_of_game(course)
    if course.state.result is None:
        begin_round(course, (state.start_player + 1) % seats)
