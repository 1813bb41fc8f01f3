"""A player's absences: announced, listed, changed and ended early."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.pace import AbsenceAnnounced, AbsenceChanged, Absences, NewAbsence
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.handlers.absence import AbsencePlan, Announced, announce, change, end
from service.handlers.idempotency import Receipt
from service.handlers.transaction import transaction
from service.http.responses import PRIVATE, as_json, no_content
from service.shared import clock
from service.views.absences import absences_of, shown

absences = Resource("absences", __name__, description="When a player is away, and no time of theirs runs.")
guard(absences)


@absences.operation("/me/absences", Answers(schema=Absences), scope="account:read")
def list_absences() -> Response:
    """List one's absences, and how many days are left.

    Others at the tables see only that one is away, and until when.
    """
    with transaction(runtime().games.engine) as db:
        return as_json(absences_of(db, player(), clock.now()))


@absences.operation(
    "/me/absences",
    Answers(status=201, schema=AbsenceAnnounced, headers=REPLAYED),
    method="POST",
    bucket="absences",
    scope="profile:write",
    json=NewAbsence,
    headers=Idempotency,
)
def announce_absence(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Announce an absence: while it lasts no time of one's own runs, and turn mails wait for the return.

    It holds for all games whose terms allow it. One may act all the same; that does not end it. Absences that overlap
    or touch are one. For a player who is away, one that begins at once gives the present absence another last day.
    """
    games, asking, now = runtime().games, player(), clock.now()

    def do(receipt: Receipt[Announced] | None) -> Announced:
        return announce(games, asking.id, AbsencePlan(**posted), now, receipt)

    asked = {name: str(value) for name, value in posted.items()}
    answer, headers = once("announce-absence", header, asked, do, _announced)
    return as_json(answer, 201, {**PRIVATE, **headers})


@absences.operation(
    "/me/absences/<uuid:absence_id>",
    Answers(schema=AbsenceAnnounced),
    method="PATCH",
    bucket="absences",
    refuses=(404,),
    scope="profile:write",
    json=AbsenceChanged,
)
def change_absence(posted: dict[str, Any], absence_id: UUID) -> Response:
    """Give an absence that is not over another last day."""
    plan = AbsencePlan(**posted)
    return as_json(_announced(change(runtime().games, player().id, absence_id, plan, clock.now())))


@absences.operation(
    "/me/absences/<uuid:absence_id>",
    Answers(status=204),
    method="DELETE",
    bucket="absences",
    refuses=(404,),
    scope="profile:write",
)
def end_absence(absence_id: UUID) -> Response:
    """End an absence now, or call it off if it has not begun; one that is over stays as it is."""
    end(runtime().games, player().id, absence_id, clock.now())
    return no_content()


def _announced(announced: Announced) -> dict[str, Any]:
    return {**shown(announced.row, announced.zone, clock.now()), "days_left": announced.days_left}
