"""Daily deals: others' results are shown only after the viewer's own try or the day is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple, get_args
from uuid import UUID

from sqlalchemy import Connection, text

from service.shared.refusal import NotFound
from service.store import daily_deals, proof
from service.store.daily_deals import DealRow, Try, ends_at, today
from service.texts.names import display_name
from service.views.proof import way_to_root

View = dict[str, Any]
Period = Literal["week", "month"]
PERIODS: Final[tuple[Period, ...]] = get_args(Period)


class PageEnd(NamedTuple):
    """End of a page of a table: its last row's figures and player, the place, and the number of rows so far.

    The next page begins after it, and continues its counts.
    """

    figure: int
    won: bool
    player: UUID
    place: int
    rows: int


FIRST: Final = PageEnd(2**31 - 1, True, UUID(int=2**128 - 1), 0, 0)
"""Cursor before the first page."""

_PLAYED: Final = text("select coalesce(sum(named + others), 0)::integer from deal_tally where day = :day and not bot")
# A player with a hidden profile keeps the place, without a name (D-09).
_NAMED = "case when p.deleted_at is null and p.blocked is null and (p.visibility = 'public' or p.id = :viewer) then"
_RESULTS: Final = text(f"""
select t.player_id, t.margin, t.won, t.points, {_NAMED} p.handle end as handle, {_NAMED} p.name end as name
  from deal_try t join player p on p.id = t.player_id
 where t.day = :day and t.bot = :bots and t.named and t.margin is not null
   and (t.margin, t.won, t.player_id) < (:figure, :won, :player)
 order by t.margin desc, t.won desc, t.player_id desc limit :limit
""")  # noqa: S608 - constants
_BETTER: Final = text("""
select coalesce(sum(named), 0)::integer from deal_tally
 where day = :day and bot = :bots and (margin, won) > (:margin, :won)
""")
_STANDINGS: Final = text(f"""
select s.player_id, s.total, s.days, {_NAMED} p.handle end as handle, {_NAMED} p.name end as name
  from deal_standing s join player p on p.id = s.player_id
 where s.period = :period and s.since = :since and s.named and (s.total, s.player_id) < (:figure, :player)
 order by s.total desc, s.player_id desc limit :limit
""")  # noqa: S608 - constants
_SERIES: Final = text("""
select t.day, t.game_id, t.ended_at, t.margin, t.won, t.points, d.best from deal_try t join deal d on d.day = t.day
 where t.player_id = :player and t.day < :before order by t.day desc limit :limit
