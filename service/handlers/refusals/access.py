"""Refusals of what is not there, or not for the one who asks: 401, 403 and 404."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from service.shared.refusal import NotFound, Refusal
from service.store.game_row import UnknownGame as UnknownGame  # noqa: PLC0414 - handed on with the classes below


class DeadToken(Refusal):
    """The token was good once."""


class TokenRevoked(DeadToken):
    """The token was good once, and was revoked: by you, or with the account or the bot that it belonged to."""

    code = "token-revoked"
    status = 401
    title = "The token has been revoked"
    remedy = "Make another one, with a token that still works or by signing in by mail."


class TokenExpired(DeadToken):
    """The token was good until a time that was set when it was made."""

    code = "token-expired"
    status = 401
    title = "The token has expired"
    remedy = "Make another one, with a token that still works or by signing in by mail."


DEAD_TOKENS: Final[Mapping[Literal["revoked", "expired"], type[DeadToken]]] = {
    "revoked": TokenRevoked,
    "expired": TokenExpired,
}
"""What refuses a token, by why it is no longer good."""


class AccountBlocked(DeadToken):
    """Those who run the service have blocked the account, that of the bot's owner, or its address; `reason` is theirs.
    Nothing was changed. The token works again when the account is unblocked.
    """

    code = "account-blocked"
    status = 403
    title = "The account is blocked"
    remedy = "Show `reason` to the player. Do not ask again before those who run the service have been written to."

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)


class ScopeMissing(Refusal):
    """The token is yours and works, but was not made for this; `scope` is what it lacks."""

    code = "scope-missing"
    status = 403
    title = "The token is not good for this"
    remedy = "Use, or make, a token that has this scope. A token makes only tokens that may do no more than itself."

    def __init__(self, scope: str) -> None:
        super().__init__(scope=scope)


class BotsMayNot(Refusal):
    """The token is that of a bot. Bots play, but have no bots and no address of their own."""

    code = "bots-may-not"
    status = 403
    title = "Only a person may do this"
    remedy = "Use a token of the person whose bot it is."


class PersonsMayNot(Refusal):
    """The token is that of a person. Only bots say that they are ready: they answer challenges by themselves."""

    code = "persons-may-not"
    status = 403
    title = "Only a bot may do this"
    remedy = "Use a token of a bot: `POST /bots` makes one."


class NotSeated(Refusal):
    """Only those who sit in the game may do this. Until a game begins, only they may see it."""

    code = "not-seated"
    status = 403
    title = "You have no seat in this game"
    remedy = "Take a seat while the game is open, or use the token of a player who sits in it."


class NotHost(Refusal):
    """Only the player who opened the game, or the tournament, may do this."""

    code = "not-host"
    status = 403
    title = "Only the host may do this"
    remedy = "Ask the host: at a table that has not begun it is the player in seat 0."


class UnknownSignIn(Refusal):
    """The link was used already, is older than a quarter of an hour, or was not copied whole."""

    code = "unknown-sign-in"
    status = 404
    title = "This sign-in link does not work, or no longer"
    remedy = "Ask for another mail, with `POST /sign-in`."


class UnknownChannel(Refusal):
    """You have no channel with this id. Those of others are not told apart from those that never were."""

    code = "unknown-channel"
    status = 404
    title = "You have no such channel"
    remedy = "Take the id from the list of your channels."


class UnknownWebhook(Refusal):
    """You have no webhook with this id. Those of others are not told apart from those that never were."""

    code = "unknown-webhook"
    status = 404
    title = "You have no such webhook"
    remedy = "Take the id from the list of your webhooks."


class UnknownDelivery(Refusal):
    """The webhook was sent no message with this id, or so long ago that it is no longer listed."""

    code = "unknown-delivery"
    status = 404
    title = "The webhook was sent no such message"
    remedy = "Take the id from the list of its deliveries."


class UnknownTicket(Refusal):
    """A ticket opens one stream, within a minute of being given. This one was used, is older, or is not whole."""

    code = "unknown-ticket"
    status = 404
    title = "This ticket does not work, or no longer"
    remedy = "Ask for another one, and open it with `after`, the last event that you know."


class UnknownInvitation(Refusal):
    """The link was not copied whole, belongs to a game that is gone, or invites somebody else. Or it was to stop
    mails, and went to no address itself.
    """

    code = "unknown-invitation"
    status = 404
    title = "There is no such invitation"
    remedy = "Ask whoever invited you for the link, or for another one. To stop mails, use the link of one of them."


class UnknownChallenge(Refusal):
    """You have neither sent nor received a challenge with this id, or it is not yours to answer so: the player who
    received it accepts or declines it, the player who sent it withdraws it.
    """

    code = "unknown-challenge"
    status = 404
    title = "There is no such challenge"
    remedy = "Take the id from the list of your challenges, with `GET /challenges`."


class UnknownSeatRequest(Refusal):
    """The game has no request with this id that is still open, or it is not yours to answer."""

    code = "unknown-seat-request"
    status = 404
    title = "There is no such request for a seat"
    remedy = "Take the id from the list of the game's requests."


class UnknownBot(NotFound):
    """The player has no such bot."""

    def __init__(self) -> None:
        super().__init__("bot")


class UnknownApp(NotFound):
    """The account has registered no app with this id."""


class UnknownGrant(NotFound):
    """The account has granted no app anything under this id."""


class UnknownRemark(NotFound):
    """Nobody else has made a remark with this number at the table."""

    def __init__(self) -> None:
        super().__init__("remark")


class UnknownSubject(NotFound):
    """There is nothing, or nothing any more, that the operator's act could be about."""


class NoSuchEvent(NotFound):
    """The game has no event of this number; `last` is the number of its last one."""

    def __init__(self, last: int) -> None:
        super().__init__("event", last=last)
