"""Refusals of what could be done at another time, or by another account: 409 and 410."""

from __future__ import annotations

from service.shared.refusal import Refusal


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
