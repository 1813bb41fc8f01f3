"""Leaderboards, and a rated game that is over, as the pages show them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import text

from service.runtime import Runtime
from tests.browser.clock_situations import Place
from tests.people import Person, register
from tests.rated import rated, won_by_resignation

_RATE = text("""
insert into rating (player_id, ruleset, seats, mu, sigma, games) values (:player, 'new-corp-order', 3, :mu, :sigma, 24)
on conflict do nothing
""")
_HIDE = text("update player set visibility = 'hidden' where id = :player")


def rating_situations(runtime: Runtime, people: tuple[Person, ...]) -> Iterator[Place]:
    """Yield the pages, on which these people and some others have ratings."""
    games = runtime.games
    others = [register(games, name, None, people[0].language) for name in ("Dora", "Emil", "Kim", "Wilhelmine Auguste")]
    with games.engine.begin() as db:
        for place, person in enumerate([*people, *others]):
            db.execute(_RATE, {"player": person.id, "mu": 31.7 - place, "sigma": 2.4 + place / 3})
        db.execute(_HIDE, {"player": others[1].id})
    yield "leaderboard", "/leaderboards/new-corp-order/3", people[1]
    yield "leaderboard-stranger", "/leaderboards/new-corp-order/3", None
    game = won_by_resignation(games, people[0], people[1])
    rated(runtime, game)
    yield "rated-game-over", f"/games/{game}", people[0]
    yield "leaderboard-provisional", "/leaderboards/new-corp-order/2?provisional=true", people[0]
