"""The player's own part of a solo game: choosing conglomerates, placing agents, the end (R-50 to R-54)."""

from __future__ import annotations

from typing import cast

from service.rules.games.new_corp_order.actions import ChooseConglomerates, PlaceAgents
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import AgentsPlaced, DecisionReached, TurnBegan
from service.rules.games.new_corp_order.setup_events import ConglomeratesChosen
from service.rules.games.new_corp_order.terms import COLOURS, Colour
from service.rules.games.new_corp_order.turns import begin_next_turn, end_game, refill_display
from service.rules.kernel import Illegal


def choose_conglomerates(course: Course, action: ChooseConglomerates) -> None:
    """Take two colours; ODS gets the others, and the player the first turn (R-50)."""
    first, second = action.colours
    if first == second:
        raise Illegal("two-different-colours", "R-50")
    others = tuple(colour for colour in COLOURS if colour not in action.colours)
    course.record(ConglomeratesChosen(player=action.colours, ods=cast("tuple[Colour, Colour]", others)))
    course.record(TurnBegan(seat=0))


def finish_solo_plot(course: Course) -> None:
    """Ask where the agents of the cards just taken go, or look at the display (R-51)."""
    if course.state.to_place:
        course.record(DecisionReached(seat=course.state.active, decision="placement"))
    else:
        check_display(course)


def place_agents(course: Course, action: PlaceAgents) -> None:
    """Put the agents of each colour taken on one company of that colour (R-15, R-51)."""
    state = course.state
    colours = tuple(dict.fromkeys(state.to_place))
    chosen = {}
    for square in action.companies:
        if square not in state.companies:
            raise Illegal("no-such-company", square=square)
        chosen[state.companies[square].colour] = square
    if len(action.companies) != len(colours) or set(chosen) != set(colours):
        raise Illegal("one-company-per-colour", "R-51", colours=colours)
    for colour in colours:
        agents = state.to_place.count(colour)
        course.record(AgentsPlaced(seat=state.active, company=chosen[colour], colour=colour, agents=agents))
    check_display(course)


def check_display(course: Course) -> None:
    """Refill an empty display, or end the game if that is not possible; else the other side moves (R-51, R-52)."""
    state = course.state
    if all(card is None for card in state.display):
        if len(state.deck) < len(state.display):
            end_game(course)
            return
        refill_display(course)
    begin_next_turn(course)
