"""Mail preferences: settings, further reply addresses, consent by a mailed link, unsubscription.

GET of a mailed link changes nothing. The link is the only credential: it signs nobody in, and needs no cookie.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, get_args
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.messages import MAIL_KINDS, MailChanged, NewReplyAddress
from service.handlers import consent, mail_preferences, reply_addresses
from service.handlers.refusals import NoAddress, NotConfirmed, NotSeated, PreconditionFailed, TooMany, UnknownGame
from service.handlers.transaction import transaction
from service.mail.unsubscribe import Scope, Unsubscriber, carry_out, resolve
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.mail import ConsentRequest, list_reply_addresses
from service.store.quotas import MailsSpent
from service.views.messages import mail_settings as mail
from service.web.access.sign_in import recently_signed_in
from service.web.blueprint import web
from service.web.page import admitted, budget, current_runtime, render, unknown_page, visitor_language
from service.web.post_guard import BUTTON_FIELD, ONE_CLICK, requires_form, unless_changed, version_of
from service.web.session import Visitor, is_cross_site, missing_page, page, see_other, signed_in

_CHANGED = MailChanged()
_HOURS = tuple(range(24))


@web.get("/settings/mail")
@signed_in
def mail_settings(visitor: Visitor) -> Response:
    """Show the player's mail settings, and the mails that could not be delivered."""
    return mail_page(visitor, 200)


@web.post("/settings/mail")
@signed_in
def update_mail(visitor: Visitor) -> Response:
    """Replace all mail settings by those of the form."""
    form = request.form
    begin, end = _number("quiet_from"), _number("quiet_to")
    sent: dict[str, Any] = {
        "delay": _number("delay"),
        "digest": _number("digest"),
        "quiet": None if begin is None or end is None or begin == end else {"from": begin, "to": end},
        "kinds": {kind: f"kind-{kind}" in form for kind in MAIL_KINDS},
        "links_need_sign_in": "links_need_sign_in" in form,
        "mails_apart": "mails_apart" in form,
    }
    if "reminders" in form:
        sent["reminders"] = _number("reminders")
    try:
        wished = _CHANGED.load(sent)
        unless_changed(
            lambda db: _version(_wishes(db, visitor)),
            lambda: mail_preferences.change(current_runtime().games, visitor.id, wished),
        )
    except ValidationError:
        return mail_page(visitor, 422, refusal="mails-bad-form", chosen=sent)
    except PreconditionFailed:
        return mail_page(visitor, 412, chosen=sent, changed=True)
    return see_other(url_for("web.mail_settings", saved=""))


@web.post("/settings/mail/trial")
@signed_in
def try_mail(visitor: Visitor) -> Response:
    """Send a test mail to the player's address."""
    email = visitor.browser.player.email
    if email is None:
        return mail_page(visitor, 409, refusal="mails-no-address")
    if not admitted("writing", visitor.id, email):
        return page("notice.html", 429, notice="too-often")
    try:
        mail_preferences.try_again(current_runtime().games, visitor.id, clock.now(), budget())
    except NotConfirmed:
        return mail_page(visitor, 409, refusal="mails-not-asked")
    except MailsSpent:
        return page("notice.html", 429, notice="mail-budget")
    return mail_page(visitor, 200, tried=True)


@web.post("/settings/mail/unmute/<uuid:game_id>")
@signed_in
def unmute_game(visitor: Visitor, game_id: UUID) -> Response:
    """Send mails about a muted game again."""
    try:
        mail_preferences.unmute(current_runtime().games, game_id, visitor.id)
    except (UnknownGame, NotSeated):
        return missing_page()
    return see_other(url_for("web.mail_settings"))


def _number(name: str) -> int | str | None:
    """Return the number in a field, the text if it is no number, None if the field is empty."""
    said = request.form.get(name, "").strip()
    return int(said) if said.isascii() and said.isdigit() and len(said) < 4 else said or None


def _wishes(db: Connection, visitor: Visitor) -> dict[str, Any]:
    return mail(db, visitor.browser.player, current_runtime().settings.mail_delay, clock.now())


def _version(wishes: Mapping[str, Any]) -> str:
    return version_of({name: wishes[name] for name in _CHANGED.fields})


