"""The page behind a mailed link to sign in: GET shows a button, and changes nothing; POST uses the link up.

No cookie is set: what one gets is a token for the API, shown once.
"""

from __future__ import annotations

from flask import Response, request

from service import clock
from service.handlers import sign_in
from service.handlers.transaction import transaction
from service.mail.when import moment
from service.web.answers import answer, runtime, visitor_language


def show_sign_in(token: str) -> Response:
    """Show the button, or that the link does not work (any more)."""
    with transaction(runtime().games.engine) as db:
        asked = sign_in.find(db, token, clock.now())
    if asked is None:
        return _past()
    return answer("sign_in.html", asked.language, email=asked.email, action=request.path)


def use_sign_in(token: str) -> Response:
    """Use the link up, and show the token that it was good for."""
    house = runtime()
    signed_in = sign_in.use(house.games, token, clock.now())
    if signed_in is None:
        return _past()
    until = signed_in.token.expires_at
    return answer(
        "signed_in.html",
        signed_in.language,
        token=signed_in.text,
        api=f"{house.settings.base_url}/api/v1",
        until=until and moment(until, signed_in.language),
    )


def _past() -> Response:
    # Used, too old, or never there: nobody needs to be able to tell.
    return answer("notice.html", visitor_language(), 410, notice="sign-in-past")
