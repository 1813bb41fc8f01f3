"""Refusals of requests, one class each (`docs/add-a-refusal.md`).

An action against the rules of a game is kernel.Illegal, which passes through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, get_args

from service.log.recorded import Recorded
from service.rules.kernel import Illegal
from service.shared.refusal import NotFound, Refusal, json_pointer
from service.shared.refusal import Unavailable as Unavailable  # noqa: PLC0414 - handed on with the classes below
from service.store.game_row import UnknownGame as UnknownGame  # noqa: PLC0414 - handed on with the classes below
from service.store.games import Position

# Refusals of what is not there, or not for the one who asks: 401, 403 and 404.


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


# Refusals to take an action back, and to pause a game: 409.


class NothingToTakeBack(Refusal):
    """You have played nothing in answer to this decision, or have taken it back already."""

    code = "nothing-to-take-back"
    status = 409
    title = "There is nothing to take back"
    remedy = (
        "Send the `decision` that the action answered: `GET /games/{id}/take-back` shows which one can be taken back."
    )


class TooLateToTakeBack(Refusal):
    """An action can be taken back for a short time, and only until somebody acts. `reason` says why it is too late:
    `time`, `acted` when somebody has acted, `deadline` when the time of a player who would have to act again is up, or
    `player-lost` when since then a player has given up, a seat was handed over, or the time of one has lapsed.
    """

    code = "too-late-to-take-back"
    status = 409
    title = "It is too late to take this back"
    remedy = "Play on. The action counts. After `acted` and `time` the other players can be asked for their consent."
    cases = ("acted", "time", "deadline", "player-lost")

    def __init__(self, reason: Literal["acted", "time", "deadline", "player-lost"]) -> None:
        super().__init__(reason, reason=reason)
        self.reason = reason


class CannotBeTakenBack(Refusal):
    """The action has drawn a card, rolled dice, or shown something that one could not know before it."""

    code = "cannot-be-taken-back"
    status = 409
    title = "The action has shown something"
    remedy = "Play on. The action counts. A dry run tells beforehand what is not known yet: its `data` is null there."


class TakeBackNotOffered(Refusal):
    """The other players cannot be asked for consent to take an action back. `reason` says why: the game has `no-clock`,
    its terms do not allow it (`switched-off`), there is `nobody` to ask, or somebody else has `asked` already.
    """

    code = "take-back-not-offered"
    status = 409
    title = "The others cannot be asked to have an action taken back"
    remedy = "Play on. The action counts. Where somebody else has asked, wait until that is settled."
    cases = ("no-clock", "switched-off", "nobody", "asked")

    def __init__(self, reason: Literal["no-clock", "switched-off", "nobody", "asked"]) -> None:
        super().__init__(reason, reason=reason)


class TakeBackOver(Refusal):
    """There is no such request any more: somebody has acted since, has declined it, or its time was over."""

    code = "take-back-over"
    status = 409
    title = "The request to take an action back is over"
    remedy = "Play on. `GET /games/{id}/take-back-requests` lists the request that stands, if there is one."


class CannotPause(Refusal):
    """The game cannot be paused. `reason` says why: it has `no-clock`, it is `paused` already, or your seat is
    `absent`, and the service plays it.
    """

    code = "cannot-pause"
    status = 409
    title = "The game cannot be paused"
    remedy = "A game without a clock needs no pause. From an absent seat, play or say that you are back first."
    cases = ("no-clock", "paused", "absent")

    def __init__(self, reason: Literal["no-clock", "paused", "absent"]) -> None:
        super().__init__(reason, reason=reason)


class NoPause(Refusal):
    """There is nothing to agree to, or to end: nobody proposes such a pause (`not-proposed`), or the game is not paused
    (`not-paused`), as `reason` says.
    """

    code = "no-pause"
    status = 409
    title = "There is no such pause"
    remedy = "Look at `GET /games/{id}/pause` again."
    cases = ("not-proposed", "not-paused")

    def __init__(self, reason: Literal["not-proposed", "not-paused"]) -> None:
        super().__init__(reason, reason=reason)


# Refusals about leagues and tournaments: 404 and 409.


class UnknownLeague(Refusal):
    """There is no league of this name, or no such season in it."""

    code = "unknown-league"
    status = 404
    title = "There is no such league, or no such season"
    remedy = "Take the name from `GET /leagues`, and the number from the seasons of the league."


class UnknownTournament(Refusal):
    """There is no tournament with this id, or it is by invitation and you are neither its host nor invited."""

    code = "unknown-tournament"
    status = 404
    title = "There is no such tournament"
    remedy = "Take the id from `GET /tournaments`, or ask its host to invite you."


class EntryOver(Refusal):
    """Nobody can enter or leave before the start any more: it has begun, is over, or was called off. Or, where `reason`
    is `full`, as many have entered as may.
    """

    code = "entry-over"
    status = 409
    title = "Entry is over"
    remedy = "Enter the next season of the league, or another tournament."
    cases = (None, "full")


class RoundNotReady(Refusal):
    """The host cannot go on with the tournament now: games of the round are still played (`games`), too few
    players for one table have entered (`entrants`), or the tournament is over (`over`).
    """

    code = "round-not-ready"
    status = 409
    title = "The tournament cannot go on now"
    remedy = "Wait until the games of the round are over, or more players have entered."
    cases = ("games", "entrants", "over")


# Refusals of what could be done at another time, or by another account: 409 and 410.


class NotGuest(Refusal):
    """Only a guest takes on an address, and the account has one already. The link has not been used up."""

    code = "not-a-guest"
    status = 409
    title = "The account has an address already with which one signs in"
    remedy = (
        "Go on with the address that the account has, or use the link for an account of its own, with `POST "
        "/sign-in/token`."
    )


class AddressTaken(Refusal):
    """Somebody signs in with this address already. A guest's games move to that account on the page of the link alone.
    The link has not been used up.
    """

    code = "address-taken"
    status = 409
    title = "The address has an account of its own"
    remedy = "Go to that account with the same link, by `POST /sign-in/token`, or ask for a link to another address."


class TooMany(Refusal):
    """An account has no more than `most` of these at a time."""

    code = "too-many"
    status = 409
    title = "There are as many of these as there may be"
    remedy = "Delete those that are not needed any more."

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class HandleTaken(Refusal):
    """Another account has the handle or one that looks like it, had it within the last year, or it is reserved."""

    code = "handle-taken"
    status = 409
    title = "The handle cannot be had"
    remedy = "Choose another one."


class HandleChangedOften(Refusal):
    """A handle can be changed or given back `most` times within `days` days."""

    code = "handle-changed-often"
    status = 409
    title = "The handle was changed as often as it may be"
    remedy = "Keep the handle for now, and change it later."

    def __init__(self, most: int, days: int) -> None:
        super().__init__(most=most, days=days)


class NoAddress(Refusal):
    """Mails can only be sent to an account with an address, and this one has none."""

    code = "no-address"
    status = 409
    title = "The account has no mail address"
    remedy = (
        "Sign in with an address: that leads to an account which has it. A guest takes one on with `POST /me/email`."
    )


class NoHandle(Refusal):
    """A bot is challenged by its handle, and this one has none: nobody could find it on the list."""

    code = "no-handle"
    status = 409
    title = "The bot has no handle"
    remedy = 'Give it one with its token: `PATCH /me` with `{"handle": "my-bot"}`. Then ask again.'


class NoMail(Refusal):
    """No mail has gone out: the address wants no invitations, cannot be reached, has had as many today as anybody may
    get, has not answered your last one yet, or was asked lately whether it wants any. Which of these it is, is not for
    others to know.
    """

    code = "no-mail"
    status = 409
    title = "No invitation can be mailed to this address"
    remedy = "Leave `email` out, and pass on the link that is answered."


class NoChallenge(Refusal):
    """The challenge was not sent: the player takes none from you now, has one of yours that is still open, or has left
    three of yours unaccepted within a day. Which of these it is, is not for others to know. One's own account cannot be
    challenged either.
    """

    code = "no-challenge"
    status = 409
    title = "This player cannot be challenged by you now"
    remedy = "Challenge another player, or ask again tomorrow. `GET /challenges` lists those of yours that are open."


class OwnAccount(Refusal):
    """What is meant for other people was asked for one's own account, or for a bot of the same person."""

    code = "own-account"
    status = 409
    title = "The account is your own"
    remedy = "Name another person's account."


