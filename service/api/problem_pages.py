"""What each problem means to whoever meets it, and what to do next: the pages behind the types of problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Remedy(NamedTuple):
    """A sentence or two on why the service refuses, and what to do about it."""

    meaning: str
    next: str


REMEDIES: Mapping[str, Remedy] = {
    "malformed-json": Remedy(
        "The body is not one JSON value in UTF-8, names a key twice, holds a number that is not finite, or is nested "
        "too deeply. Nothing of it was looked at.",
        "Send what a JSON library writes, as it writes it.",
    ),
    "bad-request": Remedy(
        "The request broke off, or is no proper HTTP.",
        "Send it again, whole: the body has to be as long as its Content-Length says.",
    ),
    "unauthenticated": Remedy(
        "The request has no token, or one that is mistyped, unknown or no longer valid.",
        "Send `Authorization: Bearer` and the token. The header WWW-Authenticate says `invalid_token` if one was sent.",
    ),
    "token-revoked": Remedy(
        "The token was good once, and was revoked: by you, or with the account or the bot that it belonged to.",
        "Make another one, with a token that still works or by signing in by mail.",
    ),
    "token-expired": Remedy(
        "The token was good until a time that was set when it was made.",
        "Make another one, with a token that still works or by signing in by mail.",
    ),
    "scope-missing": Remedy(
        "The token is yours and works, but was not made for this; `scope` is what it lacks.",
        "Use, or make, a token that has this scope. A token makes only tokens that may do no more than itself.",
    ),
    "bots-may-not": Remedy(
        "The token is that of a bot. Bots play, but have no bots and no address of their own.",
        "Use a token of the person whose bot it is.",
    ),
    "not-seated": Remedy(
        "Only those who sit in the game may do this. Until a game begins, only they may see it.",
        "Take a seat while the game is open, or use the token of a player who sits in it.",
    ),
    "not-host": Remedy(
        "Only the player who opened the game may do this.",
        "Ask the host, who sits in seat 0.",
    ),
    "not-found": Remedy(
        "No page and no operation has this address.",
        "Compare it with the document. An id in it has to be written out as the service gave it.",
    ),
    "unknown-game": Remedy(
        "There is no game with this id.",
        "Take the id from the answer that opened the game, or from the list of your games.",
    ),
    "unknown-sign-in": Remedy(
        "The link was used already, is older than a quarter of an hour, or was not copied whole.",
        "Ask for another mail, with `POST /sign-in`.",
    ),
    "unknown-webhook": Remedy(
        "You have no webhook with this id. Those of others are not told apart from those that never were.",
        "Take the id from the list of your webhooks.",
    ),
    "unknown-delivery": Remedy(
        "The webhook was sent no message with this id, or so long ago that it is no longer listed.",
        "Take the id from the list of its deliveries.",
    ),
    "unknown-ticket": Remedy(
        "A ticket opens one stream, within a minute of being given. This one was used, is older, or is not whole.",
        "Ask for another one, and open it with `after`, the last event that you know.",
    ),
    "unknown-invitation": Remedy(
        "The link was not copied whole, belongs to a game that is gone, or invites somebody else. Or it was to stop "
        "mails, and went to no address itself.",
        "Ask whoever invited you for the link, or for another one. To stop mails, use the link of one of them.",
    ),
    "method-not-allowed": Remedy(
        "There is something at this address, but it does not take this method.",
        "Use one of the methods that the header Allow names.",
    ),
    "request-timeout": Remedy(
        "The body of the request took longer than 15 seconds. Nothing was changed.",
        "Send the request again, with the whole body at once.",
    ),
    "not-a-guest": Remedy(
        "Only a guest takes on an address, and the account has one already. The link has not been used up.",
        "Go on with the address that the account has, or use the link for an account of its own, with "
        "`POST /sign-in/token`.",
    ),
    "address-taken": Remedy(
        "Somebody signs in with this address already. Two accounts are never made into one. The link has not been used "
        "up.",
        "Go to that account with the same link, by `POST /sign-in/token`, or ask for a link to another address.",
    ),
    "too-many": Remedy(
        "An account has no more than `most` of these at a time.",
        "Delete those that are not needed any more.",
    ),
    "not-open": Remedy(
        "The game cannot be joined or started now: `reason` says whether it has been started, is full, has you in it "
        "already, or still has free seats.",
        "Look at the game again, and then wait for the others, start it, or play.",
    ),
    "already-resigned": Remedy(
        "You gave the game up before. It has changed nothing to do so again.",
        "Look on, or ask for another game.",
    ),
    "game-not-running": Remedy(
        "The game has not begun, or is over; `game_status` says which.",
        "Wait until the host starts it. When it is over, its standings say how it ended.",
    ),
    "game-not-over": Remedy(
        "Until a game has been played to its end nobody can ask for another one with the same people, nor look at it "
        "through the eyes of others, or at what it shows only when all is open.",
        "Wait until its status is `finished`. A game that was called off is opened anew instead.",
    ),
    "no-address": Remedy(
        "Mails can only be sent to an account with an address, and this one has none.",
        "Sign in with an address: that leads to an account which has it. A guest takes one on with `POST /me/email`.",
    ),
    "no-record": Remedy(
        "Records are made from a hash chain that begins with a game, and this game began before there were any.",
        "Read its events instead. Every game that begins now has a record.",
    ),
    "no-mail": Remedy(
        "No mail has gone out: the address wants no invitations, cannot be reached, has had as many today as anybody "
        "may get, has not answered your last one yet, or was asked lately whether it wants any. Which of these it is, "
        "is not for others to know.",
        "Leave `email` out, and pass on the link that is answered.",
    ),
    "not-confirmed": Remedy(
        "Nobody has confirmed the address of your account, and no mail can ask for it now: one did within the last 30 "
        "days, on this account or another, or the address has refused such mails.",
        "Sign in with the address: POST /sign-in, and then POST /me/email.",
    ),
    "stale-decision": Remedy(
        "The action answers a decision that has been taken already, or that has not come yet. It has changed nothing.",
        "Read `since`, which is what has happened from that decision on, choose one of `legal_actions`, and send it "
        "with the `decision` of this answer.",
    ),
    "not-your-turn": Remedy(
        "The decision is the current one, but not yours to take, or you have taken it already.",
        "Wait until your seat is in `to_act` of the game.",
    ),
    "nothing-to-take-back": Remedy(
        "You have played nothing in answer to this decision, or have taken it back already.",
        "Send the `decision` that the action answered: `GET /games/{id}/take-back` shows which one can be taken back.",
    ),
    "too-late-to-take-back": Remedy(
        "An action can be taken back for a short time, and only until somebody acts. `reason` says why it is too late: "
        "`time`, or `acted` when somebody has acted.",
        "Play on. The action counts.",
    ),
    "cannot-be-taken-back": Remedy(
        "The action has drawn a card, rolled dice, or shown something that one could not know before it.",
        "Play on. The action counts. A dry run tells beforehand what is not known yet: its `data` is null there.",
    ),
    "illegal-action": Remedy(
        "The rules do not allow it. `detail` says why, in the `language` asked for if the game speaks it. `code` "
        "says it to a program, and `rule` is the number of the rule.",
        "Choose one of the legal actions; the list of them is always complete.",
    ),
    "secret-shown": Remedy(
        "It was done under the same Idempotency-Key before. Its answer had a secret, which is kept nowhere.",
        "If that answer got lost, delete (or renew) what `of` names, and ask again with a new key.",
    ),
    "webhook-inactive": Remedy(
        "The webhook was switched off: by you, because it answered 410, or because nothing had arrived for days. "
        "`disabled` of the webhook says which.",
        'Switch it on: PATCH it with `{"active": true}`.',
    ),
    "webhooks-off": Remedy(
        "Whoever runs this service has given it no key to keep the secrets of webhooks under.",
        "Follow games by their stream or with `wait` instead, or ask whoever runs the service.",
    ),
    "invitation-over": Remedy(
        "The invitation was good once: it was taken back, or was given more than 30 days ago.",
        "Ask whoever invited you for another one.",
    ),
    "payload-too-large": Remedy(
        "The body has more than 64 KiB.",
        "Send less. Nothing that the service understands is that long.",
    ),
    "unsupported-media-type": Remedy(
        "The body was not announced as JSON, or as compressed.",
        "Send the header `Content-Type: application/json`, and no Content-Encoding.",
    ),
    "validation": Remedy(
        "The body or a parameter does not have the form that the document describes. `errors` lists what is wrong, "
        "each with a JSON pointer into the body or the name of the parameter, and in English, since it is for whoever "
        "writes the client.",
        "Correct each of them. Fields and parameters that the document does not know are refused as well.",
    ),
    "unknown-ruleset": Remedy(
        "The service has no game of this name.",
        "Choose a `name` from the list of rulesets.",
    ),
    "bad-option": Remedy(
        "The ruleset does not have this option, this value of it, or this number of seats; `errors` points at it.",
        "Choose from what the list of rulesets says of this one.",
    ),
    "bad-address": Remedy(
        "No message is sent to this address: `errors` says what is wrong with it. Only public addresses are called, "
        "over https, at port 443 or 8443.",
        "Give the webhook an address that everybody can reach.",
    ),
    "key-reused": Remedy(
        "The Idempotency-Key has already been used for a request with another body or another game.",
        "Make a new key for every new action, and repeat a key only with the very same request.",
    ),
    "unreadable-notation": Remedy(
        "The text is no action in the notation of this game; `detail` quotes what was not understood, and so "
        "does `part`.",
        "Use the `notation` of one of the legal actions, or send the action as JSON.",
    ),
    "rate-limited": Remedy(
        "You, or your address, have asked more often than `bucket` allows, or, where that is `mails`, have caused as "
        "many mails to others as one may in a day. Where none is named, too many requests of your address were under "
        "way at the same time. Nothing was changed.",
        "Wait for as many seconds as the header Retry-After says. Rather than asking again and again, wait for news "
        "with `wait`, by a stream or by a webhook.",
    ),
    "internal": Remedy(
        "The service has made a mistake. Nothing was changed.",
        "Try again once. If it stays so, tell whoever runs the service the `request_id`.",
    ),
    "too-many-waiting": Remedy(
        "Waiting requests and streams each keep a place of the service busy. Your own are all taken, or those of your "
        "network address, or everybody's.",
        "Close streams that are not needed, or ask without `wait`; the header Retry-After says when to try again.",
    ),
    "unavailable": Remedy(
        "The service, or its database, does not answer at the moment. An action may or may not have been played.",
        "Wait as long as the header Retry-After says, and send the same request again, with the same Idempotency-Key "
        "if it had one: then it is played at most once.",
    ),
}
