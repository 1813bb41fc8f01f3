"""Lengths of games: the median of those that ended within a year, by table size, options and pace."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import ARRAY, BigInteger, Column, Connection, Integer, PrimaryKeyConstraint, Table, Text, text

from service.rules.pace import PACES
from service.store.tables import metadata

LEAST_GAMES: Final = 5
"""Minimum of games for a median."""
WITHIN: Final = timedelta(days=365)
NO_CLOCK: Final = "none"
"""Pace of games without a clock."""

# Hourly jobs write the table, pages read it. `options` are the chosen ones, without the seats.
game_length = Table(
    "game_length",
    metadata,
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", ARRAY(Text), nullable=False),
    Column("pace", Text, nullable=False),
    Column("games", Integer, nullable=False),
    Column("seconds", BigInteger, nullable=False),
    PrimaryKeyConstraint("ruleset", "seats", "options", "pace"),
)

# Games that were counted at their end, between people alone (no bots), at a named pace on all days of the week: a game
# with a resignation was not counted. Only the last game of the same people counts, so that a figure needs several
# groups.
_MEASURE = text("""
with ended as (
  select p.ruleset, p.seats, coalesce(named.pace, :no_clock) as pace,
         array(select key from jsonb_each(g.options) where value = 'true' order by key collate "C") as options,
         array_agg(p.player_id order by p.player_id) as people, max(p.ended_at) as ended_at,
         extract(epoch from max(p.ended_at) - min(p.began_at)) as seconds
    from played_game p join game g on g.id = p.game_id
    left join unnest(cast(:names as text[]), cast(:free as int[]), cast(:bank as int[]), cast(:credit as int[]),
                     cast(:cap as int[])) as named(pace, free, bank, credit, cap)
           on g.pace @> jsonb_build_object('free', free, 'bank', bank, 'credit', credit, 'cap', cap)
   where p.ended_at > :since and p.people = p.seats and p.scores is not null
     and g.fork_of is null and g.origin = 'here' and g.pace ->> 'weekdays' is null
     and (named.pace is not null or g.pace is null)
     and not exists (select from seat s join player bot on bot.id = s.player_id
                      where s.game_id = g.id and bot.owner is not null)
   group by g.id, p.ruleset, p.seats, named.pace
), latest as (
  select distinct on (ruleset, seats, options, pace, people) * from ended
   order by ruleset, seats, options, pace, people, ended_at desc
)
insert into game_length (ruleset, seats, options, pace, games, seconds)
select ruleset, seats, options, pace, count(*), percentile_disc(0.5) within group (order by seconds)
  from latest group by ruleset, seats, options, pace having count(*) >= :least order by 1, 2, 3, 4
    on conflict (ruleset, seats, options, pace) do update set games = excluded.games, seconds = excluded.seconds
""")
_FORGET = text("delete from game_length")
_READ = text("select ruleset, seats, options, pace, seconds from game_length")


class TableKind(NamedTuple):
    """Kind of table with a median length; `options` are the names of the chosen ones, sorted."""

    ruleset: str
    seats: int
    options: tuple[str, ...]
    pace: str


def measure(db: Connection, now: datetime) -> None:
    """Replace the stored lengths by the medians of games that ended within WITHIN, for kinds with LEAST_GAMES games.

    Kinds with fewer games lose their median.
    """
    times = {name: [getattr(pace, name) for pace in PACES.values()] for name in ("free", "bank", "credit", "cap")}
    bounds = {"no_clock": NO_CLOCK, "least": LEAST_GAMES, "since": now - WITHIN}
    db.execute(_FORGET)
    db.execute(_MEASURE, {"names": list(PACES), **times, **bounds})


def measured(db: Connection) -> Mapping[TableKind, int]:
    """Return the stored median lengths, in seconds."""
    return {TableKind(row.ruleset, row.seats, tuple(row.options), row.pace): row.seconds for row in db.execute(_READ)}
