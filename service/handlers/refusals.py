"""Why a request is refused; a move against the rules of the game is kernel.Illegal, which passes through."""

from __future__ import annotations

from typing import Literal

from service.store.events import Recorded
from service.store.games import Position, UnknownGame

__all__ = [
    "AlreadyResigned",
    "BadOption",
    "KeyReused",
    "NotHost",
    "NotOpen",
    "NotRunning",
    "NotSeated",
    "NotYourTurn",
    "StaleDecision",
    "Unavailable",
    "UnknownGame",
    "UnknownRuleset",
]


class UnknownRuleset(Exception):
    """There is no such ruleset."""


class BadOption(Exception):
    """The host asked for something the ruleset does not offer; `name` is the option, or `seats`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NotSeated(Exception):
    """There is no such seat for a player in this game."""


class NotHost(Exception):
    """Only the host may do this."""


class NotOpen(Exception):
    """The lobby of the game does not allow it: started already, all seats full, seated already, or seats still free."""

    def __init__(self, reason: Literal["started", "full", "taken", "seats-free"]) -> None:
        super().__init__(reason)
        self.reason = reason


class NotRunning(Exception):
    """The game has not started, or is over; `status` says which."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


class StaleDecision(Exception):
    """The move answers a decision that is not the current one; `since` is what was done from that decision on.

    Both hold hidden information: show them through the seat's views only.
    """

    def __init__(self, position: Position, since: list[Recorded]) -> None:
        super().__init__("the decision is not the current one")
        self.position = position
        self.since = since


class NotYourTurn(Exception):
    """The decision is the current one, but not this seat's to take (or it has done so already)."""

    def __init__(self, position: Position) -> None:
        super().__init__("the seat has nothing to decide")
        self.position = position


class AlreadyResigned(Exception):
    """The player has given this game up before."""


class KeyReused(Exception):
    """The idempotency key was used before, for another request."""


class Unavailable(Exception):
    """The database did not answer in time, or its answer got lost: repeat the request, with the same key."""