class NoFriend(Refusal):
    """The request was not sent: the player takes none from you now, or one of yours came to nothing within 30 days.
    Which of these it is, is not for others to know. Bots have no friends.
    """

    code = "no-friend"
    status = 409
    title = "You cannot ask this player to be a friend now"
    remedy = "Leave it at that, or ask again in a month. `GET /me/friends` lists your requests that are open."


class ChallengeOver(Refusal):
    """The challenge has been answered or withdrawn, or its seven days have passed; `state` says which."""

    code = "challenge-over"
    status = 409
    title = "The challenge is over"
    remedy = "Send another one."

    def __init__(self, state: str) -> None:
        super().__init__(state=state)


class NotConfirmed(Refusal):
    """Nobody has confirmed the address of your account, and no mail can ask for it now: one did within the last 30
    days, on this account or another, or the address has refused such mails.
    """

    code = "not-confirmed"
    status = 409
    title = "The address is not confirmed, and cannot be asked now"
    remedy = "Sign in with the address: POST /sign-in, and then POST /me/email."


class SecretShown(Refusal):
    """It was done under the same Idempotency-Key before. Its answer had a secret, which is kept nowhere."""

    code = "secret-shown"
    status = 409
    title = "This was done before, and its secret is shown only once"
    remedy = "If that answer got lost, delete (or renew) what `of` names, and ask again with a new key."


