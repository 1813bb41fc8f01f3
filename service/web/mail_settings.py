"""Which mails a player wants and when, whether they arrive, and which games send none."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.mail import KINDS, MailChanged
from service.handlers import mail_wishes
from service.handlers.refusals import NotConfirmed, NotSeated, UnknownGame
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.budget import MailsSpent
from service.views.mail import mail
from service.web.blueprint import web
from service.web.page import admitted, budget, runtime
from service.web.session import Visitor, go_to, missing_page, page, signed_in

_CHANGED = MailChanged()
_HOURS = tuple(range(24))


@web.get("/settings/mail")
@signed_in
def mail_settings(there: Visitor) -> Response:
    """Show the player's wishes, and what went wrong with the mails to them."""
    return _page(there, 200)


@web.post("/settings/mail")
@signed_in
def change_mail(there: Visitor) -> Response:
    """Change the wishes to those of the form, all of them."""
    form = request.form
    begin, end = _number("quiet_from"), _number("quiet_to")
    sent: dict[str, Any] = {
        "delay": _number("delay"),
        "digest": _number("digest"),
        "quiet": None if begin is None or end is None or begin == end else {"from": begin, "to": end},
        "kinds": {kind: f"kind-{kind}" in form for kind in KINDS},
        "unseen_only": "unseen_only" in form,
        "links_need_sign_in": "links_need_sign_in" in form,
        "mails_apart": "mails_apart" in form,
    }
    try:
        mail_wishes.change(runtime().games, there.id, _CHANGED.load(sent))
    except ValidationError:
        return _page(there, 422, refusal="mails-bad-form")
    return go_to(url_for("web.mail_settings", saved=""))


@web.post("/settings/mail/trial")
@signed_in
def try_mail(there: Visitor) -> Response:
    """Have a mail sent, to see whether it arrives."""
    email = there.browser.player.email
    if email is None:
        return _page(there, 409, refusal="mails-no-address")
    if not admitted("writing", there.id, email):
        return page("notice.html", 429, notice="too-often")
    try:
        mail_wishes.try_again(runtime().games, there.id, clock.now(), budget())
    except NotConfirmed:
        return _page(there, 409, refusal="mails-not-asked")
    except MailsSpent:
        return page("notice.html", 429, notice="mail-budget")
    return _page(there, 200, tried=True)


@web.post("/settings/mail/unmute/<uuid:game_id>")
@signed_in
def unmute(there: Visitor, game_id: UUID) -> Response:
    """Get mails about a game again."""
    try:
        mail_wishes.unmute(runtime().games, game_id, there.id)
    except (UnknownGame, NotSeated):
        return missing_page()
    return go_to(url_for("web.mail_settings"))


def _number(name: str) -> int | str | None:
    """Return the number of a field, its text where it is none, or None where it is empty."""
    said = request.form.get(name, "").strip()
    return int(said) if said.isascii() and said.isdigit() and len(said) < 4 else said or None


def _page(there: Visitor, status: int, refusal: str | None = None, tried: bool = False) -> Response:
    house = runtime()
    with transaction(house.games.engine) as db:
        wishes = mail(db, there.browser.player, house.settings.mail_delay, clock.now())
    return page(
        "mail_settings.html",
        status,
        wishes=wishes,
        hours=_HOURS,
        refusal=refusal,
        saved="saved" in request.args,
        tried=tried,
    )
