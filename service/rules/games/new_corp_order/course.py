"""The events of one action, as they are decided one after the other."""

from __future__ import annotations

from service.rules.games.new_corp_order.events import Event
from service.rules.games.new_corp_order.evolve import evolve
from service.rules.games.new_corp_order.state import State


class Course:
    """What an action has caused so far: `events`, and the `state` after them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Add an event, and apply it to the state."""
        self.events.append(event)
        self.state = evolve(self.state, event)