class WebhookInactive(Refusal):
    """The webhook was switched off: by you, because it answered 410, or because nothing had arrived for days.
    `disabled` of the webhook says which.
    """

    code = "webhook-inactive"
    status = 409
    title = "The webhook is switched off"
    remedy = 'Switch it on: PATCH it with `{"active": true}`.'


class WebhooksOff(Refusal):
    """Whoever runs this service has given it no key to keep the secrets of webhooks under."""

    code = "webhooks-off"
    status = 409
    title = "No webhooks are sent from here"
    remedy = "Follow games by their stream or with `wait` instead, or ask whoever runs the service."


class ChannelsOff(Refusal):
    """The operator of this service has given it no key to keep the secrets of channels under, or none for Web Push."""

    code = "channels-off"
    status = 409
    title = "No messages are sent to such channels from here"
    remedy = "Rely on mails instead, choose another kind of channel, or ask the operator of the service."


class InvitationOver(Refusal):
    """The invitation was good once: it was taken back, or was given more than 30 days ago."""

    code = "invitation-over"
    status = 410
    title = "The invitation is no longer good"
    remedy = "Ask whoever invited you for another one."


# Refusals of what a request asks for, and of all while the database is away: 412, 422 and 503.


class PreconditionFailed(Refusal):
    """What the request rests on, by `If-Match` or `If-None-Match`, is no longer so: somebody else has written since.
    Nothing was changed. The header ETag is that of now, and `current` is what GET answers now, if the token may read
    it.
    """

    code = "precondition-failed"
    status = 412
    title = "It has changed since"
    remedy = "Look at `current`, decide anew, and send the request with the ETag of now. What has no ETag takes none."
    cases = (None, "untagged")


class UnknownRuleset(Refusal):
    """The service has no game of this name."""

    code = "unknown-ruleset"
    status = 422
    title = "There is no such ruleset"
    remedy = "Choose a `name` from the list of rulesets."


class BadOption(Refusal):
    """The ruleset does not have this option, this value of it, or this number of seats; `errors` points at it."""

    code = "bad-option"
    status = 422
    title = "The ruleset does not offer this"
    remedy = "Choose from what the list of rulesets says of this one."

    def __init__(self, name: str) -> None:
        # `seats`, `access`, `pace`, `rated`, or the name of an option.
        place = (name,) if name in ("seats", "access", "pace", "computers", "rated") else ("options", name)
        detail = {"pace": "fault-solo", "rated": "fault-rated"}.get(name, "Not offered by the ruleset.")
        super().__init__(errors=[{"pointer": json_pointer(*place), "detail": detail}])
        self.name = name


