"""The events of one action, as they are decided one after the other."""

from __future__ import annotations

from service.rules.caused import Caused
from service.rules.games.bastards_inc.events import Event
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.state import State
from service.rules.kernel import Dice


class Course(Caused):
    """What an action has caused so far, and the `state` after it; `chance` is there to be asked."""

    state: State

    def __init__(self, state: State, chance: Dice) -> None:
        super().__init__(state)
        self.chance = chance

    def record(self, event: Event) -> None:
        """Add an event, and apply it to the state."""
        self.append(event)
        self.state = evolve(self.state, event)
