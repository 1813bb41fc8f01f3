"""Audit of the tables derived from the logs of games: an altered row is found."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from service.audit.derived_tables import discrepancies
from service.audit.inspect import examine
from service.audit.log import Altered
from service.handlers import lobby
from service.handlers.links import issue
from service.handlers.lobby import Fork, fork
from service.handlers.play import Move, play
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.store.idempotency import IdempotencyKey
from tests.audit.test_inspect import gathered
from tests.builders import finished, first_legal, now_at, sealed_bids, started
from tests.people import alice, bob, carol
from tests.superuser import Tamper

OF_A_GAME = ("event", "lobby_event", "seat", "seed", "seal", "outbox", "action_link", "idempotency")
"""Tables that have rows of a game, beside its own."""
OTHER_HOST = "(select player_id from seat where game_id = id order by arrival desc limit 1)"
SLIPPED_IN = """
insert into event select game_id, seq + 5, name, data, seat, door, decision, action, at, head from event
where game_id = %s and seq > 9
"""
TAKEN_BACK = """
with gone as (delete from event where game_id = %(game)s and seq > %(version)s)
update game set version = %(version)s, head = %(head)s, awaited = %(awaited)s, faces = %(faces)s where id = %(game)s
"""
"""Sets a game back to what it was at a version, as it was then."""


def running(games: Games) -> UUID:
    """A game of which Alice has a link and has played by it, and Bob has played by a request under a key."""
    position = started(games, "new-corp-order", [alice(games), bob(games)])
    game, players = position.game.id, [each.player_id for each in position.seats]
    for _ in range(3):
        seat = min(position.to_act)
        with games.engine.begin() as db:
            issue(db, game, seat, position.decision, clock.now())
        key = IdempotencyKey(players[seat], f"{game}-{position.version}")
        move = Move(game, seat, position.decision, first_legal(position, seat), "api")
        position = play(games, move, key).position
    return game


def forked(games: Games) -> UUID:
    """A game that goes on from another one."""
    over, people = finished(games, sealed_bids(games)), [alice(games), bob(games), carol(games)]
    wanted = Fork(over.game.id, over.version // 2, Terms(access="public"))
    game = fork(games, people[0].id, wanted, clock.now()).game.id
    for person in people[1:]:
        lobby.join(games, game, person.id, clock.now())
    return lobby.start(games, game, people[0].id, clock.now()).game.id


def wrong(games: Games, game: UUID) -> tuple[int, str] | None:
    """Return what an audit says of the game."""
    with games.engine.connect() as db:
        for found in discrepancies(db, [game]).values():
            return found.seq, found.wrong
        try:
            examine(db, Games(games.engine, games.rulesets), game)
        except Altered as altered:
            return altered.seq, altered.wrong
    return None


def forget(as_superuser: Tamper, game: UUID) -> None:
    """Take the game away, upon which no other test is to come."""
    for table in OF_A_GAME:
        as_superuser(f"delete from {table} where game_id = %s", (game,))
    as_superuser("delete from game where id = %s", (game,))


@pytest.mark.parametrize(
    ("reached", "change", "said"),
    [
        (running, "update game set origin = 'import' where id = %s", "said to come from elsewhere"),
        (running, "update game set host = gen_random_uuid() where id = %s", "host"),
        (gathered, f"update game set host = {OTHER_HOST} where id = %s", "host"),
        (gathered, "update seat set arrival = default where game_id = %s and seat = 1", "host"),
        (running, "update seat set seat = seat + 2 where game_id = %s", "a seat that it does not have"),
        (running, "update seat set player_id = gen_random_uuid() where game_id = %s and seat = 1", "taken by another"),
        (running, SLIPPED_IN, "knows nothing of it"),
        (running, "update game set awaited = '{}' where id = %s", "awaits others"),
        (running, "update game set faces = faces + 1 where id = %s", "another decision"),
        (running, "update seat set seen = 1000 where game_id = %s", "told of decisions after it"),
        (forked, "update game set fork_seq = fork_seq - 1 where id = %s", "goes on from another"),
        (forked, "update game set fork_of = null, fork_seq = null where id = %s", "goes on from another"),
        (running, "delete from game where id = %s", "its row is missing"),
        (gathered, "delete from game where id = %s", "its row is missing"),
    ],
)  # fmt: skip
def test_what_is_changed_beside_a_log_is_found(
    games: Games, as_superuser: Tamper, reached: Callable[[Games], UUID], change: str, said: str
) -> None:
    game = reached(games)
    assert wrong(games, game) is None
    as_superuser(change, (game,))
    found = wrong(games, game)
    forget(as_superuser, game)
    assert found is not None
    assert said in found[1]


def test_a_game_that_was_set_back_is_found_by_whoever_had_an_answer(games: Games, as_superuser: Tamper) -> None:
    game = started(games, "new-corp-order", [alice(games), bob(games)]).game.id
    before = now_at(games, game)
    seat = min(before.to_act)
    key = IdempotencyKey(before.seats[seat].player_id, str(game))
    play(games, Move(game, seat, before.decision, first_legal(before, seat), "api"), key)
    then = {"game": game, "version": before.version, "awaited": list(before.awaited), "faces": before.decision}
    as_superuser(TAKEN_BACK, {**then, "head": bytes.fromhex(before.game.head or "")})
    found = wrong(games, game)
    forget(as_superuser, game)
    assert found == (before.version + 1, "a request was answered with it, and it is missing")


def test_a_game_that_goes_on_from_what_never_happened_is_found(games: Games, as_superuser: Tamper) -> None:
    game = forked(games)
    (origin,) = as_superuser("select fork_of from game where id = %s", (game,)).fetchone()
    assert wrong(games, origin) is None
    as_superuser("update event set head = sha256(head) where game_id = %s and head is not null", (origin,))
    found = wrong(games, game)
    forget(as_superuser, origin)
    assert found == (2, f"game {origin} had other events than it goes on from, or another head after them")
    assert wrong(games, game) is not None, "a game whose origin is missing"
    forget(as_superuser, game)
