"""How each event changes the state. No event is ever refused, and the rules are never asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.rules.games.bastards_inc import evolve_business, evolve_cards, evolve_phases, evolve_setup, evolve_war
from service.rules.games.bastards_inc.events import Event
from service.rules.games.bastards_inc.state import State
from service.rules.kernel import GameStarted

_EVOLVE: dict[type[Any], Callable[[Any, Any], State]] = {
    **evolve_setup.EVOLVE,
    **evolve_phases.EVOLVE,
    **evolve_war.EVOLVE,
    **evolve_business.EVOLVE,
    **evolve_cards.EVOLVE,
}


def evolve(state: State | None, event: Event | GameStarted) -> State:
    """Return the state after the event; GameStarted begins from nothing."""
    return _EVOLVE[type(event)](state, event)
