"""The page on which a player lets an app of somebody else act for them, or does not (OAuth 2.1).

Nobody is sent to the app without a press: a forged request must not make a redirector of this site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlencode, urlsplit

from flask import Response, request, url_for

from service.handlers.transaction import transaction
from service.http.access_log import SECURITY
from service.shared import clock
from service.texts.names import display_name
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.session import FORM_KEY, Visitor, current_visitor, language, page, see_other, signed_in
from service.web.sign_in_anew import ask_anew, declared

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from werkzeug.datastructures import MultiDict

    from service.http.oauth import Consent, Server
    from service.http.oauth_flows import Sent

ANSWER = "answer"
"""The field of the form that has `allow` or `deny`."""


@web.get("/oauth/authorize")
def ask_consent() -> Response:
    """Show what the app asks for, to a visitor who has signed in lately; others sign in first, and come back."""
    from authlib.oauth2 import OAuth2Error

    visitor = current_visitor()
    if visitor is None:
        return see_other(url_for("web.ask_sign_in", back=_asked_at(request.args)))
    with transaction(current_runtime().games.engine) as db:
        server = _server(db)
        try:
            asked = server.consent(request.args, visitor.id)
        except OAuth2Error as error:
            return page("app_refused.html", 400, error=error.error, back=server.refuse(error))
    return _consent_page(asked, request.args) if visitor.recent else ask_anew(visitor, _asked_at(request.args), 200)


@web.post("/oauth/authorize")
@declared
@signed_in
def answer_consent(visitor: Visitor) -> Response:
    """Send the visitor back to the app: with a code if they pressed *allow*, with the refusal if not."""
    from authlib.oauth2 import OAuth2Error

    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    sent = request.form.copy()
    allowed = sent.pop(ANSWER, "") == "allow"
    sent.pop(FORM_KEY)
    if allowed and not visitor.recent:
        return ask_anew(visitor, _asked_at(sent))
    with transaction(current_runtime().games.engine) as db:
        server = _server(db)
        try:
            asked = server.consent(sent, visitor.id)
        except OAuth2Error as error:
            return page("app_refused.html", 400, error=error.error, back=server.refuse(error))
        return server.answer(asked, visitor.id if allowed else None)


def _asked_at(sent: MultiDict[str, str]) -> str:
    return f"{url_for('web.ask_consent')}?{urlencode([*sent.items(multi=True)])}"


def _consent_page(asked: Consent, sent: Sent) -> Response:
    """Return the page; its form may lead on to the app's origin, which browsers hold against the policy."""
    place = urlsplit(sent["redirect_uri"])
    app, named = asked.app, place.netloc if place.scheme in ("http", "https") else place.scheme
    owner = display_name(app.owner_name, language())
    response = page(
        "authorize.html",
        app=app.name,
        owner=owner,
        handle=app.owner_handle,
        place=named,
        scopes=asked.scopes,
        sent=sent,
    )
    response.headers["Content-Security-Policy"] = _policy(place)
    return response


def _policy(place: SplitResult) -> str:
    # A registered address has no character that would mean something here (schemas/apps.py). The policy knows no
    # addresses of IPv6, and schemes of apps have no host: both are named by their scheme alone.
    hosted = place.scheme in ("http", "https") and not place.netloc.startswith("[")
    origin = f"{place.scheme}://{place.netloc}" if hosted else f"{place.scheme}:"
    return SECURITY["Content-Security-Policy"].replace("form-action 'self'", f"form-action 'self' {origin}")


def _server(db: Connection) -> Server:
    from service.http.oauth import Server

    return Server(db, current_runtime().settings.base_url, clock.now())
