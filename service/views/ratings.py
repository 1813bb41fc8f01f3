"""The ratings of one player, with their course, and what a game has done to those of its players."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.competition.ratings import Rating, Skill
from service.views.leaderboards import shown_rating

View = dict[str, Any]

MOST: Final = 100
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
            "change": None if row.before is None else change(row.before, row.course[-1]),
        }
        for row in db.execute(_RATINGS, {"player": player, "most": MOST})
    ]


def rating_changes(db: Connection, game: UUID) -> dict[int, int]:
    """Return by how much a game has changed the numbers of the players who began in its seats; empty if it did not."""
    return {row.seat: change(row.before, row.mu) for row in db.execute(_CHANGES, {"game": game})}


def change(before: float, after: float) -> int:
    """Return by how much the shown number has changed from one mean of the model to another."""
    return Skill(after, 0).number - Skill(before, 0).number
