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
    "method-not-allowed": Remedy(
        "There is something at this address, but it does not take this method.",
        "Use one of the methods that the header Allow names.",
    ),
    "not-open": Remedy(
        "The game cannot be joined or started now: `reason` says whether it has been started, is full, has you in it "
        "already, or still has free seats.",
        "Look at the game again, and then wait for the others, start it, or play.",
    ),
    "game-not-running": Remedy(
        "The game has not begun, or is over; `game_status` says which.",
        "Wait until the host starts it. When it is over, its standings say how it ended.",
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
    "illegal-action": Remedy(
        "The rules do not allow the action. `detail` says why in your language, `code` says it to a program, and "
        "`rule` is the number of the rule.",
        "Choose one of the legal actions; the list of them is always complete.",
    ),
    "payload-too-large": Remedy(
        "The body has more than 64 KiB.",
        "Send less. Nothing that the service understands is that long.",
    ),
    "unsupported-media-type": Remedy(
        "The body was not announced as JSON.",
        "Send the header `Content-Type: application/json`.",
    ),
    "validation": Remedy(
        "The body or a parameter does not have the form that the document describes. `errors` lists what is wrong, "
        "each with a JSON pointer into the body or the name of the parameter.",
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
    "key-reused": Remedy(
        "The Idempotency-Key has already been used for a request with another body or another game.",
        "Make a new key for every new action, and repeat a key only with the very same request.",
    ),
    "unreadable-notation": Remedy(
        "The text is no action in the notation of this game; `detail` quotes what was not understood.",
        "Use the `notation` of one of the legal actions, or send the action as JSON.",
    ),
    "internal": Remedy(
        "The service has made a mistake. Nothing was changed.",
        "Try again once. If it stays so, tell whoever runs the service the `request_id`.",
    ),
    "unavailable": Remedy(
        "The service, or its database, does not answer at the moment. An action may or may not have been played.",
        "Wait as long as the header Retry-After says, and send the same request again, with the same Idempotency-Key "
        "if it had one: then it is played at most once.",
    ),
}
