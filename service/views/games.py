"""Lists of games: public, own, and with waiting decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, TextClause, text

from service.rules.kernel import AnyRuleset
from service.store.access import PlayerRow
from service.store.people import APART
from service.store.tables import GAME_STATES, ORIGINS
from service.texts.games import automaton_name, full_title
from service.texts.names import display_name
from service.views.pace import shown_stored_pace
from service.views.pages import TOP, Place

# Games that a player may see.

# Keep in line with the access checks of service.store.games.
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
# Driven by the other player's seats: a game has at most one of them.
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
# Order by deadline: own games first, those without a deadline last; then others' games, oldest first. The latter are
# placed 5,000 years later, so that an index by age serves them.
_NEVER = "timestamptz '5000-01-01 00:00+00'"
_DUE = f"coalesce(g.deadlines[array_position(g.awaited, s.seat)], {_NEVER})"
_LATER = "interval '43800000 hours'"


@lru_cache(maxsize=256)
def _list(by_deadline: bool, sources: tuple[str, ...], conditions: tuple[str, ...]) -> TextClause:
    """Return the statement of a list, with status and origin as literals.

    PostgreSQL uses a partial index by status only if the statement has the status as a literal.
    """
    # Each source returns one page at most, along its own index if sorted by age; other columns are joined for that page
    # only.
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


# Sources by the filters (mine, open_to_me); no game is both.
_OF_ALL: Final = (_PUBLIC, _OPEN)
_SOURCES: Final[Mapping[tuple[bool | None, bool], tuple[str, ...]]] = {
    (None, False): (_MINE, _PUBLIC, _INVITED),
    (True, False): (_MINE,),
    (False, False): (_PUBLIC, _INVITED),
    (None, True): (_OPEN, _INVITED),
    (False, True): (_OPEN, _INVITED),
    (True, True): (),
}
# Sources of games with a given opponent; invitations are not among them.
_WITH_OPPONENT: Final[Mapping[str, str]] = {_PUBLIC: _PUBLIC_OF}
_TOP = (_LATEST, UUID(int=2**128 - 1))
_FIRST = (datetime(1970, 1, 1, tzinfo=UTC), UUID(int=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """Filters and order of the list; None means all. `after` is the place before the page, as of `place_of`.

    `opponent` is another player with a seat in the games. `by_deadline` sorts by the player's deadline, earliest first,
    instead of newest first.
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
    """Return at most `limit` rows of matching games that the player may see, in the filter's order.

    `public` has the rows of `public_games`, if read from a replica. Games that the player has joined since are dropped
    from them.
    """
    if public is None:
        return _rows(db, player, wanted, limit, now, lambda _: True)
    joined: set[UUID] = set(db.execute(_JOINED, {"me": player, "games": [row.id for row in public]}).scalars())
    found = [row for row in public if row.id not in joined]
    found += _rows(db, player, wanted, limit, now, lambda source: source not in _OF_ALL)
    return sorted(found, key=place_of, reverse=not wanted.by_deadline)[:limit]


def public_games(db: Connection, player: UUID, wanted: GameFilter, limit: int, now: datetime) -> list[Any]:
    """Return those rows of `games_known` that are public games of others."""
    return _rows(db, player, wanted, limit, now, lambda source: source in _OF_ALL)


def _rows(
    db: Connection, player: UUID, wanted: GameFilter, limit: int, now: datetime, within: Callable[[str], bool]
) -> list[Any]:
    # Only former players know of a cancelled table.
    known = _SOURCES[wanted.mine, wanted.open_to_me]
    sources = [each for each in known if within(each) and (each is _MINE or wanted.status != "cancelled")]
    if wanted.opponent is not None:
        sources = [_WITH_OPPONENT.get(each, each) for each in sources if each in (_MINE, *_WITH_OPPONENT)]
    if not sources:
        return []
    # A game open to the player has a free seat.
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
    """Return the list position of a row of `games_known`."""
    return row.place, row.id


def list_games(row: Any, language: str) -> dict[str, Any]:
    """Return a row of `games_known` as JSON types, in the language."""
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


# The player's own games by status, and invitations.

_MINE_MY_GAMES = text("""
select g.id, g.ruleset, g.options, g.name, g.seats, g.since, g.awaited, g.deadlines, g.created_at, mine.seat,
       g.host = :player as hosting,
       (select json_agg(json_build_object('seat', s.seat, 'name', p.name) order by s.seat)
        from seat s join player p on p.id = s.player_id where s.game_id = g.id) as people
from seat mine join game g on g.id = mine.game_id
where mine.player_id = :player and g.status = :status and (g.created_at, g.id) < (:moment, :id)
order by g.created_at desc, g.id desc limit :limit
""")
_INVITED_MY_GAMES = text("""
select i.id, i.created_at, i.expires_at, g.id as game_id, g.ruleset, g.name, g.seats, g.pace, p.name as inviter,
       (select count(*) from seat x where x.game_id = g.id) as seats_taken
from invitation i
join game g on g.id = i.game_id join player p on p.id = i.inviter
where i.player_id = :player and i.revoked_at is null and i.expires_at > clock_timestamp() and g.status = 'open'
  and not exists (select from seat x where x.game_id = g.id and x.player_id = :player)
  and (i.created_at, i.id) < (:moment, :id)
order by i.created_at desc, i.id desc limit :limit
""")


