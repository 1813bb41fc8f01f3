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

# A player's ratings with their history, and rating changes of a game.

View = dict[str, Any]

MAX_CHANGES: Final = 100
"""Number of games in a rating's history."""

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
    """Return a player's ratings with their history, those with the most games first.

    Each has `ruleset`, `seats`, `number`, `margin`, `games`, `provisional`, and `course`: the numbers after each of the
    last games, latest last. `since` and `until` are the ends of the first and the last of these games, `change` is the
    last one's change.
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
    """Return by seat the rating changes of a game's first players; empty if the game did not count."""
    return {row.seat: rating_change(row.before, row.mu) for row in db.execute(_CHANGES, {"game": game})}


def rating_change(before: float, after: float) -> int:
    """Return the change of the shown number between two means of the model."""
    return Skill(after, 0).number - Skill(before, 0).number


# Leaderboards by ruleset and number of players, ordered by rating minus two margins (P-21).

PLACES: Final = 10_000
"""Last place that is counted."""

# Literally the conditions of the two indexes.
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
    """Cursor in a leaderboard: place, lower bound (rating minus two margins), and id of a rating."""

    place: int
    sure: float
    id: int


BEFORE_ALL: Final = At(0, float("inf"), 0)


@dataclass(frozen=True, slots=True)
class BoardWanted:
    """A page of a leaderboard of `provisional` or settled ratings, at most `limit`, after a place."""

    category: Category
    provisional: bool
    limit: int
    after: At = BEFORE_ALL


class LeaderboardPage(NamedTuple):
    """Rows of a page, and the cursor of the next; None on the last page."""

    rows: list[View]
    following: At | None


def categories(rulesets: Mapping[str, AnyRuleset]) -> list[Category]:
    """Return the categories of ratings for the installed games."""
    return [Category(name, seats) for name, each in rulesets.items() for seats in each.meta.seats if seats > 1]


def leaderboards(db: Connection, rulesets: Mapping[str, AnyRuleset], viewer: UUID) -> list[View]:
    """Return all leaderboards, each with the viewer's rating, None without one."""
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
    """Return a page of a leaderboard; players without a public profile are named only to themselves."""
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
    """Return the viewer's rating in a category, with its place; None without a rating.

    The place is None for a provisional rating, and beyond PLACES.
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
    """Return a rating in shown numbers."""
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
