"""The list of the games that a player may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, TextClause, text

from service.store.people import APART
from service.store.tables import GAME_STATES, ORIGINS
from service.texts.names import display_name
from service.views.clocks import shown_stored_pace

# These have to be the games that service.store.games allows.
_NOT_MINE = "not exists (select from seat x where x.game_id = g.id and x.player_id = :me)"
_MINE = "s.seat from seat s join game g on g.id = s.game_id where s.player_id = :me"
_PUBLIC = f"""null::integer as seat from game g where g.access = 'public'
  and (g.status = 'open' or (g.spectators and g.status <> 'cancelled')) and {_NOT_MINE}
  and (g.status <> 'open' or not {APART})"""
_OPEN = f"""null::integer as seat from game g where g.access = 'public' and g.status = 'open' and {_NOT_MINE}
  and not {APART}"""
_INVITED = f"""null::integer as seat from invitation i join game g on g.id = i.game_id
  where i.player_id = :me and i.revoked_at is null and i.expires_at > :now
  and g.status = 'open' and g.access <> 'public' and {_NOT_MINE} and not {APART}"""
# Driven by the seats of the other player, of whom one game holds one seat at most.
_SAT_WITH = "exists (select from seat o where o.game_id = g.id and o.player_id = :opponent)"
_PUBLIC_OF = f"""null::integer as seat from seat o join game g on g.id = o.game_id
  where o.player_id = :opponent and g.access = 'public'
  and (g.status = 'open' or (g.spectators and g.status <> 'cancelled')) and {_NOT_MINE}
  and (g.status <> 'open' or not {APART})"""
_JOINED = text("select game_id from seat where player_id = :me and game_id = any(:games)")
_FREE = "g.status = 'open' and g.seats - (select count(*) from seat x where x.game_id = g.id) >= :free"
_ORIGIN: Final = {each: f"g.origin = '{each}'" for each in ORIGINS}
_STATUS: Final = {each: f"g.status = '{each}'" for each in GAME_STATES}
_PAGE = """
select page.id, page.place, page.created_at, page.seat, g.ruleset, g.options,
       g.status, g.name, g.access, g.seats, p.name as host,
       g.pace, coalesce(page.seat = any(g.awaited), false) as to_act,
       g.deadlines[array_position(g.awaited, page.seat)] as deadline,
       (select count(*) from seat x where x.game_id = g.id) as seats_taken
