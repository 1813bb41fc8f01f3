"""A request that is repeated under its key is answered once more, and done once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Connection, event

from service.handlers.append import Played
from service.handlers.play import IdempotencyKey, Move, play
from service.handlers.refusals import KeyReused, Unavailable
from service.rules.kernel import Illegal
from service.store import events
from service.store.fast_path import hand_of
from service.store.games import Games
from tests.builders import act, first_legal, now_at, sealed_bids
from tests.games.sealed_bids.actions import Bid, Hold


def test_the_same_request_twenty_times_at_once_is_done_once(games: Games) -> None:
    position = sealed_bids(games)
    key = IdempotencyKey(position.seats[0].player_id, "once-only")
    move = Move(position.game.id, 0, 1, first_legal(position, 0), "api")

    def ask(_: int) -> Played:
        return play(games, move, key)

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(20)))
    assert now_at(games, position.game.id).version == position.version + 1
    assert answers == [answers[0]] * 20


def test_a_repetition_gets_the_first_answer_even_when_the_game_has_moved_on(games: Games) -> None:
    before = sealed_bids(games)
    key = IdempotencyKey(before.seats[0].player_id, "a-first")
    move = Move(before.game.id, 0, 1, first_legal(before, 0), "api")
    first = play(games, move, key)
    for seat in (1, 2):
        act(games, before, seat, Hold())
    assert play(games, move, key) == first
    assert first.position.version == before.version + 1


def test_a_key_cannot_be_used_for_another_request(games: Games) -> None:
    position, other = sealed_bids(games), sealed_bids(games)
    key = IdempotencyKey(position.seats[0].player_id, "twice")
    bids = [Move(position.game.id, 0, 1, action, "api") for action in position.ruleset.legal(position.state, 0)]
    play(games, bids[0], key)
    for move in (bids[1], Move(other.game.id, 0, 1, Hold(), "api")):
        with pytest.raises(KeyReused):
            play(games, move, key)
    assert now_at(games, other.game.id).version == other.version


def test_a_key_belongs_to_its_principal(games: Games) -> None:
    position = sealed_bids(games)
    for seat in (0, 1):
        play(games, Move(position.game.id, seat, 1, Hold(), "api"), IdempotencyKey(uuid4(), "shared"))
    assert now_at(games, position.game.id).version == position.version + 2


def test_a_refused_request_does_not_use_up_its_key(games: Games) -> None:
    position = sealed_bids(games)
    key = IdempotencyKey(position.seats[0].player_id, "second-thought")
    with pytest.raises(Illegal):
        play(games, Move(position.game.id, 0, 1, Bid(card=99), "api"), key)
    assert play(games, Move(position.game.id, 0, 1, Hold(), "api"), key).events


def test_an_answer_that_was_lost_after_the_commit_is_had_again_under_the_key(games: Games) -> None:
    position = sealed_bids(games)
    key = IdempotencyKey(position.seats[0].player_id, "lost-reply")
    move = Move(position.game.id, 0, 1, first_legal(position, 0), "api")

    def lose(db: Connection, cursor: Any, statement: str, parameters: Any, *_: object) -> None:
        if "insert into event" in statement:
            cursor.execute(statement, parameters)
            db.connection.dbapi_connection.close()

    event.listen(hand_of(games.engine).engine, "before_cursor_execute", lose)
    with pytest.raises(Unavailable):
        play(games, move, key)
    event.remove(hand_of(games.engine).engine, "before_cursor_execute", lose)
    assert play(games, move, key).position == now_at(games, position.game.id)
    assert now_at(games, position.game.id).version == position.version + 1


def test_the_answer_of_a_repetition_is_what_the_log_says(games: Games) -> None:
    position = sealed_bids(games)
    for seat in (0, 1):
        position = act(games, position, seat, first_legal(position, seat)).position
    key = IdempotencyKey(position.seats[2].player_id, "two-events")
    played = play(games, Move(position.game.id, 2, 1, first_legal(position, 2), "api"), key)
    with games.engine.connect() as db:
        assert played.events == events.read(db, position.codec, position.game.id, position.version)
    assert [each.action is None for each in played.events] == [False, True]
