"""Apply events to the state. No event is refused, and the rules are never asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.rules.games.new_corp_order import events as e
from service.rules.games.new_corp_order.actions import Card
from service.rules.games.new_corp_order.grid import squares_of
from service.rules.games.new_corp_order.house_rules import consultants_of, in_supply
from service.rules.games.new_corp_order.state import Companies, Company, Consultants, Hq, State
from service.rules.games.new_corp_order.terms import (
    COLOURS,
    NONE,
    SLOTS,
    TYPE_OF,
    Colour,
    Consultant,
    Source,
    Square,
    add,
    count,
)
from service.rules.kernel import DecisionResult, GameStarted


def evolve(state: State | None, event: e.Event | GameStarted) -> State:
    """Return the state after the event; GameStarted begins from nothing."""
    return _EVOLVE[type(event)](state, event)


# Setup.


def _game_started(_: None, event: GameStarted) -> State:
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


def _companies_laid(state: State, event: e.CompaniesLaid) -> State:
    squares = squares_of(len(event.grid))
    laid = {square: Company(name, TYPE_OF[name], "red", 0) for square, name in zip(squares, event.grid, strict=True)}
    return state._replace(companies=laid)


def _agents_scattered(state: State, event: e.AgentsScattered) -> State:
    companies = {
        square: company._replace(colour=colour, agents=1)
        for (square, company), colour in zip(state.companies.items(), event.colours, strict=True)
    }
    left = {colour: state.supply[colour] - event.colours.count(colour) for colour in COLOURS}
    return state._replace(companies=companies, supply=left)


def _objectives_dealt(state: State, event: e.ObjectivesDealt) -> State:
    return state._replace(objectives=event.objectives)


def _objectives_laid_out(state: State, event: e.ObjectivesLaidOut) -> State:
    return state._replace(objectives=(event.objectives, event.objectives))


def _consultants_dealt(state: State, event: e.ConsultantsDealt) -> State:
    # The supply holds one fewer than players of each type in use.
    supply = {consultant: in_supply(consultant, state.seats) for consultant in state.consultants}
    hqs = tuple(
        hq._replace(consultants={**hq.consultants, consultant: 1})
        for hq, consultant in zip(state.hqs, event.consultants, strict=True)
    )
    return state._replace(consultants=supply, hqs=hqs)


def _cards_dealt(state: State, event: e.CardsDealt) -> State:
    hands = tuple(count(hand) for hand in event.hands) or state.hands
    box = dict.fromkeys(COLOURS, event.boxed)
    return state._replace(hands=hands, display=event.display, deck=event.deck, box=box)


def _conglomerates_chosen(state: State, event: e.ConglomeratesChosen) -> State:
    sides = (event.player, event.ods)
    hqs = tuple(
        hq._replace(agents={c: hq.agents[c] + (c in own) for c in COLOURS})
        for hq, own in zip(state.hqs, sides, strict=True)
    )
    supply = {colour: number - 1 for colour, number in state.supply.items()}
    return state._replace(hqs=hqs, supply=supply, colours=sides)


# Turns.


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return state._replace(
        active=event.seat,
        phase="turn",
        decision=state.decision + 1,
        turn=state.turn + 1,
        used=None,
        taken_over=None,
        final_turns=_one_less(state.final_turns),
    )


def _turn_passed(state: State, event: e.TurnPassed) -> State:
    return state._replace(active=event.seat, turn=state.turn + 1, final_turns=_one_less(state.final_turns))


def _decision_reached(state: State, event: e.DecisionReached) -> State:
    return state._replace(active=event.seat, phase=event.decision, decision=state.decision + 1)


def _card_taken(state: State, event: e.CardTaken) -> State:
    if event.source == "deck":
        display, deck = state.display, state.deck[1:]
    else:
        display, deck = _without(state.display, event.source), state.deck
    if event.to == "hand":
        hands = _put(state.hands, event.seat, add(state.hands[event.seat], event.card, 1))
        return state._replace(display=display, deck=deck, hands=hands)
    if event.to == "hq":
        hq = state.hqs[event.seat]
        hqs = _put(state.hqs, event.seat, hq._replace(cards=add(hq.cards, event.card, 1)))
        return state._replace(display=display, deck=deck, hqs=hqs, to_place=(*state.to_place, event.card))
    return state._replace(display=display, deck=deck, box=add(state.box, event.card, 1))


def _card_swept(state: State, event: e.CardSwept) -> State:
    return state._replace(display=_without(state.display, event.slot), box=add(state.box, event.card, 1))


def _display_refilled(state: State, event: e.DisplayRefilled) -> State:
    display = list(state.display)
    for slot, card in event.cards:
        display[SLOTS.index(slot)] = card
    return state._replace(display=tuple(display), deck=state.deck[len(event.cards) :])


def _end_triggered(state: State, event: e.EndTriggered) -> State:
    return state._replace(final_turns=state.seats)


def _consultant_used(state: State, event: e.ConsultantUsed) -> State:
    moved = _move_consultant(state, event.seat, event.consultant, -1)
    return moved._replace(used=event.consultant)


def _consultant_taken(state: State, event: e.ConsultantTaken) -> State:
    return _move_consultant(state, event.seat, event.consultant, 1)


def _cards_placed(state: State, event: e.CardsPlaced) -> State:
    hands = _put(state.hands, event.seat, add(state.hands[event.seat], event.colour, -event.cards))
    hq = state.hqs[event.seat]
    hqs = _put(state.hqs, event.seat, hq._replace(cards=add(hq.cards, event.colour, event.cards)))
    return state._replace(hands=hands, hqs=hqs)


def _agents_placed(state: State, event: e.AgentsPlaced) -> State:
    companies = _reinforced(state.companies, event.company, event.agents)
    left = tuple(colour for colour in state.to_place if colour != event.colour)
    return state._replace(companies=companies, supply=add(state.supply, event.colour, -event.agents), to_place=left)


def _cards_rotated(state: State, event: e.CardsRotated) -> State:
    hq = state.hqs[event.hq]
    turned = hq._replace(
        cards=add(hq.cards, event.colour, -event.cards), rotated=add(hq.rotated, event.colour, event.cards)
    )
    return state._replace(hqs=_put(state.hqs, event.hq, turned))


def _cards_unrotated(state: State, event: e.CardsUnrotated) -> State:
    hq = state.hqs[event.hq]
    cards, rotated = hq.cards, hq.rotated
    for colour in event.colours:
        cards, rotated = add(cards, colour, 1), add(rotated, colour, -1)
    return state._replace(hqs=_put(state.hqs, event.hq, hq._replace(cards=cards, rotated=rotated)))


def _agents_moved(state: State, event: e.AgentsMoved) -> State:
    left = _reinforced(state.companies, event.source, -event.agents)
    return state._replace(companies=_reinforced(left, event.target, event.agents))


def _company_taken_over(state: State, event: e.CompanyTakenOver) -> State:
    source, target = state.companies[event.source], state.companies[event.target]
    companies = {
        **state.companies,
        event.source: source._replace(agents=source.agents - event.agents),
        event.target: target._replace(colour=event.colour, agents=event.agents),
    }
    hq = state.hqs[event.seat]
    return state._replace(
        companies=companies,
        hqs=_put(state.hqs, event.seat, hq._replace(agents=add(hq.agents, event.defender, 1))),
        supply=add(state.supply, event.defender, event.defenders - 1),
        taken_over=event.target,
    )


def _cards_exchanged(state: State, event: e.CardsExchanged) -> State:
    own = _with_card(_with_card(state.hqs[event.seat], event.gave, -1), event.took, 1)
    other = _with_card(_with_card(state.hqs[event.hq], event.took, -1), event.gave, 1)
    return state._replace(hqs=_put(_put(state.hqs, event.seat, own), event.hq, other))


def _card_removed(state: State, event: e.CardRemoved) -> State:
    hqs = _put(state.hqs, event.hq, _with_card(state.hqs[event.hq], event.card, -1))
    return state._replace(hqs=hqs, box=add(state.box, event.card.colour, 1))


def _agents_exchanged(state: State, event: e.AgentsExchanged) -> State:
    first, second = state.companies[event.first], state.companies[event.second]
    companies = {
        **state.companies,
        event.first: first._replace(colour=second.colour, agents=second.agents),
        event.second: second._replace(colour=first.colour, agents=first.agents),
    }
    return state._replace(companies=companies)


def _defender_hired(state: State, event: e.DefenderHired) -> State:
    hq = state.hqs[event.seat]
    hired = hq._replace(agents=add(hq.agents, event.colour, 1))
    return state._replace(hqs=_put(state.hqs, event.seat, hired), supply=add(state.supply, event.colour, -1))


def _agents_withdrawn(state: State, event: e.AgentsWithdrawn) -> State:
    companies = _reinforced(state.companies, event.company, -event.agents)
    return state._replace(companies=companies, supply=add(state.supply, event.colour, event.agents))


def _cards_drawn(state: State, event: e.CardsDrawn) -> State:
    hand = state.hands[event.seat]
    for card in event.cards:
        hand = add(hand, card, 1)
    return state._replace(hands=_put(state.hands, event.seat, hand), deck=state.deck[len(event.cards) :])


def _cards_discarded(state: State, event: e.CardsDiscarded) -> State:
    hand, box = state.hands[event.seat], state.box
    for card in event.cards:
        hand, box = add(hand, card, -1), add(box, card, 1)
    return state._replace(hands=_put(state.hands, event.seat, hand), box=box)


def _marker_moved(state: State, event: e.MarkerMoved) -> State:
    return state._replace(marker=event.column)


def _game_ended(state: State, event: e.GameEnded) -> State:
    return state._replace(phase="over", result=event)


def _unchanged(state: State, _: e.Event) -> State:
    return state


_EVOLVE: dict[type[Any], Callable[[Any, Any], State]] = {
    GameStarted: _game_started,
    e.CompaniesLaid: _companies_laid,
    e.AgentsScattered: _agents_scattered,
    e.ObjectivesDealt: _objectives_dealt,
    e.ObjectivesLaidOut: _objectives_laid_out,
    e.ConsultantsDealt: _consultants_dealt,
    e.CardsDealt: _cards_dealt,
    e.ConglomeratesChosen: _conglomerates_chosen,
    e.TurnBegan: _turn_began,
    e.TurnPassed: _turn_passed,
    e.DecisionReached: _decision_reached,
    e.CardTaken: _card_taken,
    e.CardSwept: _card_swept,
    e.DisplayRefilled: _display_refilled,
    e.EndTriggered: _end_triggered,
    e.ConsultantUsed: _consultant_used,
    e.ConsultantTaken: _consultant_taken,
    e.CardsPlaced: _cards_placed,
    e.AgentsPlaced: _agents_placed,
    e.CardsRotated: _cards_rotated,
    e.CardsUnrotated: _cards_unrotated,
    e.AgentsMoved: _agents_moved,
    e.TakeoverFailed: _unchanged,
    e.CompanyTakenOver: _company_taken_over,
    e.AbilityLapsed: _unchanged,
    e.AbilitySkipped: _unchanged,
    e.CardsExchanged: _cards_exchanged,
    e.CardRemoved: _card_removed,
    e.AgentsExchanged: _agents_exchanged,
    e.CardsDrawn: _cards_drawn,
    e.CardsDiscarded: _cards_discarded,
    e.MarkerMoved: _marker_moved,
    e.PriorityFollowed: _unchanged,
    e.TableFlipped: _unchanged,
    e.GameEnded: _game_ended,
    e.DefenderHired: _defender_hired,
    e.AgentsWithdrawn: _agents_withdrawn,
}


def _one_less(turns: int | None) -> int | None:
    return None if turns is None else turns - 1


def _put(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _without(display: tuple[Colour | None, ...], slot: Source) -> tuple[Colour | None, ...]:
    return _put(display, SLOTS.index(slot), None)


def _reinforced(companies: Companies, square: Square, agents: int) -> Companies:
    company = companies[square]
    return {**companies, square: company._replace(agents=company.agents + agents)}


def _move_consultant(state: State, seat: int, consultant: Consultant, to_hq: int) -> State:
    hq = state.hqs[seat]
    held: Consultants = {**hq.consultants, consultant: hq.consultants[consultant] + to_hq}
    supply: Consultants = {**state.consultants, consultant: state.consultants[consultant] - to_hq}
    return state._replace(hqs=_put(state.hqs, seat, hq._replace(consultants=held)), consultants=supply)


def _with_card(hq: Hq, card: Card, number: int) -> Hq:
    if card.rotated:
        return hq._replace(rotated=add(hq.rotated, card.colour, number))
    return hq._replace(cards=add(hq.cards, card.colour, number))


# The events of one action, in the order in which they are decided.


class Course(DecisionResult):
    """Events that an action has caused so far, and the `state` after them."""

    state: State

    def record(self, event: e.Event) -> None:
        """Add an event, and apply it to the state."""
        self.append(event)
        self.state = evolve(self.state, event)
