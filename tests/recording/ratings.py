"""A leaderboard with players whom rated games have made known."""

from __future__ import annotations

from sqlalchemy import text

from service.runtime import Runtime
from tests.recording.scribe import Scribe

_RATE = text("""
insert into rating (player_id, ruleset, seats, mu, sigma, games)
values (:player, 'new-corp-order', 2, :mu, 3.625, 24) on conflict do nothing
""")


def the_leaderboard(house: Runtime, seats: list[Scribe]) -> None:
    """Alice looks where she and Bob stand."""
    with house.engine.begin() as db:
        for person, mu in zip(seats, (26.03, 23.5), strict=False):
            db.execute(_RATE, {"player": person.get("/me")["id"], "mu": mu})
    seats[0].get("/leaderboards")
    seats[0].get("/leaderboards/new-corp-order/2")
