"""Leaderboards, and a rated game that is over, as the pages show them."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

from sqlalchemy import text

from service.handlers.results import keep_played
from service.runtime import Runtime
from tests.browser.clock_situations import Place
from tests.challenged import called
from tests.people import Person, register
from tests.rated import TO_THE_END, at_turn, begun, rated, won_by_resignation

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
    yield "profile-rated", f"/players/{_rated_often(runtime, people)}", people[0]


def _rated_often(runtime: Runtime, people: tuple[Person, ...]) -> str:
    """Return the handle of somebody who has played both games to their ends, and whose rating has a course."""
    games, handle = runtime.games, f"ada-{uuid4().hex[:8]}"
    ada = called(games, register(games, "Ada", f"{handle}@example.org", people[0].language), handle)
    ended = [at_turn(games, begun(games, [ada, each]), TO_THE_END).game.id for each in people]
    other = at_turn(games, begun(games, [ada, *people[:2]], ruleset="bastards-inc"), TO_THE_END)
    for game in (*ended, other.game.id):
        rated(runtime, game)
        with games.engine.begin() as db:
            keep_played(db, games, game)
    return handle