""")


@dataclass(frozen=True, slots=True)
class Viewer:
    """Viewer, language and time; a stranger's `player` is nobody's id."""

    player: UUID
    language: str
    now: datetime


def deal_of(db: Connection, day: date, viewer: Viewer) -> View:
    """Return a day's deal with commitment, number of results and the viewer's try; NotFound.

    The computer player's result is included once the viewer may see results.
    """
    found, current = daily_deals.find(db, day), today(viewer.now)
    if found is None or found.day > current + timedelta(days=2):
        raise NotFound("deal")
    own = daily_deals.try_of(db, day, viewer.player)
    is_open = _is_open(day, own, viewer)
    return {
        **_what(found),
        "ends_at": ends_at(day).isoformat(),
        "state": "ahead" if day > current else "running" if day == current else "over",
        "played": db.execute(_PLAYED, {"day": day}).scalar_one(),
        "results_shown": is_open,
        "own": None if own is None else _own(db, own),
        "best": dict(found.best) if is_open and found.best is not None else None,
    }


def results(
    db: Connection, day: date, viewer: Viewer, after: PageEnd, limit: int, bots: bool = False
) -> list[View] | None:
    """Return results of a day's deal, best first; None if the viewer may not see them yet.

    Equal results share a place. NotFound.
    """
    if daily_deals.find(db, day) is None or day > today(viewer.now):
        raise NotFound("deal")
    if not _is_open(day, daily_deals.try_of(db, day, viewer.player), viewer):
        return None
    wanted = {"day": day, "bots": bots, "viewer": viewer.player, "limit": limit, **after._asdict()}
    rows: Sequence[Any] = db.execute(_RESULTS, wanted).all()
    places = _places(after, [(row.margin, row.won) for row in rows])
    return [
        {**_person(row, viewer), **place, "margin": row.margin, "won": row.won, "points": row.points}
        for place, row in zip(places, rows, strict=True)
    ]


def standings(db: Connection, period: Period, since: date, viewer: Viewer, after: PageEnd, limit: int) -> list[View]:
    """Return rows of a week's or month's table, best first; only past days count."""
    wanted = {"period": period, "since": since, "viewer": viewer.player, "limit": limit, **after._asdict()}
    rows: Sequence[Any] = db.execute(_STANDINGS, wanted).all()
    places = _places(after, [(row.total, False) for row in rows])
    return [
        {**_person(row, viewer), **place, "total": row.total, "days": row.days}
        for place, row in zip(places, rows, strict=True)
    ]


def begin_of(period: Period, day: date) -> date:
    """Return the first day of the week or month."""
    return day - timedelta(days=day.weekday()) if period == "week" else day.replace(day=1)


def past_deals(db: Connection, viewer: Viewer, before: date, limit: int) -> list[View]:
    """Return past deals, newest first, before the day `before`."""
    return [_what(each) for each in daily_deals.listed(db, min(before, today(viewer.now)), limit)]


def series(
    db: Connection, player: UUID, now: datetime, before: date = date.max, limit: int | None = None
) -> list[View]:
    """Return a player's tries, newest first, all without a `limit`, with the computer player's results.

    A computer player's result is None until the try or the day is over.
    """
    rows = db.execute(_SERIES, {"player": player, "before": before, "limit": limit})
    return [
        {
            "day": row.day.isoformat(),
            "game": str(row.game_id),
            "ended_at": row.ended_at and row.ended_at.isoformat(),
            "margin": row.margin,
            "won": row.won,
            "points": row.points,
            "best": row.best if row.ended_at is not None or row.day < today(now) else None,
        }
        for row in rows
    ]


def proof_of(db: Connection, day: date, now: datetime) -> View:
    """Return the proof of a day's deal, in the form of `boardroom verify --deal`; NotFound.

    The seed is included after the day.
    """
    found = daily_deals.find(db, day)
    if found is None:
        raise NotFound("deal")
    closed = None if found.rooted is None else proof.closed_day(db, found.rooted)
    return {
        **_what(found),
        "at": found.at.isoformat(),
        "public": found.public.hex(),
        "signature": found.signature.hex(),
        "seed": daily_deals.seed_of(db, day).hex() if now >= ends_at(day) else None,
        "tree": None if closed is None else way_to_root(db, closed, day),
    }


def _is_open(day: date, own: Try | None, viewer: Viewer) -> bool:
    """Return whether the viewer may see others' results (D-02)."""
    return viewer.now >= ends_at(day) or (own is not None and own.ended_at is not None)


def _what(found: DealRow) -> View:
    told = {"ruleset": found.ruleset, "seats": found.seats, "options": dict(found.options)}
    return {"day": found.day.isoformat(), **told, "commitment": found.commitment}


def _own(db: Connection, own: Try) -> View:
    place = None
    if own.named and own.margin is not None:
        where = {"day": own.day, "bots": own.bot, "margin": own.margin, "won": own.won}
        place = db.execute(_BETTER, where).scalar_one() + 1
    result = {"margin": own.margin, "won": own.won, "points": own.points, "place": place, "named": own.named}
    ended = own.ended_at and own.ended_at.isoformat()
    return {"game": str(own.game), "begun_at": own.begun_at.isoformat(), "ended_at": ended, **result}


def _places(after: PageEnd, figures: Sequence[tuple[int, bool]]) -> list[View]:
    """Return each row's `place`, shared by equal figures, and the number of `rows` up to it."""
    found: list[View] = []
    before, place = (after.figure, after.won), after.place
    for rows, figure in enumerate(figures, after.rows + 1):
        place = place if figure == before else rows
        found.append({"place": place, "rows": rows})
        before = figure
    return found


def _person(row: Any, viewer: Viewer) -> View:
    you = row.player_id == viewer.player
    name = None if row.name is None else display_name(row.name, viewer.language)
    return {"player": row.player_id, "name": name, "handle": row.handle, "you": you}
