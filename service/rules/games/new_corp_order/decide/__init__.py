"""Decide an action: the phases in which it is due, and the events that follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from service.rules.games.new_corp_order.actions import (
    Ability,
    Action,
    ChooseConglomerates,
    Discard,
    Infiltrate,
    PlaceAgents,
    PlayOds,
    Plot,
    TakeOver,
)
from service.rules.games.new_corp_order.decide.ods import play_ods
from service.rules.games.new_corp_order.decide.turns import (
    choose_conglomerates,
    discard,
    infiltrate,
    place_agents,
    plot,
    take_over,
    use_won_ability,
)
from service.rules.games.new_corp_order.events import Event
from service.rules.games.new_corp_order.evolve import Course
from service.rules.games.new_corp_order.legal import legal
from service.rules.games.new_corp_order.state import Phase, State
from service.rules.games.new_corp_order.terms import ODS
from service.rules.kernel import Dice, Illegal


class Transition(NamedTuple):
    """The phases in which an action answers the decision due, and what it does."""

    phases: tuple[Phase, ...]
    take: Callable[[Course, Any], None]


STEPS: Mapping[type[Action], Transition] = {
    Plot: Transition(("turn", "second-card"), plot),
    Infiltrate: Transition(("turn",), infiltrate),
    TakeOver: Transition(("turn",), take_over),
    Discard: Transition(("discard",), discard),
    **dict.fromkeys(get_args(Ability), Transition(("ability",), use_won_ability)),
    ChooseConglomerates: Transition(("conglomerates",), choose_conglomerates),
    PlaceAgents: Transition(("placement",), place_agents),
    PlayOds: Transition(("turn",), play_ods),
}


def decide(state: State, seat: int, action: Action, _: Dice) -> Sequence[Event]:
    """Return the events that the action causes; raises Illegal with the number of the rule that it breaks."""
    if state.phase == "over":
        raise Illegal("game-over")
    if seat != state.active:
        raise Illegal("not-your-turn")
    step = STEPS[type(action)]
    if state.phase not in step.phases or isinstance(action, PlayOds) != _is_odss(state, seat):
        raise Illegal("other-decision-due", "R-10", due=state.phase)
    course = Course(state)
    step.take(course, action)
    return course


def to_act(state: State) -> frozenset[int]:
    """Return the seat whose decision is due, ODS's included; nobody when the game is over."""
    return frozenset() if state.phase == "over" else frozenset({state.active})


def automaton(state: State) -> tuple[int, Action] | None:
    """Return ODS's move when it is due."""
    return (ODS, PlayOds()) if state.phase == "turn" and _is_odss(state, state.active) else None


def on_timeout(state: State, seat: int) -> Action:
    """Return what is played for a seat whose player has resigned: the first legal action; an ability is skipped."""
    return legal(state, seat)[-1] if state.phase == "ability" else legal(state, seat)[0]


def _is_odss(state: State, seat: int) -> bool:
    return state.solo and seat == ODS