class NoSuchLevel(Refusal):
    """Computer players have no such level in this game with so many players; `levels` are those that they have."""

    code = "no-such-level"
    status = 422
    title = "There is no computer player of this level"
    remedy = "Choose one of the levels that the ruleset has at a table of this size."

    def __init__(self, levels: Sequence[str]) -> None:
        super().__init__(levels=list(levels))
        self.levels = levels


class BadAddress(Refusal):
    """No message is sent to this address: `errors` says what is wrong with it. Only public addresses are called, over
    https, at port 443 or 8443.
    """

    code = "bad-address"
    status = 422
    title = "Nothing is sent to this address"
    remedy = "Give the webhook an address that everybody can reach."

    def __init__(self, why: str) -> None:
        super().__init__(errors=[{"pointer": "/url", "detail": why}])


class BadPause(Refusal):
    """A pause ends at least a minute and at most 30 days from now; `errors` points at the moment."""

    code = "bad-pause"
    status = 422
    title = "A pause cannot end at this moment"
    remedy = "Choose a moment within the next 30 days."

    def __init__(self) -> None:
        super().__init__(errors=[{"pointer": "/until", "detail": "Not within the next 30 days."}])


class BadChannel(Refusal):
    """No channel can be set up with what was given: `errors` says what is wrong with it. Only public addresses are
    called, over https, at port 443 or 8443.
    """

    code = "bad-channel"
    status = 422
    title = "This leads to no channel"
    remedy = "Give what the service has shown where you set up the webhook, the bot, the topic or the subscription."

    def __init__(self, field: str, why: str) -> None:
        super().__init__(errors=[{"pointer": json_pointer(field), "detail": why}])
        self.field = field


_ABSENCE_FAULTS = {
    "past": "In the past.",
    "far": "Too far ahead.",
    "backwards": "Before the first day.",
    "long": "Too many days in a row.",
    "many": "Too many days in twelve months.",
    "often": "Too many announced within a day.",
    "zone": "No such time zone.",
}


class BadAbsence(Refusal):
    """The absence cannot be as it was asked for: its first day lies in the `past` or too `far` ahead, its days are
    `backwards`, there would be more than 21 in a row (`long`) or more than 42 in twelve months (`many`), you have
    announced five within a day (`often`), or nobody knows the `zone`. `errors` points at it, and `most` is the limit.
    """

    code = "bad-absence"
    status = 422
    title = "The absence cannot be announced"
    remedy = "Choose days within the limits, and name the time zone as IANA does, such as `Europe/Berlin`."
    cases = ("past", "far", "backwards", "long", "many", "often", "zone")

    def __init__(self, case: str, place: str = "/until", most: int | None = None) -> None:
        super().__init__(case, most=most, errors=[{"pointer": place, "detail": _ABSENCE_FAULTS[case]}])


class KeyReused(Refusal):
    """The Idempotency-Key has already been used for a request with another body or another game."""

    code = "key-reused"
    status = 422
    title = "This Idempotency-Key was used for another request"
    remedy = "Make a new key for every new action, and repeat a key only with the very same request."


class UnreadableNotation(Refusal):
    """The text is no action in the notation of this game; `detail` quotes what was not understood, and so does
    `part`.
    """

    code = "unreadable-notation"
    status = 422
    title = "This is no action in the game's notation"
    remedy = "Use the `notation` of one of the legal actions, or send the action as JSON."

    def __init__(self, part: str) -> None:
        super().__init__(part=part)


OrderFault = Literal["nowhere", "condition", "value", "illegal", "unreadable", "auto-answer"]
"""Why an order makes no sense: it is about something that is not at the table; a condition points nowhere, or has a
value that no view could have; the rules never allow the action; it cannot be read; there is no such auto-answer."""


class BadOrder(Refusal):
    """An order could never be played at this table, or a condition of it names a place that the player's view does not
    have. `errors` points at each, and says why.
    """

    code = "bad-order"
    status = 422
    title = "An order makes no sense at this table"
    remedy = (
        "Correct what `errors` points at: compare the action with the rules of the game, and each pointer with `view` "
        "in the answer of `GET /games/{game_id}`."
    )

    def __init__(self, why: OrderFault, *place: str | int, illegal: Illegal | None = None) -> None:
        """`place` leads to the fault in what was sent; `illegal` says why the rules never allow the action."""
        super().__init__()
        self.why = why
        self.pointer = json_pointer(*map(str, place))
        self.illegal = illegal


