"""The outbox rows of the kind `lapse`, by a `seat` and its `deadline`: which of them still count.

They are written when a timer fires (timers.py); versions before revision 0053 wrote one for each deadline.

That is known by the game's row, without its log, and only under the game's lock: a row that is taken away must not be
one that is needed again meanwhile, by an action that is taken back.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, text

from service.store.outbox import OutboxRow

AT_ONCE: Final = 1000
"""The most rows that are looked at by one statement, and the most games that it locks."""


def _stands(game: str, seat: str, deadline: str) -> str:
    return f"""{game}.status = 'running' and exists (
  select from unnest({game}.awaited, {game}.deadlines) as waiting(seat, deadline)
   where waiting.seat = {seat} and waiting.deadline = to_timestamp({deadline} / 1000.0))"""


_STANDS: Final = text(f"""
select {_stands("game", ":seat", ":deadline")} from game where id = :game for no key update
""")  # noqa: S608 - constants
# Most rows are of waits that were answered in time. Each takes a worker as long as an action, one by one.
_FORGET_VAIN: Final = text(f"""
with due as materialized (
  select id, game_id, payload from outbox
   where state = 'pending' and kind = 'lapse' and not_before <= now()
   order by not_before, id limit :limit for update skip locked
), game as materialized (
  select * from game where id in (select game_id from due) for no key update skip locked
)
delete from outbox using due join game on game.id = due.game_id
 where outbox.id = due.id
   and not ({_stands("game", "cast(due.payload ->> 'seat' as int)", "cast(due.payload ->> 'deadline' as bigint)")})
""")  # noqa: S608 - constants


def stands(db: Connection, row: OutboxRow) -> bool:
    """Return whether the row's deadline is still its seat's; the game is locked for the transaction."""
    values = {"game": row.game_id, "seat": row.payload["seat"], "deadline": row.payload["deadline"]}
    return bool(db.execute(_STANDS, values).scalar())


def forget_vain(db: Connection, limit: int = AT_ONCE) -> int:
    """Delete those of the first `limit` rows due that no longer count, and return how many; their games are locked.

    Rows and games that another transaction has locked are left alone.
    """
    return db.execute(_FORGET_VAIN, {"limit": limit}).rowcount
