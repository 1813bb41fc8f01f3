"""Pages to report a remark or a name, and to read the operators' answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.people import NewReport
from service.handlers.refusals import NotSeated, TooMany
from service.handlers.reports import Complaint, complain
from service.handlers.transaction import transaction
from service.shared import clock
from service.shared.refusal import NotFound, Refusal
from service.store.games import require_known
from service.views.people import MOST, reports_by
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.session import Visitor, missing_page, page, see_other, signed_in

MAX_REPORT_LENGTH = 500
BAD_WORDS = "report-bad-words"
"""Key of the text for invalid words of a report."""
_WORDS = NewReport().fields["text"]


@web.get("/reports")
@signed_in
def own_reports(visitor: Visitor) -> Response:
    with transaction(current_runtime().games.engine) as db:
        return page("people/reports.html", reports=reports_by(db, visitor.id, limit=MOST), sent="sent" in request.args)


@web.get("/games/<uuid:game_id>/report")
@signed_in
def show_report_form(visitor: Visitor, game_id: UUID) -> Response:
    """Show the form for a report of the remark (`remark`) or of the name in the seat (`seat`) of the query."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        require_known(db, games.open(db, game_id), visitor.id)
    return _form(game_id, 200)


@web.post("/games/<uuid:game_id>/report")
@signed_in
def send_report(visitor: Visitor, game_id: UUID) -> Response:
    """Report the remark or name of the form, with its words."""
    words, about = _words_sent(), _about()
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    if words is None:
        return _form(game_id, 422, BAD_WORDS)
    try:
        complain(current_runtime().games, visitor.id, Complaint(game_id, *about, words), clock.now())
    except (NotSeated, NotFound):
        return _form(game_id, 422, "report-not-there")
    except TooMany:
        return page("notice.html", 429, notice="too-often")
    return see_other(url_for("web.own_reports", sent=""))


def reported(
    visitor: Visitor, report: Callable[[str], object], refused: Callable[[Refusal | None], Response]
) -> Response:
    """Report with the words of the form; `refused` shows its page again, with None if the words are invalid."""
    words = _words_sent()
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    if words is None:
        return refused(None)
    try:
        report(words)
    except NotFound:
        return missing_page()
    except Refusal as refusal:
        return refused(refusal)
    return see_other(url_for("web.own_reports", sent=""))


def _words_sent() -> str | None:
    """Return the words of the form (`text`), None if invalid for a report."""
    try:
        said: str = _WORDS.deserialize(request.form.get("text", "").strip())
    except ValidationError:
        return None
    return said


def typed() -> str:
    """Return the words of the form as sent, to be shown in the form again."""
    return request.form.get("text", "").replace("\0", "")


def _about() -> tuple[Literal["talk", "name"], int]:
    remark = request.values.get("remark", type=int)
    return ("name", request.values.get("seat", -1, type=int)) if remark is None else ("talk", remark)


def _form(game_id: UUID, status: int, refusal: str | None = None) -> Response:
    about, number = _about()
    return page(
        "people/report.html",
        status,
        game_id=game_id,
        about=about,
        number=number,
        refusal=refusal,
        longest=MAX_REPORT_LENGTH,
        written=typed(),
    )
