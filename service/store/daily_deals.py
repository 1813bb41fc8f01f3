"""Daily deals: committed to ahead of their day, tried by players, and settled when the day is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, bindparam, insert, text
from sqlalchemy.dialects.postgresql import JSONB

from service.store.tables import deal as deal_table
from service.store.tables import deal_seed, deal_try

BEST_OF: Final[Mapping[str, int]] = {"week": 5, "month": 20}
"""Numbers of best results that count in a week and in a month (D-08)."""

_COLUMNS = "d.day, d.ruleset, d.seats, d.options, d.commitment, d.at, d.public, d.signature, d.rooted, d.best"
_FIND = text(f"select {_COLUMNS} from deal d where d.day = :day")  # noqa: S608 - a constant
_EXISTS = text("select exists (select from deal where day = :day)")
_NONE_YET = text("select not exists (select from deal)")
_SEED = text("select seed from deal_seed where day = :day")
# Two hourly jobs may commit to a day at once: the second waits here, and then finds the deal.
_ALONE = text("select pg_advisory_xact_lock(hashtext('deal'))")
_LIST = text(f"""
select {_COLUMNS} from deal d where d.day < :before order by d.day desc limit :limit
""")  # noqa: S608 - a constant
_SET_BEST = text("update deal set best = :best where day = :day").bindparams(bindparam("best", type_=JSONB))
_TRY_COLUMNS = "t.day, t.player_id, t.game_id, t.bot, t.named, t.begun_at, t.ended_at, t.margin, t.won, t.points"
_TRY = text(f"select {_TRY_COLUMNS} from deal_try t where t.day = :day and t.player_id = :player")  # noqa: S608 - likewise
_OF_GAME = text(f"select {_TRY_COLUMNS} from deal_try t where t.game_id = :game for update")  # noqa: S608 - likewise
_END = text("""
update deal_try set ended_at = :at, margin = :margin, won = :won, points = :points where game_id = :game
""")
_TALLY = """
on conflict (day, bot, margin, won) do update
   set named = deal_tally.named + excluded.named, others = deal_tally.others + excluded.others
"""
_COUNT = text(f"""
insert into deal_tally (day, bot, margin, won, named, others)
select day, bot, margin, won, named::integer, (not named)::integer from deal_try
 where game_id = :game and margin is not null {_TALLY}
""")  # noqa: S608 - a constant
_NAME = text(f"""
with changed as (
  update deal_try set named = :named where player_id = :player and named <> :named returning day, bot, margin, won
)
insert into deal_tally (day, bot, margin, won, named, others)
select day, bot, margin, won, case when :named then 1 else -1 end, case when :named then -1 else 1 end
  from changed where margin is not null {_TALLY}
