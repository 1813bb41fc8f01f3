"""The beginning and end of a round, and the end of the game (B-22, B-80, B-82)."""

from __future__ import annotations

from service.rules.games.bastards_inc.costs import can_pay
from service.rules.games.bastards_inc.decide.course import Course
from service.rules.games.bastards_inc.edition import (
    EFFORT_PRICES,
)
from service.rules.games.bastards_inc.events import DecisionReached, GameEnded, RoundBegun, RoundEnded
from service.rules.games.bastards_inc.scoring import winners, worth, worths
from service.rules.games.bastards_inc.state import State


def begin_round(course: Course, start_player: int) -> None:
    """Begin the next round, and ask the seats with something to decide in its drawing phase.

    If nobody has, it is for `decide` to go on.
    """
    course.record(RoundBegun(round=course.state.round + 1, start_player=start_player))
    asked = asked_to_draw(course.state)
    if asked:
        course.record(DecisionReached(phase="draw", seats=asked))


def end_round(course: Course) -> None:
    """End the round: the game is over, or the next seat begins a round as start player."""
    state = course.state
    seats = len(state.companies)
    course.record(RoundEnded(round=state.round, worths=tuple(worth(state, seat) for seat in range(seats))))
    end_of_game(course)
    if course.state.result is None:
        begin_round(course, (state.start_player + 1) % seats)


def asked_to_draw(state: State) -> tuple[int, ...]:
    """Return the seats with a card to discard or money for a bonus (B-22)."""
    companies = enumerate(state.companies)
    return tuple(seat for seat, company in companies if company.hand or can_pay(company, EFFORT_PRICES[1]))


def end_of_game(course: Course) -> None:
    """End the game after its last round, or when a company has reached the target (B-80)."""
    state = course.state
    totals = worths(state)
    if max(totals) >= state.target:
        course.record(GameEnded(reason="target", winners=winners(state), worths=totals))
    elif state.round >= state.rounds:
        course.record(GameEnded(reason="last-round", winners=winners(state), worths=totals))


def nuclear_war(course: Course) -> None:
    """End the game at once: all lose but the owner of the Bunker (B-82)."""
    state = course.state
    totals = tuple(worth(state, seat) if seat == state.bunker else 0 for seat in range(len(state.companies)))
    survivors = () if state.bunker is None else (state.bunker,)
    course.record(GameEnded(reason="nuclear-war", winners=survivors, worths=totals))
