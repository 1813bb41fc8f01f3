"""The pages behind the mail that asks for consent: its reader confirms the address, or opts out. GET changes nothing.

The link is the only credential, as with every link of a mail. It signs nobody in.
"""

from __future__ import annotations

from flask import Response, request

from service.handlers import consent
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.consent import ConsentRequest
from service.web.blueprint import web
from service.web.form_sent import BUTTON_FIELD, ONE_CLICK, requires_form
from service.web.page import current_runtime, render, unknown_page, visitor_language
from service.web.session import is_cross_site


@web.get("/confirm/<token>")
def show_confirmation(token: str) -> Response:
    """Show the button that confirms the address, or say that there is nothing to confirm."""
    consent_request = _consent_request(token)
    if consent_request is None:
        return unknown_page()
    if consent_request.player is None:
        return render("notice.html", visitor_language(), 410, notice="confirm-past")
    language = consent_request.language or visitor_language()
    if consent_request.confirmed:
        return render("notice.html", language, notice="confirm-done")
    return render("confirm.html", language, email=consent_request.email, action=request.path)


@web.post("/confirm/<token>")
@requires_form(show_confirmation, BUTTON_FIELD)
def confirm(token: str) -> Response:
    """Confirm the address for its player."""
    consent_request = _consent_request(token)
    if consent_request is None:
        return unknown_page()
    language = consent_request.language or visitor_language()
    if is_cross_site():
        return render("notice.html", language, 403, notice="form-refused")
    if not consent.confirm(current_runtime().games, token):
        return render("notice.html", language, 410, notice="confirm-past")
    return render("notice.html", language, notice="confirm-done")


@web.get("/confirm/<token>/never")
def show_opt_out(token: str) -> Response:
    """Show the button by which the address opts out of consent mails and invitations."""
    consent_request = _consent_request(token)
    if consent_request is None:
        return unknown_page()
    return render("ask_never.html", consent_request.language or visitor_language(), action=request.path)


@web.post("/confirm/<token>/never")
@requires_form(show_opt_out, BUTTON_FIELD, ONE_CLICK)
def opt_out(token: str) -> Response:
    """Send the address no consent mail and no invitation any more; for the button, and for one click (RFC 8058)."""
    consent_request = _consent_request(token)
    if consent_request is None or not consent.refuse(current_runtime().games, token, clock.now()):
        return unknown_page()
    return render("notice.html", consent_request.language or visitor_language(), notice="ask-never-done")


def _consent_request(token: str) -> ConsentRequest | None:
    with transaction(current_runtime().games.engine) as db:
        return consent.find(db, token)
