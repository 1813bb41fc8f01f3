"""The list of the games that a player may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, TextClause, text

from service.texts.names import shown
from service.views.clocks import shown_stored_pace

# These have to be the games that service.store.visibility allows.
_NOT_MINE = "not exists (select from seat x where x.game_id = g.id and x.player_id = :me)"
_MINE = "s.seat from seat s join game g on g.id = s.game_id where s.player_id = :me"
_PUBLIC = f"""null::integer as seat from game g where g.access = 'public'
  and (g.status = 'open' or (g.spectators and g.status <> 'cancelled')) and {_NOT_MINE}"""
_OPEN = f"null::integer as seat from game g where g.access = 'public' and g.status = 'open' and {_NOT_MINE}"
_INVITED = f"""null::integer as seat from invitation i join game g on g.id = i.game_id
  where i.player_id = :me and i.revoked_at is null and i.expires_at > :now
  and g.status = 'open' and g.access <> 'public' and {_NOT_MINE}"""
_WANTED = """
  and (cast(:status as text) is null or g.status = :status)
  and g.origin = :origin
  and (cast(:ruleset as text) is null or g.ruleset = :ruleset)
  and (cast(:free as integer) is null or (g.status = 'open'
       and g.seats - (select count(*) from seat x where x.game_id = g.id) >= :free))
"""
_PAGE = """
select page.id, page.place, page.created_at, page.seat, g.ruleset, g.status, g.name, g.access, g.seats, p.name as host,
       g.pace, coalesce(page.seat = any(g.awaited), false) as to_act,
       g.deadlines[array_position(g.awaited, page.seat)] as deadline,
       (select count(*) from seat x where x.game_id = g.id) as seats_taken
from ({pages}) page join game g on g.id = page.id join player p on p.id = g.host
order by page.place {order}, page.id {order} limit :limit"""
_LATEST = datetime.max.replace(tzinfo=UTC)
_NEVER = f"timestamptz '{_LATEST.isoformat()}'"
_DUE = f"coalesce(g.deadlines[array_position(g.awaited, s.seat)], {_NEVER})"


def _list(by_deadline: bool, *sources: str) -> TextClause:
    # Each source returns at most one page, along its own index where it is sorted by age; the other columns are joined
    # for that page only.
    order, before = ("asc", ">") if by_deadline else ("desc", "<")
    pages = []
    for source in sources:
        place = "g.created_at" if not by_deadline else _DUE if source is _MINE else _NEVER
        sorted_page = f"and ({place}, g.id) {before} (:moment, :id) order by {place} {order}, g.id {order} limit :limit"
        pages.append(f"(select g.id, {place} as place, g.created_at, {source}{_WANTED}{sorted_page})")
    return text(_PAGE.format(pages=" union all ".join(pages), order=order))


# By the filters (mine, open_to_me); no game is both.
_SOURCES = {
    (None, False): (_MINE, _PUBLIC, _INVITED),
    (True, False): (_MINE,),
    (False, False): (_PUBLIC, _INVITED),
    (None, True): (_OPEN, _INVITED),
    (False, True): (_OPEN, _INVITED),
}
_LISTS = {
    (*filters, by_deadline): _list(by_deadline, *sources)
    for filters, sources in _SOURCES.items()
    for by_deadline in (False, True)
}
_TOP = (_LATEST, UUID(int=2**128 - 1))
_FIRST = (datetime(1970, 1, 1, tzinfo=UTC), UUID(int=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """The filters of the list: None means all; `after` is the place after which the page begins, as of `place_of`.

    `by_deadline` has those first whose deadline for the player's own seat is the earliest, instead of the newest.
    """

    mine: bool | None = None
    open_to_me: bool = False
    status: str | None = None
    ruleset: str | None = None
    origin: str = "here"
    seats_free: int | None = None
    after: tuple[datetime, UUID] | None = None
    by_deadline: bool = False


def games_known(db: Connection, player: UUID, wanted: GameFilter, limit: int, now: datetime) -> list[Any]:
    """Return at most `limit` rows of the games that match the filter and that the player may see, in its order."""
    statement = _LISTS.get((wanted.mine, wanted.open_to_me, wanted.by_deadline))
    if statement is None:
        return []
    moment, identity = wanted.after or (_FIRST if wanted.by_deadline else _TOP)
    parameters = {"me": player, "now": now, "moment": moment, "id": identity, "limit": limit}
    parameters |= {"status": wanted.status, "ruleset": wanted.ruleset, "origin": wanted.origin}
    # A game that is open to a player has a free seat.
    parameters["free"] = wanted.seats_free or (1 if wanted.open_to_me else None)
    return list(db.execute(statement, parameters))


def place_of(row: Any) -> tuple[datetime, UUID]:
    """Return the place of a row of `games_known` in the order of its list."""
    return row.place, row.id


def listed(row: Any, language: str) -> dict[str, Any]:
    """Return a row of `games_known` as JSON types, for readers of the language."""
    return {
        "id": str(row.id),
        "ruleset": row.ruleset,
        "status": row.status,
        "name": row.name,
        "host": shown(row.host, language),
        "access": row.access,
        "seats": row.seats,
        "seats_taken": row.seats_taken,
        "seat": row.seat,
        "to_act": row.to_act,
        "deadline": None if row.deadline is None else row.deadline.isoformat(),
        "pace": shown_stored_pace(row.pace, language),
        "created_at": row.created_at.isoformat(),
    }
