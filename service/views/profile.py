"""The profile of an account, as others may see it: built up field by field, and only as far as its owner allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.rules.kernel import AnyRuleset
from service.shared.refusal import NotFound
from service.store.people import find_visible_profile
from service.texts.names import display_name
from service.views.ratings import change, ratings_of

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
# One statement, since all of it is of the same games.
_FIGURES: Final = text("""
with recent as materialized (
  select * from played_game where player_id = :player order by ended_at desc, game_id desc limit :bound),
results as (
  select ruleset, seats, people = 1 as computers, count(*) as games, count(*) filter (where won) as won,
         avg(points) as points, max(points) as best
    from recent where not "left" group by 1, 2, 3),
sources as (
  select ruleset, source, sum(cast(made.points as integer)) as points
    from recent, jsonb_each_text(sources) as made(source, points) where people > 1 group by 1, 2),
waits as (select unnest(waits) as seconds from recent)
select (select json_agg(each order by ruleset, seats, computers) from results as each) as results,
       (select json_agg(each) from sources as each) as sources,
       (select count(*) from recent) as games, coalesce(sum(asked), 0) as asked, coalesce(sum(lapsed), 0) as lapsed,
       coalesce(sum(moves), 0) as moves,
       greatest(extract(epoch from max(ended_at) - min(began_at)) / 86400, 1) as days,
       (select percentile_disc(0.5) within group (order by seconds) from waits) as median,
       (select min(seconds) from waits) as fastest
  from recent
""")
# Of a table that is not public nothing is told but how it ended for the player, except to those who sat there.
_LAST: Final = text("""
select r.*, t.before, t.mu, g.access = 'public' and g.spectators
            or exists (select from seat s where s.game_id = g.id and s.player_id = :viewer) as open,
       g.name, (select json_agg(json_build_object('seat', s.seat, 'name', p.name, 'handle',
                         case when p.visibility = 'public' and p.blocked is null then p.handle end) order by s.seat)
                  from seat s join player p on p.id = s.player_id
                 where s.game_id = g.id and s.player_id <> :player) as others
  from (select game_id, ruleset, seats, people, place, won, "left", points, scores, ended_at from played_game
         where player_id = :player order by ended_at desc, game_id desc limit :last) r
  join game g on g.id = r.game_id left join result e on e.game_id = r.game_id
  left join rating_step t on t.number = e.number and t.player_id = :player
 order by r.ended_at desc, r.game_id desc
""")


def profile_by_handle(
    db: Connection, rulesets: Mapping[str, AnyRuleset], viewer: UUID, handle: str, language: str
) -> View:
    """Return the profile of the account with the handle; NotFound for one that is hidden, as for none."""
    player = find_visible_profile(db, viewer, handle)
    if player is None:
        raise NotFound("player")
    row: Any = db.execute(_PLAYER, {"player": player}).one()
    figures: Any = db.execute(_FIGURES, {"player": player, "bound": BOUND}).one()
    made = {(each["ruleset"], each["source"]): each["points"] for each in figures.sources or ()}
    return {
        "handle": row.handle,
        "name": display_name(row.name, language),
        "bot": row.bot,
        "since": row.created_at.date().isoformat(),
        "played": [
            {"ruleset": each.ruleset, "seats": each.seats, "games": each.games}
            for each in db.execute(_PLAYED, {"player": player})
        ],
        "results": [_result(each) for each in figures.results or ()],
        "sources": _sources(rulesets, made, language),
        "answers": _answers(figures),
        "ratings": ratings_of(db, player),
        "last": [
            _last(each, language) for each in db.execute(_LAST, {"player": player, "viewer": viewer, "last": LAST})
        ],
    }


def _result(row: Mapping[str, Any]) -> View:
    counted = {name: row[name] for name in ("ruleset", "seats", "computers", "games", "won", "best")}
    return counted | {"points": None if row["points"] is None else round(float(row["points"]), 1)}


def _answers(row: Any) -> View:
    return {
        "games": row.games,
        "deadlines": row.asked,
        "kept": row.asked - row.lapsed,
        "moves_per_day": round(float(row.moves / row.days), 1) if row.games else 0.0,
        "median": row.median,
        "fastest": row.fastest,
    }


def _sources(rulesets: Mapping[str, AnyRuleset], made: Mapping[tuple[str, str], int], language: str) -> list[View]:
    """Return points by ruleset and source, as the rulesets that are installed call the sources, in their order."""
    return [
        {"ruleset": name, "source": part.symbol, "label": part.label, "points": made[name, part.symbol]}
        for name in sorted({ruleset for ruleset, _ in made} & rulesets.keys())
        for part in rulesets[name].contributions.sources(language)
        if (name, part.symbol) in made
    ]


def _scores(row: Any, others: Sequence[Mapping[str, Any]]) -> list[int] | None:
    """Return the player's score, then those of the others in their order, then an automaton's."""
    if row.scores is None or row.left or not row.open:
        return None
    after = [each["seat"] for each in others]
    own = [seat for seat in range(row.seats) if seat not in after]
    return [row.scores[seat] for seat in (*own, *after, *range(row.seats, len(row.scores)))]


def _last(row: Any, language: str) -> View:
    others = row.others or () if row.open else ()
    return {
        "game": str(row.game_id) if row.open else None,
        "name": row.name if row.open else None,
        "others": [{"name": display_name(each["name"], language), "handle": each["handle"]} for each in others],
        "ruleset": row.ruleset,
        "seats": row.seats,
        "computers": row.people == 1,
        "place": row.place,
        "won": row.won,
        "left": row.left,
        "points": row.points,
        "scores": _scores(row, others),
        "rating_change": None if row.mu is None else change(row.before, row.mu),
        "ended_at": row.ended_at.isoformat(),
    }
