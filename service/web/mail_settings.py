"""The page of the mail settings: which mails a player wants and when, a test mail, and the muted games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.mail import KINDS, MailChanged
from service.handlers import mail_wishes
from service.handlers.refusals import NotConfirmed, NotSeated, PreconditionFailed, UnknownGame
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.budget import MailsSpent
from service.store.reply_addresses import listed
from service.views.mail import mail
from service.web.blueprint import web
from service.web.page import admitted, budget, current_runtime
from service.web.session import Visitor, missing_page, page, see_other, signed_in
from service.web.unchanged import unless_changed, version_of

_CHANGED = MailChanged()
_HOURS = tuple(range(24))


@web.get("/settings/mail")
@signed_in
def mail_settings(visitor: Visitor) -> Response:
    """Show the player's mail settings, and which mails could not be delivered."""
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
        "kinds": {kind: f"kind-{kind}" in form for kind in KINDS},
        "links_need_sign_in": "links_need_sign_in" in form,
        "mails_apart": "mails_apart" in form,
    }
    if "reminders" in form:
        sent["reminders"] = _number("reminders")
    try:
        wished = _CHANGED.load(sent)
        unless_changed(
            lambda db: _version(_wishes(db, visitor)),
            lambda: mail_wishes.change(current_runtime().games, visitor.id, wished),
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
        mail_wishes.try_again(current_runtime().games, visitor.id, clock.now(), budget())
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
        mail_wishes.unmute(current_runtime().games, game_id, visitor.id)
    except (UnknownGame, NotSeated):
        return missing_page()
    return see_other(url_for("web.mail_settings"))


def _number(name: str) -> int | str | None:
    """Return the number in a field, its text if that is no number, None if it is empty."""
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
    """Return the page, for example with what is wrong in a form (`refusal`)."""
    with transaction(current_runtime().games.engine) as db:
        wishes, addresses = _wishes(db, visitor), listed(db, visitor.id)
    return page(
        "mail_settings.html",
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
