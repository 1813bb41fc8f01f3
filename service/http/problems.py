"""Every error of the API as application/problem+json (RFC 9457), and which error is which."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Response
from werkzeug.exceptions import HTTPException

from schemas.names import FAULTS
from service.handlers.refusals import (
    AddressTaken,
    AlreadyResigned,
    BadOption,
    BotsMayNot,
    CannotBeTakenBack,
    InvitationOver,
    KeyReused,
    NoMail,
    NoSuchEvent,
    NotConfirmed,
    NotGuest,
    NothingToTakeBack,
    NotHost,
    NotOpen,
    NotOver,
    NotRunning,
    NotSeated,
    ScopeMissing,
    TooLateToTakeBack,
    TooMany,
    Unavailable,
    UnknownBot,
    UnknownDelivery,
    UnknownGame,
    UnknownInvitation,
    UnknownRuleset,
    UnknownSignIn,
    UnknownTicket,
    UnknownWebhook,
    WebhookInactive,
    WebhooksOff,
)
from service.http.problem_texts import detail, told_in
from service.shared.request_id import request_id
from service.store.budget import MailsSpent
from service.texts.catalog import say
from service.webhooks.address import BadAddress

MEDIA_TYPE = "application/problem+json"
MOST_FAULTS = 20
LONGEST_POINTER = 200


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its HTTP status and a title that never changes; clients go by its code."""

    status: int
    title: str


CATALOGUE: Mapping[str, Kind] = {
    "malformed-json": Kind(400, "The body cannot be read"),
    "bad-request": Kind(400, "The request cannot be read"),
    "unauthenticated": Kind(401, "A valid token is needed"),
    "token-revoked": Kind(401, "The token has been revoked"),
    "token-expired": Kind(401, "The token has expired"),
    "scope-missing": Kind(403, "The token is not good for this"),
    "bots-may-not": Kind(403, "Only a person may do this"),
    "not-seated": Kind(403, "You have no seat in this game"),
    "not-host": Kind(403, "Only the host may do this"),
    "not-found": Kind(404, "There is nothing here"),
    "unknown-game": Kind(404, "There is no such game"),
    "unknown-sign-in": Kind(404, "This sign-in link does not work, or no longer"),
    "unknown-webhook": Kind(404, "You have no such webhook"),
    "unknown-delivery": Kind(404, "The webhook was sent no such message"),
    "unknown-ticket": Kind(404, "This ticket does not work, or no longer"),
    "unknown-invitation": Kind(404, "There is no such invitation"),
    "method-not-allowed": Kind(405, "This address does not take that method"),
    "request-timeout": Kind(408, "The request did not arrive in time"),
    "not-a-guest": Kind(409, "The account has an address already with which one signs in"),
    "address-taken": Kind(409, "The address has an account of its own"),
    "too-many": Kind(409, "There are as many of these as there may be"),
    "not-open": Kind(409, "The game does not take players in this way now"),
    "already-resigned": Kind(409, "You have given this game up already"),
    "game-not-running": Kind(409, "The game is not being played"),
    "game-not-over": Kind(409, "The game has not been played to its end"),
    "no-address": Kind(409, "The account has no mail address"),
    "no-record": Kind(409, "There is no record of this game"),
    "no-mail": Kind(409, "No invitation can be mailed to this address"),
    "not-confirmed": Kind(409, "The address is not confirmed, and cannot be asked now"),
    "stale-decision": Kind(409, "The game has moved on"),
    "not-your-turn": Kind(409, "It is not your turn"),
    "nothing-to-take-back": Kind(409, "There is nothing to take back"),
    "too-late-to-take-back": Kind(409, "It is too late to take this back"),
    "cannot-be-taken-back": Kind(409, "The action has shown something"),
    "illegal-action": Kind(409, "The rules do not allow this"),
    "secret-shown": Kind(409, "This was done before, and its secret is shown only once"),
    "webhook-inactive": Kind(409, "The webhook is switched off"),
    "webhooks-off": Kind(409, "No webhooks are sent from here"),
    "invitation-over": Kind(410, "The invitation is no longer good"),
    "payload-too-large": Kind(413, "The body is too large"),
    "unsupported-media-type": Kind(415, "The body has to be JSON"),
    "validation": Kind(422, "The request does not have the form asked for"),
    "unknown-ruleset": Kind(422, "There is no such ruleset"),
    "bad-option": Kind(422, "The ruleset does not offer this"),
    "bad-address": Kind(422, "Nothing is sent to this address"),
    "key-reused": Kind(422, "This Idempotency-Key was used for another request"),
    "unreadable-notation": Kind(422, "This is no action in the game's notation"),
    "rate-limited": Kind(429, "Too many requests"),
    "internal": Kind(500, "Something went wrong on our side"),
    "too-many-waiting": Kind(503, "Too many requests wait for news"),
    "unavailable": Kind(503, "The service cannot answer at the moment"),
}

_BY_STATUS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    408: "request-timeout",
    413: "payload-too-large",
    415: "unsupported-media-type",
    503: "unavailable",
}
_KEPT_HEADERS = ("Allow", "Retry-After")


class Refused(Exception):
    """A problem raised by a view: a code of the catalogue, the case of it, and members of its own."""

    def __init__(self, code: str, case: str | None = None, /, **members: Any) -> None:
        super().__init__(code)
        self.code = code
        self.case = case
        self.members = members


