"""The pages behind the mail that asks an address whether it wants ours: GET shows buttons, and changes nothing.

As with the other links of mails, the link is the only credential. It signs nobody in.
"""

from __future__ import annotations

from flask import Response, request

from service.handlers import consent
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.consent import ConsentRequest
from service.web.blueprint import web
from service.web.page import answer, runtime, unknown_page, visitor_language
from service.web.pressed import ONE_CLICK, PRESS, only_pressed
from service.web.session import from_elsewhere


@web.get("/confirm/<token>")
def show_request(token: str) -> Response:
    """Show the button that confirms the address, or that there is nothing to confirm."""
    asked = _asked(token)
    if asked is None:
        return unknown_page()
    if asked.player is None:
        return answer("notice.html", visitor_language(), 410, notice="confirm-past")
    language = asked.language or visitor_language()
    if asked.confirmed:
        return answer("notice.html", language, notice="confirm-done")
    return answer("confirm.html", language, email=asked.email, action=request.path)


@web.post("/confirm/<token>")
@only_pressed(show_request, PRESS)
def confirm(token: str) -> Response:
    """Confirm the address for its player."""
    asked = _asked(token)
    if asked is None:
        return unknown_page()
    language = asked.language or visitor_language()
    if from_elsewhere():
        return answer("notice.html", language, 403, notice="form-refused")
    if not consent.confirm(runtime().games, token):
        return answer("notice.html", language, 410, notice="confirm-past")
    return answer("notice.html", language, notice="confirm-done")


@web.get("/confirm/<token>/never", endpoint="show_ask_never")
def show_refusal(token: str) -> Response:
    """Show the button by which the address is never asked nor invited again."""
    asked = _asked(token)
    if asked is None:
        return unknown_page()
    return answer("ask_never.html", asked.language or visitor_language(), action=request.path)


@web.post("/confirm/<token>/never", endpoint="ask_never")
@only_pressed(show_refusal, PRESS, ONE_CLICK)
def refuse(token: str) -> Response:
    """See to it that the address is never asked nor invited again; for the page, and for one click (RFC 8058)."""
    asked = _asked(token)
    if asked is None or not consent.refuse(runtime().games, token, clock.now()):
        return unknown_page()
    return answer("notice.html", asked.language or visitor_language(), notice="ask-never-done")


def _asked(token: str) -> ConsentRequest | None:
    with transaction(runtime().games.engine) as db:
        return consent.find(db, token)