def mail_page(
    visitor: Visitor,
    status: int,
    refusal: str | None = None,
    tried: bool = False,
    chosen: Mapping[str, Any] | None = None,
    changed: bool = False,
) -> Response:
    """Return the page; `refusal` is the key of the text for a bad form."""
    with transaction(current_runtime().games.engine) as db:
        wishes, addresses = _wishes(db, visitor), list_reply_addresses(db, visitor.id)
    return page(
        "messages/mail_settings.html",
        status,
        version=_version(wishes),
        changed=changed,
        wishes={**wishes, **(chosen or {})},
        hours=_HOURS,
        refusal=refusal,
        saved="saved" in request.args,
        tried=tried,
        addresses=addresses,
        asked="asked" in request.args,
    )


# Further addresses from which a player answers mails.

_NEW = NewReplyAddress()


@web.post("/settings/mail/addresses")
@recently_signed_in(back="web.mail_settings")
def add_reply_address(visitor: Visitor) -> Response:
    """Mail a link to the form's address to confirm that mails from it are the visitor's."""
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
    """Remove a reply address; mails from it no longer count as the visitor's."""
    # A missing address is the wanted result.
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
    return render("messages/reply_address.html", found.language, email=found.email, action=request.path)


@web.post("/reply-address/<token>")
@requires_form(show_reply_address, BUTTON_FIELD)
def confirm_reply_address(token: str) -> Response:
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


# Consent: the reader of the mail confirms the address, or opts out.


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
    return render("messages/consent.html", language, email=consent_request.email, action=request.path)


@web.post("/confirm/<token>")
@requires_form(show_confirmation, BUTTON_FIELD)
def confirm(token: str) -> Response:
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
    """Show the button to opt the address out of consent mails and invitations."""
    consent_request = _consent_request(token)
    if consent_request is None:
        return unknown_page()
    return render("messages/never_consent.html", consent_request.language or visitor_language(), action=request.path)


@web.post("/confirm/<token>/never")
@requires_form(show_opt_out, BUTTON_FIELD, ONE_CLICK)
def opt_out(token: str) -> Response:
    """Opt the address out of consent mails and invitations; for the button, and for one click (RFC 8058)."""
    consent_request = _consent_request(token)
    if consent_request is None or not consent.refuse(current_runtime().games, token, clock.now()):
        return unknown_page()
    return render("notice.html", consent_request.language or visitor_language(), notice="ask-never-done")


def _consent_request(token: str) -> ConsentRequest | None:
    with transaction(current_runtime().games.engine) as db:
        return consent.find(db, token)


# Unsubscription without a redirect, since mail programs POST to the address too (RFC 8058).

_SCOPES: Final[dict[str, Scope]] = {scope: scope for scope in get_args(Scope)}


@web.get("/u/<token>")
def show_unsubscribe(token: str) -> Response:
    """Show the kinds of mail to unsubscribe from, and their purpose."""
    unsubscriber = _unsubscriber(token)
    if unsubscriber is None:
        return _unknown()
    title = _title(unsubscriber)
    return render(
        "messages/unsubscribe.html", unsubscriber.language, title=title, kind=unsubscriber.kind, action=request.path
    )


@web.post("/u/<token>")
@requires_form(show_unsubscribe, "scope", ONE_CLICK)
def unsubscribe(token: str) -> Response:
    """Unsubscribe from the `scope` of the form; one click in a mail program unsubscribes from mails of this kind."""
    unsubscriber = _unsubscriber(token)
    if unsubscriber is None:
        return _unknown()
    scope = _SCOPES.get(request.form.get("scope", ""), "kind")
    if unsubscriber.game is None and scope in ("game", "game-again"):
        return show_unsubscribe(token)
    carry_out(current_runtime().games, unsubscriber, scope)
    return render(
        "messages/unsubscribed.html", unsubscriber.language, kind=unsubscriber.kind, scope=scope, action=request.path
    )


def _title(whose: Unsubscriber) -> str | None:
    """Return the name of the game that the mail was about; None if it was about no game."""
    if whose.game is None or whose.ruleset is None:
        return None
    return f"{current_runtime().games.rulesets[whose.ruleset].meta.title} #{whose.game.hex[-6:]}"


def _unsubscriber(token: str) -> Unsubscriber | None:
    runtime = current_runtime()
    with transaction(runtime.games.engine) as db:
        return resolve(runtime.settings, db, token)


def _unknown() -> Response:
    return render("notice.html", visitor_language(), 404, notice="unsubscribe-unknown")
