"""A stream ends with the right to follow it: at the next heartbeat, or before the next news."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from service.api.streams import Follower, StreamIntervals, stream
from service.handlers import delete_account, lobby, operators, tokens
from service.handlers.authentication import authenticate
from service.handlers.lobby import Plan
from service.handlers.tokens import TokenTerms
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from tests.builders import act, started, table_for
from tests.games.sealed_bids.actions import Hold
from tests.operating import ZOE
from tests.people import Person, alice, bob, carol

BEAT = ": still here\n\n"
QUICK = StreamIntervals(heartbeat=0.02, lifetime=60)


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def follower(runtime: Runtime, game: UUID, person: Person) -> Follower:
    """The person, following the game with their token."""
    found = authenticate(runtime.games, person.token)
    assert found
    return Follower(runtime.games, runtime.subscriber, game, person.id, found.token.id, "en")


def silent(who: Follower, pace: StreamIntervals = QUICK) -> Iterator[str]:
    """A stream that has told all there was, and its first heartbeat."""
    messages: Any = stream(who, 0, pace)
    for message in messages:
        if message == BEAT:
            return iter(messages)
    raise AssertionError("the stream has ended")


def test_a_stream_ends_when_its_token_is_revoked(runtime: Runtime, games: Games, people: list[Person]) -> None:
    who = follower(runtime, started(games, "sealed-bids", people).game.id, people[0])
    messages = silent(who)
    assert next(messages) == BEAT
    assert tokens.revoke(games, who.player, who.token, clock.now())
    assert list(messages) in ([], [BEAT])


def test_a_stream_ends_within_seconds_when_its_token_is_revoked_or_its_account_blocked(
    runtime: Runtime, games: Games, people: list[Person]
) -> None:
    game = started(games, "sealed-bids", people).game.id
    # The next heartbeat would come in an hour.
    pace = StreamIntervals(heartbeat=3600, lifetime=7200, check=0.02)
    streams = [stream(follower(runtime, game, person), 0, pace) for person in people[:2]]
    for messages in streams:
        assert (next(messages), next(messages)[:4]) == ("retry: 5000\n\n", "id: ")
    tokens.revoke(games, people[0].id, follower(runtime, game, people[0]).token, clock.now())
    operators.block_account(games, people[1].id, ZOE, clock.now())
    for messages in streams:
        assert all(message.startswith("id: ") for message in messages)


def test_nothing_is_told_any_more_to_a_token_that_is_revoked(
    runtime: Runtime, games: Games, people: list[Person]
) -> None:
    position = started(games, "sealed-bids", people)
    who = follower(runtime, position.game.id, people[0])
    messages = silent(who, StreamIntervals(heartbeat=0.5, lifetime=60))
    tokens.revoke(games, who.player, who.token, clock.now())
    act(games, position, 1, Hold())
    assert set(messages) <= {BEAT}


def test_a_stream_ends_when_its_token_expires_or_its_account_goes(
    runtime: Runtime, games: Games, people: list[Person]
) -> None:
    game = started(games, "sealed-bids", people).game.id
    found = authenticate(games, people[0].token)
    assert found
    row, _ = tokens.create(games, found, TokenTerms("short", ["games:read"], clock.now()), clock.now())
    expired = Follower(games, runtime.subscriber, game, people[0].id, row.id, "en")
    assert list(stream(expired, 0, QUICK)) == ["retry: 5000\n\n"]
    messages = silent(follower(runtime, game, people[1]))
    delete_account.delete_account(games, people[1].id, "api", clock.now())
    assert list(messages) in ([], [BEAT])


def test_a_stream_ends_for_whoever_is_kicked(runtime: Runtime, games: Games, people: list[Person]) -> None:
    game = table_for(games, "sealed-bids", people[0], 3)
    lobby.join(games, game, people[1].id, clock.now())
    with games.engine.begin() as db:
        db.exec_driver_sql("update game set access = 'invitation' where id = %s", (game,))
    messages = silent(follower(runtime, game, people[1]))
    lobby.kick_player(games, game, 1, people[0].id)
    assert list(messages) in ([], [BEAT])


def test_a_stream_ends_for_a_stranger_when_the_table_is_private(
    runtime: Runtime, games: Games, people: list[Person]
) -> None:
    terms = Terms(access="public", spectators=False)
    game = lobby.create(games, people[0].id, Plan("sealed-bids", 3, {}, terms), clock.now()).game.id
    for person in people[1:]:
        lobby.join(games, game, person.id, clock.now())
    messages = silent(follower(runtime, game, alice(games)))
    lobby.start(games, game, people[0].id, clock.now())
    assert list(messages) in ([], [BEAT])
