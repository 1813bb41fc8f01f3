"""The list of the games that a player may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, TextClause, text

from service.texts.names import shown

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
  and (g.created_at, g.id) < (:moment, :id)
  order by g.created_at desc, g.id desc limit :limit"""
_PAGE = """
select page.id, page.created_at, page.seat, g.ruleset, g.status, g.name, g.access, g.seats, p.name as host,
       (select count(*) from seat x where x.game_id = g.id) as seats_taken
from ({pages}) page join game g on g.id = page.id join player p on p.id = g.host
order by page.created_at desc, page.id desc limit :limit"""


def _list(*sources: str) -> TextClause:
    # Each source returns at most one page, along its own index; the other columns are joined for that page only.
    pages = " union all ".join(f"(select g.id, g.created_at, {source}{_WANTED})" for source in sources)
    return text(_PAGE.format(pages=pages))


# By the filters (mine, open_to_me); no game is both.
_LISTS = {
    (None, False): _list(_MINE, _PUBLIC, _INVITED),
    (True, False): _list(_MINE),
    (False, False): _list(_PUBLIC, _INVITED),
    (None, True): _list(_OPEN, _INVITED),
    (False, True): _list(_OPEN, _INVITED),
}
_TOP = (datetime.max.replace(tzinfo=UTC), UUID(int=2**128 - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """The filters of the list: None means all; `after` is the place (created_at, id) after which the page begins."""

    mine: bool | None = None
    open_to_me: bool = False
    status: str | None = None
    ruleset: str | None = None
    origin: str = "here"
    seats_free: int | None = None
    after: tuple[datetime, UUID] | None = None


def games_known(db: Connection, player: UUID, wanted: GameFilter, limit: int, now: datetime) -> list[Any]:
    """Return at most `limit` rows of the games that match the filter and that the player may see, the newest first."""
    statement = _LISTS.get((wanted.mine, wanted.open_to_me))
    if statement is None:
        return []
    moment, identity = wanted.after or _TOP
    parameters = {"me": player, "now": now, "moment": moment, "id": identity, "limit": limit}
    parameters |= {"status": wanted.status, "ruleset": wanted.ruleset, "origin": wanted.origin}
    # A game that is open to a player has a free seat.
    parameters["free"] = wanted.seats_free or (1 if wanted.open_to_me else None)
    return list(db.execute(statement, parameters))


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
        "created_at": row.created_at.isoformat(),
    }
