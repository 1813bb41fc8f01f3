"""The abilities that move agents: Broadcast Network and Online Marketing (R-31, R-36)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from service.rules.games.new_corp_order.actions import ExchangeAgents, Move, MoveAgents
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import AgentsExchanged, AgentsMoved
from service.rules.games.new_corp_order.state import Company, State
from service.rules.games.new_corp_order.terms import COLOURS, Colour, Square
from service.rules.kernel import Illegal


def broadcast_options(state: State) -> Iterator[MoveAgents]:
    """Every way to move one or two agents of a colour, one for each position that comes of it."""
    for colour in COLOURS:
        moves = _moves(state, colour)
        yield from (MoveAgents(moves=(move,)) for move in moves.values())
        yield from _double_moves(state, colour, moves)


def _moves(state: State, colour: Colour) -> dict[tuple[Square, Square], Move]:
    held = [(square, company.agents) for square, company in state.companies.items() if company.colour == colour]
    return {
        (source, target): Move(source=source, target=target)
        for source, agents in held
        if agents > 1
        for target, _ in held
        if target != source
    }


def _double_moves(state: State, colour: Colour, moves: dict[tuple[Square, Square], Move]) -> Iterator[MoveAgents]:
    held = [square for square, company in state.companies.items() if company.colour == colour]
    spare = [square for square in held if state.companies[square].agents > 1]
    for sources in combinations_with_replacement(spare, 2):
        if sources[0] == sources[1] and state.companies[sources[0]].agents < 3:
            continue
        targets = [square for square in held if square not in sources]
        for pair in combinations_with_replacement(targets, 2):
            yield MoveAgents(moves=(moves[sources[0], pair[0]], moves[sources[1], pair[1]]))


def move_agents(course: Course, action: MoveAgents) -> None:
    """Move the agents one after the other (R-31); together the moves have to change something (R-30)."""
    if not 1 <= len(action.moves) <= 2:
        raise Illegal("wrong-number-of-agents", "R-31")
    before = course.state.companies
    colour = _company(course.state, action.moves[0].source).colour
    for move in action.moves:
        _check_move(course.state, move, colour)
        course.record(AgentsMoved(source=move.source, target=move.target, colour=colour, agents=1))
    if course.state.companies == before:
        raise Illegal("changes-nothing", "R-30")


def _check_move(state: State, move: Move, colour: Colour) -> None:
    source, target = _company(state, move.source), _company(state, move.target)
    if source.colour != colour:
        raise Illegal("several-colours", "R-31")
    if target.colour != colour:
        raise Illegal("other-colour-there", "R-31", square=move.target, colour=colour)
    if move.source == move.target:
        raise Illegal("changes-nothing", "R-30")
    if source.agents < 2:
        raise Illegal("last-agent-stays", "R-31", square=move.source)


def online_options(state: State) -> Iterator[ExchangeAgents]:
    """Every two companies whose agents differ in colour or number."""
    for (first, one), (second, other) in combinations(state.companies.items(), 2):
        if (one.colour, one.agents) != (other.colour, other.agents):
            yield ExchangeAgents(first=first, second=second)


def exchange_agents(course: Course, action: ExchangeAgents) -> None:
    """Let all agents of two companies change places (R-36)."""
    one, other = _company(course.state, action.first), _company(course.state, action.second)
    if (one.colour, one.agents) == (other.colour, other.agents):
        raise Illegal("changes-nothing", "R-30")
    course.record(AgentsExchanged(first=action.first, second=action.second))


def _company(state: State, square: Square) -> Company:
    if square not in state.companies:
        raise Illegal("no-such-company", square=square)
    return state.companies[square]
