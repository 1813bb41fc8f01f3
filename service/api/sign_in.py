"""Signing in by a mailed link."""

from __future__ import annotations

from typing import Any

from flask import Response

from schemas.access import SignInAsked, SignInUsed, SignInWanted, TokenMade
from service.api.auth import guard, runtime
from service.api.contract import Answers, Resource
from service.handlers.players import Arrival
from service.handlers.refusals import UnknownSignIn
from service.handlers.sign_in import MINUTES, ask, use
from service.http.limits import admit_mail, budget
from service.http.request import spoken_language
from service.http.responses import as_json
from service.shared import clock
from service.views.account import token_listed

sign_in = Resource("sign-in", __name__, description="How one comes in without a password.")
guard(sign_in)


@sign_in.operation(
    "/sign-in",
    Answers(status=202, schema=SignInAsked),
    method="POST",
    public=True,
    bucket="sign-in",
    json=SignInWanted,
)
def request_sign_in(posted: dict[str, Any]) -> Response:
    """Have a link sent to an address.

    Its page, or POST /sign-in/token, gives a token, and makes the account if there is none yet. The answer is the same
    whether the address is known or not. Where nobody has confirmed the address, three such mails a day go there.
    """
    admit_mail(posted["email"])
    language = posted.get("language") or spoken_language()
    ask(runtime().games, posted["email"], posted.get("name"), language, clock.now(), budget())
    return as_json({"valid_minutes": MINUTES}, 202)


@sign_in.operation(
    "/sign-in/token",
    Answers(status=201, schema=TokenMade),
    method="POST",
    refuses=(403, 404),
    public=True,
    json=SignInUsed,
)
def use_sign_in(posted: dict[str, Any]) -> Response:
    """Use the link of a mail up, without a browser, and get a token, which is shown only this once.

    It has every scope, and works for 90 days. It is that of the account which the address has, whoever asks: a guest
    who wants to keep games and name sends the link to POST /me/email instead.
    """
    now = clock.now()
    signed_in = use(runtime().games, posted["sign_in"], Arrival(spoken_language(), zone=posted.get("time_zone")), now)
    if signed_in is None:
        raise UnknownSignIn
    text = signed_in.text
    return as_json({**token_listed(signed_in.token, "personal", text[-4:], now, None), "token": text}, 201)
