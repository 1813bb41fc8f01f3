"""Journalism: illegal acts are announced, and exposed or not (B-61 to B-63)."""

from __future__ import annotations

from service.rules.games.bastards_inc.decide.course import Course, wake
from service.rules.games.bastards_inc.edition import SCOOP_INFLUENCE
from service.rules.games.bastards_inc.events import (
    ActAnnounced,
    ActExposed,
    DecisionReached,
    ExposureAnswered,
    PrizeReturned,
)
from service.rules.games.bastards_inc.state import State, standing
from service.rules.games.bastards_inc.terms import NEWS
from service.rules.kit.turns import clockwise


def is_amnesty(state: State) -> bool:
    return state.in_force is not None and state.in_force.amnesty


def watchers(state: State, actor: int) -> tuple[int, ...]:
    """Return the seats that could expose an act of the actor, clockwise from the actor (B-61)."""
    if state.companies[actor].immune:
        return ()
    others = clockwise(len(state.companies), actor)[1:]
    return tuple(seat for seat in others if state.companies[seat].watch != "never" and standing(state, seat, NEWS))


def goes_ahead(course: Course, act: ActAnnounced, illegal: bool) -> bool:
    """Say whether an act takes place at once; if not, journalists are asked, or one exposes it now (B-61)."""
    watching = watchers(course.state, act.seat) if illegal and not is_amnesty(course.state) else ()
    if not watching:
        return True
    course.record(act)
    eager = [seat for seat in watching if course.state.companies[seat].watch == "always"]
    if eager:
        _expose(course, act, eager[0])
    else:
        course.record(DecisionReached(phase="expose", seats=watching))
    return False


def answer(course: Course, seat: int, expose: bool) -> ActAnnounced | None:
    """Note a journalist's decision; return the act if all have answered and nobody exposes it (B-62)."""
    course.record(ExposureAnswered(seat=seat, expose=expose))
    state = course.state
    act = state.act
    if state.asked or act is None:
        return None
    answers = dict(state.answers)
    exposing = [other for other in clockwise(len(state.companies), act.seat) if answers.get(other)]
    if not exposing:
        return act
    _expose(course, act, exposing[0])
    return None


def _expose(course: Course, act: ActAnnounced, journalist: int) -> None:
    """Stop the act, at the cost of the journalist's VP; an exposed laureate loses the prize (B-63)."""
    vp = standing(course.state, journalist, NEWS)[0].vp
    home = None if act.sell is None else act.sell.vp
    course.record(ActExposed(seat=act.seat, journalist=journalist, vp=vp, influence=SCOOP_INFLUENCE, home=home))
    wake(course, journalist, "scoop")
    if course.state.laureate == act.seat:
        course.record(PrizeReturned(seat=act.seat))