def problem(code: str, case: str | None = None, /, **members: Any) -> Response:
    """Return the response for a code of the catalogue; members of value None are left out.

    Its detail is the text of the code, or of the case of it, with the members put in, in the language of whoever asks;
    unless it is a member already, with its `language`.
    """
    kind, language = CATALOGUE[code], members.get("language") or told_in()
    shown = {
        "type": f"/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": members.get("detail") or detail(language, code, case, members),
        "request_id": request_id(),
        **members,
    }
    # Escaped to ASCII: a key that was sent may hold half of a surrogate pair, which UTF-8 cannot.
    body = json.dumps({name: value for name, value in shown.items() if value is not None})
    headers = {"Content-Language": language, "Vary": "Authorization, Accept-Language"}
    return Response(body, kind.status, headers, mimetype=MEDIA_TYPE)


def answer_refused(error: Refused) -> Response:
    """Return the problem that a view has raised."""
    return problem(error.code, error.case, **error.members)


def scope_missing(scope: str) -> Response:
    """Return the problem of a token that lacks the scope."""
    return problem("scope-missing", scope=scope)


def _bad_option(error: BadOption) -> Response:
    place = f"/{error.name}" if error.name in ("seats", "access") else _pointer(("options", error.name))
    return problem("bad-option", errors=[{"pointer": place, "detail": "Not offered by the ruleset."}])


def _bad_address(error: BadAddress) -> Response:
    return problem("bad-address", errors=[{"pointer": "/url", "detail": str(error)}])


def _not_open(error: NotOpen) -> Response:
    return problem("not-open", error.reason, reason=error.reason)


def _unavailable(_: Unavailable) -> Response:
    response = problem("unavailable")
    response.headers["Retry-After"] = "2"
    return response


def _no_such_event(refusal: NoSuchEvent) -> Response:
    return problem("not-found", "event", last=refusal.last)


def _mails_spent(error: MailsSpent) -> Response:
    response = problem("rate-limited", "mails", bucket="mails", seconds=error.seconds)
    response.headers["Retry-After"] = str(error.seconds)
    return response


def _too_many(error: TooMany) -> Response:
    return problem("too-many", most=error.most)


def _too_late(error: TooLateToTakeBack) -> Response:
    return problem("too-late-to-take-back", error.reason, reason=error.reason)


def _not_running(error: NotRunning) -> Response:
    return problem("game-not-running", error.status, game_status=error.status)


def _always(code: str, case: str | None = None) -> Callable[[Exception], Response]:
    return lambda _: problem(code, case)


ANSWERS: Mapping[type[Exception], Callable[..., Response]] = {
    Refused: answer_refused,
    UnknownGame: _always("unknown-game"),
    UnknownRuleset: _always("unknown-ruleset"),
    NotSeated: _always("not-seated"),
    NotHost: _always("not-host"),
    ScopeMissing: lambda error: scope_missing(error.scope),
    BotsMayNot: _always("bots-may-not"),
    UnknownSignIn: _always("unknown-sign-in"),
    NotGuest: _always("not-a-guest"),
    AddressTaken: _always("address-taken"),
    UnknownBot: _always("not-found", "bot"),
    TooMany: _too_many,
    NotOver: _always("game-not-over"),
    NoSuchEvent: _no_such_event,
    UnknownInvitation: _always("unknown-invitation"),
    UnknownTicket: _always("unknown-ticket"),
    InvitationOver: _always("invitation-over"),
    NoMail: _always("no-mail"),
    NotConfirmed: _always("not-confirmed"),
    MailsSpent: _mails_spent,
    KeyReused: _always("key-reused"),
    BadOption: _bad_option,
    NotOpen: _not_open,
    NotRunning: _not_running,
    AlreadyResigned: _always("already-resigned"),
    NothingToTakeBack: _always("nothing-to-take-back"),
    TooLateToTakeBack: _too_late,
    CannotBeTakenBack: _always("cannot-be-taken-back"),
    Unavailable: _unavailable,
    BadAddress: _bad_address,
    UnknownWebhook: _always("unknown-webhook"),
    UnknownDelivery: _always("unknown-delivery"),
    WebhookInactive: _always("webhook-inactive"),
    WebhooksOff: _always("webhooks-off"),
}
"""How the refusals of the handlers, and of the views themselves, are answered."""


def answer_http(error: HTTPException) -> Response:
    """Return the problem for an error of HTTP, with the headers that belong to it."""
    status = error.code or 500
    response = problem(_BY_STATUS.get(status, "internal"))
    for name, value in error.get_headers():
        if name in _KEPT_HEADERS:
            response.headers[name] = value
    return response


def faults(messages: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return marshmallow's messages, which stand under the location they were read from, as a flat list."""
    found: list[dict[str, str]] = []
    for location, below in messages.items():
        if location == "json":
            found += [{"pointer": _pointer(path), "detail": text} for path, text in _flat(below, ())]
        else:
            found += [{"parameter": path[0] if path else location, "detail": text} for path, text in _flat(below, ())]
    return found[:MOST_FAULTS]


def _flat(messages: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(messages, Mapping):
        for key, below in messages.items():
            # marshmallow's name for the whole object at this place
            yield from _flat(below, path if key == "_schema" else (*path, str(key)))
    elif isinstance(messages, list):
        for each in messages:
            yield from _flat(each, path)
    else:
        yield path, say(told_in(), messages) if messages in FAULTS else str(messages)


def _pointer(path: tuple[str, ...]) -> str:
    escaped = (part.replace("~", "~0").replace("/", "~1") for part in path)
    return "".join(f"/{part}" for part in escaped)[:LONGEST_POINTER]
