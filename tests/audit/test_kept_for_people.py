"""Audit of the rows for profiles and leaderboards: a row that contradicts the logs is found."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from service.commands.audit import audit
from service.handlers.results import keep_played, rated_otherwise, rebuild
from service.runtime import Runtime
from service.store.games import Games
from tests.builders import finished, started
from tests.people import alice, bob, carol
from tests.rated import people, rated, won_by_resignation


@pytest.mark.parametrize(
    "altered",
    [
        "update played_game set place = coalesce(place, 0) + 1 where (game_id, player_id) = (:game, :player)",
        "update played_game set waits = waits || 1 where (game_id, player_id) = (:game, :player)",
        "update played_game set lapsed = lapsed + 1 where (game_id, player_id) = (:game, :player)",
        "update played_game set scores[1] = scores[1] + 1 where (game_id, player_id) = (:game, :player)",
        """update played_game set sources = '{"star": 1}' where (game_id, player_id) = (:game, :player)""",
        "delete from played_game where (game_id, player_id) = (:game, :player)",
    ],
)
def test_a_row_of_a_profile_that_was_altered_is_named_with_its_game(games: Games, altered: str) -> None:
    table = [alice(games), bob(games), carol(games)]
    over = finished(games, started(games, "sealed-bids", table)).game.id
    assert audit(games, [over], {}).altered == []
    with games.engine.begin() as db:
        keep_played(db, games, over)
    assert audit(games, [over], {}).altered == []
    with games.engine.begin() as db:
        assert db.execute(text(altered), {"game": over, "player": table[1].id}).rowcount == 1
    ((game, wrong),) = audit(games, [over], {}).altered
    assert game == over and "profiles count it otherwise" in wrong.wrong
    with games.engine.begin() as db:
        keep_played(db, games, over)
    assert audit(games, [over], {}).altered == []


@pytest.mark.parametrize(
    "altered",
    [
        "update rating set mu = mu + 1 where player_id = :player",
        "update rating set games = games + 1 where player_id = :player",
        "update rating_step set sigma = sigma / 2 where player_id = :player",
        "delete from rating where player_id = :player",
    ],
)
def test_a_rating_that_was_altered_is_named_with_its_player(runtime: Runtime, altered: str) -> None:
    games, (one, other) = runtime.games, people(runtime.games, 2)
    rated(runtime, won_by_resignation(games, one, other))
    with games.engine.begin() as db:
        assert not {one.id, other.id} & set(rated_otherwise(db))
        assert db.execute(text(altered), {"player": one.id}).rowcount == 1
        assert {one.id, other.id} & set(rated_otherwise(db)) == {one.id}
    rebuild(games)
    with games.engine.connect() as db:
        assert one.id not in rated_otherwise(db)
