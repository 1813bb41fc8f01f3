"""Games at tables without names that go by the same name in subjects: the later ones have a number."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sqlalchemy import Connection, text

from service.store.position import Position

_EARLIER: Final = text("""
select count(*)
  from seat mine join game g on g.id = mine.game_id
 where mine.player_id = :reader and g.id < :game and g.ruleset = :ruleset and g.seats = :seats and g.name is null
   and (g.status in ('open', 'running')
        or (select e.at from event e where e.game_id = g.id and e.seq = g.version) > :began)
   and not exists (
     select from seat s where s.game_id = :game
        and not exists (select from seat o where o.game_id = g.id and o.player_id = s.player_id))
""")


def with_namesakes(db: Connection, position: Position, seat: int) -> Position:
    """Return the game with the number of earlier ones of the same people that had not ended when it was opened.

    The number stays, so that all mails of a game have the same one.
    """
    game = position.game
    if game.terms.name:
        return position
    values = {
        "reader": position.seats[seat].player_id,
        "game": game.id,
        "ruleset": game.ruleset,
        "seats": game.seats,
        "began": game.created_at,
    }
    return replace(position, namesakes=db.execute(_EARLIER, values).scalar_one())
