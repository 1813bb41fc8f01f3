"""The events of one action, as they are decided one after the other."""

from __future__ import annotations

from service.rules.caused import Caused
from service.rules.games.new_corp_order.events import Event
from service.rules.games.new_corp_order.evolve import evolve
from service.rules.games.new_corp_order.state import State


class Course(Caused):
    """What an action has caused so far, and the `state` after it."""

    state: State

    def record(self, event: Event) -> None:
        """Add an event, and apply it to the state."""
        self.append(event)
        self.state = evolve(self.state, event)
