"""Reports to those who run the service: a remark at a table, a name, a profile, or the title of a tournament."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.people import REPORT_FIELDS, NewReport, ReportMade, Reports, ReportsWanted
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.handlers.idempotency import Receipt
from service.handlers.reports import Complaint, complain, complain_of_profile, complain_of_tournament
from service.handlers.transaction import transaction
from service.http.responses import PRIVATE, as_json, at_moment, paged
from service.shared import clock
from service.views.pages import TOP
from service.views.reports import MOST, reports_by

reports = Resource("reports", __name__, description="What players report to those who run the service.")
guard(reports)


@reports.operation(
    "/reports",
    Answers(status=201, schema=ReportMade, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=NewReport,
    headers=Idempotency,
)
def create_report(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Report a remark where one sits, a name at a table that one may see, a profile, or the title of a tournament.

    Those who run the service see what is reported as it is at this moment, and who reports it; nobody else learns of
    it. Their answer stands in the list of one's reports.
    """
    games, asking, now = runtime().games, player().id, clock.now()
    words, about = posted["text"], posted["about"]
    first, *then = (posted[each] for each in REPORT_FIELDS[about])
    asked = [str(first), about, *then, words]

    def make(receipt: Receipt[UUID] | None) -> UUID:
        if about == "profile":
            return complain_of_profile(games, asking, first, words, now, receipt)
        if about == "tournament":
            return complain_of_tournament(games, asking, first, words, now, receipt)
        return complain(games, asking, Complaint(first, about, then[0], words), now, receipt)

    shown, headers = once("create-report", header, asked, make, lambda made: {"id": str(made)})
    return as_json(shown, 201, {**PRIVATE, **headers})


@reports.operation("/reports", Answers(schema=Reports), scope="games:read", query=ReportsWanted)
def list_reports(wanted: dict[str, Any]) -> Response:
    """List one's reports, the newest first, with their answers."""
    limit = wanted.get("limit", MOST)
    with transaction(runtime().games.engine) as db:
        found = reports_by(db, player().id, wanted.get("after", TOP), limit + 1)
    return as_json(paged(found, limit, at_moment("created_at")))