# Refusals of what a game does not allow now, or not from this seat: 409.

Obstacle = Literal["started", "cancelled", "full", "taken", "seats-free", "empty", "own-seat", "many-invitations"]


class NotOpen(Refusal):
    """The game cannot be joined or started now: `reason` says whether it has been started, is full, has you in it
    already, or still has free seats.
    """

    code = "not-open"
    status = 409
    title = "The game does not take players in this way now"
    remedy = "Look at the game again, and then wait for the others, start it, or play."
    cases = get_args(Obstacle)

    def __init__(self, reason: Obstacle) -> None:
        super().__init__(reason, reason=reason)
        self.reason = reason


class AlreadyResigned(Refusal):
    """You gave the game up before. It has changed nothing to do so again."""

    code = "already-resigned"
    status = 409
    title = "You have given this game up already"
    remedy = "Look on, or ask for another game."


class NotRunning(Refusal):
    """The game has not begun, or is over; `game_status` says which."""

    code = "game-not-running"
    status = 409
    title = "The game is not being played"
    remedy = "Wait until the host starts it. When it is over, its standings say how it ended."
    cases = ("open", "finished", "cancelled")

    def __init__(self, status: str) -> None:
        super().__init__(status, game_status=status)


class NotOver(Refusal):
    """Until a game has been played to its end nobody can ask for another one with the same people, nor look at it
    through the eyes of others, or at what it shows only when all is open.
    """

    code = "game-not-over"
    status = 409
    title = "The game has not been played to its end"
    remedy = "Wait until its status is `finished`. A game that was called off is opened anew instead."
    cases = (None, "seat")


class NoRecord(Refusal):
    """Records are made from a hash chain that begins with a game, and this game began before there were any."""

    code = "no-record"
    status = 409
    title = "There is no record of this game"
    remedy = "Read its events instead. Every game that begins now has a record."


class StaleDecision(Refusal):
    """The action answers a decision that has been taken already, or that has not come yet. It has changed nothing."""

    code = "stale-decision"
    status = 409
    title = "The game has moved on"
    remedy = (
        "Read `since`, which is what has happened from that decision on, choose one of `legal_actions`, and send it "
        "with the `decision` of this answer."
    )

    def __init__(self, position: Position, since: list[Recorded], case: str | None = None) -> None:
        super().__init__(case)
        # Both hold hidden information: show them through the seat's views only.
        self.position = position
        self.since = since


class NotYourTurn(Refusal):
    """The decision is the current one, but not yours to take, or you have taken it already."""

    code = "not-your-turn"
    status = 409
    title = "It is not your turn"
    remedy = "Wait until your seat is in `to_act` of the game."

    def __init__(self, position: Position) -> None:
        super().__init__(decision=position.decision)
        self.position = position


class HintsNotAllowed(Refusal):
    """Hints are for training games, and for games alone against the automaton that are no day's deal."""

    code = "hints-not-allowed"
    status = 409
    title = "No hints in this game"
    remedy = "Open a game with one seat, or with `training`, to play with hints."


class OneTry(Refusal):
    """The game is a player's one try of a day's deal: nothing is taken back there. Until the day is over nobody plays
    on from it or has it analysed either, since others still play with the same cards.
    """

    code = "one-try"
    status = 409
    title = "The game is the one try of a day's deal"
    remedy = "Play on; or wait until the day of the deal is over, at midnight (UTC)."
    cases = ("take-back", "day-runs")


class DealNotTried(Refusal):
    """What others came to in the deal of a day that is not over is shown to those whose own try is over."""

    code = "deal-not-tried"
    status = 409
    title = "Your own try comes first"
    remedy = "Play the deal to its end: `POST /deals/today/games`. When its day is over, everybody sees the results."


class IllegalAction(Refusal):
    """The rules do not allow it. `detail` says why, in the `language` asked for if the game speaks it. `code` says it
    to a program, and `rule` is the number of the rule.
    """

    # Why an action is illegal, its ruleset says.
    code = "illegal-action"
    status = 409
    title = "The rules do not allow this"
    remedy = "Choose one of the legal actions; the list of them is always complete."
    cases = ()