@dataclass(frozen=True, slots=True)
class MyGame:
    """A game of the player; `others` and `awaited` are names of other players, `mine` if the player is to act.

    `deadline` is the player's, or else the earliest of the awaited others; None where no time runs.
    """

    id: UUID
    title: str
    name: str | None
    others: tuple[str, ...]
    awaited: tuple[str, ...]
    mine: bool
    hosting: bool
    free: int
    since: datetime | None
    deadline: datetime | None
    created_at: datetime


def games_of(
    db: Connection,
    rulesets: Mapping[str, AnyRuleset],
    player: PlayerRow,
    status: str,
    limit: int,
    after: Place = TOP,
) -> list[MyGame]:
    """Return at most `limit` of the player's games of a status, newest first, after a place."""
    values = {"player": player.id, "status": status, "moment": after[0], "id": after[1], "limit": limit}
    return [_entry(rulesets[row.ruleset], row, player.language) for row in db.execute(_MINE_MY_GAMES, values)]


def invitations_to(db: Connection, player: UUID, limit: int, after: Place = TOP) -> list[Any]:
    """Return at most `limit` rows of valid invitations to open games not joined yet, newest first."""
    values = {"player": player, "moment": after[0], "id": after[1], "limit": limit}
    return list(db.execute(_INVITED_MY_GAMES, values))


def _entry(ruleset: AnyRuleset, row: Any, language: str) -> MyGame:
    people = {each["seat"]: display_name(each["name"], language) for each in row.people}
    automaton = automaton_name(ruleset.meta, row.seats, language)
    everybody = people | ({} if automaton is None else {row.seats: automaton})
    return MyGame(
        id=row.id,
        title=full_title(ruleset.meta, row.options, language),
        name=row.name,
        others=tuple(name for seat, name in everybody.items() if seat != row.seat),
        awaited=tuple(everybody[seat] for seat in row.awaited if seat != row.seat),
        mine=row.seat in row.awaited,
        hosting=row.hosting,
        free=row.seats - len(people),
        since=row.since,
        deadline=_deadline(row),
        created_at=row.created_at,
    )


def _deadline(row: Any) -> datetime | None:
    # Without a clock `deadlines` is empty; otherwise it is parallel to `awaited`, null where no time runs.
    due: dict[int, datetime | None] = dict(zip(row.awaited, row.deadlines, strict=False))
    return due[row.seat] if row.seat in due else min(filter(None, due.values()), default=None)


def urgency(game: MyGame) -> tuple[bool, datetime]:
    """Return the sort key of games: earliest deadline first, then longest waiting."""
    return game.deadline is None, game.deadline or game.since or game.created_at


# Decisions that wait for a player, in all games.

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NOBODY = UUID(int=0)
_WITHOUT = 5 * 10**16
"""Offset in a cursor for turns without a deadline, which come after all others."""
_TURNS = text("""
select turn.*,
       (select json_agg(json_build_object('seat', s.seat, 'name', p.name) order by s.seat)
        from seat s join player p on p.id = s.player_id
        where s.game_id = turn.game_id and s.seat <> turn.seat) as opponents
from (select g.id as game_id, mine.seat, g.faces as decision, g.since, g.name, g.ruleset, g.seats,
             g.deadlines[array_position(g.awaited, mine.seat)] as deadline
      from seat mine join game g on g.id = mine.game_id and mine.seat = any(g.awaited)
      where mine.player_id = :player) turn
where (deadline is null, coalesce(deadline, since), game_id) > (:without, :moment, :game)
order by deadline is null, coalesce(deadline, since), game_id limit :limit
""")


def turns_of(
    db: Connection, rulesets: Mapping[str, AnyRuleset], player: PlayerRow, after: str | None, limit: int
) -> list[dict[str, Any]]:
    """Return at most `limit` games that wait for the player, after a `cursor`.

    The earliest deadline comes first; games without one follow, the longest waiting first.
    """
    without, moment, game = (False, _EPOCH, _NOBODY) if after is None else _place(after)
    values = {"player": player.id, "without": without, "moment": moment, "game": game, "limit": limit}
    rows = db.execute(_TURNS, values)
    return [
        {
            "game": str(row.game_id),
            "name": row.name,
            "ruleset": row.ruleset,
            "solo": row.seats == 1,
            "seat": row.seat,
            "decision": row.decision,
            "since": row.since.isoformat(),
            "deadline": None if row.deadline is None else row.deadline.isoformat(),
            "opponents": [
                *_people(row.opponents or (), player.language),
                *_automaton(rulesets[row.ruleset], row.seats, player.language),
            ],
        }
        for row in rows
    ]


def _people(opponents: Iterable[dict[str, Any]], language: str) -> list[dict[str, Any]]:
    return [each | {"name": display_name(each["name"], language)} for each in opponents]


def _automaton(ruleset: AnyRuleset, seats: int, language: str) -> list[dict[str, Any]]:
    name = automaton_name(ruleset.meta, seats, language)
    return [] if name is None else [{"seat": seats, "name": name}]


def turns_cursor(turn: dict[str, Any]) -> str:
    """Return the cursor of a turn: microseconds since 1970, and the id of the game."""
    deadline = turn["deadline"]
    micros = (datetime.fromisoformat(deadline or turn["since"]) - _EPOCH) // _MICROSECOND
    return f"{micros if deadline else _WITHOUT + micros}-{UUID(turn['game']).hex}"


def _place(after: str) -> tuple[bool, datetime, UUID]:
    number, _, game = after.partition("-")
    without, micros = divmod(int(number), _WITHOUT)
    return bool(without), _EPOCH + micros * _MICROSECOND, UUID(game)
