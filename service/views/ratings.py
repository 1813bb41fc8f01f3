"""The ratings of one player, with their course, and what a game has done to those of its players."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.rating.ratings import Rating
from service.rating.skill import Skill
from service.views.leaderboards import shown_rating

View = dict[str, Any]

MOST: Final = 100
"""The most games over which the course of a rating is told."""

_RATINGS: Final = text("""
select r.ruleset, r.seats, r.mu, r.sigma, r.games,
       (select json_agg(course.mu order by course.number) from (
          select number, mu from rating_step s
           where (s.player_id, s.ruleset, s.seats) = (r.player_id, r.ruleset, r.seats)
           order by number desc limit :most) course) as course
  from rating r where r.player_id = :player order by r.games desc, r.ruleset, r.seats
""")
_CHANGES: Final = text("""
select s.seat, t.before, t.mu from result r join result_seat s on s.number = r.number
  join rating_step t on t.number = r.number and t.player_id = s.player_id where r.game_id = :game order by s.seat
""")


def ratings_of(db: Connection, player: UUID) -> list[View]:
    """Return a player's ratings, those with the most games first: what is shown of each, and its course.

    Each has `ruleset`, `seats`, `number`, `margin`, `games`, `provisional`, and `course`: the numbers after each of the
    last games, the latest one last.
    """
    return [
        {
            "ruleset": row.ruleset,
            "seats": row.seats,
            **shown_rating(Rating(Skill(row.mu, row.sigma), row.games)),
            "course": [Skill(mu, 0).number for mu in row.course or ()],
        }
        for row in db.execute(_RATINGS, {"player": player, "most": MOST})
    ]


def rating_changes(db: Connection, game: UUID) -> dict[int, int]:
    """Return by how much a game has changed the numbers of the players who began in its seats; empty if it did not."""
    return {
        row.seat: Skill(row.mu, 0).number - Skill(row.before, 0).number for row in db.execute(_CHANGES, {"game": game})
    }
