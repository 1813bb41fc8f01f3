"""Ratings that were kept game after game are those that follow from the log of results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from uuid import UUID

import pytest
from sqlalchemy import text

from service.competition.ratings import RatedResult
from service.handlers.results import enter, rebuild
from service.shared import clock
from service.store import results
from service.store.games import Games
from service.store.results import Category, RatedGame
from tests.competition.simulated import rounds, strengths
from tests.people import alice

GAMES = 10_000
CATEGORY = Category("new-corp-order", 2)
_PLAYERS = text("insert into player (id, name, language, created_at) values (:id, 'Zoe', 'en', now())")
_GAMES = text("""
insert into game (id, ruleset, status, seats, options, host, commitment, created_at)
select gen_random_uuid(), 'new-corp-order', 'finished', 2, '{}', :host, '', now() from generate_series(1, :games)
returning id
""")


def by_hundreds(played: Sequence[tuple[UUID, RatedResult]]) -> Iterator[Sequence[tuple[UUID, RatedResult]]]:
    """Yield so many at a time: a transaction each would take long, and one for all is slowed by its own old rows."""
    for first in range(0, len(played), 100):
        yield played[first : first + 100]


@pytest.mark.slow
def test_ten_thousand_games_later_a_rebuild_gives_the_same_numbers_bit_for_bit(games: Games) -> None:
    chance, now = Random(1), clock.now()
    strong, host = strengths(chance, 40), alice(games).id
    # Other tests keep ratings that follow from no results.
    rebuild(games)
    with games.engine.begin() as db:
        db.execute(_PLAYERS, [{"id": player} for player in strong])
        played = list(db.execute(_GAMES, {"host": host, "games": GAMES}).scalars())
    for some in by_hundreds(list(zip(played, rounds(chance, strong, 2, GAMES // 20), strict=True))):
        with games.engine.begin() as db:
            results.write_alone(db)
            for game, result in some:
                enter(db, RatedGame(game, CATEGORY, now, None, result.players, result.places))
    done = rebuild(games)
    assert done.results >= GAMES and done.ratings >= 40
    assert done.mended == 0
    with games.engine.connect() as db:
        kept = results.ratings(db, CATEGORY, list(strong))
    assert {rating.games for rating in kept.values()} == {GAMES * 2 // 40}
