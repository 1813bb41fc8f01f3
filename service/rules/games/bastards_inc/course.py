"""The events of one action, as they are decided one after the other."""

from __future__ import annotations

from service.rules.games.bastards_inc.events import Event
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.state import State
from service.rules.kernel import Dice


class Course:
    """What an action has caused so far: `events`, and the `state` after them; `chance` is there to be asked."""

    def __init__(self, state: State, chance: Dice) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Add an event, and apply it to the state."""
        self.events.append(event)
        self.state = evolve(self.state, event)
