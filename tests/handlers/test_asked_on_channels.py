"""A player who has no mail address but a channel is asked for moves as others are by mail."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import text

from service.handlers.take_back import Wish, take_back
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import act, now_at
from tests.consenting import clocked, pending, player
from tests.games.sealed_bids.actions import Hold
from tests.pausing import BOB

_ONLY_A_CHANNEL = text("update player set email = null, email_verified = false, channels = true where id = :player")


def _with_bob_on_a_channel(games: Games) -> Position:
    position = clocked(games)
    with games.engine.begin() as db:
        db.execute(_ONLY_A_CHANNEL, {"player": player(position, BOB)})
    return now_at(games, position.game.id)


def test_after_an_action_was_taken_back_its_player_is_asked_again(games: Games) -> None:
    position = _with_bob_on_a_channel(games)
    with games.engine.begin() as db:
        db.execute(text("delete from outbox where kind = 'turn-mail' and game_id = :game"), {"game": position.game.id})
    act(games, position, BOB, Hold())
    assert BOB not in [row.payload["seat"] for row in pending(games, position, "turn-mail")]
    take_back(games, Wish(position.game.id, BOB, position.decision, "api"), timedelta(minutes=10), clock.now())
    assert BOB in [row.payload["seat"] for row in pending(games, position, "turn-mail")]