from ({pages}) page join game g on g.id = page.id join player p on p.id = g.host
order by page.place {order}, page.id {order} limit :limit"""
_LATEST = datetime.max.replace(tzinfo=UTC)
# By deadline: one's own games, those without a deadline after the others; then the games of others, the oldest first,
# whose places are 5,000 years later so that an index by age has them in their order.
_NEVER = "timestamptz '5000-01-01 00:00+00'"
_DUE = f"coalesce(g.deadlines[array_position(g.awaited, s.seat)], {_NEVER})"
_LATER = "interval '43800000 hours'"


@lru_cache(maxsize=256)
def _list(by_deadline: bool, sources: tuple[str, ...], conditions: tuple[str, ...]) -> TextClause:
    """Return the statement of a list, in which the wanted status and origin stand as words.

    PostgreSQL can only use an index over the games of a status for a statement that names the status itself.
    """
    # Each source returns at most one page, along its own index where it is sorted by age; the other columns are joined
    # for that page only.
    order, before = ("asc", ">") if by_deadline else ("desc", "<")
    pages = []
    for source in sources:
        key = _DUE if by_deadline and source is _MINE else "g.created_at"
        later = _LATER if by_deadline and source is not _MINE else "interval '0'"
        place, after = f"{key} + {later}", f"(cast(:moment as timestamptz) - {later}, cast(:id as uuid))"
        sorted_page = f"and ({key}, g.id) {before} {after} order by {key} {order}, g.id {order} limit :limit"
        wanted = "".join(f" and {each}" for each in conditions)
        pages.append(f"(select g.id, {place} as place, g.created_at, {source}{wanted} {sorted_page})")
    return text(_PAGE.format(pages=" union all ".join(pages), order=order))


# By the filters (mine, open_to_me); no game is both.
_OF_ALL: Final = (_PUBLIC, _OPEN)
_SOURCES: Final[Mapping[tuple[bool | None, bool], tuple[str, ...]]] = {
    (None, False): (_MINE, _PUBLIC, _INVITED),
    (True, False): (_MINE,),
    (False, False): (_PUBLIC, _INVITED),
    (None, True): (_OPEN, _INVITED),
    (False, True): (_OPEN, _INVITED),
    (True, True): (),
}
# Of games with one other player; what one is invited to is not looked through for that.
_WITH_OPPONENT: Final[Mapping[str, str]] = {_PUBLIC: _PUBLIC_OF}
_TOP = (_LATEST, UUID(int=2**128 - 1))
_FIRST = (datetime(1970, 1, 1, tzinfo=UTC), UUID(int=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """The filters of the list: None means all; `after` is the place after which the page begins, as of `place_of`.

    `opponent` is the id of another player who has a seat in the games.

    `by_deadline` has those first whose deadline for the player's own seat is the earliest, instead of the newest.
    """

    mine: bool | None = None
    open_to_me: bool = False
    status: str | None = None
    ruleset: str | None = None
    origin: str = "here"
    opponent: UUID | None = None
    seats_free: int | None = None
    after: tuple[datetime, UUID] | None = None
    by_deadline: bool = False


def games_known(
    db: Connection, player: UUID, wanted: GameFilter, limit: int, now: datetime, public: list[Any] | None = None
) -> list[Any]:
    """Return at most `limit` rows of the games that match the filter and that the player may see, in its order.

    `public` are the rows of `public_games` if these have been read from a replica. A game in which the player has taken
    a seat since is not among them any more.
    """
    if public is None:
        return _rows(db, player, wanted, limit, now, lambda _: True)
    joined: set[UUID] = set(db.execute(_JOINED, {"me": player, "games": [row.id for row in public]}).scalars())
    found = [row for row in public if row.id not in joined]
    found += _rows(db, player, wanted, limit, now, lambda source: source not in _OF_ALL)
    return sorted(found, key=place_of, reverse=not wanted.by_deadline)[:limit]


def public_games(db: Connection, player: UUID, wanted: GameFilter, limit: int, now: datetime) -> list[Any]:
    """Return those rows of `games_known` that are of public games of others."""
    return _rows(db, player, wanted, limit, now, lambda source: source in _OF_ALL)


def _rows(
    db: Connection, player: UUID, wanted: GameFilter, limit: int, now: datetime, within: Callable[[str], bool]
) -> list[Any]:
    # Nobody but those who sat there knows of a table that was called off.
    known = _SOURCES[wanted.mine, wanted.open_to_me]
    sources = [each for each in known if within(each) and (each is _MINE or wanted.status != "cancelled")]
    if wanted.opponent is not None:
        sources = [_WITH_OPPONENT.get(each, each) for each in sources if each in (_MINE, *_WITH_OPPONENT)]
    if not sources:
        return []
    # A game that is open to a player has a free seat.
    free = wanted.seats_free or (1 if wanted.open_to_me else None)
    moment, identity = wanted.after or (_FIRST if wanted.by_deadline else _TOP)
    parameters = {"me": player, "now": now, "moment": max(moment, _FIRST[0]), "id": identity, "limit": limit}
    parameters |= {"ruleset": wanted.ruleset, "free": free, "opponent": wanted.opponent}
    return list(db.execute(_list(wanted.by_deadline, tuple(sources), _conditions(wanted, free)), parameters))


def _conditions(wanted: GameFilter, free: int | None) -> tuple[str, ...]:
    found = [_ORIGIN[wanted.origin]]
    if wanted.status is not None:
        found.append(_STATUS[wanted.status])
    if wanted.ruleset is not None:
        found.append("g.ruleset = :ruleset")
    if wanted.opponent is not None:
        found.append(_SAT_WITH)
    return (*found, _FREE) if free is not None else tuple(found)


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
        "host": display_name(row.host, language),
        "access": row.access,
        "seats": row.seats,
        "seats_taken": row.seats_taken,
        "seat": row.seat,
        "to_act": row.to_act,
        "deadline": None if row.deadline is None else row.deadline.isoformat(),
        "pace": shown_stored_pace(row.pace, language),
        "created_at": row.created_at.isoformat(),
    }
