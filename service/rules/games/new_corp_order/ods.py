"""ODS's turn: the marker, then the first priority that applies (R-60 to R-66)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.rules.games.new_corp_order.actions import PlayOds
from service.rules.games.new_corp_order.contest import last_of_colour
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import (
    CardsRotated,
    CompanyTakenOver,
    GameEnded,
    MarkerMoved,
    Priority,
    PriorityFollowed,
    TableFlipped,
)
from service.rules.games.new_corp_order.grid import edge_distance, neighbours_of, scan_order
from service.rules.games.new_corp_order.ods_plot import discard_from_display, plot_to_infiltrate
from service.rules.games.new_corp_order.scoring import final_scores
from service.rules.games.new_corp_order.solo import check_display
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import ODS, Square
from service.rules.games.new_corp_order.turns import begin_next_turn

PLAYER = 0


class Attack(NamedTuple):
    """A company within ODS's reach, from where, and with how many agents."""

    target: Square
    source: Square
    agents: int


def play_ods(course: Course, _: PlayOds) -> None:
    """Move the marker one column to the right and follow the first priority that applies."""
    course.record(MarkerMoved(column=(course.state.marker + 1) % 4))
    if attacks := within_reach(course.state):
        _take_over(course, attacks)
        begin_next_turn(course)
    elif plot_to_infiltrate(course) or discard_from_display(course):
        check_display(course)
    else:
        _flip_the_table(course)


def within_reach(state: State) -> list[Attack]:
    """Return the player's companies that ODS can take over, in scan order, each from its best source (R-61)."""
    order = scan_order(len(state.companies), state.marker)
    attacks = (_attack(state, square) for square in order)
    return [attack for attack in attacks if attack is not None]


def _attack(state: State, target: Square) -> Attack | None:
    company = state.companies[target]
    if company.colour not in state.colours[PLAYER] or last_of_colour(state, company.colour):
        return None
    needed = company.agents + 1
    neighbours = neighbours_of(len(state.companies))[target]
    order = scan_order(len(state.companies), state.marker)
    sources = [square for square in order if square in neighbours and _can_send(state, square, needed)]
    if not sources:
        return None
    return Attack(target, max(sources, key=lambda square: state.companies[square].agents), needed)


def _can_send(state: State, square: Square, agents: int) -> bool:
    company = state.companies[square]
    unrotated = state.hqs[ODS].cards[company.colour]
    return company.colour in state.colours[ODS] and agents <= unrotated and agents < company.agents


def _take_over(course: Course, attacks: list[Attack]) -> None:
    priority, attack = choose(course.state, attacks)
    colour, defender = course.state.companies[attack.source].colour, course.state.companies[attack.target]
    course.record(PriorityFollowed(priority=priority))
    course.record(CardsRotated(hq=ODS, colour=colour, cards=attack.agents))
    won = CompanyTakenOver(
        seat=ODS,
        source=attack.source,
        target=attack.target,
        colour=colour,
        agents=attack.agents,
        defender=defender.colour,
        defenders=defender.agents,
    )
    course.record(won)


def choose(state: State, attacks: Sequence[Attack]) -> tuple[Priority, Attack]:
    """Return the attack that A-1 to A-4 leave, or else the first in scan order, and what decided (R-62)."""
    if len(attacks) == 1:
        return "A", attacks[0]
    for priority, score in _CRITERIA:
        best = max(score(state, attack.target) for attack in attacks)
        attacks = [attack for attack in attacks if score(state, attack.target) == best]
        if len(attacks) == 1:
            return priority, attacks[0]
    return "A-scan", attacks[0]


def _adjacent_to_player(state: State, square: Square) -> int:
    neighbours = neighbours_of(len(state.companies))[square]
    return sum(state.companies[other].colour in state.colours[PLAYER] for other in neighbours)


_CRITERIA: tuple[tuple[Priority, Callable[[State, Square], int]], ...] = (
    ("A-1", lambda state, square: state.companies[square].type in state.objectives[ODS]),
    ("A-2", lambda state, square: state.companies[square].agents),
    ("A-3", _adjacent_to_player),
    ("A-4", lambda state, square: -edge_distance(len(state.companies), square)),
)


def _flip_the_table(course: Course) -> None:
    course.record(PriorityFollowed(priority="D"))
    course.record(TableFlipped())
    course.record(GameEnded(scores=final_scores(course.state), winners=(ODS,)))
