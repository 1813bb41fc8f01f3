"""With what a request that the document takes for a good one may still be refused, operation by operation, and why.

A refusal is told by its problem's code, and one of the form also by where it points: `validation /seats`. Whatever is
refused beyond this, the document should not have allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from schemas.fields import NO_ADDRESS, NONCHARACTER
from schemas.names import NAME_FAULTS
from service.texts.catalog import languages, text

Operation = Mapping[str, Any]

_SIGNED_IN = {"unauthenticated", "token-revoked"}
_KEYED = {"key-reused", "secret-shown"}
_ABSENT = {"not-found", "unknown-game"}

# To JSON Schema 1.0 is an integer; and whether a name can be read as it is meant, it cannot say.
_NO_MATTER_OF_FORM = {
    "Not a valid integer.",
    NONCHARACTER,
    NO_ADDRESS,
    *(text(language, fault) for language in languages() for fault in NAME_FAULTS),
}
# What goes together, which duration is too long, and what is called a time zone.
_PACE = {f"validation /pace{part}" for part in ("", "/free", "/bank", "/credit", "/cap", "/weekdays")}

# Another player is named by a handle, or by a game and a seat.
_WHOM = {"validation /handle", "validation /seat"}
# Whom or what a report is about.
_ABOUT = {f"validation /{part}" for part in ("game", "number", "seat", "handle", "tournament")}

REFUSABLE: Mapping[str, set[str]] = {
    # Not every day that looks like one is in the calendar.
    "listSealDays": {"validation after"},
    # Not every text of the form of a cursor is one that was given out.
    "getLeaderboard": {"validation after"},
    # What is called by one of many names: a time zone.
    "updateMe": {"validation /time_zone", "handle-taken", "handle-changed-often"},
    # What days there are, and how many are left.
    "announceAbsence": {"bad-absence", "validation /from", "validation /until"},
    "changeAbsence": {"bad-absence", "validation /until"},
    # A link that the schema can only describe.
    "useSignIn": {"unknown-sign-in", "validation /time_zone"},
    "tieEmail": {"unknown-sign-in", "not-a-guest", "address-taken", "validation /time_zone"},
    "createPlayer": {"validation /time_zone"},
    "openInvitation": {"unknown-invitation", "invitation-over", "not-open", "seat-attended", "game-not-running"},
    "refuseInvitations": {"unknown-invitation"},
    # How many there are is no matter of form.
    "createApp": {"too-many"},
    "createBot": {"too-many"},
    "createToken": {"too-many"},
    "createBotToken": {"too-many"},
    # What is given has to be of the form that the service gives it out in.
    "createChannel": {"too-many", "bad-channel"},
    "changeChannel": {"bad-channel"},
    "createWebhook": {"too-many", "bad-address", "not-host"},
    "changeWebhook": {"bad-address", "unknown-webhook"},
    # What day has a deal, and whether one has tried it.
    "getDeal": {"not-found"},
    "tryDeal": {"not-found"},
    "listDeals": {"validation after"},
    "listResults": {"not-found", "deal-not-tried", "validation after"},
    "getDealProof": {"not-found"},
    "listDealStandings": {"validation day", "validation after"},
    "listOwnTries": {"validation after"},
    # Whom one may challenge, and what becomes of it.
    # Whether anybody has the handle.
    "createChallenge": {
        "not-found",
        "no-challenge",
        "too-many",
        "unknown-ruleset",
        "bad-option",
        "validation /seats",
        *_PACE,
    }
    | {"validation /options"},
    "acceptChallenge": {"unknown-challenge", "challenge-over", "no-challenge"},
    "deleteChallenge": {"unknown-challenge", "challenge-over"},
    "getChallenge": {"unknown-challenge"},
    # What a league and a tournament are open for, and whose it is.
    "getLeague": {"unknown-league"},
    "enterLeague": {"unknown-league", "entry-over", "bots-may-not"},
    "leaveLeague": {"unknown-league", "entry-over"},
    "listSeasons": {"unknown-league"},
    "listGroups": {"unknown-league"},
    "createTournament": {"bots-may-not", "unknown-ruleset", "bad-option", "too-many", "validation /options", *_PACE},
    "getTournament": {"unknown-tournament"},
    "getTournamentTable": {"unknown-tournament"},
    "enterTournament": {"unknown-tournament", "entry-over", "bots-may-not"},
    "leaveTournament": {"unknown-tournament", "entry-over"},
    "inviteToTournament": {"unknown-tournament", "not-host", "entry-over", "not-found", "own-account"},
    "startRound": {"unknown-tournament", "not-host", "round-not-ready"},
    "closeTournament": {"unknown-tournament", "not-host", "round-not-ready"},
    # Whether there is anybody, and what is between the two.
    "createFriend": {"not-found", "unknown-game", "own-account", "no-friend", "too-many", *_WHOM},
    "acceptFriend": {"not-found", "no-friend", "too-many"},
    "deleteFriend": {"not-found"},
    "createBlock": {"not-found", "unknown-game", "own-account", "too-many", *_WHOM},
    "deleteBlock": {"not-found"},
    "createIgnored": {"not-found", "unknown-game", "own-account", "too-many", *_WHOM},
    "deleteIgnored": {"not-found"},
    "putReady": {"persons-may-not", "unknown-ruleset", "bad-option", "no-handle"},
    # Whether the game is open, whose it is, and who sits in it.
    "createGame": {
        "unknown-ruleset",
        "bad-option",
        "no-such-level",
        "validation /seats",
        "validation /options",
        *_PACE,
    },
    "joinGame": {"rate-limited", "not-open"},
    # Which levels a game has depends on its rules and its size.
    "addComputer": {"not-open", "not-host", "no-such-level"},
    "dismissComputer": {"not-open", "not-host"},
    "substituteComputer": {"not-host", "no-such-level", "seat-attended", "game-not-running"},
    "acceptInvitation": {
        "rate-limited",
        "not-open",
        "invitation-over",
        "unknown-invitation",
        "seat-attended",
        "cannot-take-over",
    }
    | {"game-not-running"},
    "createInvitation": {"not-open", "not-host", "not-seated", "too-many", "no-mail", "seat-attended"}
    | {"game-not-running"},
    "requestSeat": {"seat-attended", "cannot-take-over", "game-not-running", "too-many"},
    "agreeToSeatRequest": {"unknown-seat-request", "not-seated", "seat-unattended", "seat-attended"}
    | {"cannot-take-over", "game-not-running"},
    "deleteSeatRequest": {"unknown-seat-request", "not-seated", "seat-unattended"},
    "listInvitations": {"not-host", "not-seated"},
    "revokeInvitation": {"not-host", "unknown-invitation"},
    "leaveGame": {"not-open", "not-seated"},
    "kickPlayer": {"not-open", "not-host"},
    "startGame": {"not-open", "not-host"},
    "cancelGame": {"not-open", "not-host"},
    # Whether it is being played, or over, and what happened in it.
    "rematchGame": {"game-not-over", "not-seated"},
    "forkGame": {"game-not-over", "not-seated", "bad-option", *_PACE},
    "resignGame": {"game-not-running", "already-resigned", "not-seated"},
    "giveMoreTime": {"game-not-running", "time-not-given", "not-seated"},
    "takeHints": {"game-not-running", "not-seated", "not-your-turn", "hints-not-allowed"},
    "analyseGame": {"game-not-over"},
    "getAnalysis": {"game-not-over", "game-not-running"},
    "comeBack": {"game-not-running", "already-resigned", "not-seated"},
    "takeBackAction": {
        "rate-limited",
        "game-not-running",
        "nothing-to-take-back",
        "too-late-to-take-back",
        "not-seated",
    },
    # Whether there is a clock, a pause, somebody to agree, and a request; and what is within 30 days.
    "proposePause": {"rate-limited", "game-not-running", "already-resigned", "not-seated", "cannot-pause", "bad-pause"}
    | {"validation /until"},
    "agreeToPause": {"game-not-running", "already-resigned", "not-seated", "cannot-pause", "no-pause"}
    | {"validation /until"},
    "endPause": {"game-not-running", "already-resigned", "not-seated", "cannot-pause", "no-pause"},
    "listTakeBackRequests": {"not-seated"},
    "requestTakeBack": {
        "rate-limited",
        "game-not-running",
        "nothing-to-take-back",
        "too-late-to-take-back",
        "not-seated",
    }
    | {"take-back-not-offered"},
    "agreeToTakeBack": {"game-not-running", "already-resigned", "take-back-over", "not-seated"},
    "declineTakeBack": {"game-not-running", "already-resigned", "take-back-over", "not-seated"},
    "getRecord": {"game-not-over", "no-record"},
    "listSteps": {"game-not-over"},
    "getMoment": {"game-not-over"},
    "listGame": {"game-not-over"},
    "drawPlot": {"game-not-over"},
    "drawPlotAsPng": {"game-not-over"},
    "drawBoard": {"game-not-running"},
    "drawBoardAsSvg": {"game-not-running"},
    "showTakeBack": {"game-not-running", "not-seated"},
    "getStandings": {"game-not-running"},
    # What the rules allow at this decision, what a line means, and which of the games' actions are those of this game.
    "postAction": {"game-not-running", "stale-decision", "not-your-turn", "illegal-action", "unreadable-notation"}
    | {"not-seated", "time-lapsed", "validation /action/type"},
    # Whether an order makes sense at this table.
    "getOrders": {"not-seated"},
    "putOrders": {"game-not-running", "already-resigned", "not-seated", "bad-order", "validation /orders/action/type"},
    "cancelOrders": {"game-not-running", "already-resigned", "not-seated"},
    "listAutoAnswers": {"not-seated"},
    "putAutoAnswers": {"game-not-running", "already-resigned", "not-seated", "bad-order"},
    "listTalk": {"not-seated"},
    "postRemark": {"rate-limited", "not-seated"},
    # What is reported has to be there; and what it is, the form alone cannot say.
    "createReport": {"unknown-game", "not-found", "not-seated", "too-many", *_ABOUT},
    "getNotes": {"not-seated"},
    "putNotes": {"not-seated"},
    "muteGame": {"not-seated"},
    "unmuteGame": {"not-seated"},
    "renewLinks": {"not-seated"},
    # What is sent to whom.
    "sendDeliveryAgain": {"unknown-delivery", "webhook-inactive"},
    "testWebhook": {"webhook-inactive"},
    "tryMail": {"no-address", "not-confirmed"},
    "addReplyAddress": {"no-address", "not-confirmed", "too-many"},
}


def refusals(operation: Operation, path: str, problem: Mapping[str, Any]) -> set[str]:
    """Return what is refused beyond what may be, empty if all may."""
    return {each for each in _told(problem) if each not in _allowed(operation, path)}


def _allowed(operation: Operation, path: str) -> set[str]:
    names = {each.get("name") for each in operation.get("parameters", [])}
    allowed = set(REFUSABLE.get(operation["operationId"], ()))
    if operation.get("security"):
        allowed |= _SIGNED_IN
    if "Idempotency-Key" in names:
        allowed |= _KEYED
    if "{" in path or operation["operationId"] == "createWebhook":
        allowed |= _ABSENT
    if "{channel_id}" in path:
        allowed.add("unknown-channel")
    if "{webhook_id}" in path:
        allowed.add("unknown-webhook")
    return allowed


def _told(problem: Mapping[str, Any]) -> set[str]:
    code = str(problem["type"]).rpartition("/")[2]
    if code != "validation":
        return {code}
    return {
        f"{code} {_place(fault.get('pointer') or fault['parameter'])}"
        for fault in problem["errors"]
        if fault["detail"] not in _NO_MATTER_OF_FORM
    }


def _place(pointer: str) -> str:
    # What options there are is the ruleset's to say; and orders are alike.
    return re.sub(r"^/orders/\d+/", "/orders/", re.sub(r"^/options/.*", "/options", pointer, flags=re.DOTALL))
