"""What a company is worth, and how the game ends (B-80 to B-82)."""

from __future__ import annotations

from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.numbers import INFLUENCE_WORTH, PRIZE_WORTH
from service.rules.games.bastards_inc.events import GameEnded
from service.rules.games.bastards_inc.state import State
from service.rules.kernel import Json
from service.rules.outcome import Outcome


def worth(state: State, seat: int) -> int:
    """Return Billions, and what Influence and the prize count; black money and cards are nothing (B-81)."""
    own = state.companies[seat]
    return own.billions + INFLUENCE_WORTH * own.influence + _prize(state, seat)


def worths(state: State) -> tuple[int, ...]:
    """Return the worth of every seat."""
    return tuple(worth(state, seat) for seat in range(len(state.companies)))


def winners(state: State) -> tuple[int, ...]:
    """Return who is worth most; ties: more Influence, then more VPs, then shared (B-81)."""
    ranks = [(worth(state, seat), own.influence, len(own.vps)) for seat, own in enumerate(state.companies)]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))


def end_of_game(course: Course) -> None:
    """End the game after its last round, or after one in which somebody has reached the target (B-80)."""
    state = course.state
    totals = worths(state)
    if max(totals) >= state.target:
        course.record(GameEnded(reason="target", winners=winners(state), worths=totals))
    elif state.round >= state.rounds:
        course.record(GameEnded(reason="last-round", winners=winners(state), worths=totals))


def nuclear_war(course: Course) -> None:
    """End the game at once: everybody has lost but the owner of the Bunker, who is alone (B-82)."""
    state = course.state
    totals = tuple(worth(state, seat) if seat == state.bunker else 0 for seat in range(len(state.companies)))
    survivors = () if state.bunker is None else (state.bunker,)
    course.record(GameEnded(reason="nuclear-war", winners=survivors, worths=totals))


def outcome(state: State) -> Outcome | None:
    """Return how the game has ended; None while it runs."""
    result = state.result
    if result is None:
        return None
    return {"winners": list(result.winners), "scores": list(result.worths), "reason": result.reason}


def standings(state: State, _: int | None) -> Json:
    """Return the worth of every company and how it comes about; once the game is over, how that was decided.

    After a nuclear war the worth of those who have lost is 0, whatever they own (B-82).
    """
    result = state.result
    totals = worths(state) if result is None else result.worths
    return {
        "companies": [_company(state, seat, totals[seat]) for seat in range(len(state.companies))],
        "winners": list(winners(state) if result is None else result.winners),
        "reason": None if result is None else result.reason,
    }


def _company(state: State, seat: int, total: int) -> Json:
    own = state.companies[seat]
    return {
        "seat": seat,
        "billions": own.billions,
        "influence": own.influence,
        "prize": _prize(state, seat),
        "worth": total,
    }


def _prize(state: State, seat: int) -> int:
    return PRIZE_WORTH if state.laureate == seat else 0