""")  # noqa: S608 - a constant
_NAME_STANDING = text("update deal_standing set named = :named where player_id = :player and named <> :named")
# The results of past days are taken in portions, and none twice, even after an interruption.
_SETTLE = text("""
with portion as (
  select day, player_id from deal_try where not settled and margin is not null and day < :today
   order by day limit :limit for update skip locked
), taken as (
  update deal_try t set settled = true from portion p where (t.day, t.player_id) = (p.day, p.player_id)
  returning t.day, t.player_id, t.bot, t.named
), stretch as (
  select distinct of.period, date_trunc(of.period, taken.day::timestamp)::date as since, taken.player_id, taken.named
    from taken cross join (values ('week'), ('month')) as of(period) where not taken.bot
), reckoned as (
  insert into deal_standing (period, since, player_id, total, days, named)
  select s.period, s.since, s.player_id, best.total, best.days, s.named from stretch s cross join lateral (
    select count(*)::integer as days, coalesce(sum(greatest(margin, 0)) filter (
             where place <= case s.period when 'week' then :week else :month end), 0)::integer as total
      from (select margin, row_number() over (order by margin desc) as place from deal_try t
             where t.player_id = s.player_id and t.margin is not null and t.day >= s.since and t.day < :today
               and t.day < s.since + ('1 ' || s.period)::interval) of_stretch) best
  on conflict (period, since, player_id) do update set total = excluded.total, days = excluded.days
)
select count(*) from taken
""")


@dataclass(frozen=True, slots=True)
class DealRow:
    """Deal of a day: the game, the commitment to its seed, and the signature with its moment and public key.

    `rooted` is the day whose tree has the deal as a leaf. `best` is the result of computer players, by `level`,
    `version`, `margin`, `won` and `points`; None until they have tried.
    """

    day: date
    ruleset: str
    seats: int
    options: Mapping[str, Any]
    commitment: str
    at: datetime
    public: bytes
    signature: bytes
    rooted: date | None = None
    best: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Try:
    """Only try of a player at a deal; `margin`, `won` and `points` are None without a result."""

    day: date
    player: UUID
    game: UUID
    bot: bool
    named: bool
    begun_at: datetime
    ended_at: datetime | None = None
    margin: int | None = None
    won: bool | None = None
    points: int | None = None


def today(now: datetime) -> date:
    """Return the day of UTC whose deal is open at a moment."""
    return now.astimezone(UTC).date()


def ends_at(day: date) -> datetime:
    """Return the moment at which a day of UTC is over."""
    return datetime.combine(day + timedelta(days=1), time(), UTC)


def find(db: Connection, day: date) -> DealRow | None:
    """Return the deal of a day; None if unknown."""
    return _deal(db.execute(_FIND, {"day": day}).one_or_none())


def is_committed(db: Connection, day: date) -> bool:
    """Return whether the day has a deal; take an advisory lock against other commitments for the transaction."""
    db.execute(_ALONE)
    return bool(db.execute(_EXISTS, {"day": day}).scalar_one())


def is_first(db: Connection) -> bool:
    """Return whether the service has no deal yet, of any day; call after `is_committed`."""
    return bool(db.execute(_NONE_YET).scalar_one())


def commit(db: Connection, made: DealRow, seed: bytes) -> None:
    """Insert the deal of a day, and its seed."""
    what = {"day": made.day, "ruleset": made.ruleset, "seats": made.seats, "options": dict(made.options)}
    signed = {"commitment": made.commitment, "at": made.at, "public": made.public, "signature": made.signature}
    db.execute(insert(deal_table).values(**what, **signed))
    db.execute(insert(deal_seed).values(day=made.day, seed=seed))


def seed_of(db: Connection, day: date) -> bytes:
    return bytes(db.execute(_SEED, {"day": day}).scalar_one())


def listed(db: Connection, before: date, limit: int) -> list[DealRow]:
    """Return up to `limit` deals of earlier days, the newest first."""
    found = db.execute(_LIST, {"before": before, "limit": limit})
    return [each for each in map(_deal, found) if each is not None]


def keep_best(db: Connection, day: date, best: Mapping[str, Any]) -> None:
    """Store the result of computer players in the deal of a day."""
    db.execute(_SET_BEST, {"day": day, "best": dict(best)})


def begin(db: Connection, begun: Try) -> None:
    """Insert a begun try; IntegrityError at a second try."""
    who = {"day": begun.day, "player_id": begun.player, "game_id": begun.game}
    db.execute(insert(deal_try).values(**who, bot=begun.bot, named=begun.named, begun_at=begun.begun_at))


def try_of(db: Connection, day: date, player: UUID) -> Try | None:
    """Return a player's try of the deal of a day, or None."""
    row: Any = db.execute(_TRY, {"day": day, "player": player}).one_or_none()
    return None if row is None else Try(*row)


def lock_try(db: Connection, game: UUID) -> Try | None:
    """Lock the try of a game, and return it; None if the game is no try."""
    row: Any = db.execute(_OF_GAME, {"game": game}).one_or_none()
    return None if row is None else Try(*row)


def end(db: Connection, game: UUID, at: datetime, margin: int | None, won: bool | None, points: int | None) -> None:
    """Store the end of a try; without a margin it has no result."""
    db.execute(_END, {"game": game, "at": at, "margin": margin, "won": won, "points": points})
    db.execute(_COUNT, {"game": game})


def name(db: Connection, player: UUID, named: bool) -> None:
    """List the player in all tables, or in none."""
    for statement in (_NAME, _NAME_STANDING):
        db.execute(statement, {"player": player, "named": named})


def settle(db: Connection, today: date, limit: int) -> int:
    """Add up to `limit` results of past days to the tables of weeks and months; return the number."""
    wanted = {"today": today, "limit": limit, **BEST_OF}
    return int(db.execute(_SETTLE, wanted).scalar_one())


def _deal(row: Any) -> DealRow | None:
    if row is None:
        return None
    values = dict(row._mapping)
    values["public"], values["signature"] = bytes(row.public), bytes(row.signature)
    return DealRow(**values)
