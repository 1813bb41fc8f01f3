"""The profile of an account, as others may see it: built up field by field, and only as far as its owner allows."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.shared.refusal import NotFound
from service.store.profiles import visible
from service.texts.names import shown
from service.views.ratings import ratings_of

View = dict[str, Any]
BOUND: Final = 200
"""The most games, the last ones, that figures are worked out from."""
LAST: Final = 10

_PLAYER: Final = text("""
select p.handle, p.name, p.created_at, p.owner is not null as bot from player p where p.id = :player
""")
# Imported games were played by others, and a deal that is over would tell of results before they are shown.
_PLAYED: Final = text("""
select g.ruleset, g.seats, count(*) as games from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'finished' and g.origin = 'here' and g.deal is null
 group by g.ruleset, g.seats order by g.ruleset, g.seats
""")
_RECENT: Final = """
with recent as materialized (
  select * from played_game where player_id = :player order by ended_at desc, game_id desc limit :bound)
"""
_RESULTS: Final = text(f"""
{_RECENT}
select ruleset, seats, people = 1 as alone, count(*) as games, count(*) filter (where won) as won,
       avg(points) as points, max(points) as best
  from recent where not "left" group by 1, 2, 3 order by 1, 2, 3
""")  # noqa: S608 - a constant
_ANSWERS: Final = text(f"""
{_RECENT}, waits as (select unnest(waits) as seconds from recent)
select (select count(*) from recent) as games, coalesce(sum(asked), 0) as asked, coalesce(sum(lapsed), 0) as lapsed,
       coalesce(sum(moves), 0) as moves,
       greatest(extract(epoch from max(ended_at) - min(began_at)) / 86400, 1) as days,
       (select percentile_disc(0.5) within group (order by seconds) from waits) as median,
       (select min(seconds) from waits) as fastest
  from recent
""")  # noqa: S608 - a constant
# Of a table that is not public nothing is told but how it ended for the player, except to those who sat there.
_LAST: Final = text("""
select r.*, g.access = 'public' and g.spectators
            or exists (select from seat s where s.game_id = g.id and s.player_id = :viewer) as open,
       g.name, (select json_agg(json_build_object('seat', s.seat, 'name', p.name, 'handle',
                         case when p.visibility = 'public' and p.blocked is null then p.handle end) order by s.seat)
                  from seat s join player p on p.id = s.player_id
                 where s.game_id = g.id and s.player_id <> :player) as others
  from (select game_id, ruleset, seats, people, place, won, "left", points, ended_at from played_game
         where player_id = :player order by ended_at desc, game_id desc limit :last) r
  join game g on g.id = r.game_id order by r.ended_at desc, r.game_id desc
""")


def profile_by_handle(db: Connection, viewer: UUID, handle: str, language: str) -> View:
    """Return the profile of the account with the handle; NotFound for one that is hidden, as for none."""
    player = visible(db, viewer, handle)
    if player is None:
        raise NotFound("player")
    row: Any = db.execute(_PLAYER, {"player": player}).one()
    who = {"player": player, "bound": BOUND}
    return {
        "handle": row.handle,
        "name": shown(row.name, language),
        "bot": row.bot,
        "since": row.created_at.date().isoformat(),
        "played": [
            {"ruleset": each.ruleset, "seats": each.seats, "games": each.games}
            for each in db.execute(_PLAYED, {"player": player})
        ],
        "results": [_result(each) for each in db.execute(_RESULTS, who)],
        "answers": _answers(db.execute(_ANSWERS, who).one()),
        "ratings": ratings_of(db, player),
        "last": [
            _last(each, language) for each in db.execute(_LAST, {"player": player, "viewer": viewer, "last": LAST})
        ],
    }


def _result(row: Any) -> View:
    return {
        "ruleset": row.ruleset,
        "seats": row.seats,
        "computers": row.alone,
        "games": row.games,
        "won": row.won,
        "points": None if row.points is None else round(float(row.points), 1),
        "best": row.best,
    }


def _answers(row: Any) -> View:
    return {
        "games": row.games,
        "deadlines": row.asked,
        "kept": row.asked - row.lapsed,
        "moves_per_day": round(float(row.moves / row.days), 1) if row.games else 0.0,
        "median": row.median,
        "fastest": row.fastest,
    }


def _last(row: Any, language: str) -> View:
    others = [
        {"name": shown(each["name"], language), "handle": each["handle"]}
        for each in (row.others or () if row.open else ())
    ]
    return {
        "game": str(row.game_id) if row.open else None,
        "name": row.name if row.open else None,
        "others": others,
        "ruleset": row.ruleset,
        "seats": row.seats,
        "computers": row.people == 1,
        "place": row.place,
        "won": row.won,
        "left": row.left,
        "points": row.points,
        "ended_at": row.ended_at.isoformat(),
    }
