"""Very many games of long ago, that are there as rows and were never played."""

from __future__ import annotations

from tests.superuser import Tamper

# Copies of one game, each an hour after the one before it, so that rows and ids lie in the order of time.
_MADE = """
create temp table made as
select n, lpad(to_hex(1400000000000 + n::bigint * 3600), 12, '0') as stamp,
       timestamptz '2014-05-13 16:53:20+00' + n * interval '3.6 s' as at
from generate_series(1, %(games)s) n;
alter table made add id uuid;
update made set id = (stamp || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid;
"""
_COPIES = {
    "game": ("id", "created_at", "", "", "id"),
    "seed": ("game_id", "", "", "", "game_id"),
    "seat": ("game_id", "joined_at", "arrival", "", "arrival"),
    "lobby_event": ("game_id", "at", "", "", "seq"),
    "event": ("game_id", "at", "", "and seq <= %(events)s", "seq"),
}
_COLUMNS = """
select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
 where attrelid = %s::regclass and attnum > 0 and not attisdropped and attname <> all(%s)
"""


def crowd(as_superuser: Tamper, game: object, games: int, events: int = 3) -> None:
    """Put copies of a game into the database, with its first events; then PostgreSQL knows how many rows there are."""
    as_superuser("drop table if exists made")
    for statement in _MADE.split(";")[:-1]:
        as_superuser(statement.replace("%(games)s", str(games)))
    for table, (key, moment, own, which, order) in _COPIES.items():
        left_out = [key, *filter(None, (moment, own))]
        (columns,) = as_superuser(_COLUMNS, (table, left_out)).fetchone()
        names = ", ".join(filter(None, (key, moment, columns)))
        values = ", ".join(filter(None, ("made.id", "made.at" if moment else "", columns)))
        as_superuser(
            f"insert into {table} ({names}) select {values} from made, (select * from {table}"
            f" where {key} = %(game)s {which}) one order by made.n, one.{order}",
            {"game": game, "events": events},
        )
    as_superuser("update game set version = %s where id in (select id from made)", (events,))
    as_superuser("vacuum analyze game, seed, seat, lobby_event, event")
