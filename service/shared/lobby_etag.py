"""Version tag of the state of a table that is not in its log: take-backs, auto-answers, seat requests, absences."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

LOBBY_ETAG: Final = """
md5(concat(
  (select cast(t as text) from take_back_request t where t.game_id = g.id), '/',
  (select json_agg(s.auto_answers order by s.seat) from seat s where s.game_id = g.id), '/',
  (select json_agg(r.id order by r.id) from seat_request r where r.game_id = g.id and r.answer is null), '/',
  (select json_agg(a.ends order by s.seat) from seat s
     join absence a on a.player_id = s.player_id and a.begins <= :at and a.ends > :at
    where s.game_id = g.id and g.pace is null)))
"""
"""SQL expression for a game `g` at the moment `:at`; in a game with a clock the log has the absences."""
_READ = text(f"select {LOBBY_ETAG} from game g where g.id = :game")  # noqa: S608 - a constant


def lobby_etag(db: Connection, game: UUID, at: datetime) -> str:
    """Return the tag, for players who have a seat."""
    found: str = db.execute(_READ, {"game": game, "at": at}).scalar_one()
    return found
