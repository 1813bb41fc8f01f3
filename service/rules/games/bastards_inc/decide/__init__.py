"""Decide which events an action causes; each phase has its own actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.decide import business, drawing, placing, war
from service.rules.games.bastards_inc.decide.business import instruct
from service.rules.games.bastards_inc.decide.course import Course
from service.rules.games.bastards_inc.events import Event
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS, Phase
from service.rules.kernel import Dice, Illegal

Step = Callable[[Course, int, Any], None]

STEPS: Mapping[Phase, Mapping[type[a.Action], Step]] = {
    "draw": {a.Drop: drawing.drop, a.Draw: drawing.draw, a.Keep: drawing.keep, a.Instruct: instruct},
    "collect": {a.Collect: drawing.collect},
    "place": {a.Place: placing.place, a.Instruct: instruct},
    "challenge": {a.Let: placing.let, a.Fight: placing.fight},
    "push": {a.Push: placing.push, a.Yield: placing.give_up},
    "wars": {a.OrderWars: war.order_wars},
    "business": {kind: step for kind, step in business.STEPS.items() if kind not in {a.Expose, a.KeepSilent}},
    "expose": {kind: business.STEPS[kind] for kind in (a.Expose, a.KeepSilent)},
}
"""By phase: the actions that answer its decisions, and what they do."""

WHEN_ABSENT: Mapping[Phase, a.Action] = {
    "draw": a.Draw(bonus=0),
    "collect": a.Collect(vps=()),
    "place": a.Place(to="VIP"),
    "challenge": a.Let(),
    "push": a.Yield(),
    "business": a.Done(),
    "expose": a.KeepSilent(),
}


def decide(state: State, seat: int, action: a.Action, chance: Dice) -> Sequence[Event]:
    """Return the events that the action causes; raise Illegal with the number of the broken ruling (B-08)."""
    if state.phase == "over":
        raise Illegal("game-over")
    if seat not in state.asked:
        raise Illegal("not-your-turn")
    step = STEPS[state.phase].get(type(action))
    if step is None:
        raise Illegal("other-decision-due", due=state.phase)
    course = Course(state, chance)
    step(course, seat, action)
    while course.state.phase == "draw" and not course.state.asked:
        drawing.finish(course)
    return course


def to_act(state: State) -> frozenset[int]:
    return state.asked


def on_timeout(state: State, _: int) -> a.Action:
    """Return the action of an absent player's seat: its company rests (B-90, B-91)."""
    if state.phase == "wars":
        return a.OrderWars(regions=tuple(region for region in REGIONS if region in state.wars))
    return WHEN_ABSENT[state.phase]
