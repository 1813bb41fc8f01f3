"""How the events of the setup build the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc.companies import RESTING
from service.rules.games.bastards_inc.setup_events import PilesShuffled, PlansDealt, StuffLaid
from service.rules.games.bastards_inc.state import Company, State
from service.rules.kernel import GameStarted


def game_started(_: None, event: GameStarted) -> State:
    """An empty table."""
    return State(revision=event.revision, companies=(), rounds=0, target=0)


def plans_dealt(state: State, event: PlansDealt) -> State:
    """Each seat has its company, with VPs in the Lounge."""
    companies = tuple(
        Company(
            plan=dealt.plan,
            scores=dealt.scores,
            billions=dealt.billions,
            influence=dealt.influence,
            vps=(RESTING,) * event.vps,
        )
        for dealt in event.companies
    )
    return state._replace(companies=companies, rounds=event.rounds, target=event.target)


def stuff_laid(state: State, event: StuffLaid) -> State:
    """The regions have their Stuff."""
    return state._replace(stuff=event.stuff)


def piles_shuffled(state: State, event: PilesShuffled) -> State:
    """Both piles lie face down."""
    return state._replace(cards=event.cards, events=event.events)


EVOLVE: Mapping[type[Any], Callable[[Any, Any], State]] = {
    GameStarted: game_started,
    PlansDealt: plans_dealt,
    StuffLaid: stuff_laid,
    PilesShuffled: piles_shuffled,
}
