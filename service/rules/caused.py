"""The events that an action causes, with the state that they lead to: it is known once they have been decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.rules.kernel import AnyRuleset, fold


class Caused(list[Any]):
    """Events in their order, and the `state` after them if they are put on top of the state `before`.

    A game's `decide` may return them: then computer players, previews and analyses need not evolve them once more.
    The log does, since a state is what its events add up to.
    """

    def __init__(self, before: Any) -> None:
        super().__init__()
        self.before = self.state = before


def put_on(ruleset: AnyRuleset, state: Any, events: Sequence[Any]) -> Any:
    """Return the state after events that were decided in a state."""
    if isinstance(events, Caused) and events.before is state:
        return events.state
    return fold(ruleset, events, state)
