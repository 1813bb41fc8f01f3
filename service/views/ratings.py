"""Ratings of players and leaderboards (P-21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import Connection, text

from service.competition.ratings import Rating, Skill
from service.rules.kernel import AnyRuleset
from service.store.results import Category
from service.texts.names import display_name

# The ratings of one player, with their course, and what a game has done to those of its players.

View = dict[str, Any]

MAX_CHANGES: Final = 100
"""The most games over which the course of a rating is told."""

_RATINGS: Final = text("""
select r.ruleset, r.seats, r.mu, r.sigma, r.games, r.opponents, c.course, c.before, a.ended_at as since,
       z.ended_at as until
  from rating r cross join lateral (
    select json_agg(mu order by number) as course, min(number) as first, max(number) as last,
           (array_agg(before order by number desc))[1] as before
      from (select number, before, mu from rating_step s
             where (s.player_id, s.ruleset, s.seats) = (r.player_id, r.ruleset, r.seats)
             order by number desc limit :most) step) c
  left join result a on a.number = c.first left join result z on z.number = c.last
 where r.player_id = :player order by r.games desc, r.ruleset, r.seats
""")
_CHANGES: Final = text("""
select s.seat, t.before, t.mu from result r join result_seat s on s.number = r.number
  join rating_step t on t.number = r.number and t.player_id = s.player_id where r.game_id = :game order by s.seat
""")


def ratings_of(db: Connection, player: UUID) -> list[View]:
    """Return a player's ratings, those with the most games first: what is shown of each, and its course.

    Each has `ruleset`, `seats`, `number`, `margin`, `games`, `provisional`, and `course`: the numbers after each of the
    last games, the latest one last. `since` and `until` are when the first and the last of these games ended, `change`
    is what the last one has done to the number.
    """
    return [
        {
            "ruleset": row.ruleset,
            "seats": row.seats,
            **shown_rating(Rating(Skill(row.mu, row.sigma), row.games, row.opponents)),
            "course": [Skill(mu, 0).number for mu in row.course or ()],
            "since": None if row.since is None else row.since.isoformat(),
            "until": None if row.until is None else row.until.isoformat(),
            "change": None if row.before is None else rating_change(row.before, row.course[-1]),
        }
        for row in db.execute(_RATINGS, {"player": player, "most": MAX_CHANGES})
    ]


def rating_changes(db: Connection, game: UUID) -> dict[int, int]:
    """Return by how much a game has changed the numbers of the players who began in its seats; empty if it did not."""
    return {row.seat: rating_change(row.before, row.mu) for row in db.execute(_CHANGES, {"game": game})}


def rating_change(before: float, after: float) -> int:
    """Return by how much the shown number has changed from one mean of the model to another."""
    return Skill(after, 0).number - Skill(before, 0).number


# Leaderboards: the players of a ruleset and number of players by two margins below their ratings (P-21).

PLACES: Final = 10_000
"""A place beyond this one is not counted."""

# The conditions are those of the two indexes, literally.
_SETTLED: Final = "r.listed and r.games >= 10 and r.opponents >= 5"
_PROVISIONAL: Final = "r.listed and not (r.games >= 10 and r.opponents >= 5)"
_SURE: Final = "(r.mu - 2 * r.sigma)"
_ABOVE: Final = f"({_SURE} > :sure or ({_SURE} = :sure and r.id < :id))"
_TOP: Final = f"""
select r.id, r.mu, r.sigma, r.games, r.opponents, {_SURE} as sure, p.name, p.handle,
       p.visibility = 'public' and p.blocked is null as named,
       r.player_id = :viewer as own
  from rating r join player p on p.id = r.player_id
 where r.ruleset = :ruleset and r.seats = :seats and {{which}}
   and {_SURE} <= :sure and ({_SURE} < :sure or r.id > :id)
 order by {_SURE} desc, r.id limit :limit
"""  # noqa: S608 - constants
_TOPS: Final = {each: text(_TOP.format(which=which)) for each, which in ((False, _SETTLED), (True, _PROVISIONAL))}
_OWN: Final = text("""
select id, mu, sigma, games, opponents, mu - 2 * sigma as sure from rating
 where player_id = :viewer and ruleset = :ruleset and seats = :seats and listed