class SeatAttended(Refusal):
    """A seat can be taken over while its player has resigned or is absent. This one has a player who is there: the
    player has come back, or another person has taken it over already.
    """

    code = "seat-attended"
    status = 409
    title = "The seat has a player who is there"
    remedy = "Look at the game again: `unattended` lists the seats that can be taken over now."

    def __init__(self) -> None:
        super().__init__(errors=[{"pointer": "/seat", "detail": "Its player is there."}])


class CannotTakeOver(Refusal):
    """Nobody holds two seats of one game, nor takes over a seat after looking at the game as another one. `reason` says
    whether you sit in the game (`seated`), have left a seat of it (`left`), have asked for a seat of it before the
    last request was answered (`asked`), or were declined (`declined`). A bot and its owner count as one.
    """

    code = "cannot-take-over"
    status = 409
    title = "You cannot take over a seat in this game"
    remedy = "Leave the seat to somebody who has not played in this game, or wait for the answer to your request."
    cases = ("seated", "left", "asked", "declined")

    def __init__(self, reason: Literal["seated", "left", "asked", "declined"]) -> None:
        super().__init__(reason, reason=reason)
        self.reason = reason


class SeatUnattended(Refusal):
    """Those who are there decide who takes a seat over. The service plays your seat: you have resigned, or have let
    your time lapse too often.
    """

    code = "seat-unattended"
    status = 409
    title = "The service plays your own seat"
    remedy = "If you are absent, act or say that you are back. If you have resigned, leave it to the others."


# Refusals of what operators want to do; they are told on their pages and by their commands, and not by the API.


class CannotHandOver(Exception):
    """The table cannot be handed to that player.

    `why` is `host` (the player is the host already), `cancelled`, `player` (the player does not play there, or is
    blocked), or `order` (the table is open, and another player has been there longer).
    """

    def __init__(self, why: Literal["host", "cancelled", "player", "order"]) -> None:
        super().__init__(why)
        self.why = why


class BadAnnouncement(Exception):
    """The announcement ends before it begins or before now (`span`), or lacks a language (`texts`)."""

    def __init__(self, why: Literal["span", "texts"]) -> None:
        super().__init__(why)
        self.why = why


class EffectBusy(Unavailable):
    """The row of the outbox is being carried out, and the process that holds it did not end in time."""


# Refusals of passkeys; they are told on pages, and not by the API.


class BadPasskey(Exception):
    """The answer of the browser does not fit: unknown, forged, too late, given before, or from another site."""


class PasskeyCopied(Exception):
    """The passkey's counter did not go up, so somebody may have a copy; it signs nobody in any more."""


class UnknownPasskey(Exception):
    """The player has no such passkey, or no longer."""


# Refusals of what comes too late by the clock of a table, and of time that cannot be given: 409.

WhyNoTime = Literal["unattended", "own-seat", "not-waiting", "given-before", "no-free-time"]


class TimeHasLapsed(StaleDecision):
    """The action answers a decision for which your time has run out, so that the service plays in your seat. It has
    changed nothing. `played` is what was played instead; there is none while that is still to come.
    """

    code = "time-lapsed"
    status = 409
    title = "Your time for this decision has run out"
    remedy = (
        "Read `played`, and `since`, which is what has happened from that decision on. If it is your turn again, "
        "choose one of `legal_actions`, and send it with the `decision` of this answer."
    )
    cases = (None, "unplayed")

    def __init__(self, position: Position, since: list[Recorded], played: Recorded | None) -> None:
        super().__init__(position, since, None if played else "unplayed")
        # The first event of what was played instead.
        self.played = played


class TimeNotGiven(Refusal):
    """Another player can give a waiting seat its free time once more, once in each wait. `reason` says why not now: you
    have resigned or are absent, it is your own seat, nobody waits for it, you have given it time in this wait already,
    or the pace of the table has no free time.
    """

    code = "time-not-given"
    status = 409
    title = "This seat can be given no time now"
    remedy = "Look at the game again: a seat that waits is in `to_act`."
    cases = get_args(WhyNoTime)

    def __init__(self, reason: WhyNoTime) -> None:
        super().__init__(reason, reason=reason)
        self.reason = reason
