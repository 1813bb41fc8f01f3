"""Why a request is refused; a move against the rules of the game is kernel.Illegal, which passes through."""

from __future__ import annotations

from typing import Literal

from service.log.recorded import Recorded
from service.store.game_row import UnknownGame
from service.store.position import Position

__all__ = [
    "AddressTaken",
    "AlreadyResigned",
    "BadOption",
    "BotsMayNot",
    "CannotBeTakenBack",
    "DeadToken",
    "InvitationOver",
    "KeyReused",
    "NoMail",
    "NotConfirmed",
    "NotGuest",
    "NotHost",
    "NotOpen",
    "NotOver",
    "NotRunning",
    "NotSeated",
    "NotYourTurn",
    "NothingToTakeBack",
    "ScopeMissing",
    "StaleDecision",
    "TooLateToTakeBack",
    "TooMany",
    "Unavailable",
    "UnknownBot",
    "UnknownDelivery",
    "UnknownGame",
    "UnknownInvitation",
    "UnknownRuleset",
    "UnknownSignIn",
    "UnknownTicket",
    "UnknownWebhook",
    "WebhookInactive",
    "WebhooksOff",
]


class UnknownRuleset(Exception):
    """There is no such ruleset."""


class BadOption(Exception):
    """The host asked for something the ruleset does not offer; `name` is the option, or `seats`, or `access`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NotSeated(Exception):
    """There is no such seat for a player in this game."""


class NotHost(Exception):
    """Only the host may do this."""


Obstacle = Literal["started", "cancelled", "full", "taken", "seats-free", "empty", "own-seat", "many-invitations"]


class NotOpen(Exception):
    """The lobby of the game does not allow it, for a reason such as that the game was started already."""

    def __init__(self, reason: Obstacle) -> None:
        super().__init__(reason)
        self.reason = reason


class NoSuchEvent(Exception):
    """The game has no event of this number; `last` is the number of its last one."""

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last


class NotOver(Exception):
    """The game has not been played to its end."""


class UnknownInvitation(Exception):
    """There is no such invitation, or it is for somebody else."""


class InvitationOver(Exception):
    """The invitation was taken back, or was given too long ago."""


class NoMail(Exception):
    """No invitation may be mailed to the address: it wants none, cannot be reached, has had its share, or is silent."""


class NotConfirmed(Exception):
    """The address is not confirmed, and cannot be asked now: it was lately, or has refused."""


class UnknownTicket(Exception):
    """There is no such ticket: it was used, or has expired."""


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


class NothingToTakeBack(Exception):
    """The seat has played nothing in answer to the decision, or has taken it back already."""


class TooLateToTakeBack(Exception):
    """Somebody has acted since (`acted`), or the seat has had its time (`time`)."""

    def __init__(self, reason: Literal["acted", "time"]) -> None:
        super().__init__(reason)
        self.reason = reason


class CannotBeTakenBack(Exception):
    """The action has shown somebody what nobody could know before it."""


class KeyReused(Exception):
    """The idempotency key was used before, for another request."""


class Unavailable(Exception):
    """The database did not answer in time, or its answer got lost: repeat the request, with the same key."""


class DeadToken(Exception):
    """The token was good once; `reason` says why it no longer is."""

    def __init__(self, reason: Literal["revoked", "expired"]) -> None:
        super().__init__(reason)
        self.reason = reason


class ScopeMissing(Exception):
    """The token is not good for this; `scope` is what it lacks."""

    def __init__(self, scope: str) -> None:
        super().__init__(scope)
        self.scope = scope


class BotsMayNot(Exception):
    """Only a person may do this, and the account is a bot's."""


class UnknownSignIn(Exception):
    """The link to sign in was used, is too old, or was never sent."""


class NotGuest(Exception):
    """Only a guest may do this, and the account has an address already with which one signs in."""


class AddressTaken(Exception):
    """There is an account already to which one signs in with the address."""


class UnknownBot(Exception):
    """The player has no such bot."""


class TooMany(Exception):
    """The account has as many of these as it may have: `most`."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class WebhooksOff(Exception):
    """The house has no key to keep secrets under, and so sends no webhooks."""


class UnknownWebhook(Exception):
    """The player has no such webhook."""


class UnknownDelivery(Exception):
    """The webhook was never sent that, or so long ago that nobody remembers."""


class WebhookInactive(Exception):
    """The webhook is switched off."""
