"""How the events of the setup build the table."""

from __future__ import annotations

from service.rules.games.new_corp_order.grid import squares_of
from service.rules.games.new_corp_order.house import consultants_of, in_supply
from service.rules.games.new_corp_order.setup_events import (
    AgentsScattered,
    CardsDealt,
    CompaniesLaid,
    ConglomeratesChosen,
    ConsultantsDealt,
    ObjectivesDealt,
    ObjectivesLaidOut,
)
from service.rules.games.new_corp_order.state import Company, Consultants, Hq, State
from service.rules.games.new_corp_order.terms import COLOURS, NONE, TYPE_OF, count
from service.rules.kernel import GameStarted


def game_started(_: None, event: GameStarted) -> State:
    """An empty table: all agents in the supply."""
    sides = 2 if event.seats == 1 else event.seats
    nobody: Consultants = dict.fromkeys(consultants_of(event.seats, event.options), 0)
    return State(
        revision=event.revision,
        seats=event.seats,
        companies={},
        supply=dict.fromkeys(COLOURS, 25),
        consultants=nobody,
        display=(),
        deck=(),
        box=NONE,
        hands=(NONE,) * sides,
        hqs=(Hq(NONE, NONE, NONE, nobody),) * sides,
        objectives=((),) * sides,
    )


def companies_laid(state: State, event: CompaniesLaid) -> State:
    """The tiles lie on the grid, still without agents."""
    squares = squares_of(len(event.grid))
    laid = {square: Company(name, TYPE_OF[name], "red", 0) for square, name in zip(squares, event.grid, strict=True)}
    return state._replace(companies=laid)


def agents_scattered(state: State, event: AgentsScattered) -> State:
    """One agent stands on each company."""
    companies = {
        square: company._replace(colour=colour, agents=1)
        for (square, company), colour in zip(state.companies.items(), event.colours, strict=True)
    }
    left = {colour: state.supply[colour] - event.colours.count(colour) for colour in COLOURS}
    return state._replace(companies=companies, supply=left)


def objectives_dealt(state: State, event: ObjectivesDealt) -> State:
    """Each seat holds its objectives."""
    return state._replace(objectives=event.objectives)


def objectives_laid_out(state: State, event: ObjectivesLaidOut) -> State:
    """Both sides share the three objectives."""
    return state._replace(objectives=(event.objectives, event.objectives))


def consultants_dealt(state: State, event: ConsultantsDealt) -> State:
    """Each HQ has its first consultant; the supply holds one fewer than players of each type in use (R-05, R-71)."""
    supply = {consultant: in_supply(consultant, state.seats) for consultant in state.consultants}
    hqs = tuple(
        hq._replace(consultants={**hq.consultants, consultant: 1})
        for hq, consultant in zip(state.hqs, event.consultants, strict=True)
    )
    return state._replace(consultants=supply, hqs=hqs)


def cards_dealt(state: State, event: CardsDealt) -> State:
    """Hands, display, deck and box hold their cards."""
    hands = tuple(count(hand) for hand in event.hands) or state.hands
    box = dict.fromkeys(COLOURS, event.boxed)
    return state._replace(hands=hands, display=event.display, deck=event.deck, box=box)


def conglomerates_chosen(state: State, event: ConglomeratesChosen) -> State:
    """Each side has its colours, and one agent of each in its HQ."""
    sides = (event.player, event.ods)
    hqs = tuple(
        hq._replace(agents={c: hq.agents[c] + (c in own) for c in COLOURS})
        for hq, own in zip(state.hqs, sides, strict=True)
    )
    supply = {colour: number - 1 for colour, number in state.supply.items()}
    return state._replace(hqs=hqs, supply=supply, colours=sides)
