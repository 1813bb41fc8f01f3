"""The ladder of a player alone: the last games, what they count together, and the rung."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from flask import Flask
from freezegun import freeze_time

from service.handlers.played import keep_played
from service.handlers.resign import resign
from service.players.solo import SoloResult, result_of
from service.shared import clock
from service.store.games import Games, Position
from service.views.alone import COUNTED, RUNGS, Climbed, ScoreLadder, score_ladder_of
from tests.browsing import browser
from tests.builders import now_at, started
from tests.dealing import played
from tests.people import Person, alice, bob

NAME = "new-corp-order"


def kept(games: Games, over: Position) -> UUID:
    """Keep what a finished game counts, as a worker does."""
    with games.engine.begin() as db:
        keep_played(db, games, over.game.id)
    return over.game.id


def given_up(games: Games, player: Person, moment: datetime) -> UUID:
    with freeze_time(moment):
        position = started(games, NAME, [player])
        return kept(games, resign(games, position.game.id, player.id, "api", clock.now()).position)


def seen(games: Games, player: Person) -> ScoreLadder:
    with games.engine.begin() as db:
        return score_ladder_of(db, games, player.id, NAME)


@pytest.mark.parametrize(("margin", "won", "counts"), [(3, True, 3), (0, True, 0), (0, False, 0), (-2, False, 0)])
def test_a_game_counts_the_points_by_which_it_was_won(margin: int, won: bool, counts: int) -> None:
    at = datetime(2027, 3, 1, tzinfo=UTC)
    assert Climbed(uuid4(), at, SoloResult(margin, won, 3)).points == counts
    assert Climbed(uuid4(), at, None).points == 0, "a game that was given up"


def test_what_the_next_rung_needs_is_told_until_the_highest() -> None:
    assert ScoreLadder((), RUNGS[0], 1).missing == RUNGS[1] - RUNGS[0]
    assert ScoreLadder((), RUNGS[-1], len(RUNGS)).missing is None


def test_the_last_ten_games_alone_count_the_newest_first_and_nobody_elses(games: Games) -> None:
    player, at = alice(games), datetime(2027, 3, 1, tzinfo=UTC)
    first = kept(games, played(games, started(games, NAME, [player]), moment=at))
    before = seen(games, player)
    [climbed] = before.games
    assert (climbed.game, climbed.result) == (first, result_of(now_at(games, first).outcome))
    assert before.total == climbed.points and before.rung == sum(before.total >= needed for needed in RUNGS)

    later = [given_up(games, player, at + timedelta(hours=number)) for number in range(1, COUNTED + 1)]
    after = seen(games, player)
    assert [each.game for each in after.games] == later[::-1]
    assert (after.total, after.rung, after.missing) == (0, 0, RUNGS[0])
    assert seen(games, bob(games)) == ScoreLadder([], 0, 0)


def test_the_page_shows_the_own_games_alone_and_asks_strangers_to_sign_in(app: Flask, games: Games) -> None:
    player = alice(games)
    over = given_up(games, player, datetime(2027, 3, 1, tzinfo=UTC))
    page = browser(app, games, player).get("/games/alone")
    assert f"/games/{over}" in page.text and "resigned" in page.text
    assert "hast noch keine Solopartie beendet" in browser(app, games, bob(games)).get("/games/alone").text
    assert "Your last games alone" not in browser(app, games).get("/games/alone").text
    assert "/games/alone" in browser(app, games, player).get("/games").text
