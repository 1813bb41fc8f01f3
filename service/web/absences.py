"""The page of a player's absences: what is announced, a form to announce more, and buttons to change and end them."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.absences import AbsenceChanged, NewAbsence
from service.handlers import absence
from service.handlers.absence import AbsencePlan
from service.handlers.refusals import BadAbsence, PreconditionFailed
from service.handlers.transaction import transaction
from service.log.absences import MOST_DAYS_AHEAD, MOST_DAYS_IN_A_ROW, MOST_DAYS_IN_A_YEAR
from service.shared import clock
from service.shared.refusal import NotFound
from service.texts.when import day
from service.views.absences import absences_of
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.session import Visitor, language, missing_page, page, see_other, signed_in
from service.web.unchanged import unless_changed, version_of

_NEW = NewAbsence()
_CHANGED = AbsenceChanged()


@web.get("/settings/away")
@signed_in
def list_absences(visitor: Visitor) -> Response:
    """List the player's absences, with the form that announces one."""
    return _page(visitor, 200)


@web.post("/settings/away")
@signed_in
def announce_absence(visitor: Visitor) -> Response:
    """Announce an absence with the days of the form: `from`, which may be empty, and `until`."""
    if not admitted("absences", visitor.id):
        return page("notice.html", 429, notice="too-often")
    days = {name: value for name in ("from", "until") if (value := request.form.get(name, "").strip())}
    try:
        plan = AbsencePlan(**_NEW.load(days))
        absence.announce(current_runtime().games, visitor.id, plan, clock.now())
    except ValidationError:
        return _page(visitor, 422, "away-bad-form")
    except BadAbsence as refused:
        return _refused(visitor, refused)
    return see_other(url_for("web.list_absences", saved=""))


@web.post("/settings/away/<uuid:absence_id>")
@signed_in
def change_absence(visitor: Visitor, absence_id: UUID) -> Response:
    """Give an absence the last day of the form (`until`)."""
    if not admitted("absences", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        plan = AbsencePlan(**_CHANGED.load({"until": request.form.get("until", "").strip()}))
        unless_changed(
            lambda db: _version(db, visitor, absence_id),
            lambda: absence.change(current_runtime().games, visitor.id, absence_id, plan, clock.now()),
        )
    except NotFound:
        return missing_page()
    except ValidationError:
        return _page(visitor, 422, "away-bad-form")
    except PreconditionFailed:
        return _page(visitor, 412, "settings-changed", changed=absence_id)
    except BadAbsence as refused:
        return _refused(visitor, refused)
    return see_other(url_for("web.list_absences", saved=""))


@web.post("/settings/away/<uuid:absence_id>/end")
@signed_in
def end_absence(visitor: Visitor, absence_id: UUID) -> Response:
    """End an absence now, or call it off if it has not begun."""
    try:
        absence.end(current_runtime().games, visitor.id, absence_id, clock.now())
    except NotFound:
        return missing_page()
    return see_other(url_for("web.list_absences", saved=""))


def _refused(visitor: Visitor, refused: BadAbsence) -> Response:
    return _page(visitor, 422, f"bad-absence-{refused.case}", most=refused.members.get("most"))


def _version(db: Connection, visitor: Visitor, absence: UUID) -> str:
    known = absences_of(db, visitor.browser.player, clock.now())["items"]
    return next((version_of(each["until"]) for each in known if each["id"] == str(absence)), "")


def _page(
    visitor: Visitor, status: int, refusal: str | None = None, changed: UUID | None = None, **values: Any
) -> Response:
    with transaction(current_runtime().games.engine) as db:
        known = absences_of(db, visitor.browser.player, clock.now())
    return page(
        "away_settings.html",
        status,
        absences=known["items"],
        left=known["days_left"],
        limits={"ahead": MOST_DAYS_AHEAD, "row": MOST_DAYS_IN_A_ROW, "year": MOST_DAYS_IN_A_YEAR},
        day=lambda iso: day(date.fromisoformat(iso), language()),
        refusal=refusal,
        values=values,
        saved="saved" in request.args,
        written={} if changed else request.form,
        changed={} if changed is None else {str(changed): request.form.get("until", "")},
    )
