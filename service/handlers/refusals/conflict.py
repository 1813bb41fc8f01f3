"""Refusals of what could be done at another time, or by another account: 409 and 410."""

from __future__ import annotations

from typing import Literal, get_args

from service.log.recorded import Recorded
from service.shared.refusal import Refusal
from service.store.position import Position


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
    """Somebody signs in with this address already. Two accounts are never made into one. The link has not been used
    up.
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


class NoAddress(Refusal):
    """Mails can only be sent to an account with an address, and this one has none."""

    code = "no-address"
    status = 409
    title = "The account has no mail address"
    remedy = (
        "Sign in with an address: that leads to an account which has it. A guest takes one on with `POST /me/email`."
    )


class NoRecord(Refusal):
    """Records are made from a hash chain that begins with a game, and this game began before there were any."""

    code = "no-record"
    status = 409
    title = "There is no record of this game"
    remedy = "Read its events instead. Every game that begins now has a record."


class NoMail(Refusal):
    """No mail has gone out: the address wants no invitations, cannot be reached, has had as many today as anybody may
    get, has not answered your last one yet, or was asked lately whether it wants any. Which of these it is, is not for
    others to know.
    """

    code = "no-mail"
    status = 409
    title = "No invitation can be mailed to this address"
    remedy = "Leave `email` out, and pass on the link that is answered."


class NotConfirmed(Refusal):
    """Nobody has confirmed the address of your account, and no mail can ask for it now: one did within the last 30
    days, on this account or another, or the address has refused such mails.
    """

    code = "not-confirmed"
    status = 409
    title = "The address is not confirmed, and cannot be asked now"
    remedy = "Sign in with the address: POST /sign-in, and then POST /me/email."


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


class ChannelsOff(Refusal):
    """The operator of this service has given it no key to keep the secrets of channels under, or none for Web Push."""

    code = "channels-off"
    status = 409
    title = "No messages are sent to such channels from here"
    remedy = "Rely on mails instead, choose another kind of channel, or ask the operator of the service."


class WebhooksOff(Refusal):
    """Whoever runs this service has given it no key to keep the secrets of webhooks under."""

    code = "webhooks-off"
    status = 409
    title = "No webhooks are sent from here"
    remedy = "Follow games by their stream or with `wait` instead, or ask whoever runs the service."


class InvitationOver(Refusal):
    """The invitation was good once: it was taken back, or was given more than 30 days ago."""

    code = "invitation-over"
    status = 410
    title = "The invitation is no longer good"
    remedy = "Ask whoever invited you for another one."