""")
_ALL_OWN: Final = text(
    "select ruleset, seats, mu, sigma, games, opponents from rating where player_id = :viewer and listed"
)
_BETTER: Final = text(f"""
select count(*) from (
  select from rating r where r.ruleset = :ruleset and r.seats = :seats and {_SETTLED} and {_SURE} >= :sure and {_ABOVE}
   order by {_SURE} desc, r.id limit :most) better
""")  # noqa: S608 - constants


class At(NamedTuple):
    """A place in a leaderboard, after which it goes on: that of a rating, with what is almost sure of it and its id."""

    place: int
    sure: float
    id: int


BEFORE_ALL: Final = At(0, float("inf"), 0)


@dataclass(frozen=True, slots=True)
class BoardWanted:
    """A page of a leaderboard: `provisional` ratings or the settled ones, at most `limit`, after a place."""

    category: Category
    provisional: bool
    limit: int
    after: At = BEFORE_ALL


class LeaderboardPage(NamedTuple):
    """The rows of a page, and after which place the next page goes on; None if there is none."""

    rows: list[View]
    following: At | None


def categories(rulesets: Mapping[str, AnyRuleset]) -> list[Category]:
    """Return what there can be ratings of, as the games are offered."""
    return [Category(name, seats) for name, each in rulesets.items() for seats in each.meta.seats if seats > 1]


def leaderboards(db: Connection, rulesets: Mapping[str, AnyRuleset], viewer: UUID) -> list[View]:
    """Return all leaderboards, each with the viewer's rating in it, None without one."""
    rows = db.execute(_ALL_OWN, {"viewer": viewer})
    own = {
        Category(row.ruleset, row.seats): shown_rating(Rating(Skill(row.mu, row.sigma), row.games, row.opponents))
        for row in rows
    }
    return [
        {**each._asdict(), "title": rulesets[each.ruleset].meta.title, "own": own.get(each)}
        for each in categories(rulesets)
    ]


def leaderboard(db: Connection, wanted: BoardWanted, viewer: UUID, language: str) -> LeaderboardPage:
    """Return a page of a leaderboard; who has no public profile has no name in it, but to themselves."""
    after = wanted.after
    values = {
        "viewer": viewer,
        **wanted.category._asdict(),
        "sure": after.sure,
        "id": after.id,
        "limit": wanted.limit + 1,
    }
    found = db.execute(_TOPS[wanted.provisional], values).all()
    page = found[: wanted.limit]
    rows = [_row(row, after.place + n, language) for n, row in enumerate(page, 1)]
    more = len(found) > wanted.limit
    return LeaderboardPage(rows, At(after.place + len(page), page[-1].sure, page[-1].id) if more else None)


def own_place(db: Connection, category: Category, viewer: UUID) -> View | None:
    """Return the viewer's rating in a category, with the place; None without one.

    A provisional rating has no place, nor has one beyond PLACES.
    """
    values = {"viewer": viewer, **category._asdict()}
    row = db.execute(_OWN, values).one_or_none()
    if row is None:
        return None
    rating = Rating(Skill(row.mu, row.sigma), row.games, row.opponents)
    place = None
    if not rating.provisional:
        better: int = db.execute(_BETTER, {**values, "sure": row.sure, "id": row.id, "most": PLACES}).scalar_one()
        place = better + 1 if better < PLACES else None
    return {"place": place, **shown_rating(rating)}


def shown_rating(rating: Rating) -> View:
    """Return a rating as numbers for people."""
    return {
        "number": rating.skill.number,
        "margin": rating.skill.margin,
        "games": rating.games,
        "provisional": rating.provisional,
    }


def _row(row: Any, place: int, language: str) -> View:
    named = row.named or row.own
    return {
        "place": place,
        "name": display_name(row.name, language) if named else None,
        "handle": row.handle if named else None,
        "own": row.own,
        **shown_rating(Rating(Skill(row.mu, row.sigma), row.games, row.opponents)),
    }
