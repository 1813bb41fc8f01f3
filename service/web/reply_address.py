"""Further addresses from which a player answers mails: given on the page of the mail settings, confirmed by a link."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.mail import NewReplyAddress
from service.handlers import reply_addresses
from service.handlers.refusals import NoAddress, NotConfirmed, TooMany
from service.handlers.transaction import transaction
from service.shared import clock
from service.shared.refusal import NotFound
from service.web.blueprint import web
from service.web.form_sent import BUTTON_FIELD, requires_form
from service.web.mail_settings import mail_page
from service.web.page import admitted, current_runtime, render, unknown_page, visitor_language
from service.web.session import Visitor, is_cross_site, page, see_other, signed_in
from service.web.sign_in_anew import recently_signed_in

_NEW = NewReplyAddress()


@web.post("/settings/mail/addresses")
@recently_signed_in(back="web.mail_settings")
def add_reply_address(visitor: Visitor) -> Response:
    """Have the address of the form asked whether mails from it are the visitor's."""
    try:
        email: str = _NEW.load({"email": request.form.get("email", "").strip()})["email"]
    except ValidationError:
        return mail_page(visitor, 422, refusal="mails-bad-address")
    if not admitted("writing", visitor.id, email):
        return page("notice.html", 429, notice="too-often")
    try:
        reply_addresses.add(current_runtime().games, visitor.id, email, clock.now())
    except (NoAddress, NotConfirmed):
        return mail_page(visitor, 409, refusal="mails-own-first")
    except TooMany:
        return mail_page(visitor, 409, refusal="programs-too-many")
    return see_other(url_for("web.mail_settings", asked=""))


@web.post("/settings/mail/addresses/<uuid:address_id>/delete")
@signed_in
def remove_reply_address(visitor: Visitor, address_id: UUID) -> Response:
    """Let mails from an address be the visitor's no more."""
    # One that is gone already is what the visitor wants.
    with suppress(NotFound):
        reply_addresses.remove(current_runtime().games, visitor.id, address_id)
    return see_other(url_for("web.mail_settings"))


@web.get("/reply-address/<token>")
def show_reply_address(token: str) -> Response:
    """Show the button that confirms an address."""
    found = _found(token)
    if found is None:
        return unknown_page()
    if found.confirmed_at is not None:
        return render("notice.html", found.language, notice="reply-address-done")
    return render("reply_address.html", found.language, email=found.email, action=request.path)


@web.post("/reply-address/<token>")
@requires_form(show_reply_address, BUTTON_FIELD)
def confirm_reply_address(token: str) -> Response:
    """Confirm an address for its player."""
    found = _found(token)
    if found is None:
        return unknown_page()
    language = found.language or visitor_language()
    if is_cross_site():
        return render("notice.html", language, 403, notice="form-refused")
    if not reply_addresses.confirm(current_runtime().games, token, clock.now()):
        return render("notice.html", language, 409, notice="reply-address-taken")
    return render("notice.html", language, notice="reply-address-done")


def _found(token: str) -> Any:
    with transaction(current_runtime().games.engine) as db:
        return reply_addresses.find(db, token)
