"""Blocks of players, and the accounts for which a block holds."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError

from service.shared import clock
from service.store.games import Games
from service.store.people import add_block, blocked_pairs, count_blocks, either_blocks, remove_block
from tests.challenged import bot_of
from tests.people import alice, bob, carol


def test_one_sides_block_is_a_pair_in_either_order(games: Games) -> None:
    one, other, stranger = alice(games).id, bob(games).id, carol(games).id
    with games.engine.begin() as db:
        add_block(db, one, other, clock.now())
        pair = (min(one, other), max(one, other))
        assert blocked_pairs(db, [stranger, other, one]) == {pair}
        assert blocked_pairs(db, [other, stranger]) == frozenset() == blocked_pairs(db, [])
        assert either_blocks(db, one, other) and either_blocks(db, other, one)
        assert not either_blocks(db, one, stranger)


def test_both_sides_blocks_are_one_pair_and_either_can_end_alone(games: Games) -> None:
    one, other = alice(games).id, bob(games).id
    now = clock.now()
    with games.engine.begin() as db:
        first, second = add_block(db, one, other, now), add_block(db, other, one, now)
        assert add_block(db, one, other, now) == first != second
        assert (count_blocks(db, one), count_blocks(db, other)) == (1, 1)
        assert len(blocked_pairs(db, [one, other])) == 1
        assert not remove_block(db, first, other)
        assert remove_block(db, first, one)
        assert either_blocks(db, one, other)
        assert remove_block(db, second, other)
        assert not either_blocks(db, one, other)


def test_a_block_of_a_person_holds_for_the_bots_of_both(games: Games) -> None:
    one, other = alice(games), bob(games)
    hers, his = bot_of(games, one, "Ann"), bot_of(games, other, "Ben")
    with games.engine.begin() as db:
        add_block(db, one.id, other.id, clock.now())
        for left in (one.id, hers.id):
            for right in (other.id, his.id):
                assert either_blocks(db, left, right) and either_blocks(db, right, left)
        assert not either_blocks(db, one.id, hers.id)


def test_a_block_of_a_bot_is_of_that_bot_alone(games: Games) -> None:
    one, other = alice(games), bob(games)
    his, second = bot_of(games, other, "Ben"), bot_of(games, other, "Bill")
    with games.engine.begin() as db:
        add_block(db, one.id, his.id, clock.now())
        assert blocked_pairs(db, [one.id, other.id, his.id, second.id]) == {(min(one.id, his.id), max(one.id, his.id))}


def test_nobody_blocks_themselves(games: Games) -> None:
    one = alice(games).id
    with pytest.raises(IntegrityError), games.engine.begin() as db:
        add_block(db, one, one, clock.now())
