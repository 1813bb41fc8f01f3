"""Reports of players: as their reporter sees them, and as operators do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from service.views.pages import TOP, Place

View = dict[str, Any]
MOST: Final = 100
"""The most reports that operators are shown at once, and their reporter on a page."""

_BY = text("""
select id, game_id, competition_id, about, number, quoted, words, created_at, answer, answered_at from report
 where reporter = :player and (created_at, id) < (:moment, :place) order by created_at desc, id desc limit :limit
""")
_OPEN = text("""
select r.id, r.game_id as game, r.competition_id as tournament, r.about, r.number, r.quoted, r.words, r.created_at,
       r.reporter, r.reported, p.name as reporter_name, q.name as reported_name
  from report r join player p on p.id = r.reporter join player q on q.id = r.reported
 where r.answer is null order by r.created_at, r.id limit :most
""")


def reports_by(db: Connection, player: UUID, after: Place = TOP, limit: int | None = None) -> list[View]:
    """Return a player's reports with their answers, the newest first, as JSON types.

    They begin after a place; without a `limit` all of them.
    """
    values = {"player": player, "moment": after[0], "place": after[1], "limit": limit}
    return [_shown(row) for row in db.execute(_BY, values)]


def open_reports(db: Connection) -> Sequence[RowMapping]:
    """Return the reports that wait for an answer, the oldest first; for operators."""
    return db.execute(_OPEN, {"most": MOST}).mappings().all()


def _shown(row: Any) -> View:
    return {
        "id": str(row.id),
        "game": None if row.game_id is None else str(row.game_id),
        "tournament": None if row.competition_id is None else str(row.competition_id),
        "about": row.about,
        "number": row.number,
        "quoted": row.quoted,
        "text": row.words,
        "created_at": row.created_at.isoformat(),
        "answer": row.answer,
        "answered_at": None if row.answered_at is None else row.answered_at.isoformat(),
    }
