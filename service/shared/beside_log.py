"""What the players of a table see that is not in its log, as one text: two that differ show that it has changed."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

BESIDE_LOG: Final = """
md5(concat(
  (select cast(t as text) from take_back_request t where t.game_id = g.id), '/',
  (select json_agg(s.auto_answers order by s.seat) from seat s where s.game_id = g.id), '/',
  (select json_agg(r.id order by r.id) from seat_request r where r.game_id = g.id and r.answer is null), '/',
  (select json_agg(a.ends order by s.seat) from seat s
     join absence a on a.player_id = s.player_id and a.begins <= :at and a.ends > :at
    where s.game_id = g.id and g.pace is null)))
"""
"""The text for a game `g` at a moment; in a game with a clock the log has the absences."""
_READ = text(f"select {BESIDE_LOG} from game g where g.id = :game")  # noqa: S608 - a constant


def beside_log(db: Connection, game: UUID, at: datetime) -> str:
    """Return the text for a game at a moment; it is meant for the players who have a seat there."""
    found: str = db.execute(_READ, {"game": game, "at": at}).scalar_one()
    return found
